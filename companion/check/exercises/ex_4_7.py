"""4.7: two blanks, filled at once or one by one."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# New Zealand, South Africa: the truth never mixes them. Ids 0 New, 1 South, 2 Zealand, 3 Africa.
COUNTRIES = torch.zeros(4, 4)
COUNTRIES[0, 2] = COUNTRIES[1, 3] = 0.5
NAME = "New Zealand (0, 2) or South Africa (1, 3)"
# No symmetry: a row is not a column, and the left place is not the right one.
LOPSIDED = torch.tensor([[0.1, 0.4, 0.1], [0.1, 0.0, 0.0], [0.0, 0.2, 0.1]])


class _Ask:
    """A model whose answers follow from a table of pairs, and which writes down its questions."""

    def __init__(self, joint: Tensor, masked_right: Tensor | None = None) -> None:
        self.joint, self.masked_right = joint, masked_right
        self.questions: list[tuple[Any, Any]] = []

    def __call__(self, left: Any, right: Any) -> tuple[Tensor, Tensor]:
        self.questions.append((left, right))
        left, right = (None if one is None else int(one) for one in (left, right))
        rows = self.joint if right is None else self.joint[:, [right]]
        columns = self.joint if left is None else self.joint[[left]]
        at_left, at_right = rows.sum(1), columns.sum(0)
        if left is None and self.masked_right is not None:
            at_right = self.masked_right
        size = len(self.joint)
        even = torch.full((size,), 1 / size)  # of what never occurs, a model says anything
        return (
            at_left / at_left.sum() if at_left.sum() > 0 else even,
            at_right / at_right.sum() if at_right.sum() > 0 else even,
        )


def _reference(ask: Callable[[Any, Any], tuple[Tensor, Tensor]], at_once: bool) -> Tensor:
    left, right = ask(None, None)
    size = len(left)
    table = torch.zeros(size, size)
    for a in range(size):
        table[a] = left[a] * (right if at_once else ask(a, None)[1])
    return table


def _compare(fill_two: Call, model: _Ask, at_once: bool, name: str) -> Gap | None:
    found = fill_two(model, at_once)
    wanted, size = _reference(model, at_once), len(model.joint)
    tried = f"{name}, {'at once' if at_once else 'one by one'}"
    if gap := not_a_tensor(found, (size, size), "floats", tried):
        return gap
    if torch.allclose(found, wanted, atol=1e-5):
        return None
    known = {
        "rows and columns exchanged": wanted.mT,
        "what filling at once gives": _reference(model, True),
        "what filling one by one gives": _reference(model, False),
        "the right place for a given left one, not times the left one": torch.stack(
            [model(a, None)[1] for a in range(size)]
        ),
        "the right place is filled first": torch.stack(
            [model(None, b)[0] * p for b, p in enumerate(model(None, None)[1])], dim=1
        ),
    }
    mistake = next((why for why, t in known.items() if torch.allclose(found, t, atol=1e-5)), "")
    a, b = first_place(~torch.isclose(found, wanted, atol=1e-5))
    return Gap(tried, f"pair ({a}, {b}) has {found[a, b]:.3f}, not {wanted[a, b]:.3f}", mistake)


@prop("it returns a table of probabilities", "which shape does it have, and what is its sum?")
def structure(fill_two: Call, generator: torch.Generator) -> Gap | None:
    for joint, at_once in ((COUNTRIES, True), (COUNTRIES, False), (LOPSIDED, True)):
        name = "three words" if joint is LOPSIDED else NAME
        tried = f"{name}, {'at once' if at_once else 'one by one'}"
        found = fill_two(_Ask(joint), at_once)
        if gap := not_a_tensor(found, tuple(joint.shape), "floats", tried):
            return gap
        if not (abs(float(found.sum()) - 1) < 1e-4 and (found >= 0).all()):
            return Gap(tried, f"a table whose sum is {float(found.sum()):.3f}, not 1")
    return None


@prop("at once: the places know nothing of each other", "from which answers do both come?")
def at_once(fill_two: Call, generator: torch.Generator) -> Gap | None:
    for joint, name in ((COUNTRIES, NAME), (LOPSIDED, "three words")):
        if gap := _compare(fill_two, _Ask(joint), True, name):
            return gap
    return None


@prop("one by one: the right place knows the left answer", "what is asked after the first fill?")
def one_by_one(fill_two: Call, generator: torch.Generator) -> Gap | None:
    for joint, name in ((COUNTRIES, NAME), (LOPSIDED, "three words")):
        if gap := _compare(fill_two, _Ask(joint), False, name):
            return gap
    return None


@prop("it holds for any model", "which place is filled first, and what is the other asked with?")
def any_model(fill_two: Call, generator: torch.Generator) -> Gap | None:
    for size in (1, 2, 5, 7):
        joint = torch.rand(size, size, generator=generator) ** 3
        joint[torch.rand(size, size, generator=generator) < 0.3] = 0.0
        joint = joint + 1e-3
        joint[0] *= 0.01 if size > 1 else 1.0  # a left answer that hardly ever occurs
        joint = joint / joint.sum()
        # A network's own answers need not fit together as those of a true table do.
        own = torch.rand(size, generator=generator)
        for masked_right in (None, own / own.sum()):
            for once in (True, False):
                model = _Ask(joint, masked_right)
                if gap := _compare(fill_two, model, once, f"a vocabulary of {size}"):
                    return gap
    return None


@prop("it asks only what it needs", "how often is the model asked, and with what?")
def asked(fill_two: Call, generator: torch.Generator) -> Gap | None:
    for once in (True, False):
        model = _Ask(LOPSIDED)
        fill_two(model, once)
        way = "at once" if once else "one by one"
        tried = f"three words, {way}"
        if any(right is not None for _, right in model.questions):
            return Gap(tried, "a question with an answer in the right place")
        if len(model.questions) > (1 if once else 4):
            return Gap(tried, f"{len(model.questions)} questions")
    return None


EXERCISE = Exercise(
    id="4.7",
    title="New Zealand, South Africa",
    kind="implement",
    level=3,
    minutes=12,
    place="home",
    needs=("fill_two",),
    properties=(structure, at_once, one_by_one, any_model, asked),
    fact=(
        "for New Zealand and South Africa, filling at once puts half of the probability on "
        "places that do not exist; the distance to the truth is ln 2"
    ),
    hints=(
        "Where to look. Which questions can you ask, and what does each answer hold? In the "
        "second way, what do you know when you come to the right place?",
        "The idea. At once: two answers to one question, multiplied for every pair. One by one: "
        "for each left answer its probability, times what the model then says on the right.",
        "The shape of the answer. At once: one product of a standing and a lying vector. One by "
        "one: a row of the table for each left id, the rows stacked.",
    ),
    transfer="With which truths do both ways give the same table?",
)
