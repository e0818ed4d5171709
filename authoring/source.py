"""Read one source of the course: a py:percent file becomes a `Lesson` of cells.

The format is described at the top of `build.py`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
import yaml

from authoring.include import expand_includes

# Comments stay comments: jupytext would turn `# cat sat` into a magic otherwise.
FORMAT = {"extension": ".py", "format_name": "percent", "comment_magics": False}
NAME = re.compile(r"(?P<chapter>\d{2}[a-z]?)_[a-z0-9_]+")
MARKER = re.compile(r"# %%(\s|$)")
HEADER_FIELDS = {"title": str, "idea": str, "seconds": (int, float)}


class BuildError(Exception):
    """What the author has to repair: one line or paragraph for each problem."""

    def __init__(self, problems: list[str]) -> None:
        """Keep the list, and show all of it."""
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Cell:
    """One cell of a source, includes expanded; `line` is that of its marker."""

    kind: str
    source: str
    slug: str | None = None
    tags: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class Lesson:
    """A source that can be made into a notebook; `origin` is relative to the repository."""

    name: str  # "02_topic", "extra/02_topic", "exercises/02_topic", "solutions/02_topic"
    chapter: str  # "02", "02-extra" or "02-ex": what its cells' ids begin with
    origin: str
    title: str
    idea: str
    seconds: float
    cells: tuple[Cell, ...]

    @property
    def is_handed_out(self) -> bool:
        """Whether it is a notebook to be filled in: never executed, without outputs."""
        return self.name.startswith("exercises/")

    @property
    def is_solution(self) -> bool:
        """Whether its checks must all pass."""
        return self.name.startswith("solutions/")

    def where(self, cell: Cell) -> str:
        """Name a cell in a message: file, line, id."""
        return f"{self.origin}:{cell.line} (cell {cell.slug or 'without an id'})"


def read_lesson(path: Path, root: Path) -> Lesson:
    """Read a py:percent source, expand its includes; every problem of form is a BuildError."""
    origin = path.relative_to(root).as_posix()
    name = NAME.fullmatch(path.stem)
    if name is None:
        raise BuildError([f"{origin}: call it NN_topic.py (two digits, lower case)"])
    text = path.read_text(encoding="utf-8")
    try:
        nodes = jupytext.reads(text, fmt=FORMAT).cells
    except nbformat.ValidationError as error:
        hint = 'markers look like # %% id="a-name" tags=["claim"]'
        raise BuildError([f"{origin}: {error.message}: {hint}"]) from error
    header = _read_header(nodes.pop(0) if nodes else None, origin)

    lines = [n for n, line in enumerate(text.splitlines(), 1) if MARKER.match(line)]
    if len(lines) != len(nodes):
        raise BuildError(
            [
                f"{origin}: {len(nodes)} cells under {len(lines)} '# %%' markers: "
                "start every cell, the first one too, with a marker of its own"
            ]
        )
    problems: list[str] = []
    cells = []
    for node, line in zip(nodes, lines, strict=True):
        try:
            cells.append(_read_cell(node, line, root))
        except ValueError as error:
            problems.append(f"{origin}:{line}: {error}")
    if problems:
        raise BuildError(problems)
    label, chapter = path.stem, name["chapter"]
    if path.parent.name == "extra":
        label, chapter = f"extra/{label}", f"{chapter}-extra"
    return Lesson(label, chapter, origin, *header, tuple(cells))


def _read_header(node: dict | None, origin: str) -> tuple[str, str, float]:
    """Title, idea and seconds from the `# ---` block that opens the file."""
    example = "# ---\n# title: ...\n# idea: ...\n# seconds: 20\n# ---"
    if node is None or node["cell_type"] != "raw":
        raise BuildError([f"{origin}: starts without a header; write\n{example}"])
    try:
        fields = yaml.safe_load(node["source"].strip().strip("-"))
    except yaml.YAMLError as error:
        raise BuildError([f"{origin}: its header is not YAML: {error}"]) from error
    fields = fields if isinstance(fields, dict) else {}
    problems = [
        f"{origin}: the header's {name} is {fields.get(name)!r}; write\n{example}"
        for name, kind in HEADER_FIELDS.items()
        if not isinstance(fields.get(name), kind)
    ]
    if problems:
        raise BuildError(problems)
    return fields["title"].strip(), " ".join(fields["idea"].split()), float(fields["seconds"])


def _read_cell(node: dict, line: int, root: Path) -> Cell:
    """A cell of jupytext as ours; ValueError says what is wrong with it."""
    # jupytext notes unusual blank lines between cells in a field of its own
    known = {"id", "tags", "lines_to_next_cell", "lines_to_end_of_cell_marker"}
    unknown = sorted(set(node["metadata"]) - known)
    if unknown:
        raise ValueError(f"unknown on a cell marker: {', '.join(unknown)}; id= and tags= are known")
    if node["cell_type"] not in ("code", "markdown"):
        raise ValueError(f"a {node['cell_type']} cell: make it [markdown] or code")
    source = expand_includes(node["source"], node["cell_type"], root)
    tags = tuple(node["metadata"].get("tags", []))
    return Cell(node["cell_type"], source, node["metadata"].get("id"), tags, line)
