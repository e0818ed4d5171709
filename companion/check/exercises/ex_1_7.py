"""1.7: position vectors that are computed."""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

TRIED = "length 3, dim 4"


def _angles(length: int, dim: int, step: float = 2.0, start: int = 0) -> Tensor:
    return torch.tensor(
        [[(start + p) / 10000 ** (step * k / dim) for k in range(dim // 2)] for p in range(length)],
        dtype=torch.float64,
    )


def _both(angle: Tensor) -> Tensor:
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def _known(found: Tensor, length: int, dim: int) -> str:
    angle = _angles(length, dim)
    mixed = torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)
    others = {
        "sines and cosines in turns: first all sines, then all cosines": mixed,
        "cosines first": torch.cat([angle.cos(), angle.sin()], dim=1),
        "the exponent k/d, where it is 2k/d": _both(_angles(length, dim, step=1.0)),
        "the exponent 4k/d, where it is 2k/d": _both(_angles(length, dim, step=4.0)),
        "places counted from 1": _both(_angles(length, dim, start=1)),
        "sines alone": torch.cat([angle.sin(), angle.sin()], dim=1),
        "multiplied, where one has to divide": _both(
            torch.tensor(
                [[p * 10000 ** (2 * k / dim) for k in range(dim // 2)] for p in range(length)],
                dtype=torch.float64,
            )
        ),
    }
    return next(
        (
            name
            for name, wrong in others.items()
            if wrong.shape == found.shape and torch.allclose(found.double(), wrong, atol=1e-3)
        ),
        "",
    )


@prop("it returns a row of dim numbers for each place", "what comes back, and of which shape?")
def structure(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(sinusoidal(3, 4), (3, 4), "floats", TRIED)


@prop("place 0 is zeros, then ones", "what are sine and cosine of 0?")
def first(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    found = sinusoidal(3, 4)
    if not torch.allclose(found[0].double(), torch.tensor([0.0, 0, 1, 1]).double(), atol=1e-5):
        got = [round(x, 3) for x in found[0].tolist()]
        return Gap(f"{TRIED}, place 0", f"{got}", _known(found, 3, 4))
    return None


@prop("place 1 is as in the example", "which number is divided by which power?")
def second(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    found = sinusoidal(3, 4)
    wanted = torch.tensor([math.sin(1), math.sin(0.01), math.cos(1), math.cos(0.01)])
    if not torch.allclose(found[1].float(), wanted, atol=1e-4):
        got, right = ([round(float(x), 3) for x in one] for one in (found[1], wanted))
        return Gap(f"{TRIED}, place 1", f"{got}, not {right}", _known(found, 3, 4))
    return None


@prop("it holds for any length and dim", "which size did you write down?")
def any_size(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    for length, dim in ((1, 2), (5, 6), (64, 32), (600, 64), (7, 10)):
        off = 1e-4 if length < 100 else 2e-3  # rounded speeds, times a far place
        found, wanted = sinusoidal(length, dim), _both(_angles(length, dim))
        tried = f"length {length}, dim {dim}"
        if gap := not_a_tensor(found, (length, dim), "floats", tried):
            return gap
        if not torch.allclose(found.double(), wanted, atol=off):
            place, number = first_place((found.double() - wanted).abs() > off)
            return Gap(
                f"{tried}, number {number} of place {place}",
                f"{float(found[place, number]):.4f}, not {float(wanted[place, number]):.4f}",
                _known(found, length, dim),
            )
    return None


@prop("every row has the same length: dim / 2 when squared", "is there a cosine for each sine?")
def norm(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    squares = sinusoidal(200, 16).double().pow(2).sum(1)
    if not torch.allclose(squares, torch.full_like(squares, 8.0), atol=1e-2):
        return Gap("length 200, dim 16", f"a row whose squares add up to {float(squares[-1]):.3f}")
    return None


@prop("the product of two rows depends on their distance alone", "do both use the same speeds?")
def distance(sinusoidal: Call, generator: torch.Generator) -> Gap | None:
    table = sinusoidal(120, 16).double()
    products = table @ table.T
    for apart in (1, 5, 40):
        diagonal = products.diagonal(apart)
        if not torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-2):
            return Gap(f"places that are {apart} apart", "products that differ along the row")
    return None


EXERCISE = Exercise(
    id="1.7",
    title="Places by sines",
    kind="implement",
    level=3,
    minutes=12,
    place="home",
    needs=("sinusoidal",),
    properties=(structure, first, norm, distance, second, any_size),
    fact=(
        "two rows have the same product wherever they stand, if they are equally far apart: "
        "distance is easy to read"
    ),
    hints=(
        "Where to look. First the speeds: one for each k from 0 to d/2 − 1. Then the angles: "
        "every place times every speed. Then sines and cosines.",
        "The idea. Make the places a column (`[:, None]`) and the speeds a row. Their "
        "product is a table with a row for each place. `torch.cat` puts two tables side by side.",
        "The shape of the answer. Three lines. The speeds are 10000 to a negative power; the "
        "angles are a column times a row; the result joins their sines and their cosines along "
        "dimension 1.",
    ),
    transfer="Why is there a cosine for each sine? What could not be read without it?",
)
