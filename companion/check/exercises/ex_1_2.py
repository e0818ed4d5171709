"""1.2: two texts in one row."""

from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import kind_of
from companion.check.exercise import Exercise, Gap, prop

CLS, SEP, PAD = 2, 3, 0
A, B = [11, 12], [21]
IDS, SEGMENTS, MASK = [2, 11, 12, 3, 21, 3, 0], [0, 0, 0, 0, 1, 1, 0], [True] * 6 + [False]
TRIED = "a = [11, 12], b = [21], length = 7"
NAMES = ("the ids", "the segments", "the mask")


def _parts(found: Any, length: int, tried: str) -> tuple[Gap | None, list[list[Any]]]:
    """Three plain lists, or a gap."""
    if not isinstance(found, tuple | list) or len(found) != 3:
        return Gap(tried, f"{kind_of(found)}, and not three lists"), []
    parts = [part.tolist() if isinstance(part, Tensor) else part for part in found]
    for name, part in zip(NAMES, parts, strict=True):
        if not isinstance(part, list | tuple):
            return Gap(tried, f"{name}: {kind_of(part)}, and not a list"), []
        if len(part) != length:
            return Gap(tried, f"{name} have {len(part)} places, not {length}"), []
    return None, [list(part) for part in parts]


def _reference(a: list[int], b: list[int], length: int) -> list[list[Any]]:
    whole = [CLS, *a, SEP, *b]
    ids = [*whole[: length - 1], SEP]
    real = len(ids)
    kinds = [int(place > len(a) + 1) for place in range(real)]
    rest = length - real
    return [ids + [PAD] * rest, kinds + [0] * rest, [True] * real + [False] * rest]


def _known(ids: list[Any], segments: list[Any]) -> str:
    if ids == [2, 11, 12, 21, 3, 0, 0]:
        return "one [SEP]: it stands after each of the two texts"
    if ids == [2, 11, 12, 3, 2, 21, 3]:
        return "a second [CLS]: there is one in a row"
    if ids == IDS and segments == [0, 0, 0, 1, 1, 1, 0]:
        return "the first [SEP] belongs to the first text"
    if ids == IDS and segments == [0, 0, 0, 0, 1, 1, 1]:
        return "segment 1 at padding, where 0 belongs"
    if ids == IDS and segments == [0, 0, 0, 0, 1, 0, 0]:
        return "the last [SEP] belongs to the second text"
    if ids == IDS and segments == [1, 1, 1, 1, 2, 2, 0]:
        return "segments count from 0"
    return ""


@prop("it returns three lists of `length` places", "how many lists, and how long are they?")
def structure(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    return _parts(pack_pair(A, B, CLS, SEP, PAD, 7), 7, TRIED)[0]


@prop("the ids are [CLS] a [SEP] b [SEP], then padding", "which special token stands where?")
def ids(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    _, parts = _parts(pack_pair(A, B, CLS, SEP, PAD, 7), 7, TRIED)
    if parts[0] != IDS:
        return Gap(TRIED, f"{parts[0]}", _known(parts[0], parts[1]))
    return None


@prop("segments: 0 up to the first [SEP], 1 up to the second", "to which text does a [SEP] belong?")
def segments(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    _, parts = _parts(pack_pair(A, B, CLS, SEP, PAD, 7), 7, TRIED)
    if parts[1] != SEGMENTS:
        return Gap(TRIED, f"{parts[1]}", _known(parts[0], parts[1]))
    return None


@prop(
    "the mask is True at real tokens, False at padding",
    "True means: may be looked at. Which places may not?",
)
def mask(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    _, parts = _parts(pack_pair(A, B, CLS, SEP, PAD, 7), 7, TRIED)
    if parts[2] == MASK and not all(isinstance(value, bool) for value in parts[2]):
        return Gap(TRIED, f"{parts[2]}: numbers, and not True and False")
    if parts[2] != MASK:
        mistake = "True at padding" if parts[2] == [not value for value in MASK] else ""
        if parts[2] == [False, True, True, False, True, False, False]:
            mistake = "False at special tokens: they are real"
        return Gap(TRIED, f"{parts[2]}", mistake)
    return None


@prop("a b that is too long loses its end, and keeps its [SEP]", "what is cut off last?")
def cut(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    b = [21, 22, 23, 24, 25]
    for length in (8, 6, 5, 10):
        tried = f"a = [11, 12], b = {b}, length = {length}"
        gap, parts = _parts(pack_pair(A, b, CLS, SEP, PAD, length), length, tried)
        if gap:
            return gap
        wanted = _reference(A, b, length)
        for name, part, right in zip(NAMES, parts, wanted, strict=True):
            if part != right:
                lost = name == NAMES[0] and part[-1] != SEP and length < 10
                if length == 10:
                    ask = "nothing has to be cut here: what does your code cut?"
                    return Gap(f"{tried}: b fits", f"{name}: {part}, not {right}", ask=ask)
                return Gap(tried, f"{name}: {part}", "the last [SEP] cut off" if lost else "")
    return None


@prop("it holds for any texts and ids", "which size, or which id, did you write down?")
def any_pair(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    for sizes in ((1, 1, 5), (4, 9, 32), (0, 3, 8), (7, 0, 10), (20, 30, 40), (3, 3, 9)):
        m, n, length = sizes
        a, b = (torch.randint(10, 99, (size,), generator=generator).tolist() for size in (m, n))
        tried = f"a = {a[:6]}, b = {b[:6]}, length = {length}"
        gap, parts = _parts(pack_pair(a, b, CLS, SEP, PAD, length), length, tried)
        if gap:
            return gap
        for name, part, right in zip(NAMES, parts, _reference(a, b, length), strict=True):
            if part != right:
                return Gap(tried, f"{name}: {part[:12]}")
    gap, parts = _parts(pack_pair(A, B, 7, 8, 9, 7), 7, "cls = 7, sep = 8, pad = 9")
    wanted = [[7, 11, 12, 8, 21, 8, 9], SEGMENTS, MASK]
    if gap or parts != wanted:
        wrong = next((n for n in range(3) if gap is None and parts[n] != wanted[n]), 0)
        tried = f"{TRIED}, cls = 7, sep = 8, pad = 9"
        return gap or Gap(tried, f"{NAMES[wrong]}: {parts[wrong]}")
    return None


@prop("a and b stay as they were", "which line appends to an input, or takes something out of it?")
def inputs(pack_pair: Call, generator: torch.Generator) -> Gap | None:
    for length in (9, 7, 5):
        pack_pair(A, [21, 22, 23], CLS, SEP, PAD, length)
        if pack_pair.changed:
            return Gap(TRIED, f"{pack_pair.changed[0]} was changed")
    return None


EXERCISE = Exercise(
    id="1.2",
    title="Two texts, one row",
    kind="implement",
    level=1,
    minutes=8,
    place="class",
    needs=("pack_pair",),
    properties=(structure, ids, segments, mask, cut, any_pair, inputs),
    twins=("companion.data.paired_rows.pair_rows",),
    fact="a tokenizer does this for you, and hides which of the three lists a model forgot",
    hints=(
        "Where to look. Make the two halves first: [CLS] a [SEP], and b [SEP]. Everything else "
        "follows from their two lengths.",
        "The idea. How many places are left for b when [CLS] a [SEP] and the last [SEP] have "
        "theirs? Cut b to that. What is missing to `length` then is padding.",
        "The shape of the answer. Two lists, `first` and `second`; `missing` is a number. Each "
        "of the three results is made of three pieces: for the first half, for the second, and "
        "for padding. `[0] * 3` is a list of three zeros.",
    ),
    transfer="A row holds one text alone. Which segments has it? When does segment 1 get trained?",
)
