"""The shipped pictures, read from `companion/data/assets` (sources in its NOTICE.md)."""

import io
import lzma
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from companion.data.text import ASSETS, Split


class Images(NamedTuple):
    """Pictures of one size, with a label each."""

    pixels: Tensor  # float32, (n, channels, height, width), values 0 to 1
    labels: Tensor  # int64, (n,), which of `names` each one is
    names: tuple[str, ...]  # of the labels
    titles: tuple[str, ...]  # n of them, what each picture shows


def load_images(name: str, split: Split = "train") -> Images:
    """Read one side of a shipped set of pictures.

    name: "emoji" (colour, 32 by 32 pixels, labelled by group; an emoji that is held out has no
        sister of another skin or gender in training), "fashion-mnist" (grey, 28 by 28, ten kinds
        of clothing) or "photos" (colour, crops of 64 by 64; photographs are held out whole).
    split: "train" or "validation".

    ValueError: another name or split.
    """
    known = sorted(path.name.removesuffix(".npz.xz") for path in ASSETS.glob("*.npz.xz"))
    if name not in known:
        raise ValueError(f"There are no pictures {name!r}. Choose one of: {', '.join(known)}.")
    if split not in ("train", "validation"):
        raise ValueError(f"split is {split!r}. Choose 'train' or 'validation'.")
    data = lzma.decompress((ASSETS / f"{name}.npz.xz").read_bytes())
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        count = len(file["labels"]) - int(file["held_out"])
        side = slice(None, count) if split == "train" else slice(count, None)
        pixels = torch.from_numpy(file["pixels"][side])  # uint8, (n, height, width, channels)
        labels = torch.from_numpy(file["labels"][side])
        names, titles = tuple(file["names"].tolist()), tuple(file["titles"][side].tolist())
    return Images(pixels.permute(0, 3, 1, 2).float() / 255, labels, names, titles)
