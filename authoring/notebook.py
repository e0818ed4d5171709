"""Make a notebook of a lesson: ids, metadata and text that come out the same every time."""

import hashlib
import json
import os
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from authoring.source import Cell, Lesson

# Facts of one run; everything else in a notebook's metadata follows from its source.
RUN_FIELDS = ("seconds_measured", "modules", "assets")


def digest(data: bytes) -> str:
    """Short hash for "has this changed?"."""
    return hashlib.sha256(data).hexdigest()[:16]


def cell_id(chapter: str, position: int, cell: Cell) -> str:
    """NN-slug, or for a cell without a name NN-position-hash."""
    slug = cell.slug or f"{position:02d}-{digest(cell.source.encode())[:6]}"
    return f"{chapter}-{slug}"


def make_notebook(lesson: Lesson) -> NotebookNode:
    """The notebook of a lesson, not executed: the same lesson gives the same bytes."""
    notice = f"generated from {lesson.origin}, do not edit"
    cells = []
    for position, cell in enumerate(lesson.cells):
        source = f"<!-- {notice} -->\n{cell.source}" if position == 0 else cell.source
        make = v4.new_code_cell if cell.kind == "code" else v4.new_markdown_cell
        metadata = {"tags": list(cell.tags)} if cell.tags else {}
        node = make(source, id=cell_id(lesson.chapter, position, cell), metadata=metadata)
        cells.append(node)
    notebook = v4.new_notebook(
        cells=cells,
        metadata={
            "companion": {
                "generated": notice,
                "title": lesson.title,
                "seconds_stated": lesson.seconds,
            },
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
    )
    notebook.nbformat_minor = 5
    notebook.metadata.companion["source"] = source_hash(notebook)
    return notebook


def source_hash(notebook: NotebookNode) -> str:
    """Hash of what is executed and read: kinds, ids, tags and sources of the cells."""
    cells = [
        [cell.cell_type, cell.id, cell.metadata.get("tags", []), cell.source]
        for cell in notebook.cells
    ]
    return digest(json.dumps(cells).encode())


def differences(expected: NotebookNode, found: NotebookNode) -> list[str]:
    """Where a committed notebook is not what its source makes; outputs do not count."""
    lines = []
    for one, other in zip(expected.cells, found.cells, strict=False):
        fields = [
            name
            for name in ("id", "cell_type", "source", "metadata")
            if one.get(name) != other.get(name)
        ]
        if fields:
            lines.append(f"cell {one.id}: {', '.join(fields)} differs from its source")
    if len(expected.cells) != len(found.cells):
        lines.append(f"it has {len(found.cells)} cells, its source {len(expected.cells)}")
    metadata = json.loads(json.dumps(found.metadata))
    for name in RUN_FIELDS:
        metadata.get("companion", {}).pop(name, None)
    if metadata != expected.metadata:
        lines.append("its metadata differs from what its source makes")
    if (found.nbformat, found.nbformat_minor) != (4, 5):
        lines.append(f"it is nbformat {found.nbformat}.{found.nbformat_minor}, not 4.5")
    return lines


def to_text(notebook: NotebookNode) -> str:
    """The bytes that are committed: sorted keys, LF, newline at the end."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write under a temporary name and rename, so that no half-written file is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)  # mkstemp makes it private
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
