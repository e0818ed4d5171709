"""A picture as a row of patches, and back: what the tokens of a vision model are made of.

Source: Dosovitskiy et al. 2020, arXiv 2010.11929, section 3.1. The order of values inside a patch
(row, column, channel) is that of MAE's own code (He et al. 2021, arXiv 2111.06377).
"""

from torch import Tensor


def grid_of(height: int, width: int, patch_size: int) -> tuple[int, int]:
    """Rows and columns of patches of `patch_size` pixels a side in a picture.

    Raises:
        ValueError: a side that is not a multiple of `patch_size`, or a size below 1.
    """
    if patch_size < 1:
        raise ValueError(f"patch_size must be at least 1 pixel, not {patch_size}")
    for side, pixels in (("high", height), ("wide", width)):
        if pixels < 1 or pixels % patch_size:
            raise ValueError(
                f"pictures are {pixels} pixels {side}, which is no multiple of "
                f"patch_size={patch_size}; resize or crop them"
            )
    return height // patch_size, width // patch_size


def patchify(images: Tensor, patch_size: int) -> Tensor:
    """Cut pictures into patches, row by row from the top left.

    Args:
        images: (batch, channels, height, width), any number of channels and any type.
        patch_size: pixels a side, p; it must divide height and width.

    Returns:
        (batch, patches, p·p·channels): in each patch its rows one after the other, in each row its
        pixels, and the channels of a pixel last.

    Raises:
        ValueError: another number of axes, or sides that are no multiples of `patch_size`.
    """
    if images.ndim != 4:
        raise ValueError(
            f"images must have shape (batch, channels, height, width), not {tuple(images.shape)}; "
            "a single picture is a batch of one: image[None]"
        )
    batch, channels, height, width = images.shape
    rows, columns = grid_of(height, width, patch_size)
    x = images.reshape(batch, channels, rows, patch_size, columns, patch_size)
    x = x.permute(0, 2, 4, 3, 5, 1)  # (batch, rows, columns, p, p, channels)
    return x.reshape(batch, rows * columns, patch_size * patch_size * channels)


def unpatchify(patches: Tensor, patch_size: int, size: tuple[int, int]) -> Tensor:
    """Put patches back into pictures: the inverse of `patchify`.

    Args:
        patches: (batch, patches, p·p·channels).
        patch_size: pixels a side, p.
        size: height and width of the pictures, in pixels. A count of patches does not tell them:
            256 patches are 16·16, and 8·32 as well.

    Returns:
        (batch, channels, height, width).

    Raises:
        ValueError: `patches` do not fit that size.
    """
    height, width = size
    rows, columns = grid_of(height, width, patch_size)
    area = patch_size * patch_size
    if patches.ndim != 3 or patches.shape[1] != rows * columns or patches.shape[2] % area:
        raise ValueError(
            f"patches have shape {tuple(patches.shape)}; pictures of {height} by {width} pixels in "
            f"patches of {patch_size} need (batch, {rows * columns}, {area} times channels)"
        )
    batch, _, values = patches.shape
    channels = values // area
    x = patches.reshape(batch, rows, columns, patch_size, patch_size, channels)
    x = x.permute(0, 5, 1, 3, 2, 4)  # (batch, channels, rows, p, columns, p)
    return x.reshape(batch, channels, height, width)
