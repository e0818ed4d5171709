"""6.7: two micro-batches with 1 and 9 labels."""

import math
from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, kind_of, one_number
from companion.check.exercise import Exercise, Gap, prop

SMALL = (torch.tensor([4.0, 7.0]), torch.tensor([True, False]))
LARGE = (torch.ones(9), torch.ones(9, dtype=torch.bool))
TRIED = "1 scored surprise of 4, and 9 of 1"
Parts = list[tuple[Tensor, Tensor]]


def _numbers(value: Any, count: int, tried: str) -> list[float] | Gap:
    """What came back, if it is one number for each part."""
    if value is None:
        return Gap(tried, "None", ask="is there a return at the end of the function?")
    if isinstance(value, Tensor) and value.ndim == 1:
        value = list(value)
    if not isinstance(value, list | tuple):
        return Gap(tried, f"{kind_of(value)}, and not a list of losses")
    if len(value) != count:
        return Gap(tried, f"{len(value)} losses for {count} micro-batches")
    found = [one_number(one.detach() if isinstance(one, Tensor) else one) for one in value]
    if any(one is None for one in found):
        return Gap(tried, "a loss that is not one number")
    return [float(one) for one in found if one is not None]


def _compare(step_losses: Call, parts: Parts, tried: str) -> Gap | None:
    found = _numbers(step_losses(parts), len(parts), tried)
    if isinstance(found, Gap):
        return found
    sums = [float(values[scored].double().sum()) for values, scored in parts]
    counts = [int(scored.sum()) for _, scored in parts]
    total = sum(counts)
    wanted = [one / max(total, 1) for one in sums]
    if all(
        math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6) for a, b in zip(found, wanted, strict=True)
    ):
        return None
    means = [s / max(c, 1) for s, c in zip(sums, counts, strict=True)]
    places = sum(len(values) for values, _ in parts)
    known = {
        "a mean of the parts' means": [m / len(parts) for m in means],
        "each part's own mean": means,
        "sums, not divided": sums,
        "divided by all places, scored or not": [s / places for s in sums],
        "divided twice: by the labels, and by the parts": [w / len(parts) for w in wanted],
    }
    mistake = next(
        (
            why
            for why, ones in known.items()
            if all(
                math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-9)
                for a, b in zip(found, ones, strict=True)
            )
        ),
        "",
    )
    got = f"they add up to {sum(found):.4f}, not {sum(wanted):.4f}"
    if math.isclose(sum(found), sum(wanted), rel_tol=1e-4):
        n = next(
            n for n in range(len(parts)) if not math.isclose(found[n], wanted[n], rel_tol=1e-4)
        )
        got = f"the sum is right, but part {n} has {found[n]:.4f}, not {wanted[n]:.4f}"
    return Gap(tried, got, mistake)


@prop("it returns a loss for each micro-batch", "on what is backward called?")
def structure(step_losses: Call, generator: torch.Generator) -> Gap | None:
    found = _numbers(step_losses([SMALL, LARGE]), 2, TRIED)
    return found if isinstance(found, Gap) else None


@prop("equal parts have equal shares", "what did the function do before you came?")
def equal(step_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(step_losses, [LARGE, (3 * LARGE[0], LARGE[1])], "two parts with 9 labels each")


@prop("together they are the loss of the whole batch", "by how many labels is a sum divided?")
def whole(step_losses: Call, generator: torch.Generator) -> Gap | None:
    if gap := _compare(step_losses, [SMALL, LARGE], TRIED):
        return gap
    return _compare(step_losses, [SMALL], "a step of one part with one label")


@prop("a part without labels adds nothing", "what is the share of a part that is asked nothing?")
def empty(step_losses: Call, generator: torch.Generator) -> Gap | None:
    nothing = (torch.tensor([5.0, math.nan]), torch.tensor([False, False]))
    tried = "a part with 9 labels, and one with none"
    if gap := _compare(step_losses, [LARGE, nothing], tried):
        return gap
    return _compare(step_losses, [nothing, nothing], "two parts without any label")


@prop("it holds for any step", "is a number of the example written down?")
def any_step(step_losses: Call, generator: torch.Generator) -> Gap | None:
    for lengths in ((5,), (3, 8, 1), (20, 4, 30, 6)):
        parts = []
        for length in lengths:
            scored = torch.rand(length, generator=generator) < 0.6
            parts.append((5 * torch.rand(length, generator=generator), scored))
        parts[0][1][0] = True
        if gap := _compare(step_losses, parts, f"parts of {', '.join(map(str, lengths))} places"):
            return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(step_losses: Call, generator: torch.Generator) -> Gap | None:
    step_losses([SMALL, LARGE])
    return changed_gap(step_losses, TRIED)


@prop("gradients are those of the whole batch", "does a number leave PyTorch on its way?")
def gradient(step_losses: Call, generator: torch.Generator) -> Gap | None:
    parts = [(values.clone().requires_grad_(), scored) for values, scored in (SMALL, LARGE)]
    losses = step_losses(parts)
    if not all(isinstance(loss, Tensor) for loss in losses):
        return Gap(TRIED, "a number without a gradient")
    leaves = [values for values, _ in step_losses.given[0]]
    given = gradients_of(torch.stack(list(losses)), leaves, TRIED)
    if isinstance(given, Gap):
        return given
    for number, (found, scored) in enumerate(zip(given, (SMALL[1], LARGE[1]), strict=True)):
        if not torch.allclose(found, scored / 10):
            tried = f"{TRIED}; part {number}"
            return Gap(tried, "another gradient than a tenth for each label")
    return None


EXERCISE = Exercise(
    id="6.7",
    title="One step in two parts",
    kind="bug",
    level=2,
    minutes=10,
    place="home",
    needs=("step_losses",),
    properties=(structure, equal, whole, empty, any_step, inputs, gradient),
    fact="large libraries had this bug until 2024: parts of a step seldom have equally many labels",
    hints=(
        "Where to look. Put 1 and 9 labels in: how much does each single label weigh in the end?",
        "The idea. Every label of the step should weigh the same. So each part's *sum* is divided "
        "by the number of labels of the whole step.",
        "The shape of the answer. Count all labels first, before the loop. At least 1 stands below "
        "the line.",
    ),
    transfer="Eight machines share a step. What do they have to tell each other before backward?",
)
