"""Which patches of a picture are kept, and which are hidden.

Source: MAE, section 3 (He et al. 2021, arXiv 2111.06377), and its code: a row of noise is sorted,
and the patches with the smallest noise are kept.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class PatchMask(NamedTuple):
    """Which patches are kept, which are hidden, and how to put them back into their order."""

    keep: Tensor  # int64, (batch, kept): numbers of the kept patches, in ascending noise order
    hidden: Tensor  # bool, (batch, num_patches), True = hidden, in the order of the picture
    restore: Tensor  # int64, (batch, num_patches): each patch's place in the order of the noise


def count_kept(num_patches: int, ratio: float) -> int:
    """How many patches are kept when a share `ratio` is hidden: at least one.

    The nearest whole number is hidden. The official count, int(num_patches · (1 - ratio)), is cut
    off in floating point: of 10 patches at ratio 0.9 it keeps none.
    """
    if num_patches < 1 or not 0 <= ratio <= 1:
        raise ValueError(
            f"num_patches is {num_patches} and ratio {ratio}; at least one patch is needed, and a "
            "ratio from 0 to 1."
        )
    return max(1, num_patches - round(num_patches * ratio))


def check_kept(kept: int, num_patches: int) -> None:
    """Refuse to keep no patch, or more than there are."""
    if not 1 <= kept <= num_patches:
        raise ValueError(f"kept is {kept}; of {num_patches} patches 1 to {num_patches} can stay.")


def split_by_noise(noise: Tensor, kept: int) -> PatchMask:
    """Keep the `kept` patches with the smallest noise, in every row.

    noise: float, (batch, num_patches), no NaN; of equal values the first counts as smaller.
    ValueError: `kept` is not 1 to num_patches, or noise of another shape, or with a NaN.
    """
    if noise.dim() != 2 or not noise.is_floating_point() or bool(noise.isnan().any()):
        raise ValueError(
            f"noise has shape {tuple(noise.shape)} and type {noise.dtype}; it needs floats of "
            "shape (batch, num_patches), and no NaN among them."
        )
    check_kept(kept, noise.shape[1])
    order = noise.argsort(dim=1, stable=True)  # (batch, num_patches), kept ones first
    restore = order.argsort(dim=1)  # the inverse permutation
    return PatchMask(order[:, :kept], restore >= kept, restore)


def mask_patches(
    batch: int,
    num_patches: int,
    *,
    ratio: float = 0.75,
    kept: int | None = None,
    noise: Tensor | None = None,
    generator: torch.Generator | None = None,
    device: torch.device | str | None = None,
) -> PatchMask:
    """Hide a share `ratio` of the patches of each picture, at random, each picture by itself.

    kept: how many stay, in place of `ratio`. Where all stay, they still come in the noise's order.
    noise: float, (batch, num_patches), in place of a draw.
    generator: draws are made on its device and moved to `device`.
    ValueError: see `count_kept` and `split_by_noise`; noise of another shape than asked for.
    """
    count = count_kept(num_patches, ratio) if kept is None else kept
    if noise is None:
        source = "cpu" if generator is None else generator.device
        noise = torch.rand(batch, num_patches, generator=generator, device=source)
    if noise.shape != (batch, num_patches):
        raise ValueError(
            f"noise has shape {tuple(noise.shape)}; {batch} pictures of {num_patches} patches need "
            f"{(batch, num_patches)}."
        )
    return split_by_noise(noise.to(device) if device is not None else noise, count)
