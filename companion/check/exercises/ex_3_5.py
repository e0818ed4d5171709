"""3.5: the share of words that two texts have in common."""

from functools import cache
from typing import Any

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, percent, prop
from companion.data import load_corpus, sentence_pairs
from companion.evaluation.overlap import common_words

A, B = "The river Lea is in England.", "The Lea flows through London."
STOP = {"the", "is", "in"}
TRIED = f"{A!r} and {B!r}, stop = the, is, in"
KNOWN = {
    1 / 4: "dividing by the longer text",
    1 / 6: "dividing by all words that occur",
    1 / 7: "dividing by the words of both texts together",
    2 / 5: "the stop words kept",
    1 / 2: "upper case kept: 'The' is not 'the'",
    1.0: "a number of words, not a share",
}


def _gap(found: Any, wanted: float, tried: str, known: dict[float, str]) -> Gap | None:
    number = one_number(found)
    if number is None:
        ask = "is there a return at the end of the function?" if found is None else ""
        return Gap(tried, f"{kind_of(found)}, and not a number", ask=ask)
    if abs(number - wanted) <= 1e-4:
        return None
    mistake = next((why for value, why in known.items() if abs(value - number) < 1e-4), "")
    return Gap(tried, f"{number:.3g}, not {wanted:.3g}", mistake)


@prop("the example gives 1 / 3", "which words count, if you print the two sets?")
def example(overlap: Call, generator: torch.Generator) -> Gap | None:
    return _gap(overlap(A, B, STOP), 1 / 3, TRIED, KNOWN)


@prop("a word is a run of letters, whatever its case", "what is a word, and what is none?")
def words(overlap: Call, generator: torch.Generator) -> Gap | None:
    for a, b, wanted in (
        ("Lea, lea; LEA!", "lea", 1.0),
        ("well-known", "well known", 1.0),
        ("in 1912 and 1913", "from 1912 to 1913", 0.0),
        ("(Paris)", '"Paris".', 1.0),
        ("it's", "its", 0.0),
        ("it's", "it s", 1.0),
        ("snow_man", "snow man", 1.0),
        ("4th", "th", 1.0),
        ("buzz", "bu", 0.0),
        ("caf\u00e9", "caf", 1.0),
    ):
        if gap := _gap(overlap(a, b, set()), wanted, f"{a!r} and {b!r}, no stop words", {}):
            return gap
    return None


@prop("each word counts once", "do you count words, or how often they stand there?")
def once(overlap: Call, generator: torch.Generator) -> Gap | None:
    for a, b, wanted in (
        ("sun sun sun moon", "sun star star comet", 1 / 2),
        ("sun sun sun sun", "sun moon", 1.0),
    ):
        if gap := _gap(overlap(a, b, set()), wanted, f"{a!r} and {b!r}", {}):
            return gap
    return None


@prop("words in stop do not count, on both sides", "from which sets do you take stop away?")
def stop_words(overlap: Call, generator: torch.Generator) -> Gap | None:
    for a, b, stop, wanted in (
        ("the sun", "the moon", {"the"}, 0.0),
        ("The sun", "the sun the star", {"the"}, 1.0),
        ("a b c d", "a e f g h", {"b", "c", "d"}, 1.0),
        ("sun", "sun moon", {"star"}, 1.0),
        ("sun moon star", "the sun", {"the"}, 1.0),
        ("the sun", "sun moon star", {"the"}, 1.0),
        ("he", "he", {"the"}, 1.0),
    ):
        if gap := _gap(overlap(a, b, stop), wanted, f"{a!r} and {b!r}, stop = {stop}", {}):
            return gap
    return None


@prop("the shorter text is what you divide by, and order does not matter", "which is shorter?")
def shorter(overlap: Call, generator: torch.Generator) -> Gap | None:
    a, b = "one two three four five six", "two six nine"
    for first, second in ((a, b), (b, a)):
        tried = f"{first!r} and {second!r}, no stop words"
        known = {1 / 3: "dividing by the longer text", 2 / 7: "dividing by all words"}
        if gap := _gap(overlap(first, second, set()), 2 / 3, tried, known):
            return gap
    return None


@prop("a text without a word that counts gives 0", "what do you divide by then?")
def empty(overlap: Call, generator: torch.Generator) -> Gap | None:
    for a, b in (("", "sun"), ("sun", "1912!"), ("the", "the"), ("", "")):
        if gap := _gap(overlap(a, b, {"the"}), 0.0, f"{a!r} and {b!r}, stop = the", {}):
            return gap
    return None


@prop("its inputs stay as they were", "which line writes into stop?")
def inputs(overlap: Call, generator: torch.Generator) -> Gap | None:
    overlap(A, B, STOP)
    return Gap(TRIED, f"{overlap.changed[0]} was changed") if overlap.changed else None


@cache
def _real_pairs() -> tuple[list[tuple[str, str, int]], frozenset[str]]:
    """A thousand held-out pairs, and the hundred commonest words."""
    pages = load_corpus("wiki", "validation").documents
    pairs = sentence_pairs([p.sentences for p in pages], generator=torch.Generator().manual_seed(0))
    return [(p.a, p.b, p.label) for p in pairs[:1000]], common_words(
        load_corpus("wiki", "train").documents, 100
    )


@prop(
    "of 1,000 real pairs it judges at least 70 in 100 rightly",
    "which of your pairs have a shared word that means nothing?",
)
def real(overlap: Call, generator: torch.Generator) -> Gap | None:
    pairs, stop = _real_pairs()
    right = sum(
        ((one_number(overlap(a, b, set(stop))) or 0.0) <= 0) == (label == 1)
        for a, b, label in pairs
    )
    if not 0.70 <= right / len(pairs) <= 0.90:
        return Gap("1,000 pairs of Wikipedia", f"{percent(right / len(pairs))} judged rightly")
    return None


EXERCISE = Exercise(
    id="3.5",
    title="One number",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("overlap",),
    properties=(example, shorter, once, words, stop_words, empty, inputs, real),
    twins=("companion.evaluation.overlap.word_overlap",),
    fact=(
        "one shared word, and more than three in four pairs are judged rightly; no order, no "
        "grammar, no network"
    ),
    hints=(
        "Where to look. Four steps: lower case, words, without the common ones, and what both "
        "have. `re.findall` finds all runs of letters of a text.",
        "The idea. Make a set of words of each text. Sets can be subtracted, and cut with each "
        "other. Then compare sizes.",
        "The shape of the answer. Two sets, each made of `re.findall` with a pattern for one or "
        "more letters, minus stop. The size of what they share, divided by the smaller size, if "
        "that is not 0.",
    ),
    transfer="Name a pair of sentences that follow each other and share no word that counts.",
    reference_seconds=0.5,
)
