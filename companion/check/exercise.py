"""What an exercise is made of: properties, hints, and the texts around them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

KINDS = {
    "implement": "write a function",
    "bug": "find the bug",
    "predict": "predict, then measure",
    "explain": "explain",
}


class Gap(NamedTuple):
    """Where an answer falls short, shown on one small input."""

    tried: str
    got: str
    mistake: str = ""  # the known mistake that gives exactly this
    ask: str = ""  # a question closer to it than the property's own


Probe = Callable[..., Gap | None]


class Property(NamedTuple):
    """One thing that has to hold; `probe(*functions, generator)` looks for a gap."""

    id: str
    says: str
    ask: str
    probe: Probe


def prop(says: str, ask: str) -> Callable[[Probe], Property]:
    """Make a property of a probe; its id is the function's name with hyphens.

    A probe gets the learner's functions in the order of `Exercise.needs`, then a torch.Generator of
    its own, and returns None when it finds nothing wrong.
    """

    def make(probe: Probe) -> Property:
        return Property(probe.__name__.replace("_", "-"), says, ask, probe)

    return make


class Guess(NamedTuple):
    """What a learner predicts: a number that is never wrong, only compared."""

    name: str  # the variable, guess_2_4
    low: float  # what a number in the right unit can be
    high: float
    unit: str  # "a share between 0 and 1"
    measure: Callable[..., float]  # the learner's functions -> the measured value
    show: Callable[[float], str]  # how both numbers are written
    common: float  # the most frequent wrong guess
    reason: str  # why it is so frequent, and not so


class Essay(NamedTuple):
    """An answer in words, which learners mark themselves."""

    name: str  # the variable, answer_1_8
    model: str
    criteria: tuple[str, str, str]  # to be answered with yes or no


@dataclass(frozen=True)
class Exercise:
    """One exercise, all but its solution, which stands in authoring/exercises/."""

    id: str  # "2.3"
    title: str
    kind: Literal["implement", "bug", "predict", "explain"]
    level: int  # 1 to 3
    minutes: int
    place: Literal["class", "home"]
    fact: str  # shown after PASS: why it matters
    hints: tuple[str, str, str]  # where to look, the idea, the shape of the answer
    transfer: str  # a question for whoever has looked at the solution
    needs: tuple[str, ...] = ()  # the functions that the learner writes
    properties: tuple[Property, ...] = ()
    twins: tuple[str, ...] = ()  # what in companion does the same: "companion.masking.corrupt"
    guess: Guess | None = None
    essay: Essay | None = None
    reference_seconds: float = 0.0  # of checking the solution, where that is over half a second

    @property
    def seconds(self) -> float:
        """How long the learner's code may run in one check, all calls together."""
        return max(10.0, 20 * self.reference_seconds)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that the learner's cell defines."""
        extra = [part.name for part in (self.guess, self.essay) if part is not None]
        return (*extra, *self.needs)

    @property
    def heading(self) -> str:
        """The line above the task in a notebook."""
        place = "in class" if self.place == "class" else "at home"
        return (
            f"*{KINDS[self.kind]} · level {self.level} of 3 · about {self.minutes} minutes · "
            f"{place}*"
        )


def shortened(text: str, limit: int = 60) -> str:
    """The beginning of a text, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def percent(share: float, digits: int = 1) -> str:
    """A share as the course writes it: 13.5 %."""
    return f"{100 * share:.{digits}f} %"
