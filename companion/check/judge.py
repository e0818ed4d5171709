"""From an exercise and a learner's names to a verdict: every property in order, never an error."""

from collections.abc import Mapping
from typing import Any

import torch

from companion.check import messages
from companion.check.call import BorrowedError, Budget, Call, LearnerError, StoppedError
from companion.check.compare import one_number
from companion.check.exercise import Exercise, Gap, Guess, Property
from companion.check.isolation import untouched
from companion.check.messages import Held
from companion.check.result import CheckResult
from companion.check.source import code_of, is_stub, judged


def judge(exercise: Exercise, names: Mapping[str, Any], *, seed: int = 0) -> CheckResult:
    """Judge what stands under the exercise's names now; the same names give the same verdict.

    seed: of the generators that properties draw their inputs from.
    """
    try:
        return _before(exercise, names) or _run(exercise, names, seed)
    except Exception as error:
        return messages.check_bug(exercise, error)


def _before(exercise: Exercise, names: Mapping[str, Any]) -> CheckResult | None:
    """What can be said without running the learner's code."""
    for name in exercise.names:
        if name not in names:
            return messages.not_run(exercise, name)
    if exercise.essay is not None:
        return messages.essay(exercise, exercise.essay, names[exercise.essay.name])
    if exercise.guess is not None:
        guess = names[exercise.guess.name]
        if guess is None:
            return messages.no_guess(exercise, exercise.guess)
        number = one_number(guess)
        if number is None or not exercise.guess.low <= number <= exercise.guess.high:
            return messages.unusable_guess(exercise, exercise.guess, guess)
    for name in exercise.needs:
        if not callable(names[name]):
            return messages.not_a_function(exercise, name, names[name])
    if any(is_stub(exercise.id, name, names[name]) for name in exercise.needs):
        return messages.not_started(exercise)
    return None


def _run(exercise: Exercise, names: Mapping[str, Any], seed: int) -> CheckResult:
    functions = {name: names[name] for name in exercise.needs}
    where = judged(functions)
    budget = Budget(exercise.seconds)
    twins = {code_of(dotted) for dotted in exercise.twins}
    calls = [Call(function, budget, twins) for function in functions.values()]
    with untouched() as printed:
        try:
            first, held = _first_gap(exercise, calls, seed)
            if first is not None:
                return messages.wrong(exercise, *first, held, where, printed.text())
            if exercise.guess is None:
                return messages.passed(exercise, where, printed.text())
            guessed = one_number(names[exercise.guess.name])
            assert guessed is not None  # see _before
            measured = _measure(exercise.guess, calls, held.holding)
            return messages.compared(exercise, exercise.guess, guessed, measured, printed.text())
        except StoppedError as stop:
            return messages.too_slow(exercise, str(stop), stop.holding, printed.text())
        except KeyboardInterrupt:
            return messages.interrupted(exercise, printed.text())
        except BorrowedError:
            return messages.borrowed(exercise, printed.text())
        except LearnerError as trouble:
            return messages.raised(exercise, trouble, functions, printed.text())


def _first_gap(
    exercise: Exercise, calls: list[Call], seed: int
) -> tuple[tuple[Property, Gap] | None, Held]:
    """The first property that does not hold, and how many do."""
    first: tuple[Property, Gap] | None = None
    holding = looked_at = 0
    for number, one in enumerate(exercise.properties):
        generator = torch.Generator().manual_seed(1000 * seed + number)
        try:
            gap = one.probe(*calls, generator)
        except StoppedError as stop:
            if first is None:
                stop.holding = holding
                raise
            break  # there is no time for the others
        except Exception:
            looked_at += 1
            # After a first gap, later ones are counted alone, and their errors follow from it.
            if first is None:
                raise
            continue
        looked_at += 1
        if gap is None:
            holding += 1
        elif first is None:
            first = one, gap
    return first, Held(holding, looked_at)


def _measure(guess: Guess, calls: list[Call], holding: int) -> float:
    """What is measured with the learner's function, all of whose properties hold."""
    try:
        return guess.measure(*calls)
    except StoppedError as stop:
        stop.holding = holding
        raise
