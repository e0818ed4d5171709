"""Attention masks, self-attention, feed-forward, post-LN block."""

import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from companion.models.transformer import (
    FeedForward,
    PostLNBlock,
    SelfAttention,
    check_ids,
    init_weights,
    sdpa_mask,
)


def randomise(module: nn.Module) -> nn.Module:
    """Every parameter random, so that nothing hides behind ones and zeros."""
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0.3, 0.5)
    return module.eval()


def block() -> PostLNBlock:
    made = PostLNBlock(8, 2, 12, eps=0.5, dropout=0.5, attention_dropout=0.5)
    randomise(made)
    return made


# Masks


def test_no_mask_stays_none():
    assert sdpa_mask(None, 2, 3) is None


def test_key_mask_is_the_same_for_each_query_and_head():
    mask = torch.tensor([[True, True, False], [False, True, True]])
    out = sdpa_mask(mask, 2, 3)
    assert out.dtype == torch.bool
    assert out.shape == (2, 1, 1, 3)
    assert torch.equal(out[:, 0, 0], mask)


def test_query_by_key_mask_keeps_its_orientation():
    mask = torch.ones(2, 3, 3, dtype=torch.bool).tril()
    out = sdpa_mask(mask, 2, 3)
    assert out.shape == (2, 1, 3, 3)
    assert torch.equal(out[:, 0], mask)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_integers_mean_the_same_as_bool(dtype):
    mask = torch.tensor([[1, 1, 0]])
    assert torch.equal(sdpa_mask(mask.to(dtype), 1, 3), sdpa_mask(mask.bool(), 1, 3))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_float_mask_is_refused_with_the_way_out(dtype):
    with pytest.raises(ValueError, match=rf"{dtype}.*True = may attend.*mask\.bool\(\)"):
        sdpa_mask(torch.ones(1, 3, dtype=dtype), 1, 3)


def test_list_is_refused():
    with pytest.raises(ValueError, match="attention_mask is list"):
        sdpa_mask([[1, 1, 0]], 1, 3)


@pytest.mark.parametrize("value", [2, -1, -10000])
def test_other_integers_are_refused(value):
    with pytest.raises(ValueError, match=f"holds {value}; integers must be 0 or 1"):
        sdpa_mask(torch.tensor([[1, 0, value]]), 1, 3)


@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 3), (2, 1, 3), (2, 1, 1, 3), (2, 1, 3, 3)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match=r"\(2, 3\) or \(2, 3, 3\)"):
        sdpa_mask(torch.ones(shape, dtype=torch.bool), 2, 3)


def test_mask_of_the_caller_is_unchanged():
    mask = torch.tensor([[1, 1, 0]])
    sdpa_mask(mask, 1, 3)
    assert mask.tolist() == [[1, 1, 0]]


# Ids


def test_ids_in_range_pass_and_edges_count():
    check_ids("input_ids", torch.tensor([[0, 9]]), 10, "vocab_size")
    for bad in (10, -1):
        with pytest.raises(ValueError, match=rf"input_ids holds {bad}, outside 0..9 \(vocab_size"):
            check_ids("input_ids", torch.tensor([[0, bad]]), 10, "vocab_size")


def test_ids_elsewhere_than_on_the_cpu_are_not_read():
    check_ids("input_ids", torch.zeros(1, 2, dtype=torch.long, device="meta"), 10, "vocab_size")


# Attention


def test_self_attention_is_the_formula():
    width, heads = 8, 2
    attention = randomise(SelfAttention(width, heads, dropout=0.5))
    x = torch.randn(3, 5, width)
    mask = torch.rand(3, 5, 5) < 0.7
    mask |= torch.eye(5, dtype=torch.bool)
    query, key, value = (
        F.linear(x, w, b).unflatten(-1, (heads, -1)).transpose(1, 2)
        for w, b in zip(attention.qkv.weight.chunk(3), attention.qkv.bias.chunk(3), strict=True)
    )
    scores = query @ key.transpose(-1, -2) / math.sqrt(width // heads)
    scores = scores.masked_fill(~mask[:, None], -math.inf)
    expected = (scores.softmax(-1) @ value).transpose(1, 2).flatten(2)
    expected = F.linear(expected, attention.out.weight, attention.out.bias)
    torch.testing.assert_close(attention(x, sdpa_mask(mask, 3, 5)), expected)


def test_masked_key_has_no_influence():
    attention = randomise(SelfAttention(8, 2, dropout=0.0))
    x = torch.randn(1, 4, 8)
    mask = sdpa_mask(torch.tensor([[True, True, True, False]]), 1, 4)
    other = x.clone()
    other[:, 3] = 100.0
    assert torch.equal(attention(x, mask)[:, :3], attention(other, mask)[:, :3])
    assert not torch.allclose(attention(x, None)[:, :3], attention(other, None)[:, :3])


def test_attention_dropout_only_in_training():
    attention = randomise(SelfAttention(8, 2, dropout=0.5))
    x = torch.randn(2, 6, 8)
    assert torch.equal(attention(x, None), attention(x, None))
    attention.train()
    assert not torch.equal(attention(x, None), attention(x, None))


# Feed-forward and block


def test_feed_forward_has_the_exact_gelu():
    feed_forward = FeedForward(1, 1)
    for name, value in (("up.weight", 1.0), ("down.weight", 1.0), ("up.bias", 0), ("down.bias", 0)):
        nn.init.constant_(feed_forward.get_parameter(name), value)
    x = torch.linspace(-4, 4, 33).reshape(1, -1, 1)
    exact = x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    torch.testing.assert_close(feed_forward(x), exact, atol=1e-6, rtol=0)
    assert (F.gelu(x, approximate="tanh") - exact).abs().max() > 1e-4  # the test can tell


def test_block_normalises_after_each_sum():
    made = block()
    x = torch.randn(2, 5, 8)

    def norm(x, layer):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        return centred / (variance + 0.5).sqrt() * layer.weight + layer.bias

    middle = norm(x + made.attention(x, None), made.attention_norm)
    expected = norm(middle + made.feed_forward(middle), made.feed_forward_norm)
    torch.testing.assert_close(made(x, None), expected)


def test_block_passes_the_mask_on():
    made = block()
    x = torch.randn(1, 4, 8)
    mask = sdpa_mask(torch.tensor([[1, 1, 0, 1]]), 1, 4)
    other = x.clone()
    other[:, 2] += 5.0
    keep = torch.tensor([0, 1, 3])
    assert torch.equal(made(x, mask)[:, keep], made(other, mask)[:, keep])


def test_dropout_acts_on_both_branches_in_training():
    made = block().train()
    made.attention.dropout = 0.0
    x = torch.randn(1, 4, 8)
    nn.init.zeros_(made.feed_forward.down.weight)
    nn.init.zeros_(made.feed_forward.down.bias)
    assert not torch.equal(made(x, None), made(x, None))  # from the attention branch
    randomise(made).train()
    nn.init.zeros_(made.attention.out.weight)
    nn.init.zeros_(made.attention.out.bias)
    assert not torch.equal(made(x, None), made(x, None))  # from the feed-forward branch


def test_init_weights():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Embedding(100, 64), nn.Linear(64, 64), nn.LayerNorm(64))
    module.apply(partial(init_weights, std=0.1))
    for weight in (module[0].weight, module[1].weight):
        assert weight.std().item() == pytest.approx(0.1, rel=0.05)
        assert weight.mean().item() == pytest.approx(0, abs=0.01)
    assert not module[1].bias.any()
    assert module[2].weight.eq(1).all()
