"""Next tokens: which rows make a step of a causal model, and what they cost."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import PackedRows
from companion.losses import mlm_loss, next_token_scored
from companion.training.objective import order_of


class TextBatch(NamedTuple):
    """Rows of one step, or a part of them: nothing is corrupted."""

    input_ids: Tensor  # int64, (batch, length)
    attention_mask: Tensor  # bool, (batch, length, length), True = may attend: each text by itself
    answers: Tensor  # bool, (batch, length), the tokens that are asked for

    def split(self, size: int) -> list["TextBatch"]:
        """Parts of at most `size` rows."""
        parts = (torch.split(column, size) for column in self)
        return [TextBatch(*part) for part in zip(*parts, strict=True)]

    def to(self, device: torch.device) -> "TextBatch":
        """The same on another device."""
        return TextBatch(*(column.to(device, non_blocking=True) for column in self))

    @property
    def scored(self) -> int:
        """How many tokens are asked for."""
        return int(self.answers.sum())

    @property
    def examples(self) -> int:
        """How many rows there are."""
        return len(self.input_ids)


class NextTokens:
    """The autoregressive objective: each token of a text but its first, given those before it.

    The order of an epoch depends on (seed, epoch) alone, as with masked words.
    """

    def __init__(self, rows: PackedRows, seed: int) -> None:
        self.rows = rows
        self.seed = seed

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows.input_ids)

    def order(self, epoch: int) -> Tensor:
        """The numbers of all rows, (rows,), in the order of this epoch."""
        return order_of(self.seed, epoch, len(self))

    def batch(self, numbers: Tensor, epoch: int) -> TextBatch:
        """The rows of these numbers; the same in every epoch, for nothing is drawn."""
        rows = PackedRows(*(column[numbers] for column in self.rows))
        mask = rows.attention_mask()
        answers = next_token_scored(mask) & (rows.documents >= 0)  # padding is of no text
        return TextBatch(rows.input_ids, mask, answers)

    @staticmethod
    def loss(model: nn.Module, part: TextBatch, scored: int, rows: int) -> Tensor:
        """This part's share of the step's loss: the mean over all `scored` tokens of the step."""
        asks = part.answers.roll(-1, dims=1)  # the places before them; column 0 never answers
        output = model(part.input_ids, attention_mask=part.attention_mask, selected=asks)
        return mlm_loss(output.logits, part.input_ids[part.answers], total=scored)
