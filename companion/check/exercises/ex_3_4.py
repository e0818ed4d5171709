"""3.4, find the bug: a loss that skips one of the two classes."""

import math

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

ZEROS = torch.zeros(4, 2)


@prop("it returns one number", "what comes back from your function?")
def structure(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(pair_loss(ZEROS, torch.tensor([0, 1, 1, 0])), (), "floats", "four pairs")


@prop(
    "with equal logits it is ln 2, whatever the labels are",
    "which pairs does your loss count?",
)
def undecided(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    for labels in ([0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0]):
        found = float(pair_loss(ZEROS, torch.tensor(labels)))
        if not abs(found - math.log(2)) < 1e-4:
            mistake = ""
            if math.isnan(found):
                mistake = f"a mean over no pair at all: label {labels[0]} is skipped"
            elif sum(labels) and abs(found - sum(labels) / 4 * math.log(2)) < 1e-4:
                mistake = "label 0 adds nothing"
            return Gap(f"equal logits, labels {labels}", f"{found:.3f}, not 0.693", mistake)
    return None


@prop(
    "whoever is sure and wrong pays, for both labels",
    "what does a model pay that always says 'random'?",
)
def both_classes(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    for label, name in ((0, "next"), (1, "random")):
        logits = torch.tensor([[-4.0, 4.0], [4.0, -4.0]])
        found = float(pair_loss(logits, torch.tensor([label, label])))
        wanted = (math.log1p(math.exp(-8)) + math.log1p(math.exp(8))) / 2
        if not abs(found - wanted) < 1e-3:
            return Gap(
                f"one pair judged right, one wrong, both are {name}",
                f"{found:.3f}, not {wanted:.3f}",
            )
    return None


@prop("label 0 belongs to column 0", "which column is for 'next'?")
def polarity(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    logits = torch.tensor([[9.0, -9.0], [-9.0, 9.0]])
    found = float(pair_loss(logits, torch.tensor([0, 1])))
    if not found < 1e-3:
        return Gap("two pairs, both judged rightly", f"{found:.2f}", "labels or columns exchanged")
    return None


@prop("it is the mean over all pairs", "what do you add up, and what do you divide by?")
def mean(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    for batch, size in ((1, 3), (5, 3), (64, 3), (64, 200)):
        logits = size * torch.randn(batch, 2, generator=generator)
        labels = torch.randint(2, (batch,), generator=generator)
        each = (logits.double().logsumexp(1) - logits.double()[range(batch), labels]).tolist()
        found, wanted = float(pair_loss(logits, labels)), sum(each) / batch
        if not math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4):
            is_sum = math.isclose(found, sum(each), rel_tol=1e-4)
            return Gap(
                f"{batch} pairs, logits up to {logits.abs().max():.0f}",
                f"{found:.4f}, not {wanted:.4f}",
                "a sum, not a mean" if is_sum else "",
            )
    return None


@prop("a gradient reaches the logits of every pair", "which pair teaches the model nothing?")
def gradient(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    labels = torch.tensor([0, 1, 0, 1])
    loss = pair_loss(ZEROS.clone().requires_grad_(), labels)
    tried = "logits that ask for a gradient"
    given = gradients_of(loss, pair_loss.given[:1], tried)
    if isinstance(given, Gap):
        return given
    is_there = (given[0].abs().sum(1) > 0).all()
    return None if is_there else Gap(tried, "a pair without a gradient")


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(pair_loss: Call, generator: torch.Generator) -> Gap | None:
    pair_loss(torch.randn(4, 2, generator=generator), torch.tensor([0, 1, 1, 0]))
    return changed_gap(pair_loss, "four pairs")


EXERCISE = Exercise(
    id="3.4",
    title="Stuck at fifty per cent",
    kind="bug",
    level=2,
    minutes=10,
    place="class",
    needs=("pair_loss",),
    properties=(structure, undecided, both_classes, polarity, mean, gradient, inputs),
    twins=("companion.losses.nsp_loss",),
    fact="padding is often 0, and so people ignore label 0; here 0 is one of the two answers",
    hints=(
        "Where to look. A model that always says 'random' has a loss of 0. What does it pay for "
        "pairs that are next?",
        "The idea. Cross-entropy can leave out the places with one certain label. That is made "
        "for places without an answer. Which label is left out here, and is it without an answer?",
        "The shape of the answer. The line stays, with one argument fewer. Every pair counts.",
    ),
    transfer="In a masked-word loss, which label is left out, and why is that one harmless?",
)
