"""How much is hidden, step by step: from one ratio to another."""

import math
from typing import Literal


def scheduled_ratio(
    step: int,
    steps: int,
    *,
    start: float,
    end: float,
    shape: Literal["linear", "cosine"] = "linear",
) -> float:
    """The ratio at `step` of 0 to `steps` - 1: `start` at the first step and `end` at the last one.

    shape: a straight line, or half a cosine, which leaves and arrives slowly.
    ValueError: a step outside, or a ratio outside [0, 1].
    """
    if steps < 1 or not 0 <= step < steps:
        raise ValueError(f"step is {step} of {steps}; steps are counted from 0 to {steps - 1}.")
    if not (0 <= start <= 1 and 0 <= end <= 1):
        raise ValueError(f"start is {start} and end {end}; ratios lie in 0 to 1.")
    if shape not in ("linear", "cosine"):
        raise ValueError(f"shape is {shape!r}; choose 'linear' or 'cosine'.")
    if step == steps - 1:
        return end  # exactly, and for one step alone
    way = step / (steps - 1)
    if shape == "cosine":
        way = (1 - math.cos(math.pi * way)) / 2
    return start + (end - start) * way
