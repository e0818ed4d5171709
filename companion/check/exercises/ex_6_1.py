"""6.1: what a model loses that has learned nothing."""

import math
from functools import cache

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop
from companion.losses import mlm_loss, nsp_loss
from companion.models import BertConfig, BertForPreTraining

WORDS = 30_522


@cache
def untrained() -> tuple[float, float]:
    """The two losses of a narrow BERT as it is drawn, with BERT's whole vocabulary."""
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
        model = BertForPreTraining(BertConfig(vocab_size=WORDS, intermediate_size=64, **sizes))
    ids = torch.randint(1000, WORDS, (16, 32), generator=generator)
    selected = torch.rand(16, 32, generator=generator) < 0.15
    with torch.no_grad():
        output = model.eval()(ids, selected=selected)
    pairs = torch.arange(16) % 2
    return (
        float(mlm_loss(output.mlm_logits, ids[selected])),
        float(nsp_loss(output.nsp_logits, pairs)),
    )


def _mistake(classes: int, found: float) -> str:
    known = {
        1.0: "1 is what a loss is often plotted up to; no rule makes it the blind one",
        1 / classes: "the probability of the right answer, not its surprise",
        1 - 1 / classes: "the share of wrong answers",
        -math.log(classes): "the sign",
        math.log2(classes): "bits, not nats",
        math.log10(classes): "a logarithm to base 10",
        math.log(classes) / classes: "divided by the number of classes",
        float(classes): "the perplexity",
    }
    return next((w for x, w in known.items() if math.isclose(x, found, rel_tol=1e-5)), "")


@prop("it returns one number", "what comes back from your function?")
def structure(blind_loss: Call, generator: torch.Generator) -> Gap | None:
    value = blind_loss(12)
    if value is None:
        return Gap("12 classes", "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap("12 classes", kind_of(value))


@prop("it is the surprise at one of many equal answers", "which probability has the right answer?")
def equal_answers(blind_loss: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(blind_loss(12)) or 0.0
    if math.isclose(found, math.log(12), rel_tol=1e-4):
        return None
    return Gap("12 classes", f"{found:.4g}, not {math.log(12):.4g}", _mistake(12, found))


@prop("with one class nothing can surprise", "how sure is one of a single answer?")
def one(blind_loss: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(blind_loss(1))
    return None if found is not None and abs(found) < 1e-6 else Gap("1 class", f"{found}, not 0")


@prop("it is what untrained networks lose", "is a number rounded, or written down?")
def networks(blind_loss: Call, generator: torch.Generator) -> Gap | None:
    names = (f"an untrained head of {WORDS:,} words", "an untrained head of two classes")
    for classes, name, measured in zip((WORDS, 2), names, untrained(), strict=True):
        found = one_number(blind_loss(classes)) or 0.0
        if not abs(found - measured) < 0.03:
            got = f"{found:.3f}; the network has {measured:.3f}"
            return Gap(name, got, _mistake(classes, found))
    return None


@prop("it holds for any number of classes", "which number did you write down?")
def any_number(blind_loss: Call, generator: torch.Generator) -> Gap | None:
    drawn = torch.randint(3, 10**6, (20,), generator=generator).tolist()
    for classes in [3, 4096, 50_257, *drawn]:
        found, wanted = one_number(blind_loss(classes)), math.log(classes)
        if found is None or not math.isclose(found, wanted, rel_tol=1e-5):
            shown = "no number" if found is None else f"{found:.5f}"
            return Gap(f"{classes:,} classes", f"{shown}, not {wanted:.5f}")
    return None


def measure(blind_loss: Call) -> float:
    """The loss of a network that was drawn and not trained."""
    return untrained()[0]


EXERCISE = Exercise(
    id="6.1",
    title="What a blind model loses",
    kind="predict",
    level=1,
    minutes=4,
    place="class",
    needs=("blind_loss",),
    properties=(structure, equal_answers, one, networks, any_number),
    guess=Guess(
        name="guess_6_1",
        low=0.0,
        high=1000.0,
        unit="a loss in nats, 0 or more",
        measure=measure,
        show="{:.2f}".format,
        common=1.0,
        reason="A loss is no share: it may be larger than 1, and for many words it is.",
    ),
    fact="a loss above this at the first step is a bug: check labels, shift and vocabulary",
    hints=(
        "Where to look. A blind model gives all classes the same probability. How large is it?",
        "The idea. The loss is the surprise: minus the natural logarithm of that probability.",
        "The shape of the answer. One line: a logarithm, from torch or from math.",
    ),
    transfer="And a model that knows how frequent each word is, and nothing else?",
    reference_seconds=0.2,
)
