"""The words of every verdict, in one place: plain, at most six lines, never the missing code."""

import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from companion.check.call import LearnerError
from companion.check.errors import RUN_ABOVE, advice, in_words, own_place
from companion.check.exercise import Essay, Exercise, Gap, Guess, Property, shortened
from companion.check.library import location, next_exercise
from companion.check.result import CheckResult, Line, Status

ENOUGH_WORDS = 20


class Held(NamedTuple):
    """How many properties hold, of how many that there was time to look at."""

    holding: int
    looked_at: int


def passed(exercise: Exercise, where: str, printed: str) -> CheckResult:
    """Every property holds."""
    summary = f"all {len(exercise.properties)} properties hold"
    return _pass(exercise, _and(summary, where), [], printed)


def compared(
    exercise: Exercise, guess: Guess, guessed: float, measured: float, printed: str
) -> CheckResult:
    """A guess beside what was measured: it is never wrong."""
    show = guess.show
    lines = [Line("You said", f"{show(guessed)}; measured: {show(measured)}")]
    if abs(guessed - measured) > abs(guess.common - measured) / 4:
        often = f"{show(guess.common)} is a usual guess. {guess.reason}"
        lines.append(Line("Often", often))
    return _pass(exercise, "predicted and measured", lines, printed)


def essay(exercise: Exercise, one: Essay, answer: Any) -> CheckResult:
    """Words are not graded by a program: it shows a model answer and three questions."""
    words = len(str(answer or "").split())
    if words == 0:
        line = Line("Next", f"write your answer in {one.name}, run its cell, then this one")
        return _result(exercise, Status.NOT_STARTED, "", [line])
    if words < ENOUGH_WORDS:
        line = Line("Next", f"you have {words} words; write {ENOUGH_WORDS} or more, in sentences")
        return _result(exercise, Status.NOT_STARTED, "there is a beginning", [line])
    lines = [Line("One answer", one.model)]
    lines += [Line("☐", f"Does yours say {criterion}?") for criterion in one.criteria]
    return _result(exercise, Status.PASS, "answered; mark it yourself", lines)


def no_guess(exercise: Exercise, guess: Guess) -> CheckResult:
    """Measuring waits for the guess."""
    line = Line("Next", f"write your guess in {guess.name}: {guess.unit}. It cannot be wrong")
    return _result(exercise, Status.NOT_STARTED, "guess first, then measure", [line])


def unusable_guess(exercise: Exercise, guess: Guess, value: Any) -> CheckResult:
    """Not a number, or one in another unit."""
    lines = [
        Line("Found", f"{guess.name} is {shortened(repr(value))}"),
        Line("Next", f"write {guess.unit}, as a plain number"),
    ]
    return _result(exercise, Status.NOT_STARTED, "the guess cannot be compared yet", lines)


def not_run(
    exercise: Exercise, name: str, seen_before: bool = False, broken: str = ""
) -> CheckResult:
    """A name is missing: its cell has not been run, failed, or the kernel was restarted since."""
    says = f"def {name}" if name in exercise.needs else f"{name} = ..."
    if broken:
        lines = [
            Line("Found", f"{broken} says def {name}, but there is no {name}"),
            Line("Next", "did that cell end in an error? Mend it, run it, then run this one"),
        ]
    elif seen_before:
        lines = [
            Line("Found", f"{name} was there before, and is not there now"),
            Line("Restart?", f"a restarted kernel forgets everything: {RUN_ABOVE}"),
            Line("Name?", f"otherwise: does your cell say {says}, and did it run without error?"),
        ]
    else:
        lines = [
            Line("Found", f"{name} does not exist in this session"),
            Line("Next", f"run the cell that defines {name} (Shift+Enter), then this one"),
            Line("Name?", f"if you have: does it say {says}, and did it run without error?"),
        ]
    return _result(exercise, Status.NOT_RUN, "", lines)


def not_a_function(exercise: Exercise, name: str, value: Any) -> CheckResult:
    """The name stands for something else now."""
    lines = [
        Line("Found", f"{name} is {shortened(repr(value))}, and not a function"),
        Line("Next", f"run the cell that defines {name} again, then this one"),
    ]
    return _result(exercise, Status.NOT_RUN, "", lines)


def not_started(exercise: Exercise) -> CheckResult:
    """The code is as it was handed out."""
    if exercise.kind == "bug":
        summary, what = "this is still the code as given", "repair the function above"
    else:
        names = " and ".join(exercise.needs)
        summary, what = "", f"write {names} in the cell above"
    lines = [Line("Next", f"{what}, run that cell, then this one")]
    return _result(exercise, Status.NOT_STARTED, summary, lines)


def wrong(
    exercise: Exercise, one: Property, gap: Gap, held: Held, where: str, printed: str
) -> CheckResult:
    """The property, the smallest input that shows the gap, and one question."""
    got = f"{gap.got}. This is what you get from: {gap.mistake}" if gap.mistake else gap.got
    lines = [
        Line("Property", one.says),
        Line("Tried", gap.tried),
        Line("Got", got),
        Line("Question", gap.ask or one.ask),
    ]
    some = "" if held.looked_at == len(exercise.properties) else "that were looked at "
    verb = "holds" if held.holding == 1 else "hold"
    summary = f"{held.holding} of {held.looked_at} properties {some}{verb}"
    return _result(exercise, Status.WRONG, _and(summary, where), lines, one.id, printed)


def offer_hint(result: CheckResult, exercise: Exercise) -> CheckResult:
    """The same verdict with one line more."""
    line = Line("Hint", f'check.hint("{exercise.id}") shows one, in three steps')
    return replace(result, lines=(*result.lines, line))


def raised(
    exercise: Exercise, trouble: LearnerError, functions: Mapping[str, Any], printed: str
) -> CheckResult:
    """The learner's own line, the error, and its usual reason where there is one."""
    error = trouble.error
    where, line = own_place(error, functions)
    lines = [Line("Where", f"{where}: {line}" if line else where)]
    lines += [Line("Tried", trouble.tried), Line("Error", in_words(error))]
    if reason := advice(error, functions):
        lines.append(Line("Often", reason))
    return _result(exercise, Status.RAISED, "", lines, printed=printed)


def too_slow(exercise: Exercise, tried: str, holding: int, printed: str) -> CheckResult:
    """Stopped: an endless loop, or a slow one."""
    so_far = f"what was looked at before holds: {holding} of {len(exercise.properties)} properties"
    lines = [
        Line("Found", f"your code had run for {exercise.seconds:.0f} s"),
        *([Line("So far", so_far)] if holding else []),
        Line("Tried", tried),
        Line("Question", "is there a loop that never ends, or one that takes token after token?"),
    ]
    return _result(exercise, Status.TOO_SLOW, "", lines, printed=printed)


INTERRUPTED = Line("Found", "you interrupted it; nothing was judged")


def interrupted(exercise: Exercise, printed: str) -> CheckResult:
    """The learner pressed the stop button."""
    return _result(exercise, Status.TOO_SLOW, "", [INTERRUPTED], printed=printed)


def was_interrupted(result: CheckResult) -> bool:
    """Is this what `interrupted` says?"""
    return INTERRUPTED in result.lines


def borrowed(exercise: Exercise, printed: str) -> CheckResult:
    """The companion did the work."""
    twins = " or ".join(twin.rpartition(".")[2] for twin in exercise.twins)
    lines = [
        Line("Found", f"the course's own {twins} ran inside your function"),
        Line("Next", "write it without: reading that function afterwards will tell you more"),
    ]
    return _result(exercise, Status.BORROWED, "", lines, printed=printed)


def check_bug(exercise: Exercise, error: Exception) -> CheckResult:
    """The check itself failed: never the learner's fault."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    lines = [
        Line("Sorry", "the check itself failed; your answer may well be right"),
        Line("Report", f"{type(error).__name__}: {shortened(str(error), 80)}"),
        Line("", f"in {place.name}, line {place.lineno}, exercise {exercise.id}"),
    ]
    return _result(exercise, Status.CHECK_BUG, "", lines)


def _pass(exercise: Exercise, summary: str, lines: list[Line], printed: str) -> CheckResult:
    lines.append(Line("Why", exercise.fact))
    if exercise.twins:
        places = "; ".join(location(twin) for twin in exercise.twins)
        lines.append(Line("Compare", f"the course's own version: {places}"))
    after = next_exercise(exercise.id)
    last = "that was the last of the chapter; check.progress() shows them all"
    lines.append(Line("Next", f"{after.id} {after.title}" if after else last))
    return _result(exercise, Status.PASS, summary, lines, printed=printed)


def _result(
    exercise: Exercise,
    status: Status,
    summary: str,
    lines: list[Line],
    failing: str | None = None,
    printed: str = "",
) -> CheckResult:
    return CheckResult(exercise.id, exercise.title, status, summary, tuple(lines), failing, printed)


def _and(summary: str, where: str) -> str:
    return f"{summary}, {where}" if where else summary
