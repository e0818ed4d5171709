"""3.6: the same number on swapped pairs."""

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, percent, prop
from companion.data import load_corpus, swapped_pairs
from companion.evaluation.overlap import common_words, word_overlap

SCORES, LABELS = [0.4, 0.0, 0.2, 0.05], [0, 0, 1, 1]
TRIED = f"scores = {SCORES}, labels = {LABELS}, threshold = 0.1"
KNOWN = {
    2.0: "a number of pairs, not a share",
    50.0: "per cent, not a share",
}


@prop("it returns one number", "what comes back from your function?")
def structure(accuracy: Call, generator: torch.Generator) -> Gap | None:
    value = accuracy(SCORES, LABELS, 0.1)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, f"{kind_of(value)}, no number")


@prop("a score above the threshold is called 0", "which of the pairs are called by their label?")
def share(accuracy: Call, generator: torch.Generator) -> Gap | None:
    for scores, labels, wanted in (
        (SCORES, LABELS, 0.5),
        ([0.4, 0.3, 0.2], [0, 0, 0], 1.0),
        ([0.4, 0.3, 0.2], [1, 1, 1], 0.0),
        ([0.0, 0.05, 0.9], [1, 1, 0], 1.0),
        ([0.0, 0.05, 0.9], [1, 0, 0], 2 / 3),
    ):
        found = one_number(accuracy(scores, labels, 0.1)) or 0.0
        if not abs(found - wanted) < 1e-4:
            tried = f"scores = {scores}, labels = {labels}, threshold = 0.1"
            mistake = next((why for x, why in KNOWN.items() if abs(x - found) < 1e-4), "")
            if not mistake and abs(found - (1 - wanted)) < 1e-4:
                mistake = "called the other way round"
            return Gap(tried, f"{found:.3g}, not {wanted:.3g}", mistake)
    return None


@prop(
    "a score equal to the threshold is not above it", "what happens to a pair without any overlap?"
)
def equal(accuracy: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(accuracy([0.0, 0.0, 0.5], [1, 1, 0], 0.0))
    if found is None or not abs(found - 1) < 1e-6:
        return Gap("scores = [0.0, 0.0, 0.5], labels = [1, 1, 0], threshold = 0.0", f"{found}")
    return None


@prop("it holds for any list", "which number did you write down?")
def any_list(accuracy: Call, generator: torch.Generator) -> Gap | None:
    # Equal scores, negative ones, the threshold itself, and scores just beside it.
    few = torch.tensor([-0.5, 0.0, 0.25 - 1e-5, 0.25, 0.25 + 1e-5, 0.5])
    lists = [torch.rand(n, generator=generator) for n in (1, 7, 500)]
    lists += [few[torch.randint(len(few), (300,), generator=generator)], *few[:, None]]
    for scores in (one.tolist() for one in lists):
        labels = torch.randint(2, (len(scores),), generator=generator).tolist()
        for threshold in (0.25, 0.9):
            called = [0 if score > threshold else 1 for score in scores]
            wanted = sum(x == y for x, y in zip(called, labels, strict=True)) / len(scores)
            found = one_number(accuracy(scores, labels, threshold))
            if found is None or not abs(found - wanted) < 1e-6:
                tried = f"{len(scores)} pairs, threshold {threshold}"
                return Gap(
                    tried, f"{found:.4g}, not {wanted:.4g}" if found is not None else "no number"
                )
    return None


@prop("the lists stay as they were", "does your code sort a list, or take something out of it?")
def inputs(accuracy: Call, generator: torch.Generator) -> Gap | None:
    accuracy(SCORES, LABELS, 0.1)
    return Gap(TRIED, f"{accuracy.changed[0]} was changed") if accuracy.changed else None


def measure(accuracy: Call) -> float:
    """The learner's function on the overlap of swapped pairs: a shared word is called 0."""
    pages = load_corpus("wiki", "validation").documents
    pairs = swapped_pairs([p.sentences for p in pages], generator=torch.Generator().manual_seed(0))
    stop = common_words(load_corpus("wiki", "train").documents, 100)
    scores = [word_overlap(pair.a, pair.b, stop) for pair in pairs]
    return float(accuracy(scores, [pair.label for pair in pairs], 0.0))


EXERCISE = Exercise(
    id="3.6",
    title="The same number, other pairs",
    kind="predict",
    level=2,
    minutes=6,
    place="class",
    needs=("accuracy",),
    properties=(structure, share, equal, any_list, inputs),
    guess=Guess(
        name="guess_3_6",
        low=0.0,
        high=1.0,
        unit="a share between 0 and 1",
        measure=measure,
        show=percent,
        common=0.7,
        reason="A and B share the same words in both orders: the number cannot change when they "
        "are swapped.",
    ),
    fact="a cue that solves one task can be worth nothing in the next",
    hints=(
        "Where to look. First decide what each pair is called: 0 or 1. Then compare with its "
        "label.",
        "The idea. Go through both lists at once with `zip`. A pair is right when what it is "
        "called is its label. A share is the number of right ones divided by all.",
        "The shape of the answer. A list of True and False, one for each pair, and its sum "
        "divided by its length. Mind the sign: above the threshold means 0.",
    ),
    transfer="Which number that can be computed from A and B would tell swapped pairs apart?",
    reference_seconds=0.5,
)
