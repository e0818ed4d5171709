"""6.3: the loss of a masked language model, from logits and labels."""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

WORDS = 5
IGNORED = -100
LOGITS = torch.tensor([[[2.0, 0, 0, 0, 0], [0, 1, 0, 0, 0]], [[0, 0, 0, 3, 0], [1, 1, 1, 1, 1]]])
LABELS = torch.tensor([[0, IGNORED], [1, 4]])
TRIED = "two rows of two tokens, five words, three labels"


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    scored = labels != IGNORED
    log_p = logits.double().log_softmax(-1)[scored]
    return -log_p.gather(1, labels[scored][:, None])[:, 0]


def _mistake(found: float, logits: Tensor, labels: Tensor) -> str:
    each = _each(logits, labels)
    if not len(each):
        return ""
    scored = labels != IGNORED
    wrapped = labels.remainder(logits.shape[-1])
    everywhere = -logits.double().log_softmax(-1).gather(-1, wrapped[..., None])[..., 0]
    p = logits.double().softmax(-1)
    softmax_twice = -p.log_softmax(-1).gather(-1, wrapped[..., None])[..., 0][scored]
    rows = [_each(a[None], b[None]) for a, b in zip(logits, labels, strict=True)]
    first = logits.double().log_softmax(-2).gather(-1, wrapped[..., None])[..., 0][scored]
    known = {
        "a sum, not a mean": each.sum(),
        "divided by all places": each.sum() / labels.numel(),
        "the sign": -each.mean(),
        "the label -100 is used as an index: it counts from the end": everywhere.mean(),
        "softmax twice": softmax_twice.mean(),
        "a mean of the rows' means": torch.stack([r.mean() for r in rows if len(r)]).mean(),
        "softmax over the places, not over the words": -first.mean(),
        "the probability, not its surprise": (-each).exp().mean(),
        "divided by the number of rows": each.sum() / len(labels),
    }
    return next((w for w, x in known.items() if math.isclose(float(x), found, rel_tol=1e-4)), "")


def _compare(mlm_loss: Call, logits: Tensor, labels: Tensor, tried: str) -> Gap | None:
    found = mlm_loss(logits, labels)
    if gap := not_a_tensor(found, (), "floats", tried):
        return gap
    each = _each(logits, labels)
    wanted = float(each.mean()) if len(each) else 0.0
    if math.isclose(float(found), wanted, rel_tol=1e-4, abs_tol=1e-5):
        return None
    mistake = _mistake(float(found), logits, labels)
    return Gap(tried, f"{float(found):.4f}, not {wanted:.4f}", mistake)


@prop("it returns one number", "what comes back from your function?")
def structure(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(mlm_loss(LOGITS, LABELS), (), "floats", TRIED)


@prop("equal logits cost ln of the words", "what is the surprise at one of five equal answers?")
def equal(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    labels = torch.tensor([[0, 1, 2], [3, 4, 0]])
    return _compare(mlm_loss, torch.zeros(2, 3, WORDS), labels, "equal logits, six labels")


@prop("it is the mean surprise at the labels", "which log-probability belongs to a label?")
def value(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    return _compare(mlm_loss, LOGITS, LABELS, TRIED)


@prop("places without a label count for nothing", "may -100 be used to look something up?")
def ignored(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    for other in (70.0, math.nan):
        logits = LOGITS.clone()
        logits[0, 1] = other
        tried = f"{TRIED}; logits of {other} at the place without one"
        if gap := _compare(mlm_loss, logits, LABELS, tried):
            return gap
    return None


@prop("without any label it is 0", "what is the mean of nothing?")
def nothing(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    labels = torch.full((2, 2), IGNORED)
    found = mlm_loss(LOGITS, labels)
    if gap := not_a_tensor(found, (), "floats", "no label at all"):
        return gap
    return None if float(found) == 0 else Gap("no label at all", f"{float(found)}, not 0")


@prop("large logits make no inf", "is a probability formed that is rounded to 0?")
def large(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    logits = torch.tensor([[[300.0, 0, 0, 0, -300.0], [90.0, 0, 0, 0, 0]]])
    return _compare(mlm_loss, logits, torch.tensor([[4, 1]]), "logits of 300, 0 and -300")


@prop("it holds for any batch", "is a mean taken row by row? Is a number written down?")
def any_batch(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    for batch, length, words in ((4, 9, 11), (1, 1, 2), (3, 30, 400), (6, 2, 3)):
        logits = 3 * torch.randn(batch, length, words, generator=generator)
        labels = torch.randint(words, (batch, length), generator=generator)
        labels[torch.rand(batch, length, generator=generator) < 0.6] = IGNORED
        labels[0, 0] = words - 1
        tried = f"logits of shape {(batch, length, words)}"
        if gap := _compare(mlm_loss, logits, labels, tried):
            return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    mlm_loss(LOGITS, LABELS)
    return changed_gap(mlm_loss, TRIED)


@prop("gradients reach the logits that are scored", "does a number leave PyTorch on its way?")
def gradient(mlm_loss: Call, generator: torch.Generator) -> Gap | None:
    logits = LOGITS.clone().requires_grad_()
    found = mlm_loss(logits, LABELS)
    given = gradients_of(found, mlm_loss.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    scored = LABELS != IGNORED
    wanted = LOGITS.softmax(-1)
    wanted[0, 0, 0] -= 1
    wanted[1, 0, 1] -= 1
    wanted[1, 1, 4] -= 1
    wanted = wanted * scored[..., None] / 3
    if not torch.allclose(given[0], wanted, atol=1e-5):
        return Gap(TRIED, "another gradient than that of the mean")
    return None


EXERCISE = Exercise(
    id="6.3",
    title="From logits to a loss",
    kind="implement",
    level=2,
    minutes=8,
    place="class",
    needs=("mlm_loss",),
    properties=(structure, equal, value, ignored, nothing, large, any_batch, inputs, gradient),
    twins=("companion.losses.mlm_loss",),
    fact="F.cross_entropy does the same, but it gives NaN where a batch has no label at all",
    hints=(
        "Where to look. Which places have a label? Only there may a log-probability be looked up.",
        "The idea. Pick the logits and the labels of these places. Take the log-softmax over the "
        "words, and from each row the number of its label.",
        "The shape of the answer. A bool; log_softmax of what it picks; gather with the labels; "
        "a sum divided by the number of labels, or by 1 if there is none.",
    ),
    transfer="Two rows have 1 and 9 labels. How far does the mean of the rows' means lie off?",
)
