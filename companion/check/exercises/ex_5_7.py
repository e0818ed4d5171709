"""5.7: a quarter of the tokens: how much cheaper is it?"""

import math
from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop

LARGE = (196, 49, 1024, 24, 512, 8)
BASE = (196, 49, 768, 12, 512, 8)
SMALL = (4, 1, 2, 3, 1, 2)


def _block(tokens: int, width: int) -> int:
    return 12 * tokens * width**2 + 2 * tokens**2 * width


def _reference(
    patches: int, kept: int, width: int, depth: int, decoder_width: int, decoder_depth: int
) -> tuple[float, float]:
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


def _two(value: Any) -> list[float] | None:
    if isinstance(value, Tensor):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    numbers = [one_number(one) for one in value]
    return None if any(one is None for one in numbers) else numbers  # type: ignore[return-value]


def _mistake(place: int, found: float, given: tuple[int, ...]) -> str:
    patches, kept, width, depth, narrow, shallow = given
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(kept + 1, width)
    decoder = shallow * _block(patches + 1, narrow)
    no_cls = depth * _block(patches, width), depth * _block(kept, width)
    known: dict[str, tuple[float, float]] = {
        "[CLS] is forgotten": (
            no_cls[0] / no_cls[1],
            no_cls[0] / (no_cls[1] + shallow * _block(patches, narrow)),
        ),
        "the ratio of the tokens": ((patches + 1) / (kept + 1), (patches + 1) / (kept + 1)),
        "the ratio of the patches": (patches / kept, patches / kept),
        "its square": ((patches / kept) ** 2, (patches / kept) ** 2),
        "turned round": (encoder / plain, (encoder + decoder) / plain),
        "the decoder is forgotten": (math.nan, plain / encoder),
        "the decoder alone": (math.nan, plain / decoder),
        "the decoder reads the kept patches alone": (
            math.nan,
            plain / (encoder + shallow * _block(kept + 1, narrow)),
        ),
        "the decoder has no [CLS]": (
            math.nan,
            plain / (encoder + shallow * _block(patches, narrow)),
        ),
        "one block each": (
            _block(patches + 1, width) / _block(kept + 1, width),
            _block(patches + 1, width) / (_block(kept + 1, width) + _block(patches + 1, narrow)),
        ),
    }
    return next(
        (why for why, pair in known.items() if math.isclose(pair[place], found, rel_tol=1e-6)), ""
    )


def _compare(saving: Call, given: tuple[int, ...], place: int) -> Gap | None:
    names = ("the encoder's saving", "the saving of the whole")
    tried = (
        f"{given[0]} patches, {given[1]} kept, encoder {given[2]} x {given[3]}, "
        f"decoder {given[4]} x {given[5]}"
    )
    found, wanted = _two(saving(*given)), _reference(*given)
    if found is None:
        return Gap(tried, "no two numbers")
    if math.isclose(found[place], wanted[place], rel_tol=1e-6):
        return None
    got = f"{names[place]} is {found[place]:.4g}, not {wanted[place]:.4g}"
    return Gap(tried, got, _mistake(place, found[place], given))


@prop("it returns two numbers", "what comes back, and in which order?")
def structure(saving: Call, generator: torch.Generator) -> Gap | None:
    value = saving(*SMALL)
    if value is None:
        return Gap("four patches", "None", ask="is there a return at the end of the function?")
    return None if _two(value) is not None else Gap("four patches", kind_of(value))


@prop("the encoder's saving", "how many tokens does each of the two read?")
def encoder(saving: Call, generator: torch.Generator) -> Gap | None:
    for given in (SMALL, BASE, LARGE):
        if gap := _compare(saving, given, 0):
            return gap
    return None


@prop("the saving of encoder and decoder together", "what does the decoder read?")
def whole(saving: Call, generator: torch.Generator) -> Gap | None:
    for given in (SMALL, BASE, LARGE):
        if gap := _compare(saving, given, 1):
            return gap
    return None


@prop("it holds for any sizes", "is a number of the example written down?")
def any_sizes(saving: Call, generator: torch.Generator) -> Gap | None:
    for _ in range(10):
        patches, width, depth, narrow, shallow = torch.randint(
            1, 300, (5,), generator=generator
        ).tolist()
        kept = int(torch.randint(1, patches + 1, (), generator=generator))
        for place in (0, 1):
            if gap := _compare(saving, (patches, kept, width, depth, narrow, shallow), place):
                return gap
    return None


def measure(saving: Call) -> float:
    """ViT-L/16 with the paper's decoder: encoder and decoder against the plain network."""
    return float(_two(saving(*LARGE))[1])  # type: ignore[index]


EXERCISE = Exercise(
    id="5.7",
    title="How much cheaper?",
    kind="predict",
    level=2,
    minutes=8,
    place="class",
    needs=("saving",),
    properties=(structure, encoder, whole, any_sizes),
    guess=Guess(
        name="guess_5_7",
        low=0.01,
        high=1000.0,
        unit="a number of times, above 0",
        measure=measure,
        show="{:.2f}".format,
        common=4.0,
        reason="A quarter of the patches makes the encoder four times cheaper. The decoder reads "
        "all places, and comes on top.",
    ),
    fact="for ViT-B the same decoder leaves a saving of 1.8; for a still smaller encoder a loss",
    hints=(
        "Where to look. Three networks: the plain one, MAE's encoder, MAE's decoder. How many "
        "tokens does each of them read, [CLS] included?",
        "The idea. Write the cost of a block as a helper of tokens and width. Each network is "
        "that cost times its blocks.",
        "The shape of the answer. Three costs, then two divisions; the second one has the sum of "
        "encoder and decoder below the line.",
    ),
    transfer="With one block in the decoder instead of eight: where does the saving go?",
)
