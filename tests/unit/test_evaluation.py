"""Yardsticks: the counting machine and the interval against slow twins, overlap, neighbours."""

from collections import Counter
from math import comb

import pytest
import torch

from companion.data import (
    Document,
    load_corpus,
    load_tokenizer,
    sentence_pairs,
    swapped_pairs,
)
from companion.evaluation import CountingMachine, fill_two_masks, wilson_interval
from companion.evaluation.counting import BOTH, FOUR_LEFT, LEFT, NOTHING, RIGHT, TWO_EACH_SIDE
from companion.evaluation.neighbours import nearest, sine_positions
from companion.evaluation.overlap import common_words, word_overlap
from companion.models import ModernBertConfig, ModernBertForMaskedLM

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


# Words in common, and words and places that are near each other


def test_overlap_counts_each_word_once_and_divides_by_the_shorter_text():
    a, b = "The river Lea is in England.", "The Lea flows through London."
    stop = {"the", "is", "in"}
    assert word_overlap(a, b, stop) == word_overlap(b, a, stop) == pytest.approx(1 / 3)
    assert word_overlap("Sun, sun; SUN!", "sun", set()) == 1
    assert word_overlap("", "sun", set()) == word_overlap("the", "the", {"the"}) == 0


def test_common_words_are_the_commonest():
    pages = [Document("t", "title", ("The sun and the moon.", "And the SUN."))]
    assert common_words(pages, 1) == {"the"}
    assert common_words(pages, 3) == {"the", "sun", "and"}


def test_one_number_judges_pairs_as_measured_and_swapped_pairs_not_at_all():
    """77.9 % of next-sentence pairs and 49.4 % of swapped ones, as lesson 03 prints."""
    pages = load_corpus("wiki", "validation").documents
    sentences = [page.sentences for page in pages]
    stop = common_words(load_corpus("wiki", "train").documents, 100)
    shares = []
    for make in (sentence_pairs, swapped_pairs):
        pairs = make(sentences, generator=torch.Generator().manual_seed(0))
        right = sum((word_overlap(p.a, p.b, stop) == 0) == (p.label == 1) for p in pairs)
        shares.append(right / len(pairs))
    assert shares[0] == pytest.approx(0.779, abs=0.001)
    assert shares[1] == pytest.approx(0.494, abs=0.001)


def test_nearest_words_by_angle():
    tokenizer = load_tokenizer()
    table = torch.randn(tokenizer.vocab_size, 16, generator=torch.Generator().manual_seed(0))
    sun, moon, star = (
        int(tokenizer.encode(w, specials=False).ids) for w in ("sun", "moon", "star")
    )
    table[moon], table[star] = 5 * table[sun], table[sun] + 0.1 * table[star]
    found = nearest("Sun", table, tokenizer, count=3)
    assert [word for word, _ in found[:2]] == ["moon", "star"]
    assert found[0][1] == pytest.approx(1)
    assert found[2][1] < found[1][1]


def test_sine_positions_depend_on_distance_alone():
    table = sine_positions(50, 12)
    torch.testing.assert_close(table.square().sum(1), torch.full((50,), 6.0))
    products = table @ table.T
    torch.testing.assert_close(products[0, 7], products[30, 37])
    torch.testing.assert_close(table[3, 0], torch.tensor(3.0).sin())
    with pytest.raises(ValueError, match="width is 5"):
        sine_positions(4, 5)


def test_two_masks_are_filled_in_two_ways():
    """At once: products of what one question says. One by one: the second question knows more."""
    tokenizer = load_tokenizer()
    torch.manual_seed(0)
    config = ModernBertConfig(
        vocab_size=tokenizer.vocab_size,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        initializer_range=0.5,
    )
    model = ModernBertForMaskedLM(config).eval()
    left, right = ["the", "south"], ["world", "america", "sea"]
    found = fill_two_masks(model, tokenizer, "It is in [MASK] [MASK].", left, right)

    def chances(text):
        ids = tokenizer.encode(text).ids[None]
        with torch.no_grad():
            logits = model(ids).mlm_logits[0]
        return logits[ids[0] == tokenizer.mask_id].softmax(-1)

    id_of = tokenizer.inner.token_to_id
    both = chances("It is in [MASK] [MASK].")
    for i, one in enumerate(left):
        second = chances(f"It is in {one} [MASK].")[0]
        for j, other in enumerate(right):
            first = both[0, id_of(one)]
            assert found.at_once[i, j].item() == pytest.approx(
                (first * both[1, id_of(other)]).item(), rel=1e-3
            )
            assert found.one_by_one[i, j].item() == pytest.approx(
                (first * second[id_of(other)]).item(), rel=1e-3
            )
    assert not torch.allclose(found.at_once, found.one_by_one, rtol=0.05, atol=0)
    with pytest.raises(ValueError, match="not one token"):
        fill_two_masks(model, tokenizer, "In [MASK] [MASK].", ["zealand"], right)
    with pytest.raises(ValueError, match="it needs two"):
        fill_two_masks(model, tokenizer, "In [MASK].", left, right)
