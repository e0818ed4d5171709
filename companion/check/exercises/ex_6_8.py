"""6.8: is it only a constant?"""

import math
from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop

# One picture of four patches of 2 by 2 pixels in two channels: eight values each.
PATCHES = torch.zeros(1, 4, 8)
PRED = torch.tensor([[[1.0] * 8, [9.0] * 8, [3.0] * 4 + [1.0] * 4, [2.0] * 8]])
HIDDEN = torch.tensor([[True, False, True, True]])
TRIED = "patches of 2 by 2 pixels in two channels, three of four hidden"
NAMES = ("mean over all values", "sum over a patch, divided by p²", "sum over a patch")


def _reference(pred: Tensor, patches: Tensor, hidden: Tensor, p: int) -> tuple[float, float, float]:
    sums = (pred - patches)[hidden].double().square().sum(1)  # (n_hidden,)
    each = float(sums.mean())
    return each / pred.shape[2], each / p**2, each


def _three(value: Any) -> list[float] | None:
    if isinstance(value, Tensor):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    numbers = [one_number(one) for one in value]
    return None if any(one is None for one in numbers) else numbers  # type: ignore[return-value]


def _compare(
    three_losses: Call,
    pred: Tensor,
    patches: Tensor,
    hidden: Tensor,
    p: int,
    place: int,
    tried: str,
) -> Gap | None:
    found = _three(three_losses(pred, patches, hidden, p))
    if found is None:
        return Gap(tried, "no three numbers")
    wanted = _reference(pred, patches, hidden, p)
    if math.isclose(found[place], wanted[place], rel_tol=1e-4, abs_tol=1e-7):
        return None
    squares = (pred - patches).double().square()
    shared = pred.shape[2], p**2, 1
    known = {
        "kept patches are counted too": float(squares.sum(2).mean()) / shared[place],
        "a sum over the hidden patches, not a mean": float(squares[hidden].sum()) / shared[place],
        "divided by p, not by p²": wanted[2] / p,
        "divided by the values of a patch": wanted[0],
        "not divided": wanted[2],
        "divided by p²": wanted[1],
        "divided by three channels": wanted[2] / (3 * p**2),
        "absolute differences": float((pred - patches)[hidden].abs().double().sum(1).mean())
        / shared[place],
        "the root": math.sqrt(wanted[place]),
    }
    mistake = next((w for w, x in known.items() if math.isclose(x, found[place], rel_tol=1e-4)), "")
    got = f"the {NAMES[place]} is {found[place]:.4f}, not {wanted[place]:.4f}"
    return Gap(tried, got, mistake)


@prop("it returns three numbers", "what comes back, and in which order?")
def structure(three_losses: Call, generator: torch.Generator) -> Gap | None:
    value = three_losses(PRED, PATCHES, HIDDEN, 2)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if _three(value) is not None else Gap(TRIED, kind_of(value))


@prop("first: the mean over a patch's values", "how many values has a patch?")
def by_values(three_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(three_losses, PRED, PATCHES, HIDDEN, 2, 0, TRIED)


@prop("second: the sum over a patch, divided by p²", "how many pixels has a patch?")
def by_pixels(three_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(three_losses, PRED, PATCHES, HIDDEN, 2, 1, TRIED)


@prop("third: the sum over a patch", "what is not divided at all?")
def by_nothing(three_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(three_losses, PRED, PATCHES, HIDDEN, 2, 2, TRIED)


@prop("it holds for any patches", "is a number of the example written down?")
def any_patches(three_losses: Call, generator: torch.Generator) -> Gap | None:
    for batch, count, p, channels in ((2, 5, 3, 1), (1, 1, 1, 3), (3, 64, 4, 3), (1, 9, 16, 4)):
        patches = torch.rand(batch, count, p * p * channels, generator=generator)
        pred = torch.randn(batch, count, p * p * channels, generator=generator)
        hidden = torch.rand(batch, count, generator=generator) < 0.6
        hidden[0, 0] = True
        tried = f"a batch of {batch}: {count} patches of {p} by {p} pixels, channels {channels}"
        for place in range(3):
            if gap := _compare(three_losses, pred, patches, hidden, p, place, tried):
                return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(three_losses: Call, generator: torch.Generator) -> Gap | None:
    three_losses(PRED, PATCHES, HIDDEN, 2)
    return changed_gap(three_losses, TRIED)


def measure(three_losses: Call) -> float:
    """How many times the sum is the mean, for the patches of the paper."""
    generator = torch.Generator().manual_seed(0)
    patches = torch.rand(2, 196, 768, generator=generator)
    pred = torch.rand(2, 196, 768, generator=generator)
    hidden = torch.rand(2, 196, generator=generator) < 0.75
    by_value, _, by_none = _three(three_losses(pred, patches, hidden, 16))  # type: ignore[misc]
    return by_none / by_value


EXERCISE = Exercise(
    id="6.8",
    title="Only a constant?",
    kind="predict",
    level=3,
    minutes=8,
    place="home",
    needs=("three_losses",),
    properties=(structure, by_values, by_pixels, by_nothing, any_patches, inputs),
    guess=Guess(
        name="guess_6_8",
        low=0.0001,
        high=1_000_000.0,
        unit="a number of times, above 0",
        measure=measure,
        show="{:.4g}".format,
        common=256.0,
        reason="A patch has 16 · 16 pixels. But each pixel has three values.",
    ),
    fact=(
        "plain gradient descent takes steps 768 times as long; Adam divides by the size of the "
        "gradient, and hardly notices"
    ),
    hints=(
        "Where to look. All three begin with the same number: the sum of the squares of one hidden "
        "patch, averaged over the hidden patches.",
        "The idea. The first is that number divided by all values of a patch, the second by "
        "its pixels alone, the third is the number itself.",
        "The shape of the answer. One line for the common number, and a return with two divisions.",
    ),
    transfer="Two papers print losses of 0.4 and 1.2 for equal pictures. What do you check first?",
)
