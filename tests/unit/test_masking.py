"""Choosing and corrupting: invariances that hold whatever the draws.

Sampling tests compare a count with its expectation at 6 standard deviations: a right function
fails with probability 2e-9. The power against the mistake that each one looks for is stated beside
it, computed for the same bound.
"""

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
    """40,000 rows; a total that drifts by 3 % is caught with power above 0.99."""
    ids = torch.full((40_000, 10), 9)
    weights = torch.tensor([0.0, 1, 1, 1, 1, 2, 2, 2, 2, 30]).expand(40_000, 10)
    chosen = select_weighted(
        ids, special_ids=SPECIALS, rate=0.25, weights=weights, at_least_one=False, generator=rng()
    )
    frequency = chosen.double().mean(0)
    # The heavy one reaches probability 1; the other 1.5 expected tokens are shared 1 : 2.
    expected = torch.tensor([0, *[0.125] * 4, *[0.25] * 4, 1.0], dtype=torch.float64)
    assert ((frequency - expected).abs() < 6 * (0.25 / 40_000) ** 0.5).all()
    assert not chosen[:, 0].any()


def test_weights_too_few_for_the_rate_select_all_of_them():
    ids = torch.full((5, 10), 9)
    weights = torch.zeros(5, 10)
    weights[:, :2] = 1
    chosen = select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights, generator=rng())
    assert torch.equal(chosen, weights > 0)
    with pytest.raises(ValueError, match="negative"):
        select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights - 1)
    with pytest.raises(ValueError, match=r"\(5, 9\)"):
        select_weighted(ids, special_ids=SPECIALS, rate=0.5, weights=weights[:, 1:])


def test_spans_have_their_mean_length():
    """Isolated spans of mean 3 in long rows: 6 sigma; a mean of 2.7 is caught with power 0.99+."""
    ids = torch.full((400, 2000), 9)
    chosen = select_spans(ids, special_ids=SPECIALS, rate=0.02, mean_span=3, generator=rng())
    assert (chosen.sum(-1) == 40).all()
    starts = chosen & ~torch.cat([torch.zeros(400, 1, dtype=torch.bool), chosen[:, :-1]], 1)
    spans = int(starts.sum())
    # Cut last spans and merged neighbours shift the mean by about 3 %.
    assert abs(16_000 / spans - 3) < 6 * (6 / spans) ** 0.5 + 0.09


def test_spans_of_one_token_are_exact_sampling():
    ids = batch()
    spans = select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=1, generator=rng())
    assert torch.equal(
        spans.sum(-1), select_exact(ids, special_ids=SPECIALS, rate=0.2, generator=rng()).sum(-1)
    )
    with pytest.raises(ValueError, match=r"mean_span is 0.5"):
        select_spans(ids, special_ids=SPECIALS, rate=0.2, mean_span=0.5)


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
    with pytest.raises(ValueError, match=r"mask_id is 50"):
        corrupt(ids.fill_(7), selected, **(ARGS | {"mask_id": 50}))
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
    with pytest.raises(ValueError, match="must not be negative"):
        example_generator(0, -1, 0)
