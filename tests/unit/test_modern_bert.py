"""ModernBERT and the pre-LN step towards it: what parity cannot show."""

import pytest
import torch
from torch import nn

from companion.models import (
    BertConfig,
    BertForMaskedLM,
    ModernBert,
    ModernBertConfig,
    ModernBertForMaskedLM,
    PreLNBertForMaskedLM,
)
from companion.models.modern_bert import window
from companion.models.rotary import rotate, rotation

SIZES = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "initializer_range": 0.3,
}


def modern(**fields) -> ModernBertForMaskedLM:
    torch.manual_seed(0)
    fields = {"global_attn_every_n_layers": 2, "local_attention": 6} | fields
    return ModernBertForMaskedLM(ModernBertConfig(**SIZES, **fields)).eval()


def ids(length: int = 12, rows: int = 1) -> torch.Tensor:
    return torch.randint(50, (rows, length), generator=torch.Generator().manual_seed(1))


def test_rotation_keeps_lengths_and_shows_distances_only():
    torch.manual_seed(0)
    query, key = torch.randn(2, 8, dtype=torch.float64)
    turn = rotation(20, 8, 100.0, like=query)
    queries, keys = rotate(query.expand(20, 8), turn), rotate(key.expand(20, 8), turn)
    torch.testing.assert_close(queries.norm(dim=1), query.norm().expand(20), rtol=1e-6, atol=0.0)
    products = queries @ keys.T  # (20, 20)
    for distance in (-7, 0, 3):
        along = products.diagonal(distance)
        torch.testing.assert_close(along, along[:1].expand_as(along), rtol=1e-5, atol=1e-5)
    assert (products[0] - products[0, 0]).abs()[1:].min() > 1e-3


def test_rotation_of_long_rows_is_exact_in_half_precision():
    """bfloat16 cannot tell position 300 from 301: angles must be computed wider."""
    wide = rotation(1000, 8, 10_000.0, like=torch.zeros(1))
    half = rotation(1000, 8, 10_000.0, like=torch.zeros(1, dtype=torch.bfloat16))
    assert half.cos.dtype == torch.bfloat16
    torch.testing.assert_close(half.cos.float(), wide.cos, atol=0.005, rtol=0.0)


def test_window_reaches_as_far_as_it_says():
    assert window(None, 4, 3, torch.device("cpu")) is None
    near = window(None, 5, 2, torch.device("cpu"))
    assert near.shape == (1, 1, 5, 5)
    assert near[0, 0].int().tolist() == [
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
        [0, 0, 1, 1, 1],
    ]
    real = torch.tensor([[True, False, True, True, True]])[:, None, None]
    both = window(real, 5, 2, torch.device("cpu"))
    assert torch.equal(both, near & real)


def test_local_layers_alone_see_a_window_and_one_global_layer_sees_all():
    """What the first position knows of the last: nothing through one window of three."""
    row, changed = ids(12), ids(12).clone()
    changed[0, -1] = (changed[0, -1] + 1) % 50
    config = ModernBertConfig(**SIZES | {"num_hidden_layers": 1}, local_attention=6)
    torch.manual_seed(0)
    model = ModernBert(config).eval()
    with torch.no_grad():
        gap = (model(row)[0] - model(changed)[0])[0].abs().amax(-1)
    assert (gap > 1e-4).all(), "the only layer is global"
    model.encoder.blocks.append(model.encoder.blocks[0])  # layer 1 is local
    model.encoder.blocks[0] = Skip()
    with torch.no_grad():
        gap = (model(row)[0] - model(changed)[0])[0].abs().amax(-1)
    assert (gap[:8] == 0).all()
    assert (gap[8:] > 1e-5).all(), "three to the left of the last"


class Skip(nn.Module):
    def forward(self, x, *_args, **_kwargs):
        return x


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_changes_nothing(side):
    model, row = modern(), ids(9)
    pad = torch.zeros(1, 4, dtype=torch.int64)
    padded = torch.cat([pad, row] if side == "left" else [row, pad], 1)
    real = torch.cat([pad.bool(), row >= 0] if side == "left" else [row >= 0, pad.bool()], 1)
    with torch.no_grad():
        alone = model(row).mlm_logits
        inside = model(padded, real).mlm_logits[real][None]
    torch.testing.assert_close(inside, alone, atol=1e-5, rtol=1e-5)


def test_order_of_the_words_matters():
    model, row = modern(), ids(8)
    swapped = row[:, [1, 0, *range(2, 8)]]
    with torch.no_grad():
        one, other = model(row).mlm_logits, model(swapped).mlm_logits
    assert (one[0, 5] - other[0, 5]).abs().max() > 1e-3


def test_dropout_acts_in_training_only():
    model = modern(embedding_dropout=0.5, attention_dropout=0.5, mlp_dropout=0.5)
    row = ids()
    assert torch.equal(model(row).mlm_logits, model(row).mlm_logits)
    for part in ("embedding", "attention", "mlp"):
        model = modern(**{f"{part}_dropout": 0.5}).train()
        assert not torch.equal(model(row).mlm_logits, model(row).mlm_logits), part


def test_every_parameter_gets_a_gradient():
    for model in (modern(), PreLNBertForMaskedLM(BertConfig(**SIZES, max_position_embeddings=12))):
        model(ids(rows=3)).mlm_logits.square().sum().backward()
        without = {n for n, p in model.named_parameters() if p.grad is None or not p.grad.any()}
        assert not without


def test_fresh_weights_that_write_to_the_sum_are_smaller():
    torch.manual_seed(0)
    config = ModernBertConfig(**SIZES | {"hidden_size": 128, "intermediate_size": 128})
    model = ModernBertForMaskedLM(config)
    for name, weight in model.named_parameters():
        if weight.ndim == 2:
            writes = name.endswith(("attention.out.weight", "feed_forward.down.weight"))
            expected = 0.3 / 6**0.5 if writes else 0.3
            assert weight.std().item() == pytest.approx(expected, rel=0.06), name


def test_too_long_and_foreign_ids():
    model = modern(max_position_embeddings=10)
    with pytest.raises(ValueError, match=r"length 11.*max_position_embeddings"):
        model(ids(11))
    with pytest.raises(ValueError, match=r"holds 50, outside 0\.\.49"):
        model(torch.full((1, 4), 50))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hidden_size": 0}, "hidden_size"),
        ({"hidden_size": 6, "num_attention_heads": 2}, "even parts"),
        ({"mlp_dropout": 1.0}, "mlp_dropout"),
        ({"local_rope_theta": 0.0}, "local_rope_theta"),
        ({"norm_eps": -1.0}, "norm_eps"),
        ({"global_attn_every_n_layers": 0}, "global_attn_every_n_layers"),
    ],
)
def test_sizes_that_no_model_has(fields, message):
    with pytest.raises(ValueError, match=message):
        ModernBertConfig(**fields)


def test_pre_ln_bert_differs_from_bert_in_its_norms_only():
    """The same parameters, but for the last LayerNorm; and the sum runs through untouched."""
    config = BertConfig(**SIZES, max_position_embeddings=12)
    torch.manual_seed(0)
    post, pre = BertForMaskedLM(config), PreLNBertForMaskedLM(config).eval()
    extra = {"final_norm.weight", "final_norm.bias"}
    shapes = {n: p.shape for n, p in pre.named_parameters() if n not in extra}
    assert shapes == {n: p.shape for n, p in post.named_parameters()}
    with torch.no_grad():
        for block in pre.encoder.blocks:
            # LayerNorm of a LayerNorm changes nothing, unless its weights do.
            for norm in (block.attention_norm, block.feed_forward_norm):
                norm.weight.normal_(0.5, 0.5)
            for part in (block.attention.out, block.feed_forward.down):
                part.weight.zero_()
                part.bias.zero_()
        embedded = pre.encoder.embeddings(ids(), None)
        states = pre(ids()).last_hidden_state
    torch.testing.assert_close(states, pre.final_norm(embedded))
