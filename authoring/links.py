"""Relative links of a notebook or Markdown file: does what they name exist?"""

import re
from pathlib import Path
from urllib.parse import unquote

import nbformat

from authoring.include import split_fences

LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HTML_LINK = re.compile(r"<(?:a|img)\b[^>]*?(?:href|src)\s*=\s*[\"']([^\"']+)[\"']", re.I)
INLINE_CODE = re.compile(r"(`+).+?\1", re.S)
HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)


def prose_of(text: str) -> str:
    """Markdown without its fenced blocks and inline code."""
    lines = [line for line, fenced in split_fences(text) if not fenced]
    return INLINE_CODE.sub("", "\n".join(lines))


def markdown_of(path: Path) -> list[str]:
    """The Markdown texts of a file: a notebook's cells, or the whole of an .md file."""
    if path.suffix != ".ipynb":
        return [path.read_text(encoding="utf-8")]
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


def broken_links(path: Path) -> list[str]:
    """Each relative link of a file that leads nowhere, and why."""
    problems = []
    for text in markdown_of(path):
        prose = prose_of(text)
        for link in LINK.findall(prose) + HTML_LINK.findall(prose):
            if not EXTERNAL.match(link) and (problem := _problem(path, link)):
                problems.append(f"{path.name}: link {link}: {problem}")
    return problems


def _problem(path: Path, link: str) -> str:
    """Why a relative link leads nowhere; '' where it does not."""
    name, _, fragment = unquote(link).partition("#")
    target = path.parent / name if name else path
    if target.parent.name == "my_work":  # a learner's copies; here stand what they are made from
        target = target.parent.with_name("exercises") / target.name
    if name.startswith("/") or not target.exists():
        return "no such file; write the path from this file's folder"
    if fragment and target.suffix in (".md", ".ipynb") and fragment not in anchors(target):
        return f"{target.name} has no such cell or heading"
    return ""


def anchors(path: Path) -> set[str]:
    """Fragments that lead somewhere: headings and, as JupyterLab spells it, cell-id=NN-slug."""
    found = set()
    for text in markdown_of(path):
        for line, fenced in split_fences(text):
            heading = HEADING.match(line)
            if heading and not fenced:
                found.add(_anchor(heading[1], path.suffix))
    if path.suffix == ".ipynb":
        found |= {f"cell-id={cell.id}" for cell in nbformat.read(path, as_version=4).cells}
    return found


def _anchor(heading: str, suffix: str) -> str:
    """The anchor that a heading gets: JupyterLab keeps its letters, GitHub makes them small."""
    heading = re.sub(r"[`*]", "", heading)
    if suffix == ".ipynb":
        return heading.replace(" ", "-")
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
