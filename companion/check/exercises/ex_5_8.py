"""5.8: how many hidden patches touch a kept one?"""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, percent, prop
from companion.masking import mask_patches

EXAMPLE = torch.tensor([[[0, 1, 1], [1, 1, 1], [1, 1, 1]]]).bool()  # one kept patch, in a corner
TRIED = "the example: nine patches, that in the upper left corner is kept"


def _shares(hidden: Tensor, steps: list[tuple[int, int]], wrap: bool = False) -> float:
    rows, columns = hidden.shape[1:]
    touched = 0
    for b, r, c in hidden.nonzero().tolist():
        for down, right in steps:
            i, j = r + down, c + right
            if wrap:
                i, j = i % rows, j % columns
            if 0 <= i < rows and 0 <= j < columns and not hidden[b, i, j]:
                touched += 1
                break
    return touched / int(hidden.sum())


SIDES = [(0, 1), (0, -1), (1, 0), (-1, 0)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def _compare(touching: Call, hidden: Tensor, tried: str) -> Gap | None:
    found, wanted = one_number(touching(hidden)), _shares(hidden, SIDES)
    if found is None:
        return Gap(tried, f"{kind_of(touching(hidden))}, and not one number")
    if abs(found - wanted) < 1e-5:
        return None
    number = int(hidden.sum())
    known = {
        "corners count as touching": _shares(hidden, SIDES + CORNERS),
        "the first row touches the last one: the edge is no edge": _shares(hidden, SIDES, True),
        "a share of all patches, not of the hidden ones": wanted * number / hidden.numel(),
        "a number, not a share": wanted * number,
        "per cent, not a share": 100 * wanted,
        "those that touch none": 1 - wanted,
        "left and right alone": _shares(hidden, SIDES[:2]),
        "above and below alone": _shares(hidden, SIDES[2:]),
    }
    if not bool(hidden.all()):
        known["the kept ones that touch a hidden one"] = _shares(~hidden, SIDES)
    mistake = next((why for why, x in known.items() if math.isclose(x, found, abs_tol=1e-5)), "")
    return Gap(tried, f"{found:.4g}, not {wanted:.4g}", mistake)


@prop("it returns one number", "what comes back from your function?")
def structure(touching: Call, generator: torch.Generator) -> Gap | None:
    value = touching(EXAMPLE)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, kind_of(value))


@prop("it is the share of hidden patches beside a kept one", "which places lie beside a patch?")
def share(touching: Call, generator: torch.Generator) -> Gap | None:
    if gap := _compare(touching, EXAMPLE, TRIED):
        return gap
    middle = torch.ones(1, 3, 3, dtype=torch.bool)
    middle[0, 1, 1] = False
    return _compare(touching, middle, "nine patches, the middle one is kept")


@prop("all four sides count", "left, right, above, below: is one of them missing?")
def sides(touching: Call, generator: torch.Generator) -> Gap | None:
    for place, where in (((0, 1), "above"), ((2, 1), "below"), ((1, 0), "left"), ((1, 2), "right")):
        hidden = torch.ones(1, 3, 3, dtype=torch.bool)
        hidden[0, place[0], place[1]] = False
        tried = f"nine patches, that {where} of the middle is kept"
        if gap := _compare(touching, hidden, tried):
            return gap
    return None


@prop("beyond the edge there is nothing", "what lies to the left of the first column?")
def edge(touching: Call, generator: torch.Generator) -> Gap | None:
    for place in ((0, 0), (0, 4), (3, 0), (3, 4), (0, 2), (3, 2), (2, 0), (1, 4)):
        hidden = torch.ones(1, 4, 5, dtype=torch.bool)
        hidden[0, place[0], place[1]] = False
        tried = f"4 by 5 patches, the one in row {place[0]}, column {place[1]} is kept"
        if gap := _compare(touching, hidden, tried):
            return gap
    hidden = torch.ones(1, 3, 4, dtype=torch.bool)
    return _compare(touching, hidden, "nothing is kept")


@prop("each picture is looked at by itself", "does a picture touch the next one?")
def batch(touching: Call, generator: torch.Generator) -> Gap | None:
    hidden = torch.ones(3, 3, 4, dtype=torch.bool)
    hidden[1] = False
    hidden[1, 0, 0] = True
    hidden[2, 2, 3] = False
    if gap := _compare(touching, hidden, "three pictures: none, nearly all, one kept"):
        return gap
    hidden[0], hidden[2] = False, True
    return _compare(touching, hidden, "three pictures: all, nearly all, none kept")


@prop("it holds for any mask", "is a number of the example written down?")
def any_mask(touching: Call, generator: torch.Generator) -> Gap | None:
    for size, ratio in (((2, 8, 8), 0.75), ((5, 1, 6), 0.5), ((1, 7, 1), 0.6), ((3, 5, 9), 0.9)):
        hidden = torch.rand(size, generator=generator) < ratio
        hidden[0, 0, 0] = True
        if gap := _compare(touching, hidden, f"a mask of shape {size}"):
            return gap
    return None


@prop("the mask stays as it was", "which line writes into an input?")
def inputs(touching: Call, generator: torch.Generator) -> Gap | None:
    touching(EXAMPLE)
    return changed_gap(touching, TRIED)


def measure(touching: Call) -> float:
    """Forty masks of 14 by 14 patches, three quarters hidden."""
    mask = mask_patches(40, 196, generator=torch.Generator().manual_seed(0))
    return float(touching(mask.hidden.view(40, 14, 14)))


EXERCISE = Exercise(
    id="5.8",
    title="Beside a kept patch",
    kind="predict",
    level=3,
    minutes=10,
    place="home",
    needs=("touching",),
    properties=(structure, share, sides, edge, batch, any_mask, inputs),
    guess=Guess(
        name="guess_5_8",
        low=0.0,
        high=1.0,
        unit="a share between 0 and 1",
        measure=measure,
        show=percent,
        common=0.25,
        reason="A quarter is kept. But a hidden patch has four sides, and one kept is enough.",
    ),
    fact=(
        "so colour can nearly always be carried over from next door; what a patch shows inside "
        "cannot, and there a model has to know what it looks at"
    ),
    hints=(
        "Where to look. For each hidden patch there are four places to look at. At the edge of "
        "the picture there are fewer.",
        "The idea. Move the map of kept patches by one place to each side, and fill what comes in "
        "from outside with 'not kept'. A patch is touched if one of the four maps says kept.",
        "The shape of the answer. A frame of False around the kept ones; four slices of it, "
        "joined by 'or'; the mean over the hidden places.",
    ),
    transfer="At which share of hidden patches does only half of them touch a kept one?",
    reference_seconds=0.2,
)
