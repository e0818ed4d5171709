"""3.2: one pair of sentences, next or random."""

from collections import Counter
from typing import Any

import torch

from companion.check.call import Call, LearnerError
from companion.check.compare import kind_of
from companion.check.exercise import Exercise, Gap, prop
from companion.check.isolation import seed_everything

DOCS = [["a0", "a1", "a2"], ["b0", "b1"], ["c0"], ["d0", "d1", "d2", "d3"]]
TRIED = "four documents; A is sentence 0 of document 0"


def _structure_gap(pair: Any, tried: str) -> Gap | None:
    if not isinstance(pair, tuple | list) or len(pair) != 3:
        return Gap(tried, f"{kind_of(pair)}, and not the three things A, B, label")
    a, b, label = pair
    if not isinstance(a, str) or not isinstance(b, str):
        wrong = a if not isinstance(a, str) else b
        return Gap(tried, f"{kind_of(wrong)} where a sentence belongs")
    if isinstance(label, bool) or not isinstance(label, int):
        return Gap(tried, f"the label {label!r}; it is to be 0 or 1, as an int")
    return None


@prop("it returns two sentences and a label", "what comes back, and in which order?")
def structure(make_pair: Call, generator: torch.Generator) -> Gap | None:
    for is_next in (True, False):
        tried = f"{TRIED}, is_next is {is_next}"
        if gap := _structure_gap(make_pair(DOCS, 0, 0, is_next, generator), tried):
            return gap
    return None


@prop("if is_next, B is the sentence after A, and the label 0", "which number stands for 'next'?")
def positive(make_pair: Call, generator: torch.Generator) -> Gap | None:
    for d, i in 10 * ((0, 0), (0, 1), (3, 2), (1, 0)):
        a, b, label = make_pair(DOCS, d, i, True, generator)
        tried = f"four documents; A is sentence {i} of document {d}; is_next is True"
        if (a, b) != (DOCS[d][i], DOCS[d][i + 1]):
            return Gap(tried, f"A {a!r}, B {b!r}")
        if label != 0:
            return Gap(tried, f"the label {label}", "the two labels exchanged")
    return None


@prop(
    "if not, B comes from another document, and the label is 1",
    "from which documents can your code draw?",
)
def negative(make_pair: Call, generator: torch.Generator) -> Gap | None:
    for d, i in ((0, 0), (3, 1), (1, 0)):
        tried = f"four documents; A is sentence {i} of document {d}; is_next is False"
        for _ in range(40):
            a, b, label = make_pair(DOCS, d, i, False, generator)
            if a != DOCS[d][i]:
                return Gap(tried, f"A {a!r}")
            if label != 1:
                return Gap(tried, f"the label {label}", "the two labels exchanged")
            if b in DOCS[d]:
                what = "the true next sentence" if b == DOCS[d][i + 1] else "of A's own document"
                return Gap(tried, f"B {b!r}, {what}", "B drawn from the same document")
            if not any(b in doc for doc in DOCS):
                return Gap(tried, f"B {b!r}, which no document holds")
    return None


@prop(
    "B is never the same text as the true next sentence",
    "another document can hold the same sentence: what happens then?",
)
def never_true(make_pair: Call, generator: torch.Generator) -> Gap | None:
    # Half of what can be drawn is the true next sentence.
    docs = [["a0", "same"], ["b0", "same"], ["same", "c1"]]
    for _ in range(60):
        _, b, _ = make_pair(docs, 0, 0, False, generator)
        if b == "same":
            return Gap(f"docs = {docs}, d = 0, i = 0, is_next = False", "B 'same', label 1")
    return None


@prop(
    "every other sentence of every other document can be drawn",
    "is a document, or the first or last sentence of one, never drawn?",
)
def everything(make_pair: Call, generator: torch.Generator) -> Gap | None:
    for d, i in ((0, 0), (1, 0), (3, 0)):
        others = [s for n, doc in enumerate(DOCS) if n != d for s in doc]
        # The rarest in any sensible order of drawing: 1 of 3 documents, then 1 of 4 sentences.
        seen = Counter(make_pair(DOCS, d, i, False, generator)[1] for _ in range(400))
        missing = [s for s in others if not seen[s]]
        if missing:
            return Gap(
                f"four documents; A is sentence {i} of document {d}; 400 negatives",
                f"{missing[0]!r} was never drawn",
            )
    # Nothing that differs from the true next sentence is left out.
    for docs, wanted in (
        ([["x", "y", "z"], ["x", "y", "w"]], {"x", "w"}),
        ([["x", "y"], ["x", "y"]], {"x"}),
        ([["x", "sun"], ["the sun", "Sun"]], {"the sun", "Sun"}),
        ([["x", "y"], ["y"], ["z"]], {"z"}),  # a document of nothing but the true next sentence
    ):
        seen = Counter(make_pair(docs, 0, 0, False, generator)[1] for _ in range(200))
        if set(seen) != wanted:
            tried = f"docs = {docs}, d = 0, i = 0, 200 negatives"
            return Gap(tried, f"B was one of {sorted(seen)}")
    return None


@prop("one document alone is refused with a ValueError", "where should a random B come from?")
def alone(make_pair: Call, generator: torch.Generator) -> Gap | None:
    docs = [["a0", "a1", "a2", "a3"]]
    try:
        pair = make_pair(docs, 0, 0, False, generator)
    except LearnerError as trouble:
        if isinstance(trouble.error, ValueError):
            return None
        name = type(trouble.error).__name__
        return Gap("one document, is_next = False", f"a {name}, and no ValueError")
    return Gap("one document, is_next = False", f"{pair!r}", "B drawn from the same document")


@prop("all chance comes from the generator", "which of your draws does not get the generator?")
def from_generator(make_pair: Call, generator: torch.Generator) -> Gap | None:
    docs = [[f"{d}.{s}" for s in range(50)] for d in range(40)]
    found = []
    for seed, world in ((1, 1), (1, 2), (2, 1)):
        seed_everything(world)
        source = torch.Generator().manual_seed(seed)
        found.append([make_pair(docs, 0, 0, False, source)[1] for _ in range(3)])
    if found[0] != found[1]:
        return Gap("two generators with the same seed", "two different sentences")
    if found[0] == found[2] or len(set(found[0])) == 1:
        return Gap("two draws, from a list of 1,950 sentences", "twice the same sentence")
    return None


@prop("the documents stay as they were", "does your code take something out of a list?")
def inputs(make_pair: Call, generator: torch.Generator) -> Gap | None:
    same = [["x", "y", "z"], ["x", "y", "w"]]  # the true next sentence stands elsewhere too
    for docs, tried in ((DOCS, TRIED), (same, f"docs = {same}, d = 0, i = 0")):
        for is_next in (True, False):
            make_pair(docs, 0, 0, is_next, generator)
            if make_pair.changed:
                return Gap(tried, f"{make_pair.changed[0]} was changed")
    return None


EXERCISE = Exercise(
    id="3.2",
    title="Make a pair",
    kind="implement",
    level=2,
    minutes=12,
    place="class",
    needs=("make_pair",),
    properties=(
        structure, positive, negative, never_true, everything, alone, from_generator, inputs,
    ),
    twins=("companion.data.pairs.sentence_pairs",),
    fact="published code draws the true next sentence as a 'random' one now and then, label wrong",
    hints=(
        "Where to look. Four things can go wrong: the meaning of 0 and 1, a B from the same "
        "document, a B that is the true next one by accident, and a loop that never ends when "
        "there is one document.",
        "The idea. Do not draw and look whether it fits. First collect everything that may be "
        "drawn, then draw once. If the collection is empty, there is nothing to draw.",
        "The shape of the answer. A, and the sentence after it. If is_next: three things, done. "
        "Else a list over all documents but one, of all sentences that differ from the true next "
        "one; a ValueError if it is empty; and one of them by `torch.randint`.",
    ),
    transfer="Documents about the same topic stand next to each other. Is a random B easy to tell?",
)  # fmt: skip
