"""From rows of different lengths to one padded batch."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from companion.data.tokenizer import Encoding


class Batch(NamedTuple):
    """Rows padded to one length. All: shape (batch, length)."""

    input_ids: Tensor  # int64
    segment_ids: Tensor  # int64, 0 at padding
    word_ids: Tensor  # int64, -1 at padding
    attention_mask: Tensor  # bool, True = may attend (a real token)


def pad_batch(
    encodings: Sequence[Encoding],
    *,
    pad_id: int,
    length: int | None = None,
    side: Literal["left", "right"] = "right",
) -> Batch:
    """Pad every row to `length`, or to the longest row when no length is given."""
    if not encodings:
        raise ValueError("There is no row to pad: encodings is empty.")
    if side not in ("left", "right"):
        raise ValueError(f"side is {side!r}. Choose 'left' or 'right'.")
    longest = max(len(encoding.ids) for encoding in encodings)
    if length is not None and longest > length:
        raise ValueError(
            f"A row has {longest} tokens, but length is {length}. Encode with max_length={length}."
        )
    length = longest if length is None else length

    def pad(rows: Sequence[Tensor], filler: int) -> Tensor:
        return pad_rows(rows, filler, length=length, side=side)

    return Batch(
        pad([encoding.ids for encoding in encodings], pad_id),
        pad([encoding.segment_ids for encoding in encodings], 0),
        pad([encoding.word_ids for encoding in encodings], -1),
        pad([torch.ones_like(encoding.ids) for encoding in encodings], 0).bool(),
    )


def pad_rows(
    rows: Sequence[Tensor],
    filler: int,
    *,
    length: int | None = None,
    side: Literal["left", "right"] = "right",
) -> Tensor:
    """int64 (batch, length): `rows`, each (tokens,), with `filler` where they are too short.

    length: at least that of the longest row; None: that of the longest row.
    """
    length = max(len(row) for row in rows) if length is None else length
    table = torch.full((len(rows), length), filler, dtype=torch.int64)  # (batch, length)
    for place, row in zip(table, rows, strict=True):
        # With side="left" the text ends at the last column.
        start = 0 if side == "right" else length - len(row)
        place[start : start + len(row)] = row
    return table
