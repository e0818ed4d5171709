"""How good is a masked autoencoder? Its error beside those of three ways that need no network."""

from typing import NamedTuple

import torch
from torch import Tensor

from companion.evaluation.intervals import Share, share
from companion.evaluation.picture_yardsticks import (
    best_power,
    distance_weighted,
    look_up,
    mean_image,
)
from companion.evaluation.restoring import restore
from companion.masking import PatchMask, mask_pictures
from companion.models import Mae, patchify

EXAM_SEED = 0


class PictureRow(NamedTuple):
    """One way to fill in hidden patches."""

    name: str
    error: Share  # mean squared error of a value, over hidden patches, with pictures as what varies
    worse: Share | None  # than the model, picture by picture; None for the model itself


class PictureReport(NamedTuple):
    """What the card of a masked autoencoder says."""

    pictures: int
    ratio: float
    power: float  # of the distance, chosen on the pictures of training
    rows: tuple[PictureRow, ...]  # mean image, distance-weighted colour, look-up, model


def exam_mask(pictures: int, patches: int, ratio: float) -> PatchMask:
    """The masks of the exam: one for each picture, the same for everybody and for ever."""
    return mask_pictures(range(pictures), patches, seed=EXAM_SEED, epoch=None, ratio=ratio)


def error_at_hidden(pred: Tensor, patches: Tensor, hidden: Tensor) -> Tensor:
    """Each picture's mean squared error over its hidden patches: (batch,).

    `pred` and `patches` are (batch, patches, values), `hidden` is bool (batch, patches).
    """
    squares = (pred - patches).square().mean(dim=2)  # (batch, patches)
    return (squares * hidden).sum(dim=1) / hidden.sum(dim=1)


def picture_report(model: Mae, train: Tensor, held_out: Tensor) -> PictureReport:
    """Examine `model` on `held_out`, pictures that nobody has seen; the others learn from `train`.

    Both are (pictures, channels, height, width), float in [0, 1]. Everybody fills in the same
    patches, at the ratio of the model's training.
    """
    config = model.config
    size = config.patch_size
    patches, known = patchify(held_out, size), patchify(train, size)
    mask = exam_mask(len(patches), patches.shape[1], config.mask_ratio)
    power = best_power(known, config.grid, channels=config.num_channels, ratio=config.mask_ratio)
    ways = {
        "mean image of the training half": mean_image(known).expand_as(patches),
        f"kept patches' colour, by distance (power {power:g})": distance_weighted(
            patches, mask.hidden, config.grid, channels=config.num_channels, power=power
        ),
        "the training picture that fits best": look_up(known, patches, mask.hidden),
        "model": restore(model, held_out, mask).pred,
    }
    errors = {name: error_at_hidden(pred, patches, mask.hidden) for name, pred in ways.items()}
    pictures = torch.arange(len(patches))
    rows = tuple(
        PictureRow(
            name,
            share(error, pictures),
            None if name == "model" else share(error - errors["model"], pictures),
        )
        for name, error in errors.items()
    )
    return PictureReport(len(patches), config.mask_ratio, power, rows)


def picture_table(name: str, found: PictureReport) -> str:
    """The figures as a Markdown table."""
    lines = [
        f"| {100 * found.ratio:.0f} % of the patches hidden, {found.pictures:,} held-out pictures "
        f"| mean squared error | worse than {name} by |",
        "|---|---|---|",
    ]
    for row in found.rows:
        way = f"**{name}**" if row.worse is None else row.name
        worse = "" if row.worse is None else in_words(row.worse)
        lines.append(f"| {way} | {in_words(row.error)} | {worse} |")
    return "\n".join(lines)


def in_words(value: Share) -> str:
    """0.0281 (0.0265 to 0.0297)."""
    return f"{value.value:.4f} ({value.low:.4f} to {value.high:.4f})"
