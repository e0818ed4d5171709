"""6.5: two losses of one model."""

import math
from functools import cache
from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop

SURPRISE = torch.tensor([[4.0, 0.5, 9.0, 1.0], [2.0, 8.0, 0.0, 5.0]])
SCORED = torch.tensor([[True, False, False, True], [True, False, False, False]])
TRIED = "surprises 4 and 1 scored of four in the first row, 2 of four in the second"
NAMES = ("over all places", "over the scored places")


@cache
def of_bert() -> tuple[Tensor, Tensor]:
    """The surprise of bert-wiki-mini at every token of 40 held-out rows, and which are selected."""
    from companion.data import checkpoint, load_corpus, load_tokenizer
    from companion.masking import mask_tokens
    from companion.models import ModernBertForMaskedLM

    folder = checkpoint("bert-wiki-mini")
    model, tokenizer = ModernBertForMaskedLM.from_pretrained(folder), load_tokenizer(folder)
    pages = load_corpus("wiki", "validation").documents
    rows = [e.ids for e in tokenizer.encode_batch([p.text for p in pages], max_length=64)]
    ids = torch.stack([row for row in rows if len(row) == 64][:40])
    masked = mask_tokens(ids, generator=torch.Generator().manual_seed(0), **tokenizer.mask_args)
    with torch.no_grad():
        log_p = model(masked.corrupted).mlm_logits.log_softmax(-1)  # (40, 64, vocab)
    return -log_p.gather(2, ids[:, :, None])[:, :, 0], masked.selected


def _reference(surprise: Tensor, scored: Tensor) -> tuple[float, float]:
    picked = surprise[scored].double()
    return float(picked.sum() / scored.numel()), float(picked.mean())


def _two(value: Any) -> list[float] | None:
    if isinstance(value, Tensor):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    numbers = [one_number(one) for one in value]
    return None if any(one is None for one in numbers) else numbers  # type: ignore[return-value]


def _compare(
    two_losses: Call, surprise: Tensor, scored: Tensor, place: int, tried: str
) -> Gap | None:
    found = _two(two_losses(surprise, scored))
    if found is None:
        return Gap(tried, "no two numbers")
    wanted = _reference(surprise, scored)
    if math.isclose(found[place], wanted[place], rel_tol=1e-4, abs_tol=1e-6):
        return None
    picked, all_ = surprise[scored].double(), surprise.double()
    rows = [s[c].double() for s, c in zip(surprise, scored, strict=True)]
    known = {
        "what is not scored is counted with its surprise, not as 0": all_.mean(),
        "the other one of the two": torch.tensor(wanted[1 - place]),
        "a sum": picked.sum(),
        "a sum over the rows": picked.sum() / len(surprise),
        "a mean of the rows' means": torch.stack([r.mean() for r in rows if len(r)]).mean(),
        "the unscored ones": all_[~scored].mean(),
        "the perplexity": picked.mean().exp(),
        "bits, not nats": torch.tensor(wanted[place] / math.log(2)),
    }
    mistake = next(
        (w for w, x in known.items() if math.isclose(float(x), found[place], rel_tol=1e-4)), ""
    )
    got = f"the mean {NAMES[place]} is {found[place]:.4f}, not {wanted[place]:.4f}"
    return Gap(tried, got, mistake)


@prop("it returns two numbers", "what comes back, and in which order?")
def structure(two_losses: Call, generator: torch.Generator) -> Gap | None:
    value = two_losses(SURPRISE, SCORED)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if _two(value) is not None else Gap(TRIED, kind_of(value))


@prop("first: over all places, unscored ones as 0", "by how many places do you divide?")
def over_all(two_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(two_losses, SURPRISE, SCORED, 0, TRIED)


@prop("second: over the scored places", "by how many places do you divide?")
def over_scored(two_losses: Call, generator: torch.Generator) -> Gap | None:
    return _compare(two_losses, SURPRISE, SCORED, 1, TRIED)


@prop("surprises at unscored places do not matter", "does one of them enter a sum?")
def unscored(two_losses: Call, generator: torch.Generator) -> Gap | None:
    surprise = SURPRISE.masked_fill(~SCORED, math.inf)
    for place in (0, 1):
        tried = "the same, infinite surprise at the unscored places"
        if gap := _compare(two_losses, surprise, SCORED, place, tried):
            return gap
    return None


@prop("it holds for any batch", "is a number of the example written down?")
def any_batch(two_losses: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((1, 1), (3, 7), (10, 64)):
        surprise = 5 * torch.rand(shape, generator=generator)
        scored = torch.rand(shape, generator=generator) < 0.3
        scored[0, 0] = True
        for place in (0, 1):
            if gap := _compare(two_losses, surprise, scored, place, f"a batch of shape {shape}"):
                return gap
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(two_losses: Call, generator: torch.Generator) -> Gap | None:
    two_losses(SURPRISE, SCORED)
    return changed_gap(two_losses, TRIED)


def measure(two_losses: Call) -> float:
    """How many times larger the second is than the first, for bert-wiki-mini."""
    first, second = _two(two_losses(*of_bert()))  # type: ignore[misc]
    return second / first


EXERCISE = Exercise(
    id="6.5",
    title="Which model is better?",
    kind="predict",
    level=2,
    minutes=6,
    place="class",
    needs=("two_losses",),
    properties=(structure, over_all, over_scored, unscored, any_batch, inputs),
    guess=Guess(
        name="guess_6_5",
        low=0.001,
        high=1000.0,
        unit="a number of times, above 0",
        measure=measure,
        show="{:.2f}".format,
        common=1.0,
        reason="It is the same model on the same text. But six of seven places are not scored, and "
        "the first loss counts them as 0.",
    ),
    fact=(
        "before two losses are compared, three things must be equal: the positions, the average "
        "and the unit"
    ),
    hints=(
        "Where to look. Both losses have the same sum. What do they divide it by?",
        "The idea. Pick the scored surprises first, and add them up. Then divide once by all "
        "places and once by their own number.",
        "The shape of the answer. Three lines: a pick and two divisions, returned together.",
    ),
    transfer="At a rate of 40 % instead of 15 %, which of the two changes its size most?",
    reference_seconds=0.6,
)
