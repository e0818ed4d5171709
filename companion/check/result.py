"""What a check says: one of eight statuses, and a message of at most six lines."""

import html
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Status(Enum):
    """The eight verdicts; the value is the symbol and the words that a learner reads."""

    PASS = "✔ Pass"
    NOT_RUN = "▷ Not run"
    NOT_STARTED = "○ Not started"
    WRONG = "△ Not yet"
    RAISED = "⚠ Raised an error"
    TOO_SLOW = "◷ Stopped"
    BORROWED = "⇄ Borrowed"
    CHECK_BUG = "⚑ Our mistake"


class Line(NamedTuple):
    """One line of a message: a word in front, and what it says."""

    label: str
    text: str


MAX_LINES = 6  # the verdict and five more
PRINTED_LINES, WIDEST = 5, 200
WIDTH = 10  # the longest label and a space


@dataclass(frozen=True)
class CheckResult:
    """A verdict with its reasons; a notebook shows it, and `print` gives the same words."""

    exercise: str
    title: str
    status: Status
    summary: str = ""
    lines: tuple[Line, ...] = ()
    failing: str | None = None  # id of the property that did not hold
    printed: str = ""  # what the learner's code printed meanwhile
    note: str = ""  # about the learner's files

    def __post_init__(self) -> None:
        """Hold the limit on lines."""
        if len(self.lines) >= MAX_LINES:
            raise ValueError(f"{self.exercise}: {len(self.lines) + 1} lines, {MAX_LINES} at most.")

    @property
    def passed(self) -> bool:
        """Whether the exercise is solved."""
        return self.status is Status.PASS

    def require(self) -> "CheckResult":
        """Raise unless it passed: for solutions and tests."""
        if not self.passed:
            raise AssertionError(f"\n{self}")
        return self

    def _verdict(self) -> str:
        name = " ".join(filter(None, [self.exercise, self.title]))
        return f"{name} – {self.status.value}" + (f": {self.summary}" if self.summary else "")

    def __str__(self) -> str:
        """The plain text."""
        rows = [self._verdict(), *(f"  {line.label:{WIDTH}} {line.text}" for line in self.lines)]
        if self.printed:
            rows += ["  Your code printed:", self._beginning()]
        if self.note:
            rows.append(f"  ({self.note})")
        return "\n".join(rows)

    __repr__ = __str__

    def _beginning(self) -> str:
        """The first lines of what was printed: the message is what counts."""
        lines = self.printed.splitlines()
        more = len(lines) - PRINTED_LINES
        rest = [f"… and {more} lines more"] if more > 0 else []
        return "\n".join(line[:WIDEST] for line in [*lines[:PRINTED_LINES], *rest])

    def to_html(self) -> str:
        """The same words as `str`, as a box that screen readers announce."""
        edge = "#009E73" if self.passed else "#8C8C8C"
        # No table: JupyterLab's dark theme would paint its rows.
        rows = "".join(
            '<div style="display: flex"><span style="flex: 0 0 6em; color: #595959">'
            f"{html.escape(line.label)}</span><span>{html.escape(line.text)}</span></div>"
            for line in self.lines
        )
        printed = (
            '<details><summary>Your code printed:</summary><pre style="white-space: pre-wrap; '
            'background: #FFFFFF; color: #1A1A1A">'
            f"{html.escape(self._beginning())}</pre></details>"
            if self.printed
            else ""
        )
        note = f"<p>({html.escape(self.note)})</p>" if self.note else ""
        return (
            '<div role="status" style="background: #FFFFFF; color: #1A1A1A; padding: 6px 12px; '
            f'border-left: 6px solid {edge}; max-width: 50em; font-size: 14px">'
            f"<strong>{html.escape(self._verdict())}</strong>{rows}{printed}{note}</div>"
        )

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        found = {"id": self.exercise, "status": self.status.name}
        return {"text/plain": str(self), "text/html": self.to_html()}, {"check": found}
