"""A learner's own pictures: a folder of files, read and cut to one size by torchvision."""

from pathlib import Path

import torch
from PIL import Image
from torch import Tensor

from companion.data.images import Images

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def load_own_images(folder: Path, *, size: int, channels: int = 3) -> Images:
    """Read all pictures of a folder, in the order of their names, folders below included.

    Each is made as small as its shorter side allows and cut to its middle. What lies directly in
    one folder below `folder` gets the name of that folder as its label; without such folders there
    is one label. Transparent parts become white.

    Args:
        folder: holds files that end in .png, .jpg, .jpeg, .gif or .webp.
        size: pixels a side.
        channels: 3 for colour, 1 for grey.

    Raises:
        OSError: there is no such folder, or a file cannot be read.
        ValueError: no picture, a file that is empty or broken, a size or channels that cannot be:
            the message names the file and what to do.
    """
    if size < 1 or channels not in (1, 3):
        raise ValueError(
            f"size is {size} and channels {channels}: pictures need at least 1 pixel a side, and 1 "
            "channel (grey) or 3 (colour)"
        )
    if not folder.exists():
        raise FileNotFoundError(f"there is no folder {folder}: check the spelling")
    if not folder.is_dir():
        raise ValueError(f"{folder} is a file: name the folder that holds your pictures")
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    if not files:
        raise ValueError(
            f"{folder} holds no picture: none of its files ends in {', '.join(SUFFIXES)}"
        )
    kinds = [one.parent.name if one.parent != folder else "" for one in files]
    names = sorted(set(kinds))
    return Images(
        torch.stack([_read(one, size, channels) for one in files]),
        torch.tensor([names.index(kind) for kind in kinds]),
        tuple(names),
        tuple(one.stem for one in files),
    )


def _read(path: Path, size: int, channels: int) -> Tensor:
    """One picture as float32, (channels, size, size), values 0 to 1."""
    # Loading torchvision takes a second: only who brings pictures of their own waits for it.
    from torchvision.transforms.v2 import functional

    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty: leave it out, or save the picture again")
    try:
        with Image.open(path) as file:
            picture = file.convert("RGBA")  # the first one of moving pictures
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ValueError(
            f"{path} is broken or no picture: leave it out, or save it again as PNG or JPEG "
            f"({error})"
        ) from error
    values = functional.pil_to_tensor(picture).float() / 255  # (4, height, width)
    colour, alpha = values[:3], values[3:]
    on_white = colour * alpha + (1 - alpha)  # (3, height, width)
    if channels == 1:
        on_white = functional.rgb_to_grayscale(on_white)
    small = functional.resize(on_white, [size], antialias=True)  # its shorter side
    cut: Tensor = functional.center_crop(small, [size, size])
    return cut.clamp(0, 1)
