"""Pairs of texts: next or random, as the paper says and as its code does; in order or swapped.

Sources: BERT (Devlin et al. 2018, arXiv 1810.04805, section 3.1 and appendix A.2) and its released
code; ALBERT (Lan et al. 2019, arXiv 1909.11942, section 3.1) for swapped pairs.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import torch
from torch import Tensor

T = TypeVar("T")
ATTEMPTS = 100  # draws for a text that is not the true next one: more means that all are alike


class Pair(NamedTuple, Generic[T]):
    """Two texts; `label` is BERT's: 0 = B follows A, 1 = it does not."""

    a: T
    b: T
    label: int
    documents: tuple[int, int]  # where A and B come from


def sentence_pairs(
    documents: Sequence[Sequence[T]],
    *,
    generator: torch.Generator | None = None,
    draw_other: Callable[[int], int] | None = None,
) -> list[Pair[T]]:
    """Next-sentence pairs as the paper words it: a coin decides if the true next sentence follows.

    Every sentence but the last of its document is the A of one pair. A negative is a sentence of
    another document, and never equal to the true next one.

    Args:
        documents: sentences in order, of two documents at least.
        generator: source of all chance; None is torch's default one.
        draw_other: takes the number of A's document and returns that of another one; None: each of
            the others with the same chance.

    Raises:
        ValueError: fewer than two documents with a sentence, no document with two sentences, or a
            `draw_other` that returns no other document with a sentence.
    """
    _check(documents)
    pairs = []
    for number, sentences in enumerate(documents):
        for a, following in pairwise(sentences):
            if _below(2, generator) == 0:
                pairs.append(Pair(a, following, 0, (number, number)))
                continue
            for _ in range(ATTEMPTS):
                if draw_other is None:
                    other = _other(documents, number, generator)
                else:
                    other = draw_other(number)
                    _check_other(documents, number, other)
                b = documents[other][_below(len(documents[other]), generator)]
                if not _equal(b, following):
                    break
            else:
                raise ValueError(
                    f"{ATTEMPTS} random sentences were all equal to the true next one of document "
                    f"{number}: the documents are copies of each other"
                )
            pairs.append(Pair(a, b, 1, (number, other)))
    return pairs


def swapped_pairs(
    documents: Sequence[Sequence[T]], *, generator: torch.Generator | None = None
) -> list[Pair[T]]:
    """Sentence-order pairs (SOP): two sentences in a row, half of them the wrong way round.

    Label 1 = swapped. A document of one sentence has no pair: there is nothing to swap.

    Raises:
        ValueError: no document with two sentences.
    """
    pairs = []
    for number, sentences in enumerate(documents):
        for first, second in pairwise(sentences):
            swapped = _below(2, generator)
            a, b = (second, first) if swapped else (first, second)
            pairs.append(Pair(a, b, swapped, (number, number)))
    if not pairs:
        raise ValueError("no document has two sentences: there is nothing that could be swapped")
    return pairs


def segment_pairs(
    documents: Sequence[Sequence[Tensor]],
    *,
    length: int,
    short_share: float = 0.1,
    generator: torch.Generator | None = None,
) -> list[Pair[Tensor]]:
    """Next-sentence pairs as BERT's code makes them: runs of sentences that fill a row.

    Each document is cut into chunks of about `length` tokens. A chunk is split in two at a random
    sentence; by a coin its second part is replaced by a run from another document, and then goes
    back, to begin the next chunk. A chunk of one sentence cannot be split and always gets a random
    B: so more than half of all pairs are random, and every one of a document of one sentence.

    Unlike that code, which after ten attempts takes a B from the same document, this one refuses a
    single document.

    Args:
        documents: token ids of each sentence, each int64 (tokens,), without special tokens.
        length: tokens in a row, [CLS] and two [SEP] included.
        short_share: share of documents whose chunks get a random shorter length.
        generator: source of all chance; None is torch's default one.

    Raises:
        ValueError: fewer than two documents, a sentence without tokens, or `length` below 5.
    """
    _check(documents, splits=False)
    if length < 5:
        raise ValueError(f"length is {length}; [CLS], two [SEP] and a token each need 5 places")
    if not 0 <= short_share <= 1:
        raise ValueError(f"short_share is {short_share}; it must be from 0 to 1")
    if any(len(sentence) == 0 for sentences in documents for sentence in sentences):
        raise ValueError("a sentence has no tokens: leave it out")
    room = length - 3
    pairs = []
    for number, sentences in enumerate(documents):
        is_short = bool(torch.rand((), generator=generator) < short_share)
        target = 2 + _below(room - 1, generator) if is_short else room
        start = 0
        while start < len(sentences):
            end = _chunk_end(sentences, start, target)
            chunk = sentences[start:end]
            cut = 1 + _below(len(chunk) - 1, generator) if len(chunk) > 1 else 1
            a = torch.cat(list(chunk[:cut]))
            if len(chunk) == 1 or _below(2, generator):
                other = _other(documents, number, generator)
                b = _run(documents[other], target - len(a), generator)
                pair = Pair(a, b, 1, (number, other))
                end = start + cut  # what B would have been is used again
            else:
                pair = Pair(a, torch.cat(list(chunk[cut:])), 0, (number, number))
            a, b = shorten(pair.a, pair.b, room, generator)
            pairs.append(pair._replace(a=a, b=b))
            start = end
    return pairs


def shorten(
    a: Tensor, b: Tensor, room: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Cut A and B to `room` tokens together: one token at a time, off the longer text.

    A coin decides for each token whether it goes at the front or at the back, so that texts lose
    beginnings as often as ends.
    """
    cut = {0: [0, len(a)], 1: [0, len(b)]}  # text -> what is left of it
    while sum(end - start for start, end in cut.values()) > room:
        left = [end - start for start, end in cut.values()]
        longer = cut[0 if left[0] > left[1] else 1]
        if _below(2, generator):
            longer[0] += 1
        else:
            longer[1] -= 1
    return a[slice(*cut[0])], b[slice(*cut[1])]


def share_of_random(pairs: Sequence[Pair[T]]) -> float:
    """The label balance: which share of the pairs has label 1."""
    if not pairs:
        raise ValueError("there is no pair to count")
    return sum(pair.label for pair in pairs) / len(pairs)


def _chunk_end(sentences: Sequence[Tensor], start: int, target: int) -> int:
    """The first place at which the sentences from `start` on have `target` tokens, or the end."""
    size = 0
    for end in range(start, len(sentences)):
        size += len(sentences[end])
        if size >= target:
            return end + 1
    return len(sentences)


def _run(sentences: Sequence[Tensor], target: int, generator: torch.Generator | None) -> Tensor:
    """Sentences in a row from a random one on, until they have `target` tokens."""
    start = _below(len(sentences), generator)
    return torch.cat(list(sentences[start : _chunk_end(sentences, start, target)]))


def _other(documents: Sequence[Sequence[T]], number: int, generator: torch.Generator | None) -> int:
    """A random document that is not `number` and is not empty."""
    while True:
        other = (number + 1 + _below(len(documents) - 1, generator)) % len(documents)
        if len(documents[other]):
            return other


def _check_other(documents: Sequence[Sequence[T]], number: int, other: int) -> None:
    if other == number or not 0 <= other < len(documents) or not len(documents[other]):
        raise ValueError(
            f"draw_other returned {other} for document {number}; it must be the number of another "
            f"document with a sentence, 0 to {len(documents) - 1}"
        )


def _below(limit: int, generator: torch.Generator | None) -> int:
    """0 to limit - 1, each with the same chance."""
    return int(torch.randint(limit, (), generator=generator))


def _equal(one: object, other: object) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return torch.equal(one, other)
    return bool(one == other)


def _check(documents: Sequence[Sequence[T]], splits: bool = True) -> None:
    filled = sum(len(sentences) > 0 for sentences in documents)
    if filled < 2:
        raise ValueError(
            f"there are {filled} documents with text; a random B must come from another document: "
            "give two or more. Was a long text read as one document?"
        )
    if splits and all(len(sentences) < 2 for sentences in documents):
        raise ValueError(
            "no document has two sentences, so nothing follows anything. Does a blank line stand "
            "after every sentence?"
        )
