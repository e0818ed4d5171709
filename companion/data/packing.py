"""Many texts of different lengths as full rows: nothing is spent on padding."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor


class PackedRows(NamedTuple):
    """Rows that hold several texts each. Both: int64, (rows, length)."""

    input_ids: Tensor
    documents: Tensor  # which text a token belongs to, counted from 0; -1 at padding

    def attention_mask(self) -> Tensor:
        """Bool (rows, length, length), True = may attend: each text sees itself alone.

        Padding sees padding, so that no position is left with nothing to attend to.
        """
        return self.documents[:, :, None] == self.documents[:, None, :]


def pack_rows(
    texts: Sequence[Tensor], *, length: int, cls_id: int, sep_id: int, pad_id: int
) -> PackedRows:
    """[CLS] text [SEP] one after the other, cut into rows of `length`.

    A text that does not fit into the rest of a row goes on in the next one, where it sees what
    stands there only: a little context is lost, and not one token. The end of the last row is
    padding.

    Args:
        texts: int64, each (tokens,), without special tokens.
        length: tokens in a row.
    """
    if not any(len(text) for text in texts):
        raise ValueError("There is nothing to pack: no text holds a token.")
    if length < 3:
        raise ValueError(f"length is {length}; [CLS], one token and [SEP] need at least 3 places.")
    cls, sep = torch.tensor([cls_id]), torch.tensor([sep_id])
    wrapped = [torch.cat([cls, text.long(), sep]) for text in texts if len(text)]
    stream = torch.cat(wrapped)  # (tokens,)
    sizes = torch.tensor([len(text) for text in wrapped])
    number = torch.arange(len(wrapped)).repeat_interleave(sizes)  # (tokens,)
    missing = -len(stream) % length
    ids = torch.cat([stream, torch.full((missing,), pad_id)])
    number = torch.cat([number, torch.full((missing,), -1)])
    return PackedRows(ids.view(-1, length), number.view(-1, length))
