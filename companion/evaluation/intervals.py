"""How sure a counted share is."""

from math import sqrt


def wilson_interval(hits: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a share: low and high, both within [0, 1].

    hits of trials independent draws; z = 1.96 covers the true share in about 95 % of experiments.
    Source: Wilson 1927, Journal of the American Statistical Association 22.
    """
    if trials < 1 or not 0 <= hits <= trials:
        raise ValueError(
            f"{hits} hits of {trials} trials: it needs 0 <= hits <= trials, trials > 0."
        )
    share = hits / trials
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return max(0.0, centre - half), min(1.0, centre + half)
