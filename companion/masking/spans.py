"""Choosing whole words and spans: neighbouring tokens that are predicted together."""

from collections.abc import Sequence
from math import inf, log1p

import torch
from torch import Tensor

from companion.masking.tokens import check_share, draw_uniform, find_candidates


def select_words(
    input_ids: Tensor,
    word_ids: Tensor,
    *,
    special_ids: Sequence[int],
    rate: float,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Toss one coin for every *word*; all its pieces share the result.

    input_ids: int64, (batch, length). word_ids: int64, same shape, -1 at [CLS], [SEP] and padding.
        A word is a run of equal ids: where counting starts again in a packed row, a [SEP] has to
        stand between the texts.
    rate: the share of words. A long word never runs over a budget: with at_least_one a row whose
        only word has nine pieces has nine targets (the whole-word option of BERT's released code
        leaves such a row without any).
    Source: the whole-word masking of google-research/bert, README of May 2019.
    """
    check_share("rate", rate)
    if word_ids.shape != input_ids.shape:
        raise ValueError(
            f"word_ids has shape {tuple(word_ids.shape)}, input_ids {tuple(input_ids.shape)}; they "
            "need one word id for every token."
        )
    candidates = find_candidates(input_ids, special_ids) & (word_ids >= 0)
    starts = torch.ones_like(candidates)
    starts[:, 1:] = word_ids[:, 1:] != word_ids[:, :-1]
    word = starts.long().cumsum(-1) - 1  # (batch, length): 0, 1, 2 ... along the row
    noise = draw_uniform(input_ids, generator).gather(-1, word)  # one number a word
    selected = candidates & (noise < rate)
    if at_least_one and rate > 0 and input_ids.shape[1] > 0:
        lacking = ~selected.any(-1, keepdim=True)
        open_noise = noise.masked_fill(~candidates, torch.inf)
        smallest = open_noise.min(-1, keepdim=True).values  # the word with the smallest number
        selected = selected | (candidates & lacking & (open_noise == smallest))
    return selected


def select_spans(
    input_ids: Tensor,
    *,
    special_ids: Sequence[int],
    rate: float,
    mean_span: float,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Take round(rate * candidates) tokens a row, in spans of geometric length.

    input_ids: int64, (batch, length).
    mean_span: the mean length before cutting, in tokens, at least 1. A span ends early at a token
        that is taken already and when the row's number is reached. At a special token or the end of
        the row, it goes on at the beginning of that stretch of text: a span that just stopped there
        would leave the first tokens of every text half as often selected as the others.
        (A stretch shorter than a span still gets less than its share: there is no room for one.)
    Source: SpanBERT, section 3.1 (arXiv 1907.10529, 2019), which counts in words and cuts at 10.
    """
    check_share("rate", rate)
    if not 1 <= mean_span < inf:
        raise ValueError(f"mean_span is {mean_span}; it needs a finite number of at least 1.")
    candidates = find_candidates(input_ids, special_ids)
    # Two numbers for every position: its turn as the start of a span, and how long that span is.
    order = draw_uniform(input_ids, generator).argsort(-1).cpu()
    uniform = draw_uniform(input_ids, generator).cpu().double()
    lengths = torch.ones_like(order)
    if mean_span > 1:  # inverse of the geometric distribution on 1, 2, 3 ... with this mean
        extra = (torch.log1p(-uniform) / log1p(-1 / mean_span)).floor()
        lengths = 1 + extra.clamp(max=input_ids.shape[1]).long()
    free = candidates.cpu()
    selected = torch.zeros_like(free)
    for row in range(len(input_ids)):
        wanted = round(rate * int(free[row].sum()))
        if at_least_one and rate > 0:
            wanted = max(1, wanted)
        _fill_row(selected[row], free[row], order[row], lengths[row], wanted)
    return selected.to(input_ids.device)


def _fill_row(
    selected: Tensor, candidates: Tensor, order: Tensor, lengths: Tensor, wanted: int
) -> None:
    """Lay spans into one row, in place, until `wanted` tokens are taken."""
    free = candidates.tolist()
    follower = _followers(free)
    for start, length in zip(order.tolist(), lengths.tolist(), strict=True):
        position = start
        for _ in range(length):
            if wanted == 0:
                return
            if not free[position]:
                break
            free[position] = False
            selected[position] = True
            wanted -= 1
            position = follower[position]


def _followers(candidate: list[bool]) -> list[int]:
    """For each place the next one of its stretch of candidates; after the last, the first."""
    follower, first = [], 0
    for place, is_candidate in enumerate(candidate):
        if is_candidate and (place == 0 or not candidate[place - 1]):
            first = place
        goes_on = place + 1 < len(candidate) and candidate[place + 1]
        follower.append(place + 1 if goes_on else first)
    return follower
