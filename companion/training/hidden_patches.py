"""Hidden patches: which pictures make a step, what is hidden in them, what it costs."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.losses import mae_loss
from companion.masking import PatchMask, mask_pictures
from companion.models import MaeConfig
from companion.training.objective import order_of


class PictureBatch(NamedTuple):
    """Pictures of one step, or a part of them."""

    images: Tensor  # float, (batch, channels, height, width)
    keep: Tensor  # int64, (batch, kept)
    hidden: Tensor  # bool, (batch, patches), True = hidden
    restore: Tensor  # int64, (batch, patches)

    def split(self, size: int) -> list["PictureBatch"]:
        """Parts of at most `size` pictures."""
        parts = (torch.split(column, size) for column in self)
        return [PictureBatch(*part) for part in zip(*parts, strict=True)]

    def to(self, device: torch.device) -> "PictureBatch":
        """The same on another device."""
        return PictureBatch(*(column.to(device, non_blocking=True) for column in self))

    @property
    def mask(self) -> PatchMask:
        """As the models take it."""
        return PatchMask(self.keep, self.hidden, self.restore)

    @property
    def scored(self) -> int:
        """How many patches are asked for."""
        return int(self.hidden.sum())

    @property
    def examples(self) -> int:
        """How many pictures there are."""
        return len(self.images)


class HiddenPatches:
    """MAE's objective: the pixels of the hidden patches, given the kept ones.

    A picture's mask depends on (seed, epoch, picture) alone, as with masked words. The ratio, and
    whether each patch is normalised, are those of the model's config.
    """

    def __init__(self, pixels: Tensor, config: MaeConfig, seed: int) -> None:
        self.pixels = pixels  # (pictures, channels, height, width)
        self.config = config
        self.seed = seed

    def __len__(self) -> int:
        """How many pictures there are."""
        return len(self.pixels)

    def order(self, epoch: int) -> Tensor:
        """The numbers of all pictures, (pictures,), in the order of this epoch."""
        return order_of(self.seed, epoch, len(self))

    def batch(self, numbers: Tensor, epoch: int | None) -> PictureBatch:
        """The pictures of these numbers, masked for this epoch; None: for evaluation."""
        rows, columns = self.config.grid
        mask = mask_pictures(
            numbers, rows * columns, seed=self.seed, epoch=epoch, ratio=self.config.mask_ratio
        )
        return PictureBatch(self.pixels[numbers], mask.keep, mask.hidden, mask.restore)

    def loss(self, model: nn.Module, part: PictureBatch, scored: int, examples: int) -> Tensor:
        """This part's share of the step's loss: the mean over all `scored` patches of the step."""
        output = model(part.images, part.mask)
        return mae_loss(
            output.pred,
            output.patches,
            part.hidden,
            norm_pix=self.config.norm_pix_loss,
            total=scored,
        )
