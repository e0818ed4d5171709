"""How sure a counted share is."""

from math import sqrt

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
