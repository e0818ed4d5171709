"""Choosing single tokens: which positions of a text are to be predicted.

Every function returns `selected`, bool of the shape of `input_ids`, True at the positions to be
predicted. It changes none of its inputs. Special ids, padding among them, are never selected: they
are known by their *id*, so it makes no difference on which side a row is padded.
"""

from collections.abc import Sequence

import torch
from torch import Tensor


def select_bernoulli(
    input_ids: Tensor,
    *,
    special_ids: Sequence[int],
    rate: float,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Toss a coin for every token: it is selected with probability `rate`.

    input_ids: int64, (batch, length).
    at_least_one: a row with a candidate gets one even when every coin says no. Ten tokens at 15 %
        stay without a target in 0.85**10 = 19.7 % of all draws. A rate of 0 still selects nothing.
    generator: draws on its own device; None is torch's default generator.
    """
    check_share("rate", rate)
    candidates = find_candidates(input_ids, special_ids)
    noise = draw_uniform(input_ids, generator)
    selected = candidates & (noise < rate)
    if at_least_one and rate > 0:
        selected = selected | _first_where_none(noise, candidates, selected)
    return selected


def select_exact(
    input_ids: Tensor,
    *,
    special_ids: Sequence[int],
    rate: float,
    count_specials: bool = False,
    pad_id: int | None = None,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Take a fixed number of tokens in every row: round(rate * n), drawn without replacement.

    input_ids: int64, (batch, length).
    count_specials: n counts the candidates of the row; with True it counts [CLS] and [SEP] too, as
        BERT's released code does (google-research/bert, create_pretraining_data.py).
    pad_id: padding, which n never counts; needed with count_specials.
    Halves are rounded to the even number, as Python does: 0.15 * 30 = 4.5 gives 4.
    """
    check_share("rate", rate)
    candidates = find_candidates(input_ids, special_ids)
    noise = draw_uniform(input_ids, generator).masked_fill(~candidates, torch.inf)
    counted = candidates
    if count_specials:
        if pad_id is None:
            raise ValueError("count_specials needs pad_id, so that padding is not counted.")
        counted = input_ids.ne(pad_id)
    # A table, as not every accelerator has float64: what n tokens come to, for n = 0 ... length.
    least = 1 if at_least_one and rate > 0 else 0
    table = [max(least, round(rate * n)) for n in range(input_ids.shape[1] + 1)]
    wanted = torch.tensor(table, device=input_ids.device)[counted.sum(-1)]  # (batch,)
    rank = noise.argsort(-1).argsort(-1)  # (batch, length): 0 for the smallest noise of the row
    return candidates & (rank < wanted[:, None])


def select_weighted(
    input_ids: Tensor,
    *,
    special_ids: Sequence[int],
    rate: float,
    weights: Tensor,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Select some tokens more often than others without selecting more tokens.

    input_ids: int64, (batch, length).
    weights: float, (batch, length), not negative. A token's probability is proportional to its
        weight, at most 1, and scaled so that a row's expected total is rate * its candidates. Where
        the tokens of positive weight are too few for that, all of them are selected.
    """
    check_share("rate", rate)
    if weights.shape != input_ids.shape:
        raise ValueError(
            f"weights has shape {tuple(weights.shape)}; it needs that of input_ids, "
            f"{tuple(input_ids.shape)}."
        )
    weights = weights.float()
    if not bool(((weights >= 0) & weights.isfinite()).all()):
        raise ValueError(
            "weights holds a negative, infinite or NaN value; give finite ones >= 0 (float32)."
        )
    candidates = find_candidates(input_ids, special_ids)
    weights = weights * candidates
    probability = _scale_to_total(weights, total=rate * candidates.sum(-1, keepdim=True))
    selected = candidates & (draw_uniform(input_ids, generator) < probability)
    if at_least_one and rate > 0:
        # The first of exponential clocks that run at the speed of the weights.
        clock = -torch.log1p(-draw_uniform(input_ids, generator)) / weights
        selected = selected | _first_where_none(clock, weights > 0, selected)
    return selected


def find_candidates(input_ids: Tensor, special_ids: Sequence[int]) -> Tensor:
    """Positions that may be selected: bool, (batch, length), False at special ids."""
    if input_ids.dim() != 2 or input_ids.is_floating_point() or input_ids.dtype == torch.bool:
        raise ValueError(
            f"input_ids has shape {tuple(input_ids.shape)} and type {input_ids.dtype}; it needs "
            "whole numbers of shape (batch, length). One text alone: input_ids[None]."
        )
    specials = torch.tensor(list(special_ids), dtype=input_ids.dtype, device=input_ids.device)
    return ~torch.isin(input_ids, specials)


def draw_uniform(like: Tensor, generator: torch.Generator | None) -> Tensor:
    """Uniform numbers in [0, 1), shape of `like`, drawn on the generator's device and moved."""
    device = like.device if generator is None else generator.device
    return torch.rand(like.shape, generator=generator, device=device).to(like.device)


def check_share(name: str, value: float) -> None:
    """Refuse a share that is not within [0, 1]; NaN is refused too."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is {value}; it needs a share between 0 and 1 (15 % is 0.15).")


def _first_where_none(noise: Tensor, allowed: Tensor, selected: Tensor) -> Tensor:
    """For rows without a selected token: True at the allowed position of the smallest noise."""
    if selected.shape[1] == 0:
        return selected
    lacking = ~selected.any(-1, keepdim=True)  # (batch, 1)
    first = noise.masked_fill(~allowed, torch.inf).argmin(-1, keepdim=True)  # (batch, 1)
    return torch.zeros_like(allowed).scatter(-1, first, True) & allowed & lacking


def _scale_to_total(weights: Tensor, total: Tensor) -> Tensor:
    """Probabilities proportional to weights, at most 1, with row sums `total` where possible."""
    full = torch.zeros_like(weights, dtype=torch.bool)  # weights so large that they reach 1
    while True:
        rest = (total - full.sum(-1, keepdim=True)).clamp(min=0)
        share = (weights * ~full).sum(-1, keepdim=True)
        probability = torch.where(full, 1.0, weights * rest / share.clamp(min=1e-30))
        over = probability > 1
        if not bool(over.any()):
            return probability
        full = full | over
