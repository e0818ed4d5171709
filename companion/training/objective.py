"""Masked words as an objective: which rows make a step, how they are masked, what they cost."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import PackedRows, Tokenizer
from companion.losses import IGNORED, mlm_loss
from companion.masking import example_generator, mask_examples
from companion.training.config import MaskingConfig


class MaskedBatch(NamedTuple):
    """Rows of one step, or a part of them."""

    corrupted: Tensor  # int64, (batch, length)
    attention_mask: Tensor  # bool, (batch, length, length), True = may attend
    labels: Tensor  # int64, (batch, length), -100 where nothing is scored

    def split(self, size: int) -> list["MaskedBatch"]:
        """Parts of at most `size` rows."""
        parts = zip(*(torch.split(tensor, size) for tensor in self), strict=True)
        return [MaskedBatch(*part) for part in parts]

    def to(self, device: torch.device) -> "MaskedBatch":
        """The same on another device."""
        return MaskedBatch(*(tensor.to(device, non_blocking=True) for tensor in self))

    @property
    def selected(self) -> Tensor:
        """Which positions count in the loss: bool, (batch, length)."""
        return self.labels != IGNORED

    @property
    def scored(self) -> int:
        """How many positions count in the loss."""
        return int(self.selected.sum())


class MaskedWords:
    """The masked-word objective on packed rows.

    Everything it draws depends on (seed, epoch, row number) alone: which process or part of a
    batch a row lands in changes nothing.
    """

    def __init__(
        self, rows: PackedRows, tokenizer: Tokenizer, masking: MaskingConfig, seed: int
    ) -> None:
        self.rows = rows
        self.tokenizer = tokenizer
        self.masking = masking
        self.seed = seed

    def order(self, epoch: int) -> Tensor:
        """The numbers of all rows, (rows,), in the order of this epoch."""
        count = len(self.rows.input_ids)
        # A row number that no row has: the order must not be tied to any row's mask.
        generator = example_generator(self.seed, epoch, count)
        return torch.randperm(count, generator=generator)

    def batch(self, numbers: Tensor, epoch: int) -> MaskedBatch:
        """The rows of these numbers, masked for this epoch."""
        rows = PackedRows(self.rows.input_ids[numbers], self.rows.documents[numbers])
        masked = mask_examples(
            rows.input_ids,
            numbers,
            seed=self.seed,
            epoch=epoch,
            rate=self.masking.rate,
            mask_share=self.masking.mask_share,
            random_share=self.masking.random_share,
            **self.tokenizer.mask_args,
        )
        return MaskedBatch(masked.corrupted, rows.attention_mask(), masked.labels)

    @staticmethod
    def loss(model: nn.Module, part: MaskedBatch, total: int) -> Tensor:
        """This part's share of the mean over all `total` scored positions of the step."""
        selected = part.selected
        output = model(part.corrupted, attention_mask=part.attention_mask, selected=selected)
        return mlm_loss(output.mlm_logits, part.labels[selected], total=total)
