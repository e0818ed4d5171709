"""The learner's own copies of the exercises: made once, never overwritten."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from companion.files import replace_file

FOLDER = "my_work"
RECORD = ".course.json"  # file name -> hash of the version that it was copied from


class Prepared(NamedTuple):
    """What was done, by file name."""

    copied: list[str]
    renewed: list[str]  # not touched by the learner, so the newer version took its place
    newer: list[str]  # touched by the learner, and there is a newer version


def prepare(course: Path) -> Prepared:
    """Copy what is missing from exercises/ into my_work/; a file that was touched stays as it is.

    course: the folder that holds both. OSError where my_work cannot be written.
    """
    folder = course / FOLDER
    record = _read(folder / RECORD)
    done = Prepared([], [], [])
    for source in sorted((course / "exercises").glob("*.ipynb")):
        data = source.read_bytes()
        latest, target = _hash(data), folder / source.name
        if not target.exists():
            done.copied.append(source.name)
        elif record.get(source.name) == latest or _hash(target.read_bytes()) == latest:
            record[source.name] = latest
            continue
        elif _hash(target.read_bytes()) == record.get(source.name):
            done.renewed.append(source.name)
        else:
            done.newer.append(source.name)
            continue
        replace_file(target, data)
        record[source.name] = latest
    replace_file(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())
    return done


def announcement(done: Prepared) -> list[str]:
    """What a learner has to know of it, one line each."""
    lines = []
    if done.copied:
        lines.append(f"Your copies of the exercises are in {FOLDER}/: {', '.join(done.copied)}")
    if done.renewed:
        lines.append(f"Renewed in {FOLDER}/, as you had not begun: {', '.join(done.renewed)}")
    lines += [
        f"{FOLDER}/{name} stays as it is; exercises/{name} is newer. To begin with the newer one: "
        f"rename yours, then run this command again."
        for name in done.newer
    ]
    return lines


def _read(path: Path) -> dict[str, str]:
    """The record; an empty one where there is none, or none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
