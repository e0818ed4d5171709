"""3.7: swapped pairs."""

from collections import Counter
from itertools import pairwise
from typing import Any

import torch

from companion.check.call import Call, LearnerError
from companion.check.compare import bounds, kind_of
from companion.check.exercise import Exercise, Gap, percent, prop
from companion.check.isolation import seed_everything

DOCS = [["a", "b", "c"], ["d"], ["e", "f"]]
TRIED = 'docs = [["a", "b", "c"], ["d"], ["e", "f"]]'
TRUE = [("a", "b"), ("b", "c"), ("e", "f")]


def _structure_gap(pairs: Any, count: int, tried: str) -> Gap | None:
    if not isinstance(pairs, list | tuple):
        return Gap(tried, f"{kind_of(pairs)}, and not a list of triples")
    if any(not isinstance(pair, list | tuple) or len(pair) != 3 for pair in pairs):
        wrong = next(p for p in pairs if not isinstance(p, list | tuple) or len(p) != 3)
        return Gap(tried, f"{kind_of(wrong)} in the list, and not (A, B, label)")
    strange = [label for _, _, label in pairs if type(label) is not int or label not in (0, 1)]
    if strange:
        ask = "of which type is your label?"
        return Gap(tried, f"the label {strange[0]!r}; it is to be 0 or 1, as an int", ask=ask)
    if len(pairs) != count:
        return Gap(tried, f"{len(pairs)} pairs, not {count}")
    return None


@prop(
    "every two neighbours of a document make one pair", "how many neighbours has a document of n?"
)
def structure(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    if gap := _structure_gap(swap_pairs(DOCS, generator), 3, TRIED):
        return gap
    docs = [[f"{d}.{s}" for s in range(d + 1)] for d in range(6)]
    if gap := _structure_gap(swap_pairs(docs, generator), 15, "documents of 1 to 6 sentences"):
        return gap
    for docs, count in (([["a", "b"]], 1), ([["a", "a", "b"]], 2), ([["a", "b"], ["a", "b"]], 2)):
        if gap := _structure_gap(swap_pairs(docs, generator), count, f"docs = {docs}"):
            return gap
    return None


@prop("A and B are neighbours, in the order of the documents", "which sentences meet in a pair?")
def neighbours(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    again = [["a", "b", "a", "c"]]  # one sentence stands there twice
    for docs in [DOCS] * 10 + [again]:
        due = [pair for doc in docs for pair in pairwise(doc)]
        for (a, b, _), true in zip(swap_pairs(docs, generator), due, strict=True):
            if (a, b) not in (true, true[::-1]):
                found = f"A {a!r}, B {b!r}, where {true[0]!r} and {true[1]!r} are due"
                return Gap(f"docs = {docs}", found)
    return None


@prop("label 0 is the true order, label 1 the swapped one", "which label says that B came first?")
def labels(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    seen = []
    for _ in range(10):
        seen += list(zip(swap_pairs(DOCS, generator), TRUE, strict=True))
    wrong = [(pair, true) for pair, true in seen if (pair[2] == 1) != ((pair[0], pair[1]) != true)]
    if wrong:
        (a, b, label), _ = wrong[0]
        mistake = "the two labels exchanged" if len(wrong) == len(seen) else ""
        return Gap(TRIED, f"A {a!r}, B {b!r}, label {label}", mistake)
    return None


@prop("each pair has a coin of its own, and it is fair", "how often do you toss, and for what?")
def coins(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    # Two pairs alone: each of the four outcomes, in 80 tosses (missed once in 10^10).
    few = {tuple(pair[2] for pair in swap_pairs([["a", "b", "c"]], generator)) for _ in range(80)}
    if len(few) < 4:
        never = next(x for x in ((0, 0), (0, 1), (1, 0), (1, 1)) if x not in few)
        return Gap("two pairs, made 80 times", f"never the labels {never[0]} and {never[1]}")
    docs = [[f"{d}.{s}" for s in range(21)] for d in range(200)]
    found = [pair[2] for pair in swap_pairs(docs, generator)]  # 200 documents of 20 pairs
    low, high = bounds(0.5, len(found))
    share = sum(found) / len(found)
    if not low <= share <= high:
        return Gap(f"{len(found)} pairs", f"{percent(share)} swapped")
    # Neighbouring coins agree in half of the cases, inside a document and from one to the next.
    for name, step in (("neighbouring pairs", 1), ("pairs of neighbouring documents", 20)):
        same = [x == y for x, y in zip(found, found[step:], strict=False)]
        low, high = bounds(0.5, len(same))
        if not low <= sum(same) / len(same) <= high:
            share = sum(same) / len(same)
            return Gap(f"{len(found)} pairs", f"{percent(share)} of {name} have the same label")
    counts = Counter(sum(found[start : start + 20]) for start in range(0, len(found), 20))
    if len(counts) < 4:
        return Gap("200 documents of 20 pairs", "nearly the same number swapped in each document")
    return None


@prop("all chance comes from the generator", "which of your draws does not get the generator?")
def from_generator(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    docs = [[f"{d}.{s}" for s in range(11)] for d in range(10)]
    found = []
    for seed, world in ((1, 1), (1, 2), (2, 1)):
        seed_everything(world)
        source = torch.Generator().manual_seed(seed)
        found.append([[pair[2] for pair in swap_pairs(docs, source)] for _ in range(2)])
    if found[0][0] != found[1][0]:
        return Gap("two generators with the same seed", "two different lists")
    if found[0][0] == found[2][0] or found[0][0] == found[0][1]:
        return Gap("two draws of 100 coins", "twice the same coins")
    return None


@prop(
    "no pair at all is refused with a ValueError", "what comes back for documents of one sentence?"
)
def nothing(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    cases: tuple[list[list[str]], ...] = ([["a"], ["b"]], [[]], [])
    for docs in cases:
        try:
            found = swap_pairs(docs, generator)
        except LearnerError as trouble:
            if isinstance(trouble.error, ValueError):
                continue
            return Gap(f"docs = {docs}", f"a {type(trouble.error).__name__}, and no ValueError")
        return Gap(f"docs = {docs}", f"{found!r}")
    return None


@prop("the documents stay as they were", "does your code swap inside docs?")
def inputs(swap_pairs: Call, generator: torch.Generator) -> Gap | None:
    for _ in range(6):
        swap_pairs(DOCS, generator)
        if swap_pairs.changed:
            return Gap(TRIED, f"{swap_pairs.changed[0]} was changed")
    return None


EXERCISE = Exercise(
    id="3.7",
    title="Swapped pairs",
    kind="implement",
    level=2,
    minutes=8,
    place="home",
    needs=("swap_pairs",),
    properties=(structure, neighbours, labels, coins, from_generator, nothing, inputs),
    twins=("companion.data.pairs.swapped_pairs",),
    fact="both texts come from one page, so neither topic nor shared words tell which came first",
    hints=(
        "Where to look. Two loops, one over documents and one over neighbours, and a coin inside.",
        "The idea. `zip(doc, doc[1:])` gives every sentence with the one after it, and nothing for "
        "a document of one sentence. A coin decides in which order the two go into the triple.",
        "The shape of the answer. An empty list that is filled in the two loops; in the inner one "
        "`torch.randint(2, (1,), generator=generator)`, and a triple in one of two orders, with "
        "its label. At the end a ValueError if the list is still empty.",
    ),
    transfer="ALBERT's own code falls back to a random B for short chunks. What does that break?",
)
