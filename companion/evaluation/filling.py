"""Fill the [MASK]s of a sentence."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import Tokenizer
from companion.evaluation.mode import examined


class Filling(NamedTuple):
    """One proposal for one [MASK]."""

    token: str
    probability: float
    id: int


def fill_mask(
    model: nn.Module, tokenizer: Tokenizer, text: str, *, top: int = 5
) -> list[list[Filling]]:
    """The `top` likeliest tokens for each [MASK] of `text`, from left to right.

    Dropout is off meanwhile. Several masks are filled independently of each other.

    Raises:
        ValueError: there is no [MASK] in the text, or `top` is below 1 or above the vocabulary.
    """
    ids = tokenizer.encode(text).ids[None]  # (1, length)
    is_mask = ids == tokenizer.mask_id
    if not is_mask.any():
        raise ValueError(f"There is no [MASK] in {text!r}: write one where a token is to be found.")
    if not 1 <= top <= tokenizer.vocab_size:
        raise ValueError(f"top is {top}; choose 1 to {tokenizer.vocab_size}.")
    device = next(model.parameters()).device
    with examined(model):
        logits = model(ids.to(device), selected=is_mask.to(device)).mlm_logits  # (n_masks, vocab)
    best = logits.float().softmax(-1).topk(top)
    return [
        [
            Filling(token, probability, id_)
            for token, probability, id_ in zip(tokenizer.tokens(row), values, row, strict=True)
        ]
        for row, values in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]


class TwoBlanks(NamedTuple):
    """Probabilities of pairs, each (left words, right words)."""

    at_once: Tensor  # both places filled from one question
    one_by_one: Tensor  # the left place first, then the right one, which sees it


def fill_two_masks(
    model: nn.Module, tokenizer: Tokenizer, text: str, left: Sequence[str], right: Sequence[str]
) -> TwoBlanks:
    """How likely each pair of `left` and `right` words comes out at the two [MASK]s of `text`.

    Raises:
        ValueError: the text has not two [MASK]s, or a word is not one token.
    """
    vocabulary = tokenizer.inner.get_vocab()
    if unknown := [word for word in (*left, *right) if word not in vocabulary]:
        raise ValueError(f"{unknown[0]!r} is not one token: choose words of the vocabulary")
    ids = tokenizer.encode(text).ids  # (length,)
    places = (ids == tokenizer.mask_id).nonzero()[:, 0]
    if len(places) != 2:
        raise ValueError(f"{text!r} has {len(places)} [MASK]s; it needs two")
    left_ids, right_ids = (
        torch.tensor([vocabulary[word] for word in side]) for side in (left, right)
    )
    rows = ids.repeat(len(left) + 1, 1)  # the first row keeps both masks
    rows[1:, places[0]] = left_ids
    with examined(model):
        chances = model(rows).mlm_logits.float().softmax(-1)  # (rows, length, vocab)
    at_left = chances[0, places[0], left_ids]  # (left words,)
    at_right = chances[:, places[1]][:, right_ids]  # (rows, right words)
    return TwoBlanks(at_left[:, None] * at_right[:1], at_left[:, None] * at_right[1:])
