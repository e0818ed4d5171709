"""Masked words, and pairs of texts: which rows make a step, how they are masked, what they cost."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import PackedRows, PairRows, Tokenizer
from companion.losses import IGNORED, mlm_loss, nsp_loss
from companion.masking import example_generator, mask_examples
from companion.training.config import MaskingConfig


class MaskedBatch(NamedTuple):
    """Rows of one step, or a part of them."""

    corrupted: Tensor  # int64, (batch, length)
    attention_mask: Tensor  # bool, (batch, length, length) or (batch, length), True = may attend
    labels: Tensor  # int64, (batch, length), -100 where nothing is scored
    segment_ids: Tensor | None = None  # int64, (batch, length), where rows are pairs
    pair_labels: Tensor | None = None  # int64, (batch,): 0 = B follows A, 1 = it does not

    def split(self, size: int) -> list["MaskedBatch"]:
        """Parts of at most `size` rows."""
        cut = {name: one.split(size) for name, one in self._asdict().items() if one is not None}
        count = len(cut["corrupted"])
        return [MaskedBatch(**{name: cut[name][n] for name in cut}) for n in range(count)]

    def to(self, device: torch.device) -> "MaskedBatch":
        """The same on another device."""
        columns = {name: one for name, one in self._asdict().items() if one is not None}
        return MaskedBatch(
            **{name: one.to(device, non_blocking=True) for name, one in columns.items()}
        )

    @property
    def selected(self) -> Tensor:
        """Which positions count in the loss: bool, (batch, length)."""
        return self.labels != IGNORED

    @property
    def scored(self) -> int:
        """How many positions count in the loss."""
        return int(self.selected.sum())

    @property
    def examples(self) -> int:
        """How many rows there are."""
        return len(self.corrupted)


def order_of(seed: int, epoch: int, count: int) -> Tensor:
    """The numbers 0 to count - 1, (count,), in the order of this epoch."""
    # A number that no example has: the order must not be tied to any example's mask.
    return torch.randperm(count, generator=example_generator(seed, epoch, count))


class MaskedWords:
    """The masked-word objective; on rows that are pairs of texts, next-sentence prediction too.

    Everything it draws depends on (seed, epoch, row number) alone: which process or part of a
    batch a row lands in changes nothing.
    """

    def __init__(
        self,
        rows: PackedRows | PairRows,
        tokenizer: Tokenizer,
        masking: MaskingConfig,
        seed: int,
    ) -> None:
        self.rows = rows
        self.tokenizer = tokenizer
        self.masking = masking
        self.seed = seed

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows.input_ids)

    def order(self, epoch: int) -> Tensor:
        """The numbers of all rows, (rows,), in the order of this epoch."""
        return order_of(self.seed, epoch, len(self))

    def batch(self, numbers: Tensor, epoch: int) -> MaskedBatch:
        """The rows of these numbers, masked for this epoch."""
        rows = type(self.rows)(*(column[numbers] for column in self.rows))
        pairs = rows if isinstance(rows, PairRows) else None
        masked = mask_examples(
            rows.input_ids,
            numbers,
            seed=self.seed,
            epoch=epoch,
            attention_mask=None if pairs is None else pairs.is_real,
            rate=self.masking.rate,
            mask_share=self.masking.mask_share,
            random_share=self.masking.random_share,
            **self.tokenizer.mask_args,
        )
        batch = MaskedBatch(masked.corrupted, rows.attention_mask(), masked.labels)
        if pairs is None:
            return batch
        return batch._replace(segment_ids=pairs.segment_ids, pair_labels=pairs.labels)

    @staticmethod
    def loss(model: nn.Module, part: MaskedBatch, scored: int, rows: int) -> Tensor:
        """This part's share of the step's loss: the mean over all `scored` positions of the step.

        For pairs the mean over the step's `rows` of the next-sentence loss is added, as in BERT
        (arXiv 1810.04805, appendix A.2).
        """
        selected = part.selected
        output = model(
            part.corrupted,
            attention_mask=part.attention_mask,
            selected=selected,
            **({} if part.segment_ids is None else {"segment_ids": part.segment_ids}),
        )
        loss = mlm_loss(output.mlm_logits, part.labels[selected], total=scored)
        if part.pair_labels is not None:
            loss = loss + nsp_loss(output.nsp_logits, part.pair_labels, total=rows)
        return loss
