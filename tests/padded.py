"""Rows of ids with padding on one side, for the parity tests."""

import torch
from torch import Tensor


def padded_rows(side: str, pads: tuple[int, ...], length: int, vocab: int) -> tuple[Tensor, Tensor]:
    """Ids and an integer attention mask, a row for each of `pads`; side "none" pads nothing."""
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(vocab, (len(pads), length), generator=generator)
    mask = torch.ones_like(ids)
    for row, pad in enumerate(pads):
        if side == "right":
            mask[row, length - pad :] = 0
        if side == "left":
            mask[row, :pad] = 0
    return ids, mask
