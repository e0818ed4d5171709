"""Right and wrong answers: `@right`, and `@wrong("property")` with the property that must fire."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from companion.check.exercise import Exercise

FOLDER = Path(__file__).with_name("answers")


class Answer(NamedTuple):
    """A function as a learner could have written it."""

    name: str
    function: Callable[..., Any]
    fires: str = ""  # id of the property; "" for a right answer; "RAISED" where it must raise
    named: str = ""  # a part of the mistake's name that the message must show


def right(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark an answer that must pass."""
    function.answer = Answer(function.__name__, function)  # type: ignore[attr-defined]
    return function


def wrong(fires: str, named: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark an answer that must be refused: by this property, and by name where it has one."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function.answer = Answer(function.__name__, function, fires, named)  # type: ignore[attr-defined]
        return function

    return mark


def answers(one: Exercise) -> list[Answer]:
    """Every marked answer of an exercise, in the order of the file."""
    path = answer_file(one)
    spec = importlib.util.spec_from_file_location(f"answers_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [value.answer for value in vars(module).values() if hasattr(value, "answer")]


def answer_file(one: Exercise) -> Path:
    """Where the answers of an exercise stand."""
    return FOLDER / f"ex_{one.id.replace('.', '_')}.py"


def names_for(one: Exercise, function: Callable[..., Any]) -> dict[str, Any]:
    """What a learner's notebook would hold: the answer, and a guess where one is asked for."""
    found: dict[str, Any] = {one.needs[0]: function}
    return found | ({one.guess.name: one.guess.common} if one.guess else {})
