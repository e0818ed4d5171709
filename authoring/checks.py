"""What an executed notebook must satisfy: the build refuses it otherwise, and so do the tests."""

import base64
import re
from pathlib import Path

from nbformat import NotebookNode

from authoring.execute import WIDGET
from authoring.notebook import to_text
from authoring.rules import MACHINE_PATH, MIN_ALT, html_alts, markdown_alts

MAX_PNG = 150_000
MAX_NOTEBOOK = 2_000_000
DATA_URI = re.compile(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]*")


def problems_of(notebook: NotebookNode, private: tuple[str, ...] = ()) -> list[str]:
    """Everything wrong with the outputs of a notebook, cell by cell."""
    problems = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            found = alt_problems(markdown_alts(cell.source))
        else:
            found = _code_cell(cell, private)
        problems += [f"cell {cell.id}: {text}" for text in found]
    if "widgets" in notebook.metadata:
        problems.append("its metadata keeps the state of widgets: drop metadata.widgets")
    size = len(to_text(notebook).encode())
    if size > MAX_NOTEBOOK:
        problems.append(f"it has {size:,} bytes, {MAX_NOTEBOOK:,} are allowed: fewer figures")
    return problems


def handed_out_problems(notebook: NotebookNode) -> list[str]:
    """What is wrong with a notebook to be filled in: it carries no outputs."""
    return [
        f"cell {cell.id}: carries outputs or a number: an exercise is handed out unrun"
        for cell in notebook.cells
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None)
    ]


def alt_problems(alts: list[str]) -> list[str]:
    """One line for each alternative text that is too short to say anything."""
    return [
        f"alternative text {alt!r}: say what the picture shows, {MIN_ALT} characters or more"
        for alt in alts
        if len(alt) < MIN_ALT
    ]


def _code_cell(cell: NotebookNode, private: tuple[str, ...]) -> list[str]:
    problems = []
    if cell.execution_count is None:
        problems.append("was never run: build it")
    if "check" in cell.metadata.get("tags", []) and not any(
        output.get("metadata", {}).get("check", {}).get("status") == "PASS"
        for output in cell.outputs
    ):
        problems.append("is the check of a solution, and shows no PASS")
    if "execution" in cell.metadata:
        problems.append("its metadata keeps times: drop metadata.execution")
    for output in cell.outputs:
        problems += _output(output, private)
    tags = cell.get("metadata", {}).get("tags", [])
    if "playground" in tags and not any(
        'role="status"' in str(output.get("data", {}).get("text/html", ""))
        for output in cell.outputs
    ):
        problems.append(
            "a playground that says nothing where widgets do not run: give it text/html with a "
            "status_line"
        )
    if "nbval-check-output" in tags:
        if not cell.outputs:
            problems.append("is compared, but shows nothing: print something, or drop the tag")
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            problems.append("is compared, but shows a figure: split text and figure in two cells")
    return problems


def _output(output: NotebookNode, private: tuple[str, ...]) -> list[str]:
    if output.output_type == "error":
        return [f"raised {output.ename}: {output.evalue}"]
    if output.output_type == "stream":
        problems = _text(output.text, private)
        if output.name == "stderr":
            problems.append(f"wrote to stderr; a lesson shows no warnings:\n{output.text.strip()}")
        return problems
    problems = []
    html = str(output.data.get("text/html", ""))
    alts = html_alts(html)
    problems += alt_problems(alts)
    if "image/png" in output.data and not alts:
        problems.append("a figure without alternative text: end the cell in show(fig, alt=...)")
    for kind in ("image/jpeg", "image/svg+xml"):
        if kind in output.data:
            problems.append(f"shows {kind}: show pictures by show(fig, alt=...)")
    if "image/png" in output.data:
        size = len(base64.b64decode(output.data["image/png"]))
        if size > MAX_PNG:
            problems.append(f"a PNG of {size:,} bytes, {MAX_PNG:,} are allowed: smaller or flatter")
    if WIDGET in output.data:
        problems.append("keeps a widget that no reader has: keep its HTML alone")
    for kind in ("text/plain", "text/html", "text/markdown"):
        problems += _text(str(output.data.get(kind, "")), private)
    return problems


def _text(text: str, private: tuple[str, ...]) -> list[str]:
    """A path of the machine that built the notebook means nothing to a reader."""
    text = DATA_URI.sub("", text)
    hits = [place for place in private if len(place) > 1 and place in text]
    if path := MACHINE_PATH.search(text):
        hits.append(path.group())
    return [f"shows {hit!r}, a path of this machine: print the name alone" for hit in hits[:1]]


def private_places(root: Path) -> tuple[str, ...]:
    """Folders of this machine that no output may name."""
    return (str(root), str(Path.home()))
