"""The log of a run: one CSV line each time, readable while the run goes on."""

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.files import replace_file


class LogLine(NamedTuple):
    """One line; `held_out_*` stand only where the run was evaluated."""

    step: int  # updates so far
    epoch: float  # times that the data was read
    seconds: float  # of training, without evaluations and pauses
    lr_factor: float  # what the learning rates were multiplied with
    loss: float  # nats at selected tokens, or error at hidden patches: mean since the line before
    held_out_loss: float | None = None
    held_out_accuracy: float | None = None


class Log:
    """A CSV file that grows by lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: LogLine) -> None:
        """Add one line, and its heading to an empty file."""
        is_new = not self.path.exists() or self.path.stat().st_size == 0
        with self.path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(LogLine._fields)
            writer.writerow(["" if v is None else round(v, 5) for v in line])
            file.flush()
            os.fsync(file.fileno())  # a checkpoint that follows must not be younger than its line

    def cut_after(self, step: int) -> None:
        """Forget what a run wrote after the checkpoint that it goes on from."""
        if not self.path.exists():
            return
        kept = io.StringIO()
        writer = csv.writer(kept, lineterminator="\n")
        writer.writerow(LogLine._fields)
        writer.writerows(cells for cells in _whole_lines(self.path) if int(cells[0]) <= step)
        replace_file(self.path, kept.getvalue().encode())


def read_log(path: Path) -> list[LogLine]:
    """The lines of a log; half a line, which a run at work or a killed one can show, is none."""
    lines = []
    for step, *rest in _whole_lines(path):
        numbers = [float(cell) if cell else None for cell in rest]
        lines.append(LogLine(int(step), *numbers))  # type: ignore[arg-type]
    return lines


def _whole_lines(path: Path) -> Iterator[list[str]]:
    """The cells of every line that was written to its end, without the heading."""
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    for cells in csv.reader(io.StringIO(text[: text.rfind("\n") + 1])):
        if len(cells) == len(LogLine._fields) and cells[0].isdecimal():
            yield cells
