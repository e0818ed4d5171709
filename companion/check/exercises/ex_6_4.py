"""6.4: weights that have no effect, because the mean was taken before them."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

LOGITS = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
LABELS = torch.tensor([[0, 0, 1]])
WEIGHTS = torch.tensor([[1.0, 0.0, 3.0]])
TRIED = "three tokens with weights 1, 0 and 3"


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    flat = F.cross_entropy(logits.flatten(0, 1).double(), labels.flatten(), reduction="none")
    return flat.view(labels.shape)


def _reference(logits: Tensor, labels: Tensor, weights: Tensor) -> float:
    return float((_each(logits, labels) * weights).sum() / weights.double().sum())


def _mistake(found: float, logits: Tensor, labels: Tensor, weights: Tensor) -> str:
    each, weights = _each(logits, labels), weights.double()
    known = {
        "the mean is taken first: the weights have no effect": each.mean(),
        "weighted, but divided by all places": (each * weights).mean(),
        "a sum, not divided": (each * weights).sum(),
        "the mean is taken first: the weights only scale it": each.mean() * weights.mean(),
        "divided by the number of places with a weight": (each * weights).sum()
        / (weights > 0).sum(),
        "weights only say yes or no": each[weights > 0].mean(),
        "a mean of the rows' means": ((each * weights).sum(1) / weights.sum(1)).mean(),
        "the weights squared": (each * weights**2).sum() / (weights**2).sum(),
    }
    return next((w for w, x in known.items() if math.isclose(float(x), found, rel_tol=1e-4)), "")


def _compare(
    weighted_loss: Call, logits: Tensor, labels: Tensor, weights: Tensor, tried: str
) -> Gap | None:
    found = weighted_loss(logits, labels, weights)
    if gap := not_a_tensor(found, (), "floats", tried):
        return gap
    wanted = _reference(logits, labels, weights)
    if math.isclose(float(found), wanted, rel_tol=1e-4, abs_tol=1e-6):
        return None
    mistake = _mistake(float(found), logits, labels, weights)
    return Gap(tried, f"{float(found):.4f}, not {wanted:.4f}", mistake)


@prop("it returns one number", "what comes back from your function?")
def structure(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(weighted_loss(LOGITS, LABELS, WEIGHTS), (), "floats", TRIED)


@prop("with equal weights it is the plain mean", "by what do you divide?")
def equal(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    for size in (1.0, 0.5):
        weights = torch.full((1, 3), size)
        tried = f"three tokens, each with weight {size}"
        if gap := _compare(weighted_loss, LOGITS, LABELS, weights, tried):
            return gap
    return None


@prop("a token of weight 0 has no influence", "when are the tokens' losses made into one number?")
def padding(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    weights = torch.tensor([[1.0, 1.0, 0.0]])
    wanted = _reference(LOGITS, LABELS, weights)
    for sure in (0.0, 9.0):
        logits = LOGITS.clone()
        logits[0, 2, 0] = sure
        found = float(weighted_loss(logits, LABELS, weights))
        if not math.isclose(found, wanted, rel_tol=1e-4):
            tried = f"weights 1, 1 and 0; the last token's logits are {sure:g} and 0"
            mistake = _mistake(found, logits, LABELS, weights)
            return Gap(tried, f"{found:.4f}, not {wanted:.4f}", mistake)
    return None


@prop("it is the weighted mean", "by what do you divide?")
def value(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    return _compare(weighted_loss, LOGITS, LABELS, WEIGHTS, TRIED)


@prop("it holds for any batch", "does each row have its own mean? Is a number written down?")
def any_batch(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    for batch, length, words in ((3, 4, 5), (1, 1, 2), (2, 20, 50)):
        logits = 2 * torch.randn(batch, length, words, generator=generator)
        labels = torch.randint(words, (batch, length), generator=generator)
        weights = 3 * torch.rand(batch, length, generator=generator)
        weights[torch.rand(batch, length, generator=generator) < 0.3] = 0.0
        weights[:, 0] = 0.5 + torch.arange(batch)
        tried = f"logits of shape {(batch, length, words)}, weights from 0 to {batch + 2}"
        if gap := _compare(weighted_loss, logits, labels, weights, tried):
            return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    weighted_loss(LOGITS, LABELS, WEIGHTS)
    return changed_gap(weighted_loss, TRIED)


@prop("gradients reach the tokens with weight", "does a number leave PyTorch on its way?")
def gradient(weighted_loss: Call, generator: torch.Generator) -> Gap | None:
    logits = LOGITS.clone().requires_grad_()
    given = gradients_of(weighted_loss(logits, LABELS, WEIGHTS), weighted_loss.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    one_hot = F.one_hot(LABELS, 2)
    wanted = (LOGITS.softmax(-1) - one_hot) * WEIGHTS[..., None] / 4
    if not torch.allclose(given[0], wanted, atol=1e-5):
        return Gap(TRIED, "another gradient than that of the weighted mean")
    return None


EXERCISE = Exercise(
    id="6.4",
    title="Weights without effect",
    kind="bug",
    level=2,
    minutes=10,
    place="class",
    needs=("weighted_loss",),
    properties=(structure, padding, equal, value, any_batch, inputs, gradient),
    fact="this stood in a textbook: the result was a number, and it trained well enough",
    hints=(
        "Where to look. Print the shape of `loss` right after it is made. How many weights can act "
        "on it?",
        "The idea. A mean that has been taken cannot be weighted any more. Ask for one loss a "
        "token, and take the mean yourself.",
        "The shape of the answer. One word more in the call of cross_entropy; then one sum divided "
        "by another.",
    ),
    transfer="All weights are 1. Would a test with such weights have found the bug?",
)
