"""Pairs as rows of ids, the way BERT reads them.

Source: BERT (Devlin et al. 2018, arXiv 1810.04805, section 3 and figure 2).
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from companion.data.batches import pad_rows
from companion.data.pairs import Pair


class PairRows(NamedTuple):
    """Pairs as rows: [CLS] A [SEP] B [SEP], then padding."""

    input_ids: Tensor  # int64, (rows, length)
    segment_ids: Tensor  # int64, (rows, length): 1 for B and its [SEP], else 0
    is_real: Tensor  # bool, (rows, length), False at padding
    labels: Tensor  # int64, (rows,): 0 = B follows A, 1 = it does not

    def attention_mask(self) -> Tensor:
        """Bool (rows, length), True = may attend: padding is seen by nobody."""
        return self.is_real


def pair_rows(
    pairs: Sequence[Pair[Tensor]], *, length: int, cls_id: int, sep_id: int, pad_id: int
) -> PairRows:
    """Put special tokens around pairs that fit: `segment_pairs` has cut them before.

    Raises:
        ValueError: no pair, or one with more than `length` - 3 tokens.
    """
    if not pairs:
        raise ValueError("there is no pair to make a row of")
    cls, sep = torch.tensor([cls_id]), torch.tensor([sep_id])
    texts = [torch.cat([cls, pair.a.long(), sep, pair.b.long(), sep]) for pair in pairs]
    longest = max(map(len, texts))
    if longest > length:
        raise ValueError(
            f"a pair makes {longest} tokens with its special ones, and length is {length}: make "
            f"the pairs with segment_pairs(..., length={length})"
        )
    first = torch.tensor([len(pair.a) + 2 for pair in pairs])  # [CLS] A [SEP]
    whole = torch.tensor([len(text) for text in texts])
    places = torch.arange(length)
    is_real = places < whole[:, None]  # (rows, length)
    return PairRows(
        pad_rows(texts, pad_id, length=length),
        (is_real & (places >= first[:, None])).long(),
        is_real,
        torch.tensor([pair.label for pair in pairs]),
    )
