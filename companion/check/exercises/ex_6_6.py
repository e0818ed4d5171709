"""6.6: patches without their brightness and contrast."""

from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, kind_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

PATCHES = torch.tensor(
    [[[1.0, 3.0, 5.0, 7.0], [0.2, 0.2, 0.4, 0.4]], [[2.0, 2.0, 2.0, 6.0], [0, 1, 0, 1]]]
)
TRIED = "two pictures of two patches of four values"
EPS = 1e-6


def _reference(patches: Tensor, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    mean = patches.mean(-1, keepdim=True)
    std = ((patches - mean).square().sum(-1, keepdim=True) / (patches.shape[-1] - 1) + eps).sqrt()
    return (patches - mean) / std, mean, std


def _three(normalise: Call, patches: Tensor, eps: float, tried: str) -> tuple[Tensor, ...] | Gap:
    value: Any = normalise(patches, eps)
    if value is None:
        return Gap(tried, "None", ask="is there a return at the end of the function?")
    if not isinstance(value, tuple | list) or len(value) != 3:
        return Gap(tried, f"{kind_of(value)}, and not values, mean, std")
    one = (*patches.shape[:-1], 1)
    for name, shape, found in zip(
        ("values", "mean", "std"), (tuple(patches.shape), one, one), value, strict=True
    ):
        if gap := not_a_tensor(found, shape, "floats", tried):
            return gap._replace(got=f"{name} is {gap.got}")
    return tuple(value)


def _compare(normalise: Call, patches: Tensor, eps: float, tried: str) -> Gap | None:
    found = _three(normalise, patches, eps, tried)
    if isinstance(found, Gap):
        return found
    wanted = _reference(patches, eps)
    right_mean = wanted[1]
    count = patches.shape[-1]
    plain = patches.std(-1, keepdim=True, correction=min(1, count - 1))
    whole = patches.std((1, 2), keepdim=True).expand_as(plain)
    known = {
        "divided by n, not by n - 1": (patches.var(-1, correction=0, keepdim=True) + eps).sqrt(),
        "eps stands outside the root": plain + eps,
        "without eps": plain,
        "the variance, not its root": plain**2 + eps,
        "one number for the whole picture": whole,
        "one number for the whole picture, eps outside": whole + eps,
        "one number for the whole batch": patches.std().expand_as(plain),
    }
    for name, one, right in zip(("values", "mean", "std"), found, wanted, strict=True):
        if not torch.allclose(one, right, rtol=1e-4, atol=1e-6):
            mistake = ""
            if name == "mean" and torch.allclose(
                one, patches.mean((1, 2), keepdim=True).expand_as(one), atol=1e-6
            ):
                mistake = "the mean of the whole picture"
            if name == "std":
                mistake = next(
                    (w for w, s in known.items() if torch.allclose(one, s, rtol=1e-5)), ""
                )
            if name == "values":
                apart = patches - right_mean
                mistake = next(
                    (w for w, s in known.items() if torch.allclose(one, apart / s, rtol=1e-4)), ""
                )
            place = (~torch.isclose(one, right, rtol=1e-4, atol=1e-6)).nonzero()[0].tolist()
            got = f"{name} {place} is {float(one[tuple(place)]):.5g}"
            return Gap(tried, f"{got}, not {float(right[tuple(place)]):.5g}", mistake)
    return None


@prop("it returns values, mean and std", "what are the shapes of the three?")
def structure(normalise: Call, generator: torch.Generator) -> Gap | None:
    found = _three(normalise, PATCHES, EPS, TRIED)
    return found if isinstance(found, Gap) else None


@prop("each patch by itself, with n - 1", "over what is the mean taken, and divided by what?")
def value(normalise: Call, generator: torch.Generator) -> Gap | None:
    return _compare(normalise, PATCHES, EPS, TRIED)


@prop("eps stands under the root", "where is eps added, and to what?")
def under_the_root(normalise: Call, generator: torch.Generator) -> Gap | None:
    return _compare(normalise, PATCHES, 0.25, f"{TRIED}, eps 0.25")


@prop(
    "a patch of one colour becomes 0", "what is a difference of nothing, divided by nearly nothing?"
)
def constant(normalise: Call, generator: torch.Generator) -> Gap | None:
    patches = torch.full((1, 2, 4), 0.5)
    found = _three(normalise, patches, EPS, "two patches of one colour")
    if isinstance(found, Gap):
        return found
    if not torch.equal(found[0], torch.zeros_like(patches)):
        return Gap("two patches of one colour", f"{found[0][0, 0].tolist()}, not zeros")
    return _compare(normalise, patches, EPS, "two patches of one colour")


@prop("values · std + mean is the patch again", "do mean and std belong to these values?")
def inverse(normalise: Call, generator: torch.Generator) -> Gap | None:
    patches = torch.rand(3, 5, 12, generator=generator)
    patches[0, 0] = 0.3
    tried = "random patches, and one of one colour"
    found = _three(normalise, patches, EPS, tried)
    if isinstance(found, Gap):
        return found
    values, mean, std = found
    apart = float((values * std + mean - patches).abs().max())
    return None if apart < 1e-5 else Gap(tried, f"values · std + mean is off by {apart:.4g}")


@prop("it holds for any patches", "is a number of the example written down?")
def any_patches(normalise: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((1, 1, 2), (2, 64, 48), (1, 4, 768), (5, 3, 7)):
        patches = 3 * torch.rand(shape, generator=generator) - 1
        if gap := _compare(normalise, patches, EPS, f"patches of shape {shape}"):
            return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(normalise: Call, generator: torch.Generator) -> Gap | None:
    normalise(PATCHES, EPS)
    return changed_gap(normalise, TRIED)


@prop("gradients flow back to the patches", "does a number leave PyTorch on its way?")
def gradient(normalise: Call, generator: torch.Generator) -> Gap | None:
    patches = PATCHES.clone().requires_grad_()
    found = _three(normalise, patches, EPS, TRIED)
    if isinstance(found, Gap):
        return found
    weights = torch.tensor([1.0, -2.0, 0.5, 3.0])
    given = gradients_of((found[0] * weights), normalise.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    leaf = PATCHES.clone().requires_grad_()
    (wanted,) = torch.autograd.grad((_reference(leaf, EPS)[0] * weights).sum(), [leaf])
    if not torch.allclose(given[0], wanted, atol=1e-4):
        return Gap(TRIED, "another gradient than that of the normalised values")
    return None


EXERCISE = Exercise(
    id="6.6",
    title="Without brightness and contrast",
    kind="implement",
    level=2,
    minutes=10,
    place="home",
    needs=("normalise",),
    properties=(
        structure,
        value,
        under_the_root,
        constant,
        inverse,
        any_patches,
        inputs,
        gradient,
    ),
    twins=("companion.losses.normalise_patches",),
    fact="to draw such a prediction one needs the true mean and std: a hint that no exam allows",
    hints=(
        "Where to look. The mean and the spread belong to one patch: along which axis are they "
        "taken, and how do you keep that axis?",
        "The idea. Subtract the mean. The variance divides by one less than the number of values. "
        "Add eps to it, then take the root, then divide.",
        "The shape of the answer. Three lines, each with keepdim=True where something is "
        "averaged; and the three come back together.",
    ),
    transfer="A blank sky and a face in one picture: whose pixels count for more after this?",
)
