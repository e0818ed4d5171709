"""5.1: how many patches, how many are kept, how many tokens, how many numbers a patch."""

from typing import Any

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop

WORDS = ("patches", "kept patches", "tokens of the encoder", "numbers of a patch")


def _reference(side: int, patch: int, ratio: float, channels: int) -> tuple[int, int, int, int]:
    patches = (side // patch) ** 2
    kept = max(1, patches - round(patches * ratio))
    return patches, kept, kept + 1, patch * patch * channels


def _four(value: Any) -> list[float] | None:
    """Four numbers, however they are packed."""
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 4:
        return None
    numbers = [one_number(one) for one in value]
    return None if any(one is None for one in numbers) else numbers  # type: ignore[return-value]


def _mistake(place: int, found: float, given: tuple[int, int, float, int]) -> str:
    side, patch, ratio, channels = given
    patches, kept = _reference(*given)[:2]
    known: dict[int, dict[float, str]] = {
        0: {
            patch**2: "the size of a patch taken for the size of the grid",
            side // patch: "one side of the grid",
            side / patch: "one side of the grid",
        },
        1: {
            patches - kept: "the hidden patches, not the kept ones",
            int(patches * (1 - ratio)): "cut off, not rounded: 1 - ratio is not exact",
            patches * (1 - ratio): "not rounded to whole patches",
        },
        2: {
            kept: "[CLS] is forgotten",
            patches: "all patches: that is what the decoder reads, but for [CLS]",
            patches + 1: "that is what the decoder reads",
        },
        3: {
            patch * patch: "the channels are forgotten",
            patch * channels: "one line of a patch",
            side * side * channels: "the whole picture",
        },
    }
    return known[place].get(found, "")


def _compare(sizes: Call, given: tuple[int, int, float, int], only: int | None) -> Gap | None:
    """Compare one of the four numbers, or all."""
    side, patch, ratio, channels = given
    tried = f"side {side}, patch {patch}, ratio {ratio:.3g}, channels {channels}"
    found = _four(sizes(*given))
    if found is None:
        return Gap(tried, "no four numbers")
    for place, wanted in enumerate(_reference(*given)):
        if only in (None, place) and abs(found[place] - wanted) > 1e-6:
            got = f"{found[place]:g} {WORDS[place]}, not {wanted}"
            return Gap(tried, got, _mistake(place, found[place], given))
    return None


@prop("it returns four numbers", "what comes back, and in which order?")
def structure(sizes: Call, generator: torch.Generator) -> Gap | None:
    value = sizes(32, 4, 0.75, 3)
    if value is None:
        return Gap("32 pixels", "None", ask="is there a return at the end of the function?")
    return None if _four(value) is not None else Gap("32 pixels", kind_of(value))


@prop("it counts the patches", "how many patches fit along a side?")
def patches(sizes: Call, generator: torch.Generator) -> Gap | None:
    for given in ((32, 4, 0.75, 3), (224, 16, 0.75, 3), (224, 14, 0.75, 3), (28, 4, 0.5, 1)):
        if gap := _compare(sizes, given, 0):
            return gap
    return None


@prop("it counts the kept ones", "what is left when the hidden ones are gone?")
def kept(sizes: Call, generator: torch.Generator) -> Gap | None:
    for given in ((32, 4, 0.75, 3), (224, 16, 0.75, 3), (28, 4, 0.5, 1), (40, 4, 0.9, 3)):
        if gap := _compare(sizes, given, 1):
            return gap
    for given in ((16, 8, 1.0, 3), (8, 8, 0.75, 1), (8, 4, 0.9, 1)):
        if gap := _compare(sizes, given, 1):
            return gap._replace(ask="how many are kept at the least?")
    return None


@prop("the encoder reads one token more", "what does the encoder read besides patches?")
def tokens(sizes: Call, generator: torch.Generator) -> Gap | None:
    for given in ((32, 4, 0.75, 3), (224, 16, 0.75, 3), (28, 4, 0.5, 1)):
        if gap := _compare(sizes, given, 2):
            return gap
    return None


@prop("it counts the numbers of a patch", "how many pixels, and how many numbers a pixel?")
def numbers(sizes: Call, generator: torch.Generator) -> Gap | None:
    for given in ((224, 16, 0.75, 3), (32, 4, 0.75, 3), (28, 4, 0.5, 1), (30, 5, 0.5, 13)):
        if gap := _compare(sizes, given, 3):
            return gap
    return None


@prop("it holds for any picture", "is a number of the example written down?")
def any_picture(sizes: Call, generator: torch.Generator) -> Gap | None:
    for _ in range(30):
        along, patch, channels = torch.randint(1, 20, (3,), generator=generator).tolist()
        hidden = int(torch.randint(along * along + 1, (), generator=generator))
        given = (along * patch, patch, hidden / along**2, channels)
        if gap := _compare(sizes, given, None):
            return gap
    return None


def measure(sizes: Call) -> float:
    """The tokens of the encoder, for the paper's pictures."""
    return float(_four(sizes(224, 16, 0.75, 3))[2])  # type: ignore[index]


EXERCISE = Exercise(
    id="5.1",
    title="Counting patches",
    kind="predict",
    level=1,
    minutes=4,
    place="class",
    needs=("sizes",),
    properties=(structure, patches, kept, tokens, numbers, any_picture),
    guess=Guess(
        name="guess_5_1",
        low=1.0,
        high=100_000.0,
        unit="a number of tokens, 1 or more",
        measure=measure,
        show="{:.0f}".format,
        common=64.0,
        reason="16 is the size of a patch in pixels. It is not the number of patches along a side.",
    ),
    fact="a grid of 16 by 16 would need patches of 14 pixels: 256 of them, and 64 kept",
    hints=(
        "Where to look. Draw the picture with its lines: how many patches are there along a side?",
        "The idea. Square that number for all patches. The hidden ones are a share of them, "
        "rounded. The rest is kept, at least one, and [CLS] comes on top. A patch holds its "
        "pixels times the channels.",
        "The shape of the answer. Two lines for patches and kept ones; the other two numbers "
        "follow, and all four come back in one tuple.",
    ),
    transfer="Patches half as wide: how many times as many tokens does the encoder read?",
)
