"""Causal models: nobody sees the future, and a cache changes nothing."""

import pytest
import torch
from tiny_causal import LENGTH, MODELS, gpt, ids, masks, modern
from torch.nn.attention import SDPBackend, sdpa_kernel

from companion.models import Cache, attention_pattern
from companion.models.causal import sight

PATHS = {
    "default": [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH],
    "math": [SDPBackend.MATH],
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", ["none", "left", "right", "packed"])
@pytest.mark.parametrize("name", MODELS)
def test_no_position_knows_a_later_token(name, kind, path):
    model, mask, row = MODELS[name](), masks()[kind], ids()
    with torch.no_grad(), sdpa_kernel(PATHS[path]):
        before = model(row, mask).logits
        for t in range(LENGTH - 1):
            other = row.clone()
            other[:, t + 1] = (other[:, t + 1] + 7) % 50
            after = model(other, mask).logits
            assert torch.equal(after[:, : t + 1], before[:, : t + 1])
            seen = mask is None or mask.ndim == 3 or bool(mask[:, t + 1].all())
            if seen:  # and the change does show where it may
                assert not torch.allclose(after[:, t + 1], before[:, t + 1], atol=1e-3)


@pytest.mark.parametrize("name", MODELS)
def test_what_may_be_seen_is_seen_and_nothing_else(name):
    """The gradient of each output has the very triangle of the pattern, packed texts included."""
    model, row = MODELS[name](), ids(rows=1)
    words = model.words if name == "gpt" else model.encoder.words
    documents = torch.tensor([[0] * 5 + [1] * 9])
    kept = []
    handle = words.register_forward_hook(lambda _m, _i, out: kept.append(out))
    logits = model(row, documents[:, :, None] == documents[:, None, :]).logits
    handle.remove()
    rows = [
        torch.autograd.grad(logits[0, place].square().sum(), kept[0], retain_graph=True)[0][0]
        for place in range(LENGTH)
    ]
    jacobian = torch.stack(rows).norm(dim=-1)  # (position that looks, position looked at)
    expected = attention_pattern("causal", LENGTH, documents=documents)[0]
    assert torch.equal(jacobian > 0, expected)


@pytest.mark.parametrize("name", MODELS)
def test_left_padding_and_packing_change_nothing(name):
    model, row = MODELS[name](), ids(rows=1, length=6)
    with torch.no_grad():
        alone = model(row).logits[0]
        padded = torch.cat([torch.full((1, 4), 9), row], dim=1)
        real = torch.arange(10)[None] >= 4
        torch.testing.assert_close(model(padded, real).logits[0, 4:], alone)
        packed = torch.cat([ids(rows=1, length=5), row], dim=1)
        documents = torch.tensor([[0] * 5 + [1] * 6])
        mask = documents[:, :, None] == documents[:, None, :]
        torch.testing.assert_close(model(packed, mask).logits[0, 5:], alone)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("pieces", [[1] * LENGTH, [5, 1, 8], [13, 1], [2, 12]])
@pytest.mark.parametrize("padded", [False, True])
def test_a_cache_changes_nothing(name, pieces, padded):
    model, row = MODELS[name](), ids()
    mask = masks()["left"] if padded else None
    with torch.no_grad():
        whole, cache, found, start = model(row, mask).logits, Cache.empty(), [], 0
        for size in pieces:
            part = slice(start, start + size)
            before = cache.past
            out = model(row[:, part], None if mask is None else mask[:, part], cache)
            assert cache.past == before  # the cache that was handed in stays as it was
            cache, start = out.cache, start + size
            found.append(out.logits)
    real = torch.ones_like(row).bool() if mask is None else mask
    torch.testing.assert_close(torch.cat(found, dim=1)[real], whole[real])
    assert cache.past == LENGTH
    assert model(row).cache is None  # nothing is kept that was not asked for


@pytest.mark.parametrize("name", MODELS)
def test_selected_positions_are_scored_alone(name):
    model, row = MODELS[name](), ids()
    selected = torch.rand(row.shape, generator=torch.Generator().manual_seed(2)) < 0.3
    torch.testing.assert_close(model(row, selected=selected).logits, model(row).logits[selected])


def test_patterns():
    causal = torch.ones(5, 5).tril().bool()
    assert torch.equal(attention_pattern("causal", 5), causal)
    assert attention_pattern("full", 5).all()
    two = attention_pattern("prefix", 5, prefix=2)
    assert torch.equal(two, causal | torch.tensor([[1, 1, 0, 0, 0]] * 2 + [[0] * 5] * 3).bool())
    real = torch.tensor([[0, 1, 1, 1, 1], [1, 1, 1, 1, 0]])
    padded = attention_pattern("causal", 5, real=real)
    assert torch.equal(padded, causal & real.bool()[:, None, :])
    documents = torch.tensor([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]])
    packed = attention_pattern("full", 5, real=real, documents=documents)
    assert torch.equal(
        packed, (documents[:, :, None] == documents[:, None]) & real.bool()[:, None, :]
    )
    each = attention_pattern("prefix", 5, prefix=torch.tensor([0, 2, 5]))
    for row, prefix in zip(each, (0, 2, 5), strict=True):
        assert torch.equal(row, attention_pattern("prefix", 5, prefix=prefix))
    assert attention_pattern("causal", 5, device="meta").is_meta
    assert attention_pattern("causal", 5, real=real.to("meta")).is_meta


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"kind": "backwards"}, "choose one of full, causal, prefix"),
        ({"kind": "causal", "prefix": 2}, 'with "prefix" alone'),
        ({"kind": "prefix"}, "prefix is None"),
        ({"kind": "prefix", "prefix": 6}, "0 to length = 5"),
        ({"kind": "full", "real": torch.ones(1, 5)}, "real is torch.float32"),
        ({"kind": "full", "documents": torch.ones(5).long()}, r"needs \(batch, 5\)"),
        ({"kind": "full", "real": torch.full((1, 5), 2)}, "real holds 2; it must lie in 0 to 1"),
        ({"kind": "prefix", "prefix": torch.tensor([[1]])}, r"needs \(batch,\)"),
        ({"kind": "prefix", "prefix": torch.tensor([1, 6])}, "prefix holds 6"),
        (
            {"kind": "prefix", "prefix": torch.tensor([1, 2]), "real": torch.ones(3, 5).long()},
            "batches differ: rows are {'prefix': 2, 'real': 3}",
        ),
    ],
)
def test_patterns_that_cannot_be_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        attention_pattern(length=5, **arguments)


def test_masks_that_cannot_be_are_refused():
    model, row = gpt(), ids()
    filled = model(row[:, :3], cache=Cache.empty()).cache
    for arguments, says in (
        ((row, torch.ones(2, LENGTH)), "float32"),
        ((row[:1], None, filled), "cache is of 2 rows"),
        ((row, masks()["packed"], Cache.empty()), "not with packed ones"),
        ((ids(length=33),), "reads 1 to 32"),
        ((ids(length=30), None, filled), "would have 33 tokens"),
        ((row[:, :0],), "reads 1 to 32"),
    ):
        with pytest.raises(ValueError, match=says):
            model(*arguments)


@pytest.mark.parametrize("name", MODELS)
def test_a_cache_of_another_model_is_refused(name):
    row = ids()
    cache = MODELS[name]()(row[:, :3], cache=Cache.empty()).cache
    layers = "n_layer" if name == "gpt" else "num_hidden_layers"
    heads = "n_head" if name == "gpt" else "num_attention_heads"
    for fields in ({layers: 1}, {heads: 4}):
        with pytest.raises(ValueError, match="layers, heads, head width"):
            MODELS[name](**fields)(row[:, 3:], cache=cache)


def test_a_window_of_nothing_is_refused_where_a_layer_has_one():
    with pytest.raises(ValueError, match="local_attention=1"):
        modern(local_attention=1)
    modern(local_attention=1, global_attn_every_n_layers=1)


@pytest.mark.parametrize("name", MODELS)
def test_what_adds_to_the_residual_sum_starts_smaller(name):
    width = {"gpt": "n_embd", "modern": "hidden_size"}[name]
    model = MODELS[name](**{width: 128}, initializer_range=0.02)
    layers = 2 if name == "gpt" else 4
    stds = {key: w.std().item() for key, w in model.named_parameters() if w.ndim == 2}
    added = [
        std for key, std in stds.items() if key.endswith(("attention.out.weight", "down.weight"))
    ]
    assert len(added) == 2 * layers
    # The least of them has 3,072 draws: 10 % are nearly eight standard errors.
    assert added == pytest.approx([0.02 / (2 * layers) ** 0.5] * len(added), rel=0.1)
    others = [std for key, std in stds.items() if key.endswith(("qkv.weight", "up.weight"))]
    assert others == pytest.approx([0.02] * len(others), rel=0.1)


def test_positions_count_real_tokens():
    row = torch.zeros(1, 5, dtype=torch.long)
    mask = torch.tensor([[False, False, True, True, True]])
    assert sight(mask, row, None).positions.tolist() == [[0, 0, 0, 1, 2]]
    assert sight(None, row, None).positions.tolist() == [0, 1, 2, 3, 4]
    packed = attention_pattern("full", 5, documents=torch.tensor([[0, 0, 0, 1, 1]]))
    packed[0, 2, 2] = packed[0, 4, 3] = False  # one does not see itself, one not its neighbour
    assert sight(packed, row, None).positions.tolist() == [[0, 1, 2, 0, 0]]
