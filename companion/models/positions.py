"""Where a patch stands: fixed sines and cosines of its column and its row.

Source: MAE, appendix A.1 (arXiv 2111.06377, 2021), and its code, whose order of the two halves
is kept, since published weights were trained with it.
"""

import torch
import torch.nn.functional as F
from torch import Tensor


def grid_positions(rows: int, columns: int, width: int) -> Tensor:
    """The table of positions: float32, (1 + rows·columns, width), a row of zeros for [CLS] first.

    The first half of a vector follows the patch's column, the second half its row; each half is
    the sines of all frequencies, then their cosines. Frequencies fall from 1 to nearly 1/10,000.

    Raises:
        ValueError: `width` is no multiple of 4.
    """
    if width % 4:
        raise ValueError(f"positions of width {width}: it must be a multiple of 4")
    steps = torch.arange(width // 4, dtype=torch.float64) / (width // 4)
    frequencies = 10_000.0**-steps  # (width / 4,)
    row = torch.arange(rows, dtype=torch.float64).repeat_interleave(columns)  # (rows·columns,)
    column = torch.arange(columns, dtype=torch.float64).repeat(rows)
    halves = []
    for place in (column, row):
        angles = place[:, None] * frequencies  # (rows·columns, width / 4)
        halves += [angles.sin(), angles.cos()]
    return F.pad(torch.cat(halves, dim=1), (0, 0, 1, 0)).float()  # the computation in float64


def resize_positions(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    """The table for another grid, interpolated over rows and columns (bicubic); [CLS] stays.

    Args:
        table: (1, 1 + rows·columns, width).
        old: rows and columns of the grid that `table` was made for.
        new: rows and columns that are wanted.
    """
    if old == new:
        return table
    cls, patches = table[:, :1], table[:, 1:]
    picture = patches.reshape(1, *old, -1).permute(0, 3, 1, 2)  # (1, width, rows, columns)
    picture = F.interpolate(picture, size=new, mode="bicubic", align_corners=False)
    patches = picture.permute(0, 2, 3, 1).flatten(1, 2)  # (1, new patches, width)
    return torch.cat([cls, patches], dim=1)
