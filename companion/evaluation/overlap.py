"""Judging pairs of texts without a network: the words that they share."""

import re
from collections import Counter
from collections.abc import Iterable, Set

from companion.data import Document

WORD = re.compile("[a-z]+")


def common_words(documents: Iterable[Document], count: int) -> frozenset[str]:
    """The `count` commonest words; a word is a run of letters a to z in lower case."""
    counts = Counter(word for page in documents for word in WORD.findall(page.text.lower()))
    return frozenset(word for word, _ in counts.most_common(count))


def content_words(text: str, stop: Set[str]) -> set[str]:
    """The words of a text, each once, without those in `stop`."""
    return set(WORD.findall(text.lower())) - stop


def word_overlap(a: str, b: str, stop: Set[str]) -> float:
    """The share of words that two texts have in common, 0 to 1.

    Each word counts once, those in `stop` not at all; the text with fewer words is what is divided
    by. 0 where one of them has no word.
    """
    one, other = content_words(a, stop), content_words(b, stop)
    return len(one & other) / max(min(len(one), len(other)), 1)
