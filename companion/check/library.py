"""Every exercise by its id, and where in the companion its twin stands."""

import importlib
import inspect
import pkgutil
import re
from functools import cache

from companion.check import exercises
from companion.check.exercise import Exercise

MODULE = re.compile(r"ex_(\d+)_(\d+)")


class UnknownExerciseError(KeyError):
    """There is no such exercise; the message lists what there is."""

    def __str__(self) -> str:
        """The message alone: a KeyError would put it in quotes."""
        return str(self.args[0])


@cache
def exercise_ids() -> tuple[str, ...]:
    """All ids in the order of the course: "0.1" first, and "2.10" after "2.9"."""
    found = [MODULE.fullmatch(module.name) for module in pkgutil.iter_modules(exercises.__path__)]
    ids = [f"{one[1]}.{one[2]}" for one in found if one is not None]
    return tuple(sorted(ids, key=place_in_course))


def place_in_course(id_: str) -> tuple[int, int]:
    """What to sort exercises by: (chapter, number)."""
    chapter, _, number = id_.partition(".")
    return int(chapter), int(number)


def chapter_of(file_name: str) -> str:
    """The chapter as ids have it: "2" of 02_mlm_masking, "0" of 00b_warm_up."""
    return str(int(file_name.partition("_")[0].rstrip("b")))


@cache
def exercise(id_: str) -> Exercise:
    """The exercise of an id; UnknownExerciseError names the known ones."""
    if id_ not in exercise_ids():
        raise UnknownExerciseError(
            f"There is no exercise {id_!r}; there are {', '.join(exercise_ids())}."
        )
    module = importlib.import_module(f"{exercises.__name__}.ex_{id_.replace('.', '_')}")
    found: Exercise = module.EXERCISE
    return found


def next_exercise(id_: str) -> Exercise | None:
    """The one after it in the same chapter, None after the last."""
    ids = exercise_ids()
    if id_ not in ids:
        return None
    after = ids[ids.index(id_) + 1 :][:1]
    return exercise(after[0]) if after and after[0].split(".")[0] == id_.split(".")[0] else None


def location(dotted: str) -> str:
    """Where a function of the companion stands: "companion/masking/corruption.py, line 25"."""
    function = pkgutil.resolve_name(dotted)
    _, line = inspect.getsourcelines(function)
    return f"{function.__module__.replace('.', '/')}.py, line {line}"
