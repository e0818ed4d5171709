"""What a learner has done, in a small file beside the work; nothing of it is ever thrown away."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from companion.check.exercise import Exercise
from companion.check.result import Status
from companion.files import replace_file
from companion.workspace import FOLDER

FILE = "progress.json"


@dataclass
class Record:
    """One exercise: its last verdict, and what was looked at."""

    status: str = "NOT_STARTED"  # of the last try
    passed: bool = False  # in any try: what was solved stays solved
    tries: int = 0
    hints: int = 0
    revealed: bool = False
    failing: str = ""  # the property of the last WRONG ...
    in_a_row: int = 0  # ... and how often it was the same


class Progress:
    """The records of one workspace, or of this session alone where there is no workspace."""

    def __init__(self, folder: Path | None = None) -> None:
        self.file = None if folder is None else folder / FILE
        self.records: dict[str, Record] = {}
        self.note = ""  # what a learner has to be told about the file
        self.unsaved = False
        if self.file is not None and self.file.exists():
            try:
                self.records = _read(self.file)
            except (OSError, ValueError, TypeError) as error:
                kept = _set_aside(self.file)
                self.note = (
                    f"{FILE} could not be read ({error}). It was kept as {kept}; a new one begins."
                )

    def is_on_disk(self) -> bool:
        """Whether there is a file that says as much, or more."""
        return self.file is not None and self.file.exists() and not self.unsaved

    def of(self, exercise_id: str) -> Record:
        """The record of an exercise; a new one when there is none."""
        return self.records.setdefault(exercise_id, Record())

    def save(self) -> None:
        """Write the whole file at once; a folder that cannot be written is said, not raised."""
        if self.file is None:
            return
        records = {name: asdict(self.records[name]) for name in sorted(self.records)}
        text = json.dumps({"version": 1, "exercises": records}, indent=1)
        try:
            replace_file(self.file, (text + "\n").encode())
            self.unsaved = False
        except OSError as error:
            self.unsaved = True
            self.note = f"{FILE} could not be written ({error.strerror}): this verdict is not kept."


def workspace(folder: Path) -> Path | None:
    """The folder if it is a learner's: my_work, or one that holds a progress file."""
    return folder if folder.name == FOLDER or (folder / FILE).exists() else None


def _read(file: Path) -> dict[str, Record]:
    known = {field.name: field.type for field in fields(Record)}
    found = json.loads(file.read_text(encoding="utf-8"))["exercises"]
    records = {
        str(name): Record(**{key: value for key, value in record.items() if key in known})
        for name, record in found.items()
    }
    for name, record in records.items():
        record.passed |= record.status == "PASS"
        if record.status not in Status.__members__:
            raise ValueError(f"{name} has the status {record.status!r}")
    return records


def _set_aside(file: Path) -> str:
    """Give a file that cannot be read another name, which no other file has."""
    number = 1
    while (other := file.with_name(f"{file.stem}.damaged-{number}{file.suffix}")).exists():
        number += 1
    file.rename(other)
    return other.name


def summary(progress: Progress, exercises: Sequence[Exercise]) -> list[tuple[str, str, str, str]]:
    """Id, title, verdict in words and notes of each exercise, in order."""
    rows = []
    for one in exercises:
        record = progress.records.get(one.id, Record())
        verdict = Status.PASS if record.passed else Status[record.status]
        notes = (
            [] if verdict.name == record.status else [f"last try: {Status[record.status].value}"]
        )
        notes += [f"{record.hints} of {len(one.hints)} hints"] if record.hints else []
        notes += ["solution seen"] if record.revealed else []
        rows.append((one.id, one.title, verdict.value, ", ".join(notes)))
    return rows


def table(progress: Progress, exercises: Sequence[Exercise]) -> str:
    """The same as text, under a line that counts."""
    rows = summary(progress, exercises)
    width = max((len(row[1]) for row in rows), default=0)
    lines = [f"{i:6}{title:{width}}  {verdict:18} {notes}" for i, title, verdict, notes in rows]
    return "\n".join([counted(rows), *(line.rstrip() for line in lines)])


def counted(rows: Sequence[tuple[str, str, str, str]]) -> str:
    """How many of the rows are solved."""
    done = sum(verdict == Status.PASS.value for _, _, verdict, _ in rows)
    return f"{done} of {len(rows)} exercises passed"
