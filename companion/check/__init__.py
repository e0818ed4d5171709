"""Exercises that check themselves: `from companion import check`, then `check("2.3")`.

    check("2.3")                          judge what stands under the exercise's names now
    check("2.3", corrupt=mine)            judge this function, wherever it comes from
    check.hint("2.3")                     the next of three hints
    check.solution("2.3", reveal=True)    the solution, and a question to go on with
    check.given("2.5")                    the function of a find-the-bug exercise, as handed out
    check.progress()                      every exercise with its verdict

Nothing here raises because of what a learner wrote. Who misspells an id reads which ones there are.
"""

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from companion.check.library import UnknownExerciseError
from companion.check.result import CheckResult, Status
from companion.check.session import EXPECTED, Session, Text

__all__ = ["CheckResult", "Status", "given", "hint", "progress", "solution"]

Answer = TypeVar("Answer", CheckResult, Text)

_session = Session()


def hint(exercise_id: str) -> Text:
    """Show the next hint of an exercise: where to look, the idea, the shape of the answer."""
    return _known(_session.hint, exercise_id)


def given(exercise_id: str) -> Any:
    """Return the faulty function of a find-the-bug exercise, as it was handed out."""
    return _session.given(_plain(exercise_id))


def solution(exercise_id: str, reveal: bool = False) -> Text:
    """Show the solution, after one more explicit `reveal=True`."""
    return _known(lambda id_: _session.solution(id_, reveal=reveal), exercise_id)


def progress(chapter: str | int | None = None) -> Text:
    """Show a table of all exercises, or of those of one chapter."""
    return _session.table(None if chapter is None else str(chapter).lstrip("0") or "0")


def _known(show: Callable[[str], Answer], exercise_id: object) -> Answer | Text:
    """What `show` says of an exercise, or which exercises there are."""
    try:
        return show(_plain(exercise_id))
    except UnknownExerciseError as error:
        if os.environ.get(EXPECTED):
            raise
        return Text(str(error))


def _plain(exercise_id: object) -> str:
    """Also 2.3, "2,3" and " 2.3 " are "2.3"."""
    return str(exercise_id).strip().replace(",", ".")


class _Check(ModuleType):
    """This module, which can be called: `from companion import check` gives a module."""

    def __call__(self, exercise_id: str, **functions: Any) -> CheckResult | Text:
        """Judge an exercise; names that are not given come from where the call stands."""
        names = {**sys._getframe(1).f_globals, **functions}
        if functions:
            names.pop("In", None)  # whoever names a function means that one, and no newer cell
        return _known(lambda id_: _session.check(id_, names), exercise_id)


sys.modules[__name__].__class__ = _Check
