"""Other ways to hide patches than one by one at random: blocks, a grid, and by weight.

All hide equally many patches in every picture, so that the kept ones make one tensor.
"""

import math

import torch
from torch import Tensor

from companion.masking.patches import PatchMask, check_kept, count_kept, split_by_noise

SMALLEST_BLOCK = 16 / 196  # of the grid: 16 patches of 14 by 14
NO_WEIGHT = -1e4  # the logarithm of nothing: below that of every positive float
FLATTEST = 0.3  # a block's height over its width lies between this and its inverse


def mask_blocks(
    batch: int,
    grid: tuple[int, int],
    *,
    ratio: float = 0.75,
    kept: int | None = None,
    generator: torch.Generator | None = None,
) -> PatchMask:
    """Hide rectangles, one after the other, until enough is hidden.

    Each block has a random size and shape; of the last one as much is hidden as is wanted.
    grid: rows and columns of patches. kept: how many stay, in place of `ratio`.
    ValueError: see `count_kept`. Draws are made on the generator's device, and so is the mask.
    Source: BEiT, algorithm 1 (Bao et al. 2021, arXiv 2106.08254), whose blocks may be smaller than
    here near the end, and whose count varies.
    """
    rows, columns = grid
    places = rows * columns
    count = count_kept(places, ratio) if kept is None else kept
    check_kept(count, places)  # before the loop, which would not end
    device = "cpu" if generator is None else generator.device
    noise = torch.rand(batch, places, generator=generator, device=device)
    for picture in range(batch):
        hidden = torch.zeros(rows, columns, dtype=torch.bool)
        while int(hidden.sum()) < places - count:
            block = _block(rows, columns, generator, device) & ~hidden
            new = block.flatten().nonzero()[:, 0]
            room = places - count - int(hidden.sum())
            hidden.view(-1)[new[:room]] = True  # the last block loses its lower end
        noise[picture] += hidden.flatten().to(noise)  # hidden ones come last
    return split_by_noise(noise, count)


def _block(
    rows: int, columns: int, generator: torch.Generator | None, device: torch.device | str
) -> Tensor:
    """One rectangle in the grid: bool, (rows, columns)."""
    size, shape, top, left = torch.rand(4, generator=generator, device=device).tolist()
    places = rows * columns
    smallest = max(1.0, places * SMALLEST_BLOCK)
    area = smallest + size * (places / 2 - smallest)
    # Flat and upright ones are equally likely on a logarithmic scale.
    aspect = math.exp((2 * shape - 1) * math.log(1 / FLATTEST))
    height = min(rows, round(math.sqrt(area * aspect)))
    width = min(columns, round(math.sqrt(area / aspect)))
    row, column = int(top * (rows - height + 1)), int(left * (columns - width + 1))
    block = torch.zeros(rows, columns, dtype=torch.bool)
    block[row : row + height, column : column + width] = True
    return block


def mask_grid(batch: int, grid: tuple[int, int]) -> PatchMask:
    """Keep one patch of every square of two by two, the upper left one: the same in every picture.

    grid: rows and columns of patches, both even: exactly three quarters are hidden.
    Source: "grid-wise sampling" in MAE, section 4.1 and figure 6 (arXiv 2111.06377, 2021).
    """
    rows, columns = grid
    if rows < 2 or columns < 2 or rows % 2 or columns % 2:
        raise ValueError(
            f"grid is {rows} by {columns}; squares of two by two need even rows and columns."
        )
    kept = torch.zeros(rows, columns, dtype=torch.bool)
    kept[::2, ::2] = True
    noise = (~kept).flatten().float().expand(batch, -1)
    return split_by_noise(noise, rows * columns // 4)


def mask_weighted(
    weights: Tensor,
    *,
    ratio: float = 0.75,
    kept: int | None = None,
    generator: torch.Generator | None = None,
) -> PatchMask:
    """Hide patches at random, those with more weight more often.

    weights: float, (batch, num_patches), finite and not negative. The hidden ones are drawn one
        after the other without putting back, each by its share of the weight that is left; a
        patch without weight is hidden only when all others are.
    ValueError: weights of another kind or shape, and see `count_kept`. Draws are made on the
    generator's device and moved to that of `weights`.
    Source: Efraimidis and Spirakis 2006 (Information Processing Letters 97); the logarithms of
    their keys are the weights' with Gumbel noise (Kool et al. 2019, arXiv 1903.06059).
    """
    if weights.dim() != 2 or not weights.is_floating_point():
        raise ValueError(
            f"weights have shape {tuple(weights.shape)} and type {weights.dtype}; they need floats "
            "of shape (batch, num_patches)."
        )
    if not bool(weights.isfinite().all()) or bool((weights < 0).any()):
        raise ValueError("weights must be finite and not negative.")
    batch, places = weights.shape
    count = count_kept(places, ratio) if kept is None else kept
    device = "cpu" if generator is None else generator.device
    draws = torch.rand(batch, places, generator=generator, device=device, dtype=torch.float64)
    draws = draws.clamp(min=1e-300).to(weights.device)
    gumbel = -(-draws.log()).log()  # (batch, num_patches)
    keys = weights.double().log().clamp(min=NO_WEIGHT) + gumbel  # the largest are hidden
    return split_by_noise(keys, count)


def edge_weights(images: Tensor, patch_size: int, floor: float = 0.05) -> Tensor:
    """How much happens in each patch, for `mask_weighted`: (batch, patches).

    images: float, (batch, channels, height, width), sides that are multiples of `patch_size`.
    floor: a share of a picture's mean, added so that a flat patch can be hidden too. The weights of
        a picture have the mean 1 + floor, or floor where nothing happens at all.
    What happens is the mean size of the differences between neighbouring pixels; that between two
    patches counts for the lower or right one. ValueError: images of another kind or size.
    """
    if images.dim() != 4 or not images.is_floating_point():
        raise ValueError(
            f"images have shape {tuple(images.shape)} and type {images.dtype}; they need floats of "
            "shape (batch, channels, height, width)."
        )
    if patch_size < 1 or images.shape[2] % patch_size or images.shape[3] % patch_size:
        raise ValueError(
            f"images of shape {tuple(images.shape)} cannot be cut into patches of "
            f"patch_size={patch_size}; their sides need to be multiples of it."
        )
    change = torch.zeros_like(images)
    change[:, :, 1:] += (images[:, :, 1:] - images[:, :, :-1]).abs()
    change[:, :, :, 1:] += (images[:, :, :, 1:] - images[:, :, :, :-1]).abs()
    pooled = torch.nn.functional.avg_pool2d(change.mean(dim=1, keepdim=True), patch_size)
    weights = pooled.flatten(1)  # (batch, patches)
    mean = weights.mean(dim=1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)
    return weights / mean + floor
