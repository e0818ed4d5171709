"""Exercises that check themselves: `from companion import check`, then `check("2.3")`.

    check("2.3")                          judge what stands under the exercise's names now
    check("2.3", corrupt=mine)            judge this function, wherever it comes from
    check.hint("2.3")                     the next of three hints
    check.solution("2.3", reveal=True)    the solution, and a question to go on with
    check.given("2.5")                    the function of a find-the-bug exercise, as handed out
    check.progress()                      every exercise with its verdict

Nothing here raises because of what a learner wrote. An unknown exercise does, and names the others.
"""

import sys
from types import ModuleType
from typing import Any

from companion.check.result import CheckResult, Status
from companion.check.session import Session, Text

__all__ = ["CheckResult", "Status", "given", "hint", "progress", "solution"]

_session = Session()


def hint(exercise_id: str) -> Text:
    """Show the next hint of an exercise: where to look, the idea, the shape of the answer."""
    return _session.hint(str(exercise_id))


def given(exercise_id: str) -> Any:
    """Return the faulty function of a find-the-bug exercise, as it was handed out."""
    return _session.given(str(exercise_id))


def solution(exercise_id: str, reveal: bool = False) -> Text:
    """Show the solution, after one more explicit `reveal=True`."""
    return _session.solution(str(exercise_id), reveal=reveal)


def progress(chapter: str | None = None) -> Text:
    """Show a table of all exercises, or of those of one chapter."""
    return _session.table(chapter)


class _Check(ModuleType):
    """This module, which can be called: `from companion import check` gives a module."""

    def __call__(self, exercise_id: str, **functions: Any) -> CheckResult:
        """Judge an exercise; names that are not given come from where the call stands."""
        names = {**sys._getframe(1).f_globals, **functions}
        return _session.check(str(exercise_id), names)


sys.modules[__name__].__class__ = _Check
