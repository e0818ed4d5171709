"""One model, one text, one set of masks, and many numbers that are called its loss."""

import math
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from companion.data import Tokenizer
from companion.evaluation.mode import examined
from companion.masking import mask_tokens

Positions = Literal["selected", "masked", "everywhere"]
Average = Literal["over_them", "over_all_places", "of_row_means", "sum_of_a_row"]
Unit = Literal["nats", "bits", "perplexity"]


class Surprises(NamedTuple):
    """What a masked model makes of every place of some rows."""

    surprise: Tensor  # float, (rows, length), nats, of the true token
    selected: Tensor  # bool, (rows, length)
    masked: Tensor  # bool, (rows, length): selected, and [MASK] stands there


def surprises(
    model: nn.Module, tokenizer: Tokenizer, ids: Tensor, *, generator: torch.Generator
) -> Surprises:
    """Corrupt rows of ids, (rows, length), as BERT does, and ask for the true token everywhere."""
    masked = mask_tokens(ids, generator=generator, **tokenizer.mask_args)
    with examined(model):
        log_p = model(masked.corrupted).mlm_logits.log_softmax(-1)  # (rows, length, vocab)
    surprise = -log_p.gather(2, ids[:, :, None])[:, :, 0]
    return Surprises(
        surprise, masked.selected, masked.selected & (masked.corrupted == tokenizer.mask_id)
    )


def loss_of(
    found: Surprises,
    positions: Positions = "selected",
    average: Average = "over_them",
    unit: Unit = "nats",
) -> float:
    """One number, after three choices.

    positions: where the surprise counts: at selected tokens, at [MASK] alone, or everywhere, with
        tokens that the model sees.
    average: the mean over these places; their sum divided by all places; the mean of the rows'
        means, rows without such a place left out; or the sum in a row, averaged over rows.
    unit: nats, bits, or perplexity, exp of the nats.
    """
    chosen = {
        "selected": found.selected,
        "masked": found.masked,
        "everywhere": torch.ones_like(found.selected),
    }[positions]
    values = found.surprise.double().masked_fill(~chosen, 0.0)
    counts = chosen.sum(1)
    nats = {
        "over_them": values.sum() / counts.sum().clamp(min=1),
        "over_all_places": values.mean(),
        "of_row_means": (values.sum(1) / counts.clamp(min=1))[counts > 0].mean(),
        "sum_of_a_row": values.sum(1).mean(),
    }[average].item()
    if unit == "perplexity":
        return math.exp(min(nats, 700.0))  # a sum may be too large for a float
    return nats / math.log(2) if unit == "bits" else nats
