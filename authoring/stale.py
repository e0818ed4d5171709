"""Which committed notebook is out of date, and why: source, module or asset by name."""

from pathlib import Path

import nbformat

from authoring.notebook import RUN_FIELDS, differences, digest, make_notebook
from authoring.source import Lesson


def notebook_path(name: str, root: Path) -> Path:
    """Where a notebook stands: exercises and solutions in folders of their own."""
    own = name.startswith(("exercises/", "solutions/"))
    return root / ("" if own else "notebooks") / f"{name}.ipynb"


def stale_reasons(lesson: Lesson, root: Path) -> list[str]:
    """Why this lesson has to be built again: empty when its notebook is up to date."""
    path = notebook_path(lesson.name, root)
    if not path.is_file():
        return ["source: there is no notebook yet"]
    try:
        found = nbformat.read(path, as_version=4)
    except Exception as error:  # whatever is wrong with the file, building replaces it
        return [f"source: the notebook cannot be read ({type(error).__name__})"]
    reasons = [f"source: {line}" for line in differences(make_notebook(lesson), found)]
    if lesson.is_handed_out:
        return reasons
    record = found.metadata.get("companion", {})
    if any(name not in record for name in RUN_FIELDS):
        return [*reasons, "source: the notebook was never executed"]
    for field, word in (("modules", "module"), ("assets", "asset")):
        for name, known in record[field].items():
            file = root / name
            if not file.is_file():
                reasons.append(f"{word}: {name} is gone")
            elif digest(file.read_bytes()) != known:
                reasons.append(f"{word}: {name} changed")
    return reasons


def orphans(names: set[str], root: Path) -> list[str]:
    """Notebooks that no source makes any more."""
    places = ("notebooks/*", "notebooks/extra/*", "exercises/*", "solutions/*")
    found = sorted(path for place in places for path in root.glob(f"{place}.ipynb"))
    wanted = {notebook_path(name, root) for name in names}
    return [path.relative_to(root).as_posix() for path in found if path not in wanted]
