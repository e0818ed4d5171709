"""Fill the [MASK]s of a sentence."""

from typing import NamedTuple

from torch import nn

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
