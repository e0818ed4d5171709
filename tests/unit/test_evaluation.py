"""The counting machine and the interval: against slow twins written from their definitions."""

from collections import Counter
from math import comb

import pytest
import torch

from companion.evaluation import CountingMachine, wilson_interval
from companion.evaluation.counting import BOTH, FOUR_LEFT, LEFT, NOTHING, RIGHT, TWO_EACH_SIDE

MASK, VOCAB = 4, 12


def texts(number, seed):
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 15, (number,), generator=generator).tolist()
    return [torch.randint(5, VOCAB, (n,), generator=generator) for n in lengths]


def slow_guess(training, row, place, contexts):
    """The definition: the most frequent token (ties: smaller id) in the first context seen."""

    def neighbours(ids, at, context):
        return tuple(ids[at + o] if 0 <= at + o < len(ids) else None for o in context)

    for level, context in enumerate(contexts):
        wanted = neighbours(row, place, context)
        if MASK in wanted:
            continue
        counts = Counter(
            ids[at]
            for ids in training
            for at in range(len(ids))
            if neighbours(ids, at, context) == wanted
        )
        if counts:
            return min(counts, key=lambda token: (-counts[token], token)), level
    raise AssertionError("the last context is always seen")


@pytest.mark.parametrize("contexts", [NOTHING, LEFT, RIGHT, BOTH, FOUR_LEFT, TWO_EACH_SIDE])
def test_the_machine_equals_its_definition(contexts):
    training, exam = texts(30, seed=0), texts(12, seed=1)
    selected = [torch.arange(len(row)) % 3 == 0 for row in exam]
    corrupted = [row.masked_fill(s, MASK) for row, s in zip(exam, selected, strict=True)]
    machine = CountingMachine(contexts, vocab_size=VOCAB).fit(training)
    guesses = machine.predict(corrupted, selected)
    lists = [row.tolist() for row in training]
    expected = [
        slow_guess(lists, row.tolist(), place, contexts)
        for row, s in zip(corrupted, selected, strict=True)
        for place in s.nonzero().flatten().tolist()
    ]
    assert guesses.tokens.tolist() == [token for token, _ in expected]
    assert guesses.context.tolist() == [level for _, level in expected]


def test_neighbours_do_not_reach_into_the_next_text():
    training = [torch.tensor([5, 6]), torch.tensor([7, 8])]
    machine = CountingMachine(LEFT, vocab_size=VOCAB).fit(training)
    corrupted = [torch.tensor([MASK, 6]), torch.tensor([MASK])]
    selected = [row == MASK for row in corrupted]
    # Both blanks begin a text: 5 and 7 tie, the smaller id wins; 6 -> 7 was never counted.
    assert machine.predict(corrupted, selected).tokens.tolist() == [5, 5]


def test_the_machine_refuses_what_it_cannot_count():
    with pytest.raises(ValueError, match=r"its last one must be \(\)"):
        CountingMachine(((-1,),), vocab_size=VOCAB)
    with pytest.raises(ValueError, match="4 neighbours of 100000 ids"):
        CountingMachine(TWO_EACH_SIDE, vocab_size=100_000)
    with pytest.raises(ValueError, match="no token to count"):
        CountingMachine(BOTH, vocab_size=VOCAB).fit([])
    with pytest.raises(ValueError, match="call fit first"):
        CountingMachine(BOTH, vocab_size=VOCAB).predict([], [])


def test_wilson_interval():
    # 12 of 13: the interval of the claims ledger, 66.7 % to 98.6 %.
    low, high = wilson_interval(12, 13)
    assert (round(low, 3), round(high, 3)) == (0.667, 0.986)
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(10, 10)[1] == 1
    with pytest.raises(ValueError, match="11 hits of 10 trials"):
        wilson_interval(11, 10)


@pytest.mark.parametrize("share", [0.05, 0.15, 0.5])
def test_wilson_interval_covers_the_true_share(share):
    """Summed over all outcomes of 200 trials; an interval 30 % too narrow covers 0.83."""
    coverage = 0.0
    for hits in range(201):
        low, high = wilson_interval(hits, 200)
        if low <= share <= high:
            coverage += comb(200, hits) * share**hits * (1 - share) ** (200 - hits)
    assert 0.93 < coverage < 0.97
