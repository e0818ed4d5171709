"""BUG_CASES group A: each published fault of choosing and corrupting, as its smallest input.

Sampling tests: 6 standard deviations, so a right function fails with probability 2e-9.
"""

import math

import pytest
import torch

from companion.masking import (
    corrupt,
    mask_examples,
    mask_tokens,
    select_bernoulli,
    select_exact,
    select_words,
)

PAD, UNK, CLS, SEP, MASK = SPECIALS = (0, 1, 2, 3, 4)
VOCAB = 1000
ARGS = {"mask_id": MASK, "vocab_size": VOCAB, "special_ids": SPECIALS}


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def everything_selected(n=400_000, vocab=VOCAB, **shares):
    """Corrupt n ordinary tokens at rate 1 and count the three cases."""
    ids = torch.full((n // 100, 100), 7)
    masked = mask_tokens(ids, rate=1.0, generator=rng(), **(ARGS | {"vocab_size": vocab}), **shares)
    is_mask = masked.corrupted == MASK
    same = masked.corrupted == ids
    return is_mask.sum().item(), (~is_mask & ~same).sum().item(), same.sum().item(), masked


def within(count, n, p):
    return abs(count - n * p) < 6 * math.sqrt(n * p * (1 - p)) + 1e-9


def test_a1_cls_and_sep_are_never_selected():
    ids = torch.tensor([[CLS, 9, SEP]])
    masked = mask_tokens(ids, rate=1.0, generator=rng(), **ARGS)
    assert masked.selected.tolist() == [[False, True, False]]
    assert masked.labels.tolist() == [[-100, 9, -100]]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a2_padding_is_never_selected_on_either_side(side):
    short = [PAD] * 5 + [CLS, 9, SEP] if side == "left" else [CLS, 9, SEP] + [PAD] * 5
    ids = torch.tensor([short, [CLS, 5, 6, 7, 8, 9, 10, SEP]])
    masked = mask_tokens(ids, rate=1.0, generator=rng(), **ARGS)
    assert torch.equal(masked.selected, ids > MASK)


def test_a3_a_random_token_is_never_special_and_can_be_any_other():
    ids = torch.full((1, 1000), 5)
    one_word = mask_tokens(
        ids, rate=1.0, mask_share=0, random_share=1, generator=rng(), **(ARGS | {"vocab_size": 6})
    )
    assert (one_word.corrupted == 5).all()
    many = mask_tokens(
        ids.expand(20, -1),
        rate=1.0,
        mask_share=0,
        random_share=1,
        generator=rng(),
        **(ARGS | {"vocab_size": 30}),
    )
    # 20,000 draws of 25 ids: each misses with probability 0.96 ** 20000.
    assert set(many.corrupted.flatten().tolist()) == set(range(5, 30))


@pytest.mark.parametrize(
    ("mask_share", "random_share"), [(0.8, 0.1), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0)]
)
def test_a4_a5_a6_a8_the_three_cases_have_their_shares(mask_share, random_share):
    """A4, A5, A6, A8. At 400,000 selected tokens 81/10/9 is told from 80/10/10 with power 1."""
    n = 400_000
    masks, randoms, sames, _ = everything_selected(
        n, mask_share=mask_share, random_share=random_share
    )
    chance = random_share / (VOCAB - 5)  # a random token that is the original
    assert within(masks, n, mask_share)
    assert within(randoms, n, random_share - chance)
    assert within(sames, n, 1 - mask_share - random_share + chance)


def test_a7_a16_nothing_changes_outside_the_selected_and_inputs_stay():
    ids = torch.randint(5, VOCAB, (50, 40), generator=rng(1))
    ids[:, 30:] = PAD
    kept = ids.clone()
    first = mask_tokens(ids, rate=0.15, generator=rng(2), **ARGS)
    second = mask_tokens(ids, rate=0.15, generator=rng(3), **ARGS)
    assert torch.equal(ids, kept)
    for masked in (first, second):
        assert torch.equal(masked.corrupted[~masked.selected], ids[~masked.selected])
        assert torch.equal(masked.labels[masked.selected], ids[masked.selected])
        assert (masked.labels[~masked.selected] == -100).all()
        assert masked.corrupted.data_ptr() != ids.data_ptr()
    assert not torch.equal(first.selected, second.selected)


@pytest.mark.parametrize("n", [3, 5, 10, 20])
def test_a10_short_texts_get_a_target_when_asked(n):
    """A10: without the guard a row stays empty with probability 0.85 ** n."""
    rows = 40_000
    ids = torch.full((rows, n), 9)
    loose = select_bernoulli(
        ids, special_ids=SPECIALS, rate=0.15, at_least_one=False, generator=rng()
    )
    assert within(int((~loose.any(-1)).sum()), rows, 0.85**n)
    assert select_bernoulli(ids, special_ids=SPECIALS, rate=0.15, generator=rng()).any(-1).all()


@pytest.mark.parametrize(
    ("n", "wanted"),
    [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (10, 2), (16, 2), (17, 3), (20, 3), (30, 4), (64, 10),
     (128, 19)],
)  # fmt: skip
def test_a11_the_original_count_with_pythons_rounding(n, wanted):
    ids = torch.full((3, n + 4), PAD)
    ids[:, :n] = 9
    plain = select_exact(ids, special_ids=SPECIALS, rate=0.15, generator=rng())
    assert plain.sum(-1).tolist() == [wanted] * 3
    if n >= 3:  # the same n, two of it [CLS] and [SEP]: the original counts them too
        ids[:, 0], ids[:, n - 1] = CLS, SEP
        original = select_exact(
            ids, special_ids=SPECIALS, rate=0.15, count_specials=True, pad_id=PAD, generator=rng()
        )
        assert original.sum(-1).tolist() == [wanted] * 3


def test_a18_unchanged_tokens_are_still_labelled():
    masks, randoms, sames, masked = everything_selected(100_000)
    assert masks + randoms + sames == 100_000
    assert sames > 0
    assert (masked.labels == 7).all()


def test_a19_unk_and_a_literal_mask_are_not_candidates():
    ids = torch.tensor([[9, UNK, 10, MASK]])
    selected = select_bernoulli(ids, special_ids=SPECIALS, rate=1.0, generator=rng())
    assert selected.tolist() == [[True, False, True, False]]


def test_a20_a22_masks_move_with_the_epoch_and_not_with_the_worker():
    ids = torch.randint(5, VOCAB, (4, 60), generator=rng(1))
    epochs = [mask_examples(ids, range(4), seed=0, epoch=e, **ARGS).selected for e in range(3)]
    assert not torch.equal(epochs[0], epochs[1])
    assert not torch.equal(epochs[1], epochs[2])
    # Two workers that share the data set: rows 0 and 2, rows 1 and 3.
    for rows in ([0, 2], [1, 3]):
        again = mask_examples(ids[rows], rows, seed=0, epoch=0, **ARGS).selected
        assert torch.equal(again, epochs[0][rows])
    same_text = mask_examples(ids[[0, 0]], [0, 1], seed=0, epoch=0, **ARGS).selected
    assert not torch.equal(same_text[0], same_text[1])


def test_a24_all_pieces_of_a_word_share_the_decision():
    ids = torch.tensor([[CLS, 20, 21, 22, 30, 40, 41, SEP, PAD]]).expand(5000, -1)
    word_ids = torch.tensor([[-1, 0, 0, 0, 1, 2, 2, -1, -1]]).expand(5000, -1)
    selected = select_words(ids, word_ids, special_ids=SPECIALS, rate=0.4, generator=rng())
    assert torch.equal(selected[:, 1], selected[:, 2])
    assert torch.equal(selected[:, 1], selected[:, 3])
    assert torch.equal(selected[:, 5], selected[:, 6])
    assert not selected[:, [0, 7, 8]].any()
    assert not torch.equal(selected[:, 1], selected[:, 4])
    # The share is one of words: with the guard, P = 0.4 + 0.6 ** 3 / 3.
    assert within(int(selected[:, 4].sum()), 5000, 0.4 + 0.6**3 / 3)


def test_a24_words_of_packed_rows_that_count_again_stay_apart():
    ids = torch.tensor([[20, 21, SEP, 22, 23]]).expand(2000, -1)
    word_ids = torch.tensor([[0, 0, -1, 0, 0]]).expand(2000, -1)
    selected = select_words(
        ids, word_ids, special_ids=SPECIALS, rate=0.5, at_least_one=False, generator=rng()
    )
    assert within(int((selected[:, 0] & selected[:, 3]).sum()), 2000, 0.25)


def test_a26_a_word_longer_than_the_budget_is_taken_whole():
    ids = torch.tensor([[CLS, 20, 21, 22, 23, SEP]])
    word_ids = torch.tensor([[-1, 0, 0, 0, 0, -1]])
    for seed in range(20):
        selected = select_words(ids, word_ids, special_ids=SPECIALS, rate=0.15, generator=rng(seed))
        assert selected.tolist() == [[False, True, True, True, True, False]]


def test_a27_electras_generator_has_no_random_tokens():
    ids = torch.full((1000, 100), 7)
    masked = corrupt(ids, ids > MASK, mask_share=0.85, random_share=0.0, generator=rng(), **ARGS)
    assert set(masked.corrupted.unique().tolist()) == {MASK, 7}
    assert within(int((masked.corrupted == MASK).sum()), 100_000, 0.85)
