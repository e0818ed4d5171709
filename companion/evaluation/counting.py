"""The counting machine: fill a blank with what stood between these neighbours most often.

No network, no gradient: it reads the training text once and counts. It is the yardstick that a
masked language model has to beat, on the same rows and the same masks.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Ints = npt.NDArray[np.int64]
Offsets = tuple[int, ...]  # which neighbours are looked at: -1 is the left one, 1 the right one

NOTHING: tuple[Offsets, ...] = ((),)
LEFT: tuple[Offsets, ...] = ((-1,), ())
TWO_LEFT: tuple[Offsets, ...] = ((-2, -1), (-1,), ())
FOUR_LEFT: tuple[Offsets, ...] = ((-4, -3, -2, -1), (-3, -2, -1), *TWO_LEFT)
RIGHT: tuple[Offsets, ...] = ((1,), ())
BOTH: tuple[Offsets, ...] = ((-1, 1), (-1,), (1,), ())
TWO_EACH_SIDE: tuple[Offsets, ...] = (
    (-2, -1, 1, 2),
    (-2, -1, 1),
    (-1, 1, 2),
    (-1, 1),
    (-2, -1),
    (1, 2),
    (-1,),
    (1,),
    (),
)


class Guesses(NamedTuple):
    """What the machine says at the selected positions, in order. Both: int64, (n_selected,)."""

    tokens: Tensor
    context: Tensor  # which of the machine's contexts decided: 0 is the most specific one


class CountingMachine:
    """Back-off counting: the first context that was seen in training decides.

    contexts: from the most to the least specific; the last one, (), is "whatever comes most often".
    A neighbour beyond the end of the text counts as a token of its own.
    """

    def __init__(self, contexts: Sequence[Offsets], *, vocab_size: int) -> None:
        if not contexts or contexts[-1] != ():
            raise ValueError(f"contexts is {tuple(contexts)}; its last one must be ().")
        widest = max(len(context) for context in contexts)
        if (vocab_size + 1) ** widest >= 2**63:
            raise ValueError(f"{widest} neighbours of {vocab_size} ids do not fit one 64-bit key.")
        self.contexts = tuple(contexts)
        self.base = vocab_size + 1  # one more for "beyond the end"
        self.tables: list[tuple[Ints, Ints]] = []  # of each context: sorted keys, best token

    def fit(self, rows: Sequence[Tensor]) -> "CountingMachine":
        """Count every token of `rows`, each int64 of shape (length,), without special tokens."""
        if not any(len(row) for row in rows):
            raise ValueError("There is no token to count: rows is empty.")
        text, places = self._lay_out(rows)
        targets = text[places]
        self.tables = [self._count(self._keys(text, places, c), targets) for c in self.contexts]
        return self

    def predict(self, corrupted: Sequence[Tensor], selected: Sequence[Tensor]) -> Guesses:
        """Fill every selected position.

        corrupted: rows as the model sees them. selected: bool rows of the same lengths.
        A context that holds a [MASK] was never seen in training, so it is passed over by itself.
        """
        if not self.tables:
            raise ValueError("This machine has counted nothing yet: call fit first.")
        text, places = self._lay_out(corrupted)
        places = places[torch.cat(list(selected)).numpy()]
        guess = np.zeros(len(places), dtype=np.int64)
        decided_by = np.zeros(len(places), dtype=np.int64)
        is_open = np.ones(len(places), dtype=bool)
        for level, (context, (keys, best)) in enumerate(
            zip(self.contexts, self.tables, strict=True)
        ):
            wanted = self._keys(text, places, context)
            slot = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
            known = is_open & (keys[slot] == wanted)
            guess[known] = best[slot[known]]
            decided_by[known] = level
            is_open &= ~known
        return Guesses(torch.from_numpy(guess), torch.from_numpy(decided_by))

    def _lay_out(self, rows: Sequence[Tensor]) -> tuple[Ints, Ints]:
        """All rows in one line, strangers between them; and where their tokens stand."""
        gap = max((abs(offset) for context in self.contexts for offset in context), default=0)
        strangers = np.full(gap, self.base - 1, dtype=np.int64)
        pieces, places, start = [strangers], [], gap
        for row in rows:
            pieces += [row.numpy(), strangers]
            places.append(np.arange(start, start + len(row)))
            start += len(row) + gap
        return np.concatenate(pieces), np.concatenate(places)

    def _keys(self, text: Ints, places: Ints, context: Offsets) -> Ints:
        """One number for what the neighbours are: their ids as digits."""
        key = np.zeros(len(places), dtype=np.int64)
        for offset in context:
            key = key * self.base + text[places + offset]
        return key

    def _count(self, keys: Ints, targets: Ints) -> tuple[Ints, Ints]:
        """For every key that was seen, the token that it was seen with most often."""
        seen, which = np.unique(keys, return_inverse=True)
        pairs, counts = np.unique(which * self.base + targets, return_counts=True)
        which, token = np.divmod(pairs, self.base)
        # Sorted by key, then count; of a tie the smaller id wins. The last of each key is the best.
        order = np.lexsort((-token, counts, which))
        last = np.append(np.diff(which[order]) > 0, True)
        return seen, token[order][last]
