"""How sure a counted share is."""

from math import sqrt
from typing import NamedTuple

import torch
from torch import Tensor

Z = 1.96  # standard deviations to each side that hold 95 % of a normal distribution


def wilson_interval(hits: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share, hits of trials independent draws: low and high, in [0, 1].

    Source: Wilson 1927, Journal of the American Statistical Association 22.
    """
    if trials < 1 or not 0 <= hits <= trials:
        raise ValueError(
            f"{hits} hits of {trials} trials: it needs 0 <= hits <= trials, trials > 0."
        )
    share = hits / trials
    centre = (share + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def grouped_interval(values: Tensor, groups: Tensor) -> tuple[float, float, float]:
    """The mean of `values` and its 95 % interval, where values of one group go together.

    Blanks of one page are alike, and three masks of one page still more so: counting them as
    independent gives an interval that is too narrow. Only the groups are taken as independent.

    Args:
        values: (n,), numbers or bools: hits, or differences of hits.
        groups: int64, (n,), which group each belongs to; about thirty groups or more.

    Source: Cochran 1977, Sampling Techniques, chapter 6 (the ratio estimator).
    """
    numbers, member = torch.unique(groups, return_inverse=True)
    if len(numbers) < 2:
        raise ValueError(f"There are {len(numbers)} groups; an interval needs two or more.")
    values = values.double()
    mean = values.mean()
    # What each group's sum exceeds its share by; these sums are what varies between groups.
    excess = torch.zeros(len(numbers), dtype=torch.float64).index_add(0, member, values - mean)
    n = len(numbers)
    error = (n / (n - 1) * excess.square().sum()).sqrt() / len(values)
    return mean.item(), (mean - Z * error).item(), (mean + Z * error).item()


class Share(NamedTuple):
    """A share, or a difference of two, and its 95 % interval."""

    value: float
    low: float
    high: float


def share(hits: Tensor, groups: Tensor) -> Share:
    """The mean of `hits` with its interval over groups, see `grouped_interval`."""
    return Share(*grouped_interval(hits, groups))


def per_cent(part: Share) -> str:
    """52.3 % (51.5 to 53.1)."""
    return f"{part.value:.1%} ({part.low * 100:.1f} to {part.high * 100:.1f})".replace("%", " %")
