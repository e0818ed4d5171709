"""What the build refuses in a source, before anything runs; each message says what to do."""

import ast
import io
import re
import tokenize
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

from authoring.include import split_fences
from authoring.source import Cell, Lesson

TAGS = {"claim", "nbval-check-output", "playground", "slide", "exercise", "check"}
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG = 55  # with the chapter in front an id stays under nbformat's 64
MIN_ALT = 20  # characters; fewer cannot say what a picture shows

MACHINE_PATH = re.compile(
    r"(?<![\w/.~-])(?:/(?:home|root|Users|tmp|work|usr|opt|mnt|private|content|var)/|~/|[A-Z]:\\)\w"
)
REMOTE = re.compile(
    r"!\[[^\]]*\]\(\s*<?(?:https?:)?//"
    r"|<(?:img|source|video)\b[^>]*src\s*=\s*[\"']?(?:https?:)?//"
    r"|<(?:link|script|iframe)\b|@import\b",
    re.I,
)
MARKDOWN_IMAGE = re.compile(r"!\[([^\]]*)\]\(")


class _Images(HTMLParser):
    """Collects the alternative text of every <img> of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.alts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.alts.append((dict(attrs).get("alt") or "").strip())


def html_alts(html: str) -> list[str]:
    """Alternative text of each <img>, '' where there is none."""
    parser = _Images()
    parser.feed(html)
    return parser.alts


def markdown_alts(markdown: str) -> list[str]:
    """Alternative text of each image of a markdown cell, fenced blocks left out."""
    prose = "\n".join(line for line, fenced in split_fences(markdown) if not fenced)
    return [alt.strip() for alt in MARKDOWN_IMAGE.findall(prose)] + html_alts(prose)


def lint(lesson: Lesson) -> list[str]:
    """Every refusal of a source: empty when it may be built."""
    problems = _ids(lesson) + _defined_twice(lesson)
    first = lesson.cells[0] if lesson.cells else Cell("code", "")
    if first.kind != "markdown" or first.source.split("\n")[0] != f"# {lesson.title}":
        problems.append(
            f"{lesson.where(first)}: the first cell is markdown and starts with the header's "
            f"title: # {lesson.title}"
        )
    for cell in lesson.cells:
        check = _code if cell.kind == "code" else _markdown
        problems += [f"{lesson.where(cell)}: {text}" for text in check(cell) + _both(cell)]
    return problems


def _ids(lesson: Lesson) -> list[str]:
    problems = []
    counts = Counter(cell.slug for cell in lesson.cells if cell.slug is not None)
    for cell in lesson.cells:
        slug = cell.slug
        if slug is not None and (not SLUG.fullmatch(str(slug)) or len(slug) > MAX_SLUG):
            problems.append(
                f"{lesson.where(cell)}: id={slug!r}: use lower-case words joined by '-', "
                f"at most {MAX_SLUG} characters"
            )
        if slug is not None and counts[slug] > 1:
            problems.append(
                f"{lesson.where(cell)}: id={slug!r} stands {counts[slug]} times: rename"
            )
    return problems


def _defined_twice(lesson: Lesson) -> list[str]:
    """A second def or class of a name would overwrite what the first cell made."""
    seen: dict[str, Cell] = {}
    problems = []
    for cell in lesson.cells:
        for node in _parse(cell).body if cell.kind == "code" else []:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if node.name in seen:
                problems.append(
                    f"{lesson.where(cell)}: {node.name} is defined already in "
                    f"{lesson.where(seen[node.name])}: give one of them another name"
                )
            seen.setdefault(node.name, cell)
    return problems


def _parse(cell: Cell) -> ast.Module:
    """Syntax tree of a code cell; an empty one where it is not Python (reported by `_code`)."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def _code(cell: Cell) -> list[str]:
    if not cell.source.strip():
        return ["an empty code cell: fill or delete it"]
    try:
        tree = ast.parse(cell.source)
    except SyntaxError as error:
        line = (error.text or "").strip()
        if re.match(r"[!%?]|\w[\w, ]*=\s*[!%]", line) or line.endswith("?"):
            return [f"{line!r} is a shell or line magic: write it in Python"]
        return [f"line {error.lineno} of the cell is not Python ({error.msg}): {line!r}"]
    problems = [
        f"line {number} of the cell ends in ';': delete it, and end the cell in show(fig, alt=...)"
        for number in _trailing_semicolons(cell.source)
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ("input", "get_ipython"):
            problems.append(
                f"line {node.lineno} of the cell uses {node.id}: a notebook runs without questions "
                "and magics; give the value in the code"
            )
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.match(r"/[A-Za-z_][\w.-]*/\S", node.value)
        ):
            problems.append(f"{node.value!r} is an absolute path: ask companion.data for the file")
    if re.search(r"#\s*NBVAL_", cell.source):
        problems.append('an NBVAL_ comment: say it by tag, tags=["nbval-check-output"]')
    return problems


def _trailing_semicolons(source: str) -> list[int]:
    ignored = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in ignored
    ]
    return [
        before.start[0]
        for before, after in pairwise(tokens)
        if before.string == ";" and after.type == tokenize.NEWLINE
    ]


def _markdown(cell: Cell) -> list[str]:
    if not cell.source.strip():
        return ["an empty markdown cell: fill or delete it"]
    try:
        alts = markdown_alts(cell.source)
    except ValueError as error:
        return [str(error)]
    problems = [
        f"an image has {alt!r} as alternative text: say what it shows, {MIN_ALT} characters or more"
        for alt in alts
        if len(alt) < MIN_ALT
    ]
    if cell.tags and set(cell.tags) - {"slide"}:
        problems.append(f"tags {', '.join(cell.tags)}: they mean nothing on a markdown cell")
    return problems


def _both(cell: Cell) -> list[str]:
    problems = [
        f"unknown tag {tag!r}: the course knows {', '.join(sorted(TAGS))}"
        for tag in cell.tags
        if tag not in TAGS
    ]
    if "claim" in cell.tags and not any(
        isinstance(node, ast.Assert) for node in ast.walk(_parse(cell))
    ):
        problems.append("tagged claim, but asserts nothing: add the assert or drop the tag")
    if path := MACHINE_PATH.search(cell.source):
        problems.append(f"{path.group()!r} opens an absolute path: name no place of one machine")
    if remote := REMOTE.search(cell.source):
        problems.append(f"{remote.group()!r} loads from elsewhere: the course runs offline")
    return problems
