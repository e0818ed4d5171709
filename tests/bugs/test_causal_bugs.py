"""Bug cases of causal models; the ids are those of the list of public bug reports."""

import math

import pytest
import torch
import torch.nn.functional as F
from tiny_causal import MODELS, ids
from torch.nn.attention import SDPBackend, sdpa_kernel

from companion.losses import causal_lm_loss, next_token_scored
from companion.models import Gpt, GptConfig, attention_pattern

CONFIG = GptConfig(
    vocab_size=50, n_positions=16, n_embd=16, n_layer=2, n_head=2, initializer_range=0.4
)


def make(config: GptConfig = CONFIG) -> Gpt:
    torch.manual_seed(0)
    return Gpt(config).eval()


def test_c3_left_padding_moves_no_position():
    """C3: learned positions were counted from the edge of the row, padding included."""
    model = make()
    text = torch.tensor([[5, 6, 7, 8, 9, 10]])
    padded = torch.cat([torch.zeros(1, 3, dtype=torch.long), text], dim=1)
    mask = torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1, 1]])
    with torch.no_grad():
        alone = model(text).logits
        torch.testing.assert_close(model(padded, mask).logits[:, 3:], alone, atol=1e-6, rtol=0)
        without = model(padded).logits[:, 3:]
    assert (without - alone).abs().max() > 0.3  # what the bug does


def test_c4_positions_are_drawn_and_not_zero():
    """C4: a table of positions that began at zero trained more slowly."""
    places = make(GptConfig(vocab_size=50, n_layer=1, n_embd=64, n_head=2)).places.weight
    # The standard deviation of 65,536 draws is off by 0.3 %; 2 % are more than seven of that.
    assert places.std().item() == pytest.approx(0.02, rel=0.02)


@pytest.mark.parametrize("name", MODELS)
def test_d1_a_row_of_padding_alone_harms_nobody(name):
    """D1: a row in which nothing may be seen gave NaN, and NaN gradients to all weights."""
    model, row = MODELS[name](), ids(rows=3)
    mask = torch.ones_like(row)
    mask[1] = 0
    logits = model(row, mask).logits
    assert logits.isfinite().all()
    torch.testing.assert_close(logits[[0, 2]], model(row[[0, 2]]).logits)
    logits.square().mean().backward()
    assert all(weight.grad.isfinite().all() for weight in model.parameters())


@pytest.mark.parametrize("name", MODELS)
def test_d5_padding_does_not_replace_the_causal_mask(name):
    """D5: with padding the causal mask was lost, and the loss fell below the reference."""
    model = MODELS[name]()
    row = torch.tensor([[5, 6, 7, 8, 9, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 1, 0]])
    other = row.clone()
    other[0, 4] = 20
    with torch.no_grad():
        assert torch.equal(model(row, mask).logits[:, :4], model(other, mask).logits[:, :4])
    pattern = attention_pattern("causal", 6, real=mask)[0]
    assert not pattern.triu(1).any()
    assert not pattern[:, 5].any()


@pytest.mark.parametrize("name", MODELS)
def test_d6_both_attention_paths_agree(name):
    """D6: a fast and a slow path disagreed. (That neither leaks is in unit/test_causal.py.)"""
    model = MODELS[name]()
    row = torch.tensor([[5, 6, 7, 8, 9, 10, 11]])
    found = []
    for path in ([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH], [SDPBackend.MATH]):
        for mask in (None, torch.ones_like(row)):  # no mask at all, and one that allows all
            with torch.no_grad(), sdpa_kernel(path):
                found.append(model(row, mask).logits)
    for one in found[1:]:
        torch.testing.assert_close(one, found[0], atol=1e-5, rtol=0)


def test_d7_the_prefix_ends_where_it_says():
    """D7: a prefix was one position too long or too short."""
    mask = attention_pattern("prefix", 10, prefix=6)
    assert mask[:6, :6].all()
    assert not mask[:6, 6:].any()
    assert torch.equal(mask[6:], torch.ones(10, 10).tril().bool()[6:])
    assert torch.equal(attention_pattern("prefix", 10, prefix=1), attention_pattern("causal", 10))
    assert attention_pattern("prefix", 10, prefix=10).all()


def test_e1_exactly_one_shift():
    """E1: labels were shifted in the data and in the loss: the token after the next was asked."""
    ids = torch.tensor([[1, 2, 3, 4, 5, 6]])
    logits = torch.randn(1, 6, 9, generator=torch.Generator().manual_seed(0))
    by_hand = -sum(logits[0, t].log_softmax(0)[ids[0, t + 1]] for t in range(5)) / 5
    torch.testing.assert_close(causal_lm_loss(logits, ids), by_hand)
    sure = 30.0 * F.one_hot(ids.roll(-1, 1), 9).float()
    assert causal_lm_loss(sure, ids) < 1e-6
    assert causal_lm_loss(sure.roll(-1, 1), ids) > 10


def test_e2_the_end_of_a_text_is_asked_for_though_padding_has_its_id():
    """E2: where padding had the id of the end, every end lost its label."""
    end = 3
    ids = torch.tensor([[5, 6, 7, end, end, end]])
    mask = torch.tensor([[1, 1, 1, 1, 0, 0]])
    scored = next_token_scored(mask)
    assert scored.tolist() == [[False, True, True, True, False, False]]
    logits = torch.zeros(1, 6, 9)
    logits[0, 2, end] = 30.0  # sure of the end, where it comes
    expected = 2 * math.log(9) / 3
    assert causal_lm_loss(logits, ids, mask).item() == pytest.approx(expected, abs=1e-5)


def test_e3_a_label_of_minus_one_is_no_way_to_leave_a_token_out():
    """E3: one library ignores -1, another -100; here the mask says it, and -1 is no id."""
    ids = torch.tensor([[1, 2, -1, 4]])
    with pytest.raises(ValueError, match="-1"):
        causal_lm_loss(torch.zeros(1, 4, 9), ids)
