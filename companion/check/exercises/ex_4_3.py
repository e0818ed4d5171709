"""4.3: the loss of a model that says the next token."""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

WORDS = 7
SURE = 20.0  # so large a logit leaves nothing for the others


def _say(tokens: Tensor) -> Tensor:
    """Logits that are sure of `tokens`, (batch, length) -> (batch, length, vocabulary)."""
    return SURE * torch.nn.functional.one_hot(tokens, WORDS).float()


def _each(logits: Tensor, ids: Tensor, real: Tensor) -> list[float]:
    """The surprise at every scored token, row after row."""
    log_p = logits.double().log_softmax(-1)
    return [
        -float(log_p[b, t, ids[b, t + 1]])
        for b in range(ids.shape[0])
        for t in range(ids.shape[1] - 1)
        if real[b, t] and real[b, t + 1]
    ]


def _random(
    batch: int, length: int, generator: torch.Generator, size: float = 3.0
) -> tuple[Tensor, Tensor, Tensor]:
    """Logits, ids, and padding on both sides; each row has two real tokens or more."""
    logits = size * torch.randn(batch, length, WORDS, generator=generator)
    ids = torch.randint(WORDS, (batch, length), generator=generator)
    real = torch.ones(batch, length, dtype=torch.bool)
    for row in range(batch):
        room = length - 2
        left = int(torch.randint(room + 1, (), generator=generator))
        right = int(torch.randint(room - left + 1, (), generator=generator))
        real[row, :left] = False
        real[row, length - right :] = False
    return logits, ids, real


@prop("it returns one number", "what comes back from your function?")
def structure(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    found = next_token_loss(torch.zeros(2, 3, WORDS), ids, torch.ones(2, 3, dtype=torch.bool))
    return not_a_tensor(found, (), "floats", "two rows of three tokens")


@prop("with equal logits it is ln of the vocabulary", "what do you add up, and over how many?")
def equal(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    for batch, length in ((1, 3), (4, 6)):
        ids = torch.randint(WORDS, (batch, length), generator=generator)
        real = torch.ones(batch, length, dtype=torch.bool)
        found = float(next_token_loss(torch.zeros(batch, length, WORDS), ids, real))
        if not abs(found - math.log(WORDS)) < 1e-4:
            tried = f"equal logits for {WORDS} words, {batch} x {length} tokens"
            known = {
                math.log(WORDS) * (length - 1) * batch: "a sum, not a mean",
                math.log(WORDS) * (length - 1) / length: "divided by all places of a row",
                math.log(WORDS) * length / (length - 1): "one place too many is counted",
                -math.log(WORDS): "the sign",
            }
            mistake = next((why for x, why in known.items() if abs(x - found) < 1e-4), "")
            return Gap(tried, f"{found:.3f}, not {math.log(WORDS):.3f}", mistake)
    return None


@prop(
    "whoever knows the next token pays nothing, whoever copies pays",
    "place t has seen token t. Which token is it asked for?",
)
def shift(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    # No token is followed by itself, nor does it come again two places on.
    ids = torch.tensor([[0, 1, 2, 3, 4, 5, 6, 2], [3, 5, 1, 6, 2, 0, 4, 5]])
    real = torch.ones_like(ids).bool()
    logits = {
        "its own token": (_say(ids), SURE),
        "the token after the next": (_say(ids.roll(-2, 1)), SURE),
        "the next token": (_say(ids.roll(-1, 1)), 0.0),
    }
    for name, (one, wanted) in logits.items():
        found = float(next_token_loss(one, ids, real))
        if not abs(found - wanted) < 1e-3:
            mistake = ""
            if name == "its own token" and found < 1e-3:
                mistake = "no shift: copying is enough"
            if name == "the token after the next" and found < 1e-3:
                mistake = "two shifts"
            if name == "the next token" and abs(found - SURE / 15) < 1e-3:
                mistake = "the first row runs on into the second"
            tried = f"a model that is sure of {name}"
            return Gap(tried, f"{found:.3f}, not {wanted:.3f}", mistake)
    return None


@prop("padding is neither asked, nor asked for", "which pairs of neighbours are both real?")
def padding(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    for side in ("right", "left"):
        ids = torch.tensor([[1, 2, 3, 4, 5, 6]])
        real = torch.tensor([[True, True, True, True, False, False]])
        if side == "left":
            real = real.flip(1)
        logits = torch.zeros(1, 6, WORDS)
        logits[~real] = _say(torch.zeros_like(ids))[~real]  # wrong, and sure of it
        found, wanted = float(next_token_loss(logits, ids, real)), math.log(WORDS)
        if not abs(found - wanted) < 1e-4:
            tried = f"padding on the {side}; equal logits at the real places"
            known = {
                wanted * 3 / 4: "divided by the real tokens: one of them is not asked for",
                wanted * 3 / 5: "divided by all places but one",
                wanted * 3 / 6: "divided by all places",
            }
            mistake = next((why for x, why in known.items() if abs(x - found) < 1e-4), "")
            return Gap(tried, f"{found:.3f}, not {wanted:.3f}", mistake)
        # The place at the seam: its own token is padding, or the token that it would be asked for.
        logits = torch.zeros(1, 6, WORDS)
        seam = 3 if side == "right" else 1
        logits[0, seam] = _say(torch.tensor([[0]]))[0, 0]
        found = float(next_token_loss(logits, ids, real))
        if not abs(found - wanted) < 1e-4:
            tried = f"padding on the {side}; the place at the seam is sure, and wrong"
            return Gap(tried, f"{found:.3f}, not {wanted:.3f}", "the seam is scored")
    return None


@prop("it is the mean over all scored tokens of the batch", "is a mean taken row by row?")
def mean(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    cases = [(2, 5, 3), (6, 3, 3), (3, 12, 3), (1, 2, 3), (40, 30, 3), (4, 9, 200)]
    for batch, length, size in cases:
        logits, ids, real = _random(batch, length, generator, size)
        each = _each(logits, ids, real)
        found, wanted = float(next_token_loss(logits, ids, real)), sum(each) / len(each)
        if not math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4):
            scored = (real[:, 1:] & real[:, :-1]).sum(1).tolist()
            tried = f"rows with {', '.join(map(str, scored[:6]))} scored tokens"
            is_sum = math.isclose(found, sum(each), rel_tol=1e-4)
            return Gap(
                tried, f"{found:.4f}, not {wanted:.4f}", "a sum, not a mean" if is_sum else ""
            )
    return None


@prop("gradients reach the logits that are asked", "does a number leave PyTorch on its way?")
def gradient(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    logits, ids, real = _random(4, 7, generator)
    leaf = logits.clone().requires_grad_()
    log_p = leaf.log_softmax(-1)
    scored = real[:, 1:] & real[:, :-1]
    picked = log_p[:, :-1].gather(2, ids[:, 1:, None])[..., 0][scored]
    (wanted,) = torch.autograd.grad(-picked.mean(), [leaf])
    found = next_token_loss(logits.requires_grad_(), ids, real)
    tried = "logits that ask for a gradient"
    given = gradients_of(found, next_token_loss.given[:1], tried)
    if isinstance(given, Gap):
        return given
    if not torch.allclose(given[0], wanted, atol=1e-5):
        return Gap(tried, "another gradient than that of the mean")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(next_token_loss: Call, generator: torch.Generator) -> Gap | None:
    logits, ids, real = _random(3, 6, generator)
    real[0, -1] = real[1, 0] = False
    real[2] = True
    next_token_loss(logits, ids, real)
    return changed_gap(next_token_loss, "three rows of six tokens")


EXERCISE = Exercise(
    id="4.3",
    title="Shifted by one",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("next_token_loss",),
    properties=(structure, equal, shift, padding, mean, gradient, inputs),
    twins=("companion.losses.causal_lm_loss",),
    fact=(
        "libraries shift inside the loss: whoever shifts the data as well trains for the token "
        "after the next"
    ),
    hints=(
        "Where to look. Write the places of a short row on paper, and below each the token that "
        "its logits are for. Which place has no such token? Which token has no such place?",
        "The idea. Leave out the last place of the logits and the first of the ids: then both "
        "have the same length, and stand under each other. Keep the pairs of which both ends "
        "are real.",
        "The shape of the answer. Two lines. First a bool of shape (batch, length - 1) from two "
        "parts of real. Then a loss from torch.nn.functional on what it picks: (n, vocabulary) "
        "against (n,).",
    ),
    transfer="Padding has the id of the end of a text. May you find padding by its id?",
)
