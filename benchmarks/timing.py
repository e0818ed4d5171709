"""Ratios of times that were taken in one run, turn by turn.

A machine's speed drifts; whoever times one thing after the other measures the drift as well. Here
the candidates take turns, each round gives one ratio, and the median of the ratios is reported.
"""

import random
import time
from collections.abc import Callable, Mapping
from statistics import median, quantiles
from typing import NamedTuple


class Ratio(NamedTuple):
    """How many times as long the second one takes, and the middle half of the rounds."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        """1.50 x (1.45 to 1.56)."""
        return f"{self.median:.2f} x ({self.low:.2f} to {self.high:.2f})"


def take_turns(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int
) -> dict[str, list[float]]:
    """Seconds of each candidate in each of `rounds` rounds, after one round to warm up."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    names, order = list(candidates), random.Random(0)
    for number in range(rounds + 1):
        order.shuffle(names)  # no candidate always follows the same one
        for name in names:
            started = time.perf_counter()
            candidates[name]()
            if number:
                times[name].append(time.perf_counter() - started)
    return times


def ratio(ours: list[float], theirs: list[float]) -> Ratio:
    """Theirs over ours, round by round: above 1, ours is faster."""
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    low, _, high = quantiles(ratios, n=4)
    return Ratio(median(ratios), low, high)
