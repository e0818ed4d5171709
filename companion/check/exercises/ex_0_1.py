"""0.1: replace some entries of a tensor, and leave the tensor as it was."""

import torch

from companion.check.call import Call
from companion.check.compare import (
    changed_gap,
    first_place,
    not_a_tensor,
    numbers_of,
    shares_memory,
)
from companion.check.exercise import Exercise, Gap, prop

X = torch.tensor([5, 6, 7, 8])
WHERE = torch.tensor([False, True, True, False])
TRIED = "x = [5, 6, 7, 8], where = [False, True, True, False], value = 0"
KNOWN = {
    (0, 6, 7, 0): "the two cases exchanged",
    (0, 0, 0, 0): "replacing everything",
    (6, 7): "keeping only the entries at True",
}


@prop("it returns a tensor with the shape and the kind of numbers of x", "what comes back?")
def structure(replace: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(replace(X, WHERE, 0), (4,), "whole numbers", TRIED)


@prop("value stands where `where` is True", "which of the two cases does your code fill?")
def replaced(replace: Call, generator: torch.Generator) -> Gap | None:
    found = replace(X, WHERE, 0)
    if (found[WHERE] != 0).any():
        return Gap(TRIED, f"{found.tolist()}", KNOWN.get(tuple(found.tolist()), ""))
    return None


@prop("all other entries are those of x", "what happens where `where` is False?")
def others(replace: Call, generator: torch.Generator) -> Gap | None:
    found = replace(X, WHERE, 0)
    if (found != X)[~WHERE].any():
        return Gap(TRIED, f"{found.tolist()}", KNOWN.get(tuple(found.tolist()), ""))
    return None


@prop("it holds for any shape, any value, any kind of number", "which inputs are special to it?")
def any_input(replace: Call, generator: torch.Generator) -> Gap | None:
    cases = (
        (torch.randint(-9, 9, (3, 5), generator=generator), 4),
        (torch.randn(2, 3, 4, generator=generator), -1.5),
        (torch.tensor([torch.nan, 2.0, torch.inf]), 0.0),
        (torch.randint(2, (6, 6), generator=generator).t(), 7),
        (torch.randn(1, 3, 1, generator=generator, dtype=torch.float64), 0.5),
        (torch.tensor(3), -2),
    )
    for x, value in cases:
        for where in (
            torch.rand(x.shape, generator=generator) < 0.5,
            torch.zeros(x.shape).bool(),
            torch.ones(x.shape).bool(),
        ):
            found = replace(x, where, value)
            tried = f"x of shape {tuple(x.shape)}, {int(where.sum())} places to replace by {value}"
            if gap := not_a_tensor(found, tuple(x.shape), numbers_of(x), tried):
                return gap
            if found.dtype != x.dtype:
                return Gap(tried, f"numbers of {found.dtype}; those of x are {x.dtype}")
            wanted = [
                value if w else old
                for w, old in zip(where.flatten(), x.flatten().tolist(), strict=True)
            ]
            expected = torch.tensor(wanted, dtype=x.dtype).view(x.shape)
            if not torch.equal(found.nan_to_num(77, 88), expected.nan_to_num(77, 88)):
                wrong = found.nan_to_num(77, 88) != expected.nan_to_num(77, 88)
                place = first_place(wrong.flatten())[0] if wrong.ndim else 0
                got = found.flatten()[place].item()
                mistake = "NaN times 0 is NaN" if got != got else ""
                return Gap(
                    f"{tried}: x is {x.flatten()[place].item():g} at one place, where is "
                    f"{bool(where.flatten()[place])}",
                    f"{got:g}",
                    mistake,
                )
    return None


@prop("x and where stay as they were", "which line writes into x? Is `y = x` a copy?")
def inputs(replace: Call, generator: torch.Generator) -> Gap | None:
    replace(X, WHERE, 0)
    gap = changed_gap(replace, TRIED)
    if gap is None:
        x = torch.randn(3, 4, generator=generator)
        replace(x, x > 0, 0.3)
        gap = changed_gap(replace, "x of shape (3, 4), value = 0.3")
    if gap is not None and replace.changed[0] == "x":
        gap = gap._replace(mistake="writing into x itself, or into a second name of it")
    return gap


@prop("the result is a tensor of its own", "what do you return when nothing is to be replaced?")
def own_memory(replace: Call, generator: torch.Generator) -> Gap | None:
    found = replace(X, WHERE & False, 0)
    if shares_memory(found, replace.given):
        return Gap("nothing to replace", "x itself: who writes into the result changes x")
    kept = found.clone()
    replace(X + 1, WHERE, 0)
    if not torch.equal(found, kept):
        return Gap("two calls, one after the other", "the second one changes the first result")
    return None


EXERCISE = Exercise(
    id="0.1",
    title="Replace without spoiling",
    kind="implement",
    level=1,
    minutes=5,
    place="class",
    needs=("replace",),
    properties=(structure, replaced, others, any_input, inputs, own_memory),
    fact="every mask in this course works so: a bool tensor says where, and a new tensor is made",
    hints=(
        "Where to look. There are two ways. Copy x and write into the copy, or find a function "
        "that makes a new tensor from two cases.",
        "The idea. A bool tensor can stand in square brackets: `y[where] = value` writes at all "
        "places where it is True. First make sure that y is no second name of x.",
        "The shape of the answer. Two lines with a copy, or one line with a method of tensors "
        "whose name says that it fills what is masked.",
    ),
    transfer="What would `x * ~where + value * where` do where x is NaN?",
)
