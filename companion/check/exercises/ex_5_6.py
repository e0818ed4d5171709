"""5.6: the mean squared error at the hidden patches."""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# Two pictures of three patches of two values; three patches are hidden.
PATCHES = torch.zeros(2, 3, 2)
PRED = torch.tensor([[[1.0, 3.0], [7.0, 7.0], [2.0, 0.0]], [[9.0, 9.0], [0.0, 4.0], [8.0, 8.0]]])
HIDDEN = torch.tensor([[True, False, True], [False, True, False]])
TRIED = "the two pictures of the example"


def _reference(pred: Tensor, patches: Tensor, hidden: Tensor) -> float:
    return float((pred - patches)[hidden].double().square().mean())


def _mistake(found: float, pred: Tensor, patches: Tensor, hidden: Tensor) -> str:
    squares = (pred - patches).double().square()
    each = squares.mean(2)  # (batch, patches)
    by_picture = (each * hidden).sum(1) / hidden.sum(1)
    known = {
        "kept patches are counted too": each.mean(),
        "the kept patches, not the hidden ones": squares[~hidden].mean(),
        "divided by all patches": (each * hidden).mean(),
        "a sum over the values of a patch, not a mean": squares[hidden].sum(1).mean(),
        "a sum, not a mean": squares[hidden].sum(),
        "a sum over hidden patches": each[hidden].sum(),
        "a mean of the pictures' means": by_picture.mean(),
        "divided by the number of pictures": each[hidden].sum() / len(pred),
        "the root": squares[hidden].mean().sqrt(),
        "absolute differences, not squares": (pred - patches)[hidden].abs().double().mean(),
    }
    return next((w for w, x in known.items() if math.isclose(float(x), found, rel_tol=1e-5)), "")


def _compare(
    hidden_mse: Call, pred: Tensor, patches: Tensor, hidden: Tensor, tried: str
) -> Gap | None:
    found = hidden_mse(pred, patches, hidden)
    if gap := not_a_tensor(found, (), "floats", tried):
        return gap
    wanted, value = _reference(pred, patches, hidden), float(found)
    if math.isclose(value, wanted, rel_tol=1e-4, abs_tol=1e-6):
        return None
    return Gap(tried, f"{value:.4f}, not {wanted:.4f}", _mistake(value, pred, patches, hidden))


@prop("it returns one number", "what comes back from your function?")
def structure(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(hidden_mse(PRED, PATCHES, HIDDEN), (), "floats", TRIED)


@prop("it is the mean over the hidden patches", "what do you add up, and by what do you divide?")
def value(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    return _compare(hidden_mse, PRED, PATCHES, HIDDEN, TRIED)


@prop("kept patches change nothing", "may a kept patch enter the sum?")
def kept(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    for other in (50.0, float("inf"), float("nan")):
        pred = PRED.clone()
        pred[~HIDDEN] = other
        found, wanted = float(hidden_mse(pred, PATCHES, HIDDEN)), _reference(PRED, PATCHES, HIDDEN)
        if not math.isclose(found, wanted, rel_tol=1e-4):
            tried = f"the example, with {other:g} said of every kept patch"
            mistake = "inf or NaN times 0 is NaN" if math.isnan(found) else ""
            return Gap(tried, f"{found:.4f}, not {wanted:.4f}", mistake)
    return None


@prop("every hidden patch counts the same", "is a mean taken picture by picture?")
def equal(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    pred = torch.tensor([[[4.0]], [[1.0]], [[0.0]]]).expand(3, 5, 2)
    hidden = torch.zeros(3, 5, dtype=torch.bool)
    hidden[0, 0] = True
    hidden[1, :4] = True
    return _compare(
        hidden_mse,
        pred,
        torch.zeros(3, 5, 2),
        hidden,
        "three pictures with 1, 4 and 0 hidden patches",
    )


@prop("it holds for any pictures", "is a number of the example written down?")
def any_pictures(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    for batch, count, values in ((4, 64, 48), (1, 1, 1), (3, 7, 5), (2, 196, 768)):
        pred = 3 * torch.randn(batch, count, values, generator=generator)
        patches = torch.rand(batch, count, values, generator=generator)
        hidden = torch.rand(batch, count, generator=generator) < 0.6
        hidden[0, 0] = True
        tried = f"a batch of {batch}: {count} patches of {values} values"
        if gap := _compare(hidden_mse, pred, patches, hidden, tried):
            return gap
    return None


@prop("gradients reach the hidden predictions alone", "does a number leave PyTorch on its way?")
def gradient(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    pred = PRED.clone().requires_grad_()
    found = hidden_mse(pred, PATCHES, HIDDEN)
    given = gradients_of(found, hidden_mse.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    wanted = 2 * PRED * HIDDEN[:, :, None] / 6
    if not torch.allclose(given[0], wanted, atol=1e-5):
        return Gap(TRIED, "another gradient than that of the mean")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(hidden_mse: Call, generator: torch.Generator) -> Gap | None:
    hidden_mse(PRED, PATCHES, HIDDEN)
    return changed_gap(hidden_mse, TRIED)


EXERCISE = Exercise(
    id="5.6",
    title="The error at the hidden patches",
    kind="implement",
    level=2,
    minutes=8,
    place="home",
    needs=("hidden_mse",),
    properties=(structure, value, kept, equal, any_pictures, inputs, gradient),
    twins=("companion.losses.mae_loss",),
    fact="so kept patches look worst in what the network says: nobody ever asked for them",
    hints=(
        "Where to look. pred and patches have three axes, hidden has two. What does a bool "
        "tensor of two axes pick from one of three?",
        "The idea. Take out the hidden patches first. What is not there cannot enter the mean, "
        "not even as NaN.",
        "The shape of the answer. One line: the difference, picked by hidden, squared, and the "
        "mean of all that is left.",
    ),
    transfer="All patches have equally many values. Is the mean of the patches' means the same?",
)
