"""0.4: attention for a batch, with a mask."""

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# The example of the task.
Q = torch.tensor([[[2.0, 0.0, 0.0, 0.0]]])
K = torch.tensor([[[0.0, 0, 0, 0], [3.0, 0, 0, 0], [9.0, 0, 0, 0]]])
V = torch.tensor([[[10.0], [20.0], [70.0]]])
MAY = torch.tensor([[[True, True, False]]])
TRIED = "the example of the task: scores 0, 3 and 9, the last key forbidden, values 10, 20, 70"


def _of(weights: list[float]) -> float:
    """The mean of the example's values under these weights."""
    return sum(w * v for w, v in zip(weights, (10.0, 20.0, 70.0), strict=True))


def _softmax(scores: list[float]) -> list[float]:
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def _reference(q: Tensor, k: Tensor, v: Tensor, may_attend: Tensor) -> Tensor:
    """In double precision, by another road than the solution's: powers and their sums."""
    q, k, v = q.double(), k.double(), v.double()
    scores = torch.einsum("bld,bsd->bls", q, k) / math.sqrt(q.shape[-1])
    powers = (scores - scores.amax(-1, keepdim=True)).exp() * may_attend
    return torch.einsum("bls,bse->ble", powers / powers.sum(-1, keepdim=True), v)


WANTED = _of([*_softmax([0.0, 3.0]), 0.0])
KNOWN = {
    _of(
        [*_softmax([0.0, 6.0]), 0.0]
    ): "scores that are not divided by the square root of D, the size of a query",
    _of([*_softmax([0.0, 1.5]), 0.0]): "dividing by D, and not by its square root",
    _of(_softmax([0.0, 3.0, 9.0])): "no mask",
    _of([0.0, 0.0, 1.0]): "the mask turned round: True means may look",
    _of([*_softmax([0.0, 3.0, 9.0])[:2], 0.0]): "weights set to 0 after the softmax: their sum is "
    "no longer 1",
    _of(_softmax([0.0, 3.0, 0.0])): "a forbidden score of 0: it still gets a weight",
    _of([0.0, 3.0, 0.0]): "scores used as weights, without a softmax",
    _of([0.5, 0.5, 0.0]): "equal weights for all allowed keys",
}


def _random(
    shape: tuple[int, int, int, int, int], generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Queries, keys, values and a mask with something allowed for each query."""
    b, length, s, d, e = shape
    q, k, v = (
        torch.randn(b, size, width, generator=generator)
        for size, width in ((length, d), (s, d), (s, e))
    )
    may = torch.rand(b, length, s, generator=generator) < 0.5
    some = torch.randint(s, (b, length, 1), generator=generator)
    return q, k, v, may.scatter(2, some, True)


@prop("it returns one vector for each query", "which shape comes back?")
def structure(attend: Call, generator: torch.Generator) -> Gap | None:
    q, k, v, may = _random((2, 3, 4, 5, 6), generator)
    tried = "q (2, 3, 5), k (2, 4, 5), v (2, 4, 6), may_attend (2, 3, 4)"
    return not_a_tensor(attend(q, k, v, may), (2, 3, 6), "floats", tried)


@prop("the example gives 19.53", "which weights does your code find, if you print them?")
def example(attend: Call, generator: torch.Generator) -> Gap | None:
    found = attend(Q, K, V, MAY)
    if gap := not_a_tensor(found, (1, 1, 1), "floats", TRIED):
        return gap
    got = float(found)
    if not abs(got - WANTED) < 1e-3:
        mistake = next((name for value, name in KNOWN.items() if abs(value - got) < 1e-3), "")
        if math.isnan(got):
            mistake = "0 / 0: is the softmax over the keys, and is some key allowed?"
        return Gap(TRIED, f"{got:.2f}", mistake)
    return None


@prop(
    "a forbidden key and its value change nothing",
    "does the mask come before the softmax, and does it leave a weight of 0?",
)
def forbidden(attend: Call, generator: torch.Generator) -> Gap | None:
    q, k, v, may = _random((2, 4, 6, 8, 3), generator)
    may[:, :, 2] = False
    may[:, :, 3] = True
    before = attend(q, k, v, may)
    for size in (1.0, 300.0):
        k[:, 2], v[:, 2] = size, -size
        after = attend(q, k, v, may)
        if not torch.allclose(before, after, atol=1e-5):
            change = float((before - after).abs().max())
            if math.isnan(change):
                return Gap(
                    f"key 2 is forbidden for all queries, and becomes {size:g}",
                    "nan, which is no number",
                    ask="e to a large number is infinite: is a forbidden score ever raised to it?",
                )
            return Gap(
                f"key 2 is forbidden for all queries, and becomes {size:g}",
                f"a result that changes by {change:.3g}",
            )
    return None


@prop("weights are never negative, and add up to 1", "along which dimension is your softmax?")
def average(attend: Call, generator: torch.Generator) -> Gap | None:
    q, k, _, may = _random((3, 4, 7, 8, 1), generator)
    weights = attend(q, k, torch.eye(7).expand(3, -1, -1), may)  # these values show the weights
    sums = weights.sum(-1)
    if not torch.allclose(sums, torch.ones(3, 4), atol=1e-4):
        return Gap("4 queries and 7 keys", f"weights of one query that add up to {sums[0, 0]:.3f}")
    if (weights < 0).any():
        return Gap("4 queries and 7 keys", f"a weight of {float(weights.min()):.3f}")
    return None


@prop("it holds for any sizes", "which size, or which row, did you write down?")
def any_batch(attend: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((1, 1, 1, 1, 1), (3, 5, 5, 4, 4), (2, 3, 6, 15, 2), (4, 2, 3, 64, 5)):
        q, k, v, may = _random(shape, generator)
        kind = torch.float64 if shape[0] > 2 else torch.float32
        found = attend(q.to(kind), k.to(kind), v.to(kind), may)
        wanted = _reference(q, k, v, may).to(kind)
        tried = "B, L, S, D, E = " + ", ".join(str(size) for size in shape)
        if gap := not_a_tensor(found, tuple(wanted.shape), "floats", tried):
            return gap
        if found.dtype != kind:
            return Gap(f"{tried}; floats of {kind}", f"floats of {found.dtype}")
        if not torch.allclose(found, wanted, atol=1e-4):
            return Gap(tried, f"a result that is off by {float((found - wanted).abs().max()):.3g}")
    return None


@prop("it does the three steps itself", "which line lets PyTorch do all of it?")
def own_steps(attend: Call, generator: torch.Generator) -> Gap | None:
    ready_made, used = F.scaled_dot_product_attention, []

    def watched(*args: Any, **options: Any) -> Tensor:
        used.append(True)
        result: Tensor = ready_made(*args, **options)
        return result

    F.scaled_dot_product_attention = watched
    try:
        attend(*_random((1, 2, 3, 4, 2), generator))
    finally:
        F.scaled_dot_product_attention = ready_made
    return Gap("any input", "F.scaled_dot_product_attention was called") if used else None


@prop("large scores do no harm", "what is e to the 1000 for a computer? Which function avoids it?")
def large(attend: Call, generator: torch.Generator) -> Gap | None:
    # Scores -3,500, 4,500, 3,000 and -3,500, 0, 4,000; then all of them 50,000 lower.
    q, k = 100 * torch.eye(2, 4)[None], torch.zeros(1, 4, 4)
    k[0, 0], k[0, 3] = -70.0, 1000.0
    k[0, 1, 0], k[0, 2, :2] = 90.0, torch.tensor([60.0, 80.0])
    v = torch.randn(1, 4, 2, generator=generator)
    may = torch.tensor([[[True, True, True, False]] * 2])
    for lower in (0.0, 1000.0):
        found = attend(q, k - lower, v, may)
        tried = f"scores such as {4500 - 50 * lower:,.0f} and {3000 - 50 * lower:,.0f}"
        if not torch.isfinite(found).all():
            return Gap(tried, f"{found.flatten()[0]}")
        if not torch.allclose(found, v[:, 1:3], atol=1e-5):
            ask = "is a forbidden score lower than every allowed one?" if lower else ""
            return Gap(tried, "an average, where one key has all the weight", ask=ask)
    return None


@prop("gradients reach q, k and v", "does a number leave PyTorch on its way?")
def gradient(attend: Call, generator: torch.Generator) -> Gap | None:
    *floats, may = _random((2, 3, 4, 5, 2), generator)
    weight = torch.randn(2, 3, 2, generator=generator)
    q, k, v = (x.clone().requires_grad_() for x in floats)
    wanted = torch.autograd.grad((_reference(q, k, v, may) * weight).sum(), (q, k, v))
    found = attend(*(x.requires_grad_() for x in floats), may)
    tried = "q, k and v that ask for gradients"
    given = gradients_of(found * weight, attend.given[:3], tried)
    if isinstance(given, Gap):
        return given
    for name, got, right in zip("qkv", given, wanted, strict=True):
        if not torch.allclose(got, right, atol=1e-4):
            return Gap(tried, f"another gradient for {name}")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(attend: Call, generator: torch.Generator) -> Gap | None:
    q, k, v, may = _random((2, 3, 3, 4, 2), generator)
    may[:, :, 0], may[:, :, 1] = True, False
    attend(q, k, v, may)
    return changed_gap(attend, "q, k, v and may_attend")


EXERCISE = Exercise(
    id="0.4",
    title="Attention with a mask",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("attend",),
    properties=(
        structure,
        example,
        forbidden,
        average,
        any_batch,
        large,
        own_steps,
        gradient,
        inputs,
    ),
    fact="this is all of attention; a model adds the matrices that make q, k and v",
    hints=(
        "Where to look. Three steps: a score for every pair of query and key; a mask and a "
        "softmax; an average. Write down the shape after each step. After the first it is "
        "(B, L, S).",
        "The idea. A score is a sum of products: a matrix product does all of them at once, when "
        "the keys are turned. Divide by the square root of D. A forbidden score has to become so "
        "small that its power of e is 0. Take the softmax over the keys.",
        "The shape of the answer. Three lines: `scores = ...` with `@` and a transposition of two "
        "dimensions; `weights = ...` with a method that fills masked places (which places, True "
        "or False?), then a softmax over the last dimension; and the weights times the values.",
    ),
    transfer="Which weights does a query of zeros give? What does attention compute then?",
)
