"""The shipped pictures: emoji, pieces of clothing, and crops of photographs."""

import gzip
import io
import lzma
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from authoring.archives import fetch, unpack_debian
from authoring.build_emoji import build_emoji

CLOTHES = ["apt-get", "download", "dataset-fashion-mnist=0.0~git20200523.55506a9-1"]
CLOTHES_SHA256 = "39e172fe32dd318ebb3e512220c3beea2fa47d7e20bab348fb4e0922d6beefc0"
CLOTHES_NAMES = (
    "T-shirt/top",
    "Trouser",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
)
CLOTHES_KEPT, CLOTHES_HELD_OUT = 10_000, 1_000

PHOTOS = ["pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
PHOTOS += ["--platform=manylinux_2_28_x86_64", "--python-version=311", "scikit-image==0.26.0"]
PHOTOS_SHA256 = "74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af"
# Those whose note names CC0 or the public domain. The last ones are held out.
SCENES = ("astronaut.png", "hubble_deep_field.jpg", "retina.jpg", "grass.png", "brick.png")
SCENES += ("camera.png", "gravel.png")
SCENES_HELD_OUT = ("coffee.png", "chelsea.png", "rocket.jpg")
CROP = 64
SMALLEST_SPREAD = 0.06  # of a crop's values in 0 to 1: sky and black space are no pictures


def write(
    path: Path,
    pixels: Sequence[np.ndarray],
    labels: Sequence[int],
    names: Sequence[str],
    titles: Sequence[str],
    held_out: int,
) -> None:
    """One compressed file of uint8 pixels, (pictures, height, width, channels); held out: last."""
    file = io.BytesIO()
    np.savez(
        file,
        pixels=np.stack(pixels),
        labels=np.array(labels, dtype=np.int64),
        names=np.array(names),
        titles=np.array(titles),
        held_out=np.array(held_out),
    )
    data = lzma.compress(file.getvalue(), preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(data)
    print(f"{path.name}: {len(pixels)} pictures, {held_out} held out, {len(data) / 1e6:.2f} MB")


def write_emoji(work: Path, path: Path) -> None:
    """Emoji, labelled by their group."""
    train, held_out = build_emoji(work)
    everything = train + held_out
    groups = sorted({one.group for one in everything})
    write(
        path,
        [one.pixels for one in everything],
        [groups.index(one.group) for one in everything],
        groups,
        [one.title for one in everything],
        len(held_out),
    )


def write_clothes(work: Path, path: Path) -> None:
    """The first ten thousand of Fashion-MNIST's training set, labelled by kind."""
    unpacked = unpack_debian(fetch(CLOTHES, CLOTHES_SHA256, work / "clothes"), work / "unpacked")
    folder = unpacked / "usr/share/datasets/fashion-mnist"
    images = gzip.decompress((folder / "train-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((folder / "train-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 28, 28, 1)[:CLOTHES_KEPT]
    kinds = np.frombuffer(labels, np.uint8, offset=8)[:CLOTHES_KEPT].tolist()
    titles = [CLOTHES_NAMES[kind] for kind in kinds]
    write(path, list(pixels), kinds, CLOTHES_NAMES, titles, CLOTHES_HELD_OUT)


def crops_of(picture: Image.Image) -> list[np.ndarray]:
    """Crops of 64 by 64 pixels, side by side, of the picture at half its size; no plain ones."""
    half = picture.convert("RGB").resize((picture.width // 2, picture.height // 2))
    pixels = np.asarray(half)
    places = [
        (top, left)
        for top in range(0, pixels.shape[0] - CROP + 1, CROP)
        for left in range(0, pixels.shape[1] - CROP + 1, CROP)
    ]
    crops = [pixels[top : top + CROP, left : left + CROP] for top, left in places]
    return [crop for crop in crops if (crop / 255).std() > SMALLEST_SPREAD]


def write_photos(work: Path, path: Path) -> None:
    """Crops of photographs, labelled by photograph, of which two are held out."""
    with zipfile.ZipFile(fetch(PHOTOS, PHOTOS_SHA256, work / "photos")) as wheel:
        files = {
            name: Image.open(io.BytesIO(wheel.read(f"skimage/data/{name}")))
            for name in SCENES + SCENES_HELD_OUT
        }
    names = [name.split(".")[0].replace("_", " ") for name in files]
    found = [(label, crop) for label, one in enumerate(files.values()) for crop in crops_of(one)]
    held_out = sum(label >= len(SCENES) for label, _ in found)
    labels = [label for label, _ in found]
    titles = [names[label] for label in labels]
    write(path, [crop for _, crop in found], labels, names, titles, held_out)


def write_pictures(work: Path, assets: Path) -> None:
    """Write the three files; archives are downloaded below `work`, an empty folder."""
    write_emoji(work, assets / "emoji.npz.xz")
    write_clothes(work, assets / "fashion-mnist.npz.xz")
    write_photos(work, assets / "photos.npz.xz")
