"""Choosing and corrupting: invariances that hold whatever the draws.

Sampling tests compare a count with its expectation at 6 standard deviations: a right function
fails with probability 2e-9. The power against the mistake that each one looks for is stated beside
it, computed for the same bound.
"""

import random

import pytest
import torch

from companion.masking import (
    corrupt,
    example_generator,
    mask_examples,
    mask_tokens,
    select_bernoulli,
    select_exact,
    select_spans,
    select_weighted,
    select_words,
)

PAD, UNK, CLS, SEP, MASK = SPECIALS = (0, 1, 2, 3, 4)
VOCAB = 50
ARGS = {"mask_id": MASK, "vocab_size": VOCAB, "special_ids": SPECIALS}


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def batch(rows=64, length=40, seed=0):
    """Rows of [CLS] ordinary tokens [SEP] and 0 to 9 places of padding, on either side."""
    ids = torch.randint(5, VOCAB, (rows, length), generator=rng(seed))
    for row in range(rows):
        padding = row % 10
        ids[row, 0], ids[row, length - padding - 1], ids[row, length - padding :] = CLS, SEP, PAD
        if row % 2:
            ids[row] = ids[row].roll(padding)
    return ids


def choosers(ids, weights=None):
    words = torch.where(ids > MASK, torch.arange(ids.shape[1]) // 2, -1)
    weights = torch.rand(ids.shape, generator=rng(1)) + 0.1 if weights is None else weights
    return {
        "bernoulli": lambda **kw: select_bernoulli(ids, special_ids=SPECIALS, **kw),
        "exact": lambda **kw: select_exact(ids, special_ids=SPECIALS, **kw),
        "weighted": lambda **kw: select_weighted(ids, special_ids=SPECIALS, weights=weights, **kw),
        "words": lambda **kw: select_words(ids, words, special_ids=SPECIALS, **kw),
        "spans": lambda **kw: select_spans(ids, special_ids=SPECIALS, mean_span=3, **kw),
    }


NAMES = ["bernoulli", "exact", "weighted", "words", "spans"]


@pytest.mark.parametrize("name", NAMES)
class TestEveryChooser:
    def test_special_ids_are_never_selected_and_everything_else_can_be(self, name):
        ids = batch()
        assert torch.equal(choosers(ids)[name](rate=1.0, generator=rng()), ids > MASK)

    def test_a_rate_of_zero_selects_nothing(self, name):
        assert not choosers(batch())[name](rate=0.0, generator=rng()).any()

    def test_every_row_with_a_candidate_gets_one(self, name):
        ids = torch.full((2000, 5), PAD)
        ids[:, 1:4] = 7
        ids[0] = PAD  # no candidate at all
        chosen = choosers(ids)[name](rate=0.02, generator=rng()).any(-1)
        assert chosen[1:].all()
        assert not chosen[0]
        lone = choosers(ids)[name](rate=0.02, generator=rng(), at_least_one=False).any(-1)
        assert not lone.all()

    def test_the_generator_decides_and_the_inputs_stay(self, name):
        ids = batch()
        kept = ids.clone()
        torch.manual_seed(5)
        before = torch.random.get_rng_state()
        first, again, other = (choosers(ids)[name](rate=0.3, generator=rng(s)) for s in (1, 1, 2))
        assert torch.equal(first, again)
        assert not torch.equal(first, other)
        assert torch.equal(torch.random.get_rng_state(), before)
        assert torch.equal(ids, kept)
        assert not (first[0] == first[2]).all()  # rows differ: one draw for each place

    def test_without_a_generator_torchs_own_is_used(self, name):
        choose = choosers(batch())[name]
        torch.manual_seed(3)
        first = choose(rate=0.3)
        second = choose(rate=0.3)
        torch.manual_seed(3)
        assert torch.equal(choose(rate=0.3), first)
        assert not torch.equal(first, second)

    @pytest.mark.parametrize("rate", [-0.1, 1.5, 15, float("nan")])
    def test_a_rate_that_is_no_share_is_refused(self, name, rate):
        with pytest.raises(ValueError, match=r"rate is .* between 0 and 1"):
            choosers(batch())[name](rate=rate)

    def test_every_place_is_chosen_equally_often(self, name):
        """6 sigma; a chooser that skips one of 20 places is caught with certainty."""
        ids = torch.full((20_000, 20), 9)
        chosen = choosers(ids, weights=torch.ones(ids.shape))[name](rate=0.3, generator=rng())
        counts = chosen.sum(0).double()
        assert ((counts - counts.mean()).abs() < 6 * (20_000 * 0.3 * 0.7) ** 0.5).all()


def test_one_text_without_a_batch_axis_is_refused():
    with pytest.raises(ValueError, match=r"shape \(5,\).*input_ids\[None\]"):
        select_bernoulli(torch.arange(5), special_ids=SPECIALS, rate=0.5)
    with pytest.raises(ValueError, match=r"float32"):
        select_bernoulli(torch.zeros(2, 5), special_ids=SPECIALS, rate=0.5)


def test_bernoulli_holds_its_rate():
    """400,000 coins: telling 0.15 from 0.155 at 6 sigma has power above 0.99."""
    ids = torch.full((10_000, 40), 9)
    count = int(select_bernoulli(ids, special_ids=SPECIALS, rate=0.15, generator=rng()).sum())
    assert abs(count - 60_000) < 6 * (400_000 * 0.15 * 0.85) ** 0.5


def test_exact_takes_the_same_number_in_every_row():
    ids = batch()
    chosen = select_exact(ids, special_ids=SPECIALS, rate=0.2, generator=rng()).sum(-1)
    wanted = [round(0.2 * n) for n in (ids > MASK).sum(-1).tolist()]
    assert chosen.tolist() == wanted


def test_weights_are_proportional_and_hold_the_total():
    """40,000 rows. A total that drifts by 3 % lies 17 standard errors off: power above 0.99."""
    ids = torch.full((40_000, 10), 9)
    weights = torch.tensor([0.0, 1, 1, 1, 1, 2, 2, 2, 2, 30]).expand(40_000, 10)
    chosen = select_weighted(
        ids, special_ids=SPECIALS, rate=0.25, weights=weights, at_least_one=False, generator=rng()
    )
    # The heavy one reaches probability 1; the other 1.5 expected tokens are shared 1 : 2.
    expected = torch.tensor([0, *[0.125] * 4, *[0.25] * 4, 1.0], dtype=torch.float64)
    sigma = (expected * (1 - expected) / 40_000).sqrt()
    assert ((chosen.double().mean(0) - expected).abs() <= 6 * sigma + 1e-9).all()
    total = (expected * (1 - expected)).sum().sqrt() / 200
    assert abs(chosen.sum(-1).double().mean() - 2.5) < 6 * total


def test_the_one_that_a_row_gets_is_drawn_by_weight():
    """30,000 rows that nearly always need the guard; a uniform choice misses by 280 sigma."""
    ids = torch.full((30_000, 4), 9)
    weights = torch.tensor([0.0, 1, 1, 98]).expand(30_000, 4)
    chosen = select_weighted(
        ids, special_ids=SPECIALS, rate=0.001, weights=weights, generator=rng()
    )
    assert not chosen[:, 0].any()
    assert chosen.any(-1).all()
    light = chosen[:, 1].double().mean()
    assert abs(light - 0.01) < 6 * (0.01 * 0.99 / 30_000) ** 0.5 + 0.0005


def test_weights_too_few_for_the_rate_select_all_of_them():
    ids = torch.full((5, 10), 9)
    weights = torch.zeros(5, 10)
    weights[:, :2] = 1
    chosen = select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights, generator=rng())
    assert torch.equal(chosen, weights > 0)
    for bad in (-1.0, float("inf"), float("nan"), 1e300):
        with pytest.raises(ValueError, match="finite ones >= 0"):
            select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights.double() + bad)
    with pytest.raises(ValueError, match=r"\(5, 9\)"):
        select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights[:, 1:])


def runs_of(chosen):
    """How many separate runs each row has, the row seen as a ring."""
    return (chosen & ~chosen.roll(1, dims=-1)).sum(-1).double()


def simulated_spans(rng, length, wanted, mean):
    """The definition, written again: spans at random starts until enough tokens are taken."""
    taken = [False] * length
    for start in rng.sample(range(length), length):
        size = 1
        while rng.random() > 1 / mean:
            size += 1
        for place in range(start, start + size):
            if sum(taken) == wanted:
                return taken
            if taken[place % length]:
                break
            taken[place % length] = True
    return taken


def test_spans_have_geometric_lengths():
    """Runs in a row, against the definition: 6 sigma; a mean of 2.8 or 3.2 has power above 0.99."""
    ids = torch.full((20_000, 60), 9)
    chosen = select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=3, generator=rng())
    assert (chosen.sum(-1) == 12).all()
    source = random.Random(0)
    expected = torch.tensor([simulated_spans(source, 60, 12, 3) for _ in range(20_000)])
    ours, theirs = runs_of(chosen), runs_of(expected)
    error = ((ours.var() + theirs.var()) / 20_000) ** 0.5
    assert abs(ours.mean() - theirs.mean()) < 6 * error
    other = select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=3.2, generator=rng())
    assert abs(runs_of(other).mean() - theirs.mean()) > 8 * error


def test_a_short_stretch_gets_less_than_its_share_but_is_not_forgotten():
    ids = torch.full((20_000, 33), 9)
    ids[:, 0], ids[:, 2] = CLS, SEP
    chosen = select_spans(ids, special_ids=SPECIALS, rate=0.15, mean_span=4, generator=rng())
    lone, others = chosen[:, 1].double().mean(), chosen[:, 3:].double().mean()
    assert 0.03 < lone < others


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (0, 0)])
@pytest.mark.parametrize("name", NAMES)
def test_empty_batches_and_empty_rows(name, shape):
    ids = torch.empty(shape, dtype=torch.int64)
    assert choosers(ids)[name](rate=0.5, generator=rng()).shape == shape
    masked = mask_tokens(ids, generator=rng(), **ARGS)
    assert all(part.shape == shape for part in masked)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32])
def test_any_whole_numbers_become_int64(dtype):
    ids = batch(rows=4).to(dtype)
    for masked in (
        mask_tokens(ids, generator=rng(), **ARGS),
        mask_examples(ids, range(4), seed=0, epoch=0, **ARGS),
    ):
        assert masked.corrupted.dtype == masked.labels.dtype == torch.int64
        assert set(masked.labels[~masked.selected].tolist()) == {-100}


def test_spans_of_one_token_are_exact_sampling():
    ids = batch()
    spans = select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=1, generator=rng())
    assert torch.equal(
        spans.sum(-1), select_exact(ids, special_ids=SPECIALS, rate=0.2, generator=rng()).sum(-1)
    )
    for bad in (0.5, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=rf"mean_span is {bad}"):
            select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=bad)


def test_a_token_without_a_word_is_never_selected():
    ids, words = torch.full((50, 4), 9), torch.tensor([[0, -1, 1, 1]]).expand(50, 4)
    selected = select_words(ids, words, special_ids=SPECIALS, rate=1.0, generator=rng())
    assert torch.equal(selected, words >= 0)


def test_counting_specials_needs_to_know_the_padding():
    with pytest.raises(ValueError, match="count_specials needs pad_id"):
        select_exact(batch(), special_ids=SPECIALS, rate=0.2, count_specials=True)


def test_words_need_a_word_id_for_each_token():
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(2, 4\)"):
        select_words(
            torch.full((2, 4), 9), torch.zeros(2, 3).long(), special_ids=SPECIALS, rate=0.1
        )


def test_corruption_refuses_bad_input():
    ids = batch()
    selected = ids > MASK
    with pytest.raises(ValueError, match=r"mask_share 0.8 and random_share 0.3"):
        corrupt(ids, selected, mask_share=0.8, random_share=0.3, **ARGS)
    with pytest.raises(ValueError, match=r"mask_share is -1"):
        corrupt(ids, selected, mask_share=-1, **ARGS)
    with pytest.raises(ValueError, match=r"int64"):
        corrupt(ids, selected.long(), **ARGS)
    with pytest.raises(ValueError, match=r"holds 49, but the vocabulary has ids 0 to 48"):
        corrupt(ids.fill_(49), selected, **(ARGS | {"vocab_size": 49}))
    with pytest.raises(ValueError, match=r"holds -1"):
        corrupt(ids.fill_(-1), selected, **ARGS)
    with pytest.raises(ValueError, match=r"mask_id or special_ids is 50"):
        corrupt(ids.fill_(7), selected, **(ARGS | {"mask_id": 50}))
    with pytest.raises(ValueError, match=r"mask_id or special_ids is 60"):
        corrupt(ids, selected, **(ARGS | {"special_ids": (0, 60)}))
    with pytest.raises(ValueError, match=r"All 5 ids are special"):
        corrupt(ids.fill_(3), selected, **(ARGS | {"vocab_size": 5}))


def test_mask_tokens_is_choosing_and_corrupting():
    ids = batch()
    whole = mask_tokens(ids, rate=0.3, generator=rng(), **ARGS)
    generator = rng()
    selected = select_bernoulli(ids, special_ids=SPECIALS, rate=0.3, generator=generator)
    parts = corrupt(ids, selected, generator=generator, **ARGS)
    assert all(torch.equal(a, b) for a, b in zip(whole, parts, strict=True))


def test_a_mask_depends_on_seed_epoch_and_index_alone():
    ids = batch(rows=8)
    real = ids != PAD
    kwargs = {"seed": 1, "epoch": 3, **ARGS}
    whole = mask_examples(ids, range(100, 108), attention_mask=real, **kwargs)
    order = torch.tensor([5, 0, 7])
    part = mask_examples(ids[order], order + 100, attention_mask=real[order], **kwargs)
    assert all(torch.equal(a[order], b) for a, b in zip(whole, part, strict=True))
    for row in range(8):  # alone and without padding
        alone = mask_examples(ids[row, real[row]][None], [100 + row], **kwargs)
        assert torch.equal(alone.corrupted[0], whole.corrupted[row, real[row]])
        assert torch.equal(alone.labels[0], whole.labels[row, real[row]])
    assert (whole.labels[~real] == -100).all()
    assert torch.equal(whole.corrupted[~real], ids[~real])


def test_seed_epoch_and_index_each_move_the_mask():
    seen = {
        tuple(torch.rand(4, generator=example_generator(seed, epoch, index)).tolist())
        for seed in range(5)
        for epoch in (None, *range(5))
        for index in range(20)
    }
    assert len(seen) == 5 * 6 * 20


def test_evaluation_masks_never_move():
    ids = batch(rows=4)
    kwargs = {"seed": 1, "epoch": None, **ARGS}
    assert torch.equal(
        mask_examples(ids, range(4), **kwargs).labels, mask_examples(ids, range(4), **kwargs).labels
    )


def test_examples_need_their_numbers():
    with pytest.raises(ValueError, match="4 rows, but 3 indices"):
        mask_examples(batch(rows=4), range(3), seed=0, epoch=0, **ARGS)
    for numbers in [(0, -1, 0), (-1, 0, 0), (0, 0, -1), (2**32, 0, 0), (0, 2**32, 0)]:
        with pytest.raises(ValueError, match=r"must be 0 to 2\*\*32 - 2"):
            example_generator(*numbers)


def test_a_mask_of_another_kind_is_refused():
    ids = batch(rows=4)
    for bad in (torch.ones(4, 40), torch.ones(4, 39).bool(), torch.ones(4, 40, 40).bool()):
        with pytest.raises(ValueError, match=r"attention_mask has shape .*True = a real token"):
            mask_examples(ids, range(4), seed=0, epoch=0, attention_mask=bad, **ARGS)


def test_an_example_of_padding_alone_stays_as_it_is():
    ids = torch.full((2, 6), PAD)
    ids[0, :3] = 9
    masked = mask_examples(ids, [0, 1], seed=0, epoch=0, attention_mask=ids != PAD, **ARGS)
    assert torch.equal(masked.corrupted[1], ids[1])
    assert not masked.selected[1].any()
