"""0.2: other vectors from each example of a batch."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# Vector n of example b is (10 b + n, -(10 b + n)): every number says where it comes from.
NAMES = torch.tensor([[1.0, 2.0, 3.0], [11.0, 12.0, 13.0]])
X = torch.stack([NAMES, -NAMES], dim=-1)  # (2, 3, 2)
INDEX = torch.tensor([[2, 0], [1, 1]])
TRIED = (
    "x[0] = (1, -1), (2, -2), (3, -3); x[1] = (11, -11), (12, -12), (13, -13); index = 2, 0; 1, 1"
)
RIGHT = torch.tensor([[[3.0, -3.0], [1.0, -1.0]], [[12.0, -12.0], [12.0, -12.0]]])


def _known(found: Tensor) -> str:
    others = {
        "the index of the first example used for all": X[:, INDEX[0]],
        "sorting the index": X.gather(1, INDEX.sort(dim=1).values[:, :, None].expand(-1, -1, 2)),
        "the first number of each vector, repeated": RIGHT[:, :, :1].expand(-1, -1, 2),
        "vectors of the first example for all": X[0][INDEX],
    }
    return next((name for name, wrong in others.items() if torch.equal(found, wrong)), "")


@prop("it returns K vectors for each example", "which shape comes back?")
def structure(take_rows: Call, generator: torch.Generator) -> Gap | None:
    found = take_rows(X, INDEX)
    if isinstance(found, Tensor) and tuple(found.shape) == (2, 2, 3, 2):
        return Gap(
            TRIED, "a tensor of shape (2, 2, 3, 2), and not of shape (2, 2, 2)",
            "`x[index]`: it takes whole examples",
        )  # fmt: skip
    return not_a_tensor(found, (2, 2, 2), "floats", TRIED)


@prop(
    "vector k of example b is x[b, index[b, k]]",
    "from which example, and from which place, does your code take it?",
)
def values(take_rows: Call, generator: torch.Generator) -> Gap | None:
    found = take_rows(X, INDEX)
    if not torch.equal(found, RIGHT):
        b, k = first_place((found != RIGHT).any(-1))
        return Gap(
            TRIED,
            f"vector {k} of example {b} is {tuple(found[b, k].tolist())}, not "
            f"{tuple(RIGHT[b, k].tolist())}",
            _known(found),
        )
    return None


@prop("it holds for any B, N, D and K", "which sizes did you write down?")
def any_batch(take_rows: Call, generator: torch.Generator) -> Gap | None:
    for b, n, d, k in ((1, 1, 1, 1), (4, 3, 5, 7), (3, 8, 2, 3), (2, 6, 6, 6), (5, 4, 1, 2)):
        x = torch.randn(b, n, d, generator=generator, dtype=torch.float64)
        index = torch.randint(
            max(1, n - 1), (b, k), generator=generator
        )  # the last one is not named
        tried = f"x of shape {(b, n, d)}, index of shape {(b, k)}"
        found = take_rows(x, index)
        if gap := not_a_tensor(found, (b, k, d), "floats", tried):
            return gap
        if found.dtype != x.dtype:
            ask = "which line makes numbers of another kind?"
            return Gap(tried, f"numbers of {found.dtype}; those of x are {x.dtype}", ask=ask)
        wanted = torch.stack([x[row][index[row]] for row in range(b)])
        if not torch.equal(found, wanted):
            row, place = first_place((found != wanted).any(-1))
            return Gap(tried, f"vector {place} of example {row} is another one")
    return None


@prop("a gradient reaches x", "does a number leave PyTorch on its way?")
def gradient(take_rows: Call, generator: torch.Generator) -> Gap | None:
    x = X.clone().requires_grad_()
    found = take_rows(x, INDEX)
    given = gradients_of(found, take_rows.given[:1], "x that asks for a gradient")
    if isinstance(given, Gap):
        return given
    wanted = torch.tensor([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]])[:, :, None].expand(-1, -1, 2)
    if not torch.equal(given[0], wanted):
        return Gap("x that asks for a gradient", "a gradient of another size")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(take_rows: Call, generator: torch.Generator) -> Gap | None:
    take_rows(X, INDEX)
    return changed_gap(take_rows, TRIED)


EXERCISE = Exercise(
    id="0.2",
    title="Take rows",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("take_rows",),
    properties=(structure, values, any_batch, gradient, inputs),
    fact="chapter 5 takes a quarter of the pieces of every picture with this, and hides the rest",
    hints=(
        "Where to look. `x[:, index]` and `x[index]` both give four dimensions: print their "
        "shapes. You need a function that looks up along one dimension.",
        "The idea. `x.gather(1, places)` looks up along dimension 1. It needs a place for every "
        "single number of the result, so `places` has the shape of the result. All numbers of "
        "one vector come from the same place.",
        "The shape of the answer. Two lines. The first gives `index` a third dimension and "
        "repeats it D times. The second gathers. (Another way needs no gather: two indices in "
        "the square brackets, one for the example and one for the place.)",
    ),
    transfer="What would come out if `index` had shape (1, K) and B were 3?",
)
