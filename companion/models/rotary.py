"""Rotary positions: queries and keys are turned, so that attention sees distances.

Source: Su et al. 2021, arXiv 2104.09864, section 3.2.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class Rotation(NamedTuple):
    """By which angles the positions of a row are turned. Both: (length, head width)."""

    cos: Tensor
    sin: Tensor


def rotation(length: int, width: int, base: float, like: Tensor) -> Rotation:
    """The angles of positions 0 to `length` - 1.

    Number i of the first half of a head and number i of its second half are one pair. It turns
    by base ** (-2i / width) radians a position: the first pair fast, the last one slowly.

    Args:
        length: positions in a row.
        width: of one head; even.
        base: a larger one makes the slow pairs slower, for longer rows.
        like: a tensor whose device and dtype the result gets.
    """
    # Angles are computed in float32 whatever the model's dtype: bfloat16 cannot count to 300.
    pair = torch.arange(0, width, 2, device=like.device, dtype=torch.float32)  # (width / 2,)
    position = torch.arange(length, device=like.device, dtype=torch.float32)
    angle = position[:, None] * base ** (-pair / width)  # (length, width / 2)
    angle = torch.cat([angle, angle], dim=1)  # (length, width)
    return Rotation(angle.cos().to(like.dtype), angle.sin().to(like.dtype))


def rotate(x: Tensor, rotation: Rotation) -> Tensor:
    """Turn each pair of `x`, (..., length, head width), by its position's angle."""
    first, second = x.chunk(2, dim=-1)  # (..., length, head width / 2)
    return x * rotation.cos + torch.cat([-second, first], dim=-1) * rotation.sin
