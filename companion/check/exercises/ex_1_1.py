"""1.1: how many pieces does a word have?"""

import re

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop
from companion.data import load_corpus, load_tokenizer


def _encode(text: str) -> list[int]:
    """A piece for every two letters: "aa bbbb c" has 1 + 2 + 1 pieces, and [CLS] and [SEP].

    A capital letter is a piece of its own, and a piece without letters is unknown: 1.
    """
    pieces = re.findall(r"[A-Z]|[^A-Z\s]{1,2}", text)
    return [2, *(10 + len(p) if any(c.isalpha() for c in p) else 1 for p in pieces), 3]


TEXTS = ["aaaa bb cccccc", "dddddd"]  # 2 + 1 + 3 and 3 pieces; 3 words and 1
TRIED = "texts of 3 and 1 words, whose lists have 8 and 5 ids"
KNOWN = {
    13 / 4: "[CLS] and [SEP] counted as pieces",
    (2.0 + 3.0) / 2: "the mean over texts of their own shares, not over all words",
    4 / 9: "words divided by pieces",
    9.0: "a number of pieces, not divided by the words",
    11 / 4: "one special token left out, of two",
    9 / 2: "pieces per text",
}


@prop("it returns one number", "what comes back from your function?")
def structure(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    value = pieces_per_word(TEXTS, _encode)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, f"{kind_of(value)}, no number")


@prop("it is all pieces, divided by all words", "which ids of a list are pieces of a word?")
def values(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(pieces_per_word(TEXTS, _encode)) or 0.0
    if not abs(found - 9 / 4) < 1e-6:
        mistake = next((why for x, why in KNOWN.items() if abs(x - found) < 1e-6), "")
        return Gap(TRIED, f"{found:.4g}, not 2.25", mistake)
    return None


@prop("it holds for any texts", "which number did you write down?")
def any_texts(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    for count in (1, 3, 20):
        sizes = torch.randint(1, 9, (count, 6), generator=generator).tolist()
        texts = [" ".join("x" * size for size in row[: 1 + row[0] % 6]) for row in sizes]
        pieces = sum(-(-len(word) // 2) for text in texts for word in text.split())
        words = sum(len(text.split()) for text in texts)
        found = one_number(pieces_per_word(texts, _encode))
        if found is None or not abs(found - pieces / words) < 1e-6:
            tried = f"{count} texts with {words} words and {pieces} pieces"
            return Gap(tried, f"{found}, not {pieces / words:.4g}")
    return None


@prop("a word is what split() gives", 'is "don\'t" a word for your code? Is "1999,"?')
def real_words(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    for text in (
        "In 1999, she didn't",
        "one  two\tthree\nfour\u2003five \u2014 six",
        "NASA and the U.S. Navy (USN)",
        "a long text " * 400,
    ):
        pieces, words = len(_encode(text)) - 2, len(text.split())
        found = one_number(pieces_per_word([text, "aaaa"], _encode))
        if found is None or not abs(found - (pieces + 2) / (words + 1)) < 1e-6:
            tried = f"a text of {words} words and {pieces} pieces, {text[:30]!r}, and 'aaaa'"
            return Gap(tried, f"{found}, not {(pieces + 2) / (words + 1):.4g}")
    return None


@prop("a text without words adds nothing", "what does encode return for an empty text?")
def empty(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(pieces_per_word(["", *TEXTS, "   "], _encode))
    if found is None or not abs(found - 9 / 4) < 1e-6:
        return Gap(f"{TRIED}, and two texts without words", f"{found}, not 2.25")
    return None


@prop("the texts stay as they were", "does your code take something out of the list?")
def inputs(pieces_per_word: Call, generator: torch.Generator) -> Gap | None:
    pieces_per_word(["", *TEXTS, "  "], _encode)
    changed = pieces_per_word.changed
    return Gap(TRIED, f"{changed[0]} was changed") if changed else None


def measure(pieces_per_word: Call) -> float:
    """The learner's function on a hundred pages with the course's tokenizer."""
    tokenizer = load_tokenizer()
    texts = [page.text for page in load_corpus("wiki", "validation").documents[:100]]
    return float(pieces_per_word(texts, lambda text: tokenizer.encode(text).ids.tolist()))


EXERCISE = Exercise(
    id="1.1",
    title="Pieces of words",
    kind="predict",
    level=1,
    minutes=5,
    place="class",
    needs=("pieces_per_word",),
    properties=(structure, values, any_texts, real_words, empty, inputs),
    guess=Guess(
        name="guess_1_1",
        low=0.5,
        high=20.0,
        unit="a number of pieces, 1 or more",
        measure=measure,
        show="{:.2f}".format,
        common=1.0,
        reason="A token is no word: rare words and names are cut, and a comma is a piece too.",
    ),
    fact="a model that reads 512 tokens reads far fewer words, and fewer still in other languages",
    hints=(
        "Where to look. `encode(text)` is a list, and two of its ids belong to no word.",
        "The idea. Add up the pieces of all texts, and the words of all texts. Divide once, at "
        "the end.",
        "The shape of the answer. Two sums over the texts: one of the length of what encode "
        "returns, less the two special tokens; one of the length of `text.split()`.",
    ),
    transfer="Why is the mean over texts of 'pieces divided by words' another number?",
    reference_seconds=0.5,
)
