"""What stands behind `check(...)`, `check.hint(...)` and the rest, in one running notebook."""

import difflib
import html
import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.check import messages
from companion.check.exercise import Exercise
from companion.check.judge import judge
from companion.check.library import chapter_of, exercise, exercise_ids
from companion.check.mine import save_functions
from companion.check.records import Progress, counted, summary, table, workspace
from companion.check.result import CheckResult, Status
from companion.check.source import IMPORTS, place_of, stubs

TRIES_BEFORE_OFFER = 3
EXPECTED = "COMPANION_EXPECT"  # "pass" or "not_started": any other verdict raises, for tests


class Text:
    """Words that a notebook shows: the same in HTML and in plain text."""

    def __init__(self, text: str, as_html: str | None = None) -> None:
        self.text = text
        self.html = as_html if as_html is not None else _paragraphs(text)

    def __repr__(self) -> str:
        """The plain text."""
        return self.text

    def _repr_html_(self) -> str:
        return f'<div role="status" style="max-width: 50em; font-size: 14px">{self.html}</div>'


class InterruptedCheck(Exception):
    """The stop button was pressed during a check: the cells that wait behind it must not run."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the words alone, as there is no fault to trace."""
        return str(self).splitlines()


class Session:
    """Checks, hints and progress of one kernel."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._folder: Path | None = None

    def progress(self) -> Progress:
        """The records of the workspace as they are now: another notebook may have written."""
        folder = workspace(Path.cwd())
        is_new = self._progress is None or folder != self._folder
        if self._progress is None or is_new or self._progress.is_on_disk():
            self._progress, self._folder = Progress(folder), folder
        return self._progress

    def check(self, exercise_id: str, names: Mapping[str, Any]) -> CheckResult:
        """Judge, remember, and offer a hint after three tries at the same property."""
        one = exercise(exercise_id)
        result = judge(one, names)
        if messages.was_interrupted(result):
            raise InterruptedCheck(str(result))  # who stops a check loses nothing by it
        progress = self.progress()
        record = progress.of(one.id)
        missing = [name for name in one.names if name not in names]
        if missing:
            tried = [(name, _newest_cell(name, names)) for name in missing if name in one.needs]
            broken = [(name, cell[0]) for name, cell in tried if cell and cell[1] == name]
            name, place = (broken[0][0], f"In[{broken[0][1]}]") if broken else (missing[0], "")
            result = messages.not_run(one, name, bool(record.tries), place)
        if result.status not in (Status.NOT_RUN, Status.NOT_STARTED):
            record.tries += 1
        same = result.failing is not None and result.failing == record.failing
        record.failing = result.failing or ""
        record.in_a_row = record.in_a_row + 1 if same else int(result.failing is not None)
        if record.in_a_row >= TRIES_BEFORE_OFFER and record.hints < len(one.hints):
            result = messages.offer_hint(result, one)
        record.status = result.status.name
        record.passed |= result.passed
        progress.save()
        notes, progress.note = [progress.note, _stale(one, names)], ""
        if result.passed and self._folder is not None:
            notes.append(save_functions(self._folder, one.id, {n: names[n] for n in one.needs}))
        return _expected(replace(result, note=" ".join(filter(None, notes))))

    def hint(self, exercise_id: str) -> Text:
        """The next of three hints; after the third, the third again."""
        one = exercise(exercise_id)
        progress = self.progress()
        record = progress.of(one.id)
        record.hints = min(record.hints + 1, len(one.hints))
        progress.save()
        shown = one.hints[record.hints - 1 : record.hints]
        more = record.hints < len(one.hints)
        title = f"{one.id} {one.title} – hint {record.hints} of {len(one.hints)}"
        return Text("\n".join([title, *shown, *(["The next hint: run this cell again."] * more)]))

    def given(self, exercise_id: str) -> Any:
        """The function of a find-the-bug exercise as it was handed out, to look at its symptom."""
        one = exercise(exercise_id)
        space = dict(IMPORTS)
        exec(compile(stubs()[one.id], f"<{one.id} as given>", "exec"), space)
        return space[one.needs[0]]

    def solution(self, exercise_id: str, *, reveal: bool) -> Text:
        """The solution's code, once it is asked for twice, and a question to go on with."""
        one = exercise(exercise_id)
        record = self.progress().of(one.id)
        if not reveal:
            left = len(one.hints) - record.hints
            first = f'What you write yourself stays longer: check.hint("{one.id}") has {left} more.'
            return Text(
                f"{one.id} {one.title} – the solution\n"
                + (f"{first}\n" if left and not record.passed else "")
                + f'To see the solution: check.solution("{one.id}", reveal=True)'
            )
        code = _solution_code(one)
        progress = self.progress()
        progress.of(one.id).revealed = True
        progress.save()
        title = f"{one.id} {one.title} – the solution"
        question = f"Now a question that the code does not answer: {one.transfer}"
        page = f"<p><strong>{html.escape(title)}</strong></p><pre>{html.escape(code)}</pre>"
        return Text(f"{title}\n\n{code}\n\n{question}", page + f"<p>{html.escape(question)}</p>")

    def table(self, chapter: str | None = None) -> Text:
        """Every exercise, or those of a chapter, with its verdict in words."""
        ids = [i for i in exercise_ids() if chapter in (None, i.split(".")[0])]
        found, exercises = self.progress(), [exercise(i) for i in ids]
        rows = summary(found, exercises)
        heads, *body = (
            "".join(f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in row)
            for tag, row in [("th", ("Exercise", "Title", "Verdict", "Notes")),
                             *(("td", row) for row in rows)]
        )  # fmt: skip
        lines = "".join(f"<tr>{row}</tr>" for row in body)
        page = f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
        return Text(table(found, exercises), f"<p>{counted(rows)}</p>{page}")


def _stale(one: Exercise, names: Mapping[str, Any]) -> str:
    """A warning when a cell that ran later was meant to define the function, and did not."""
    for name in one.needs:
        place = place_of(names[name].__code__) if hasattr(names.get(name), "__code__") else ""
        number = re.fullmatch(r"In\[(\d+)\]", place)
        later = _newest_cell(name, names)
        if number is not None and later is not None and later[0] > int(number[1]):
            why = "it did not run through" if later[1] == name else f"it defines {later[1]}"
            return f"this judges {place}; In[{later[0]}] is newer, but {why}"
    return ""


def _newest_cell(name: str, names: Mapping[str, Any]) -> tuple[int, str] | None:
    """The last cell that was meant to define `name`: its number, and the name that it says."""
    cells = names.get("In")  # IPython's own list of what was run
    if not isinstance(cells, list):
        return None
    for number in reversed(range(len(cells))):
        defined = re.findall(r"^def (\w+)\(", str(cells[number]), re.M)
        if close := difflib.get_close_matches(name, defined, n=1, cutoff=0.8):
            return number, close[0]
    return None


def _solution_code(one: Exercise) -> str:
    """The solution's cell as the solutions folder has it: it cannot drift from what was tested."""
    chapter, _, number = one.id.partition(".")
    folder = Path(__file__).resolve().parents[2] / "solutions"
    for path in sorted(folder.glob("*.ipynb")):
        if chapter_of(path.name) != chapter:
            continue
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["id"].endswith(f"-ex-{number}"):
                return "".join(cell["source"])
    raise FileNotFoundError(
        f"The solution of {one.id} should stand in the folder {folder.name} of the course; "
        "get that folder again."
    )


def _paragraphs(text: str) -> str:
    first, *rest = text.split("\n")
    lines = [f"<p><strong>{html.escape(first)}</strong></p>"]
    lines += [f"<p>{_code(html.escape(line))}</p>" for line in rest if line]
    return "".join(lines)


def _code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def _expected(result: CheckResult) -> CheckResult:
    wanted = os.environ.get(EXPECTED, "")
    if wanted and result.status.name.lower() != wanted.lower():
        raise AssertionError(f"{EXPECTED} is {wanted}, but\n{result}")
    return result
