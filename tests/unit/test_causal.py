"""Causal models: nobody sees the future, a cache changes nothing, and writing draws as it says."""

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from companion.models import (
    Cache,
    Gpt,
    GptConfig,
    ModernBertConfig,
    ModernBertForCausalLM,
    attention_pattern,
)
from companion.models.causal import sight
from companion.models.generation import draw, narrow

LENGTH = 14
PATHS = {
    "default": [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH],
    "math": [SDPBackend.MATH],
}


def gpt(**fields) -> Gpt:
    torch.manual_seed(0)
    sizes = {"vocab_size": 50, "n_positions": 32, "n_embd": 16, "n_layer": 2, "n_head": 2}
    return Gpt(GptConfig(**sizes | {"initializer_range": 0.4} | fields)).eval()


def modern(**fields) -> ModernBertForCausalLM:
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 50,
        "hidden_size": 16,
        "num_hidden_layers": 4,
        "num_attention_heads": 2,
        "intermediate_size": 24,
        "max_position_embeddings": 32,
        "global_attn_every_n_layers": 2,
        "local_attention": 8,
        "initializer_range": 0.4,
    }
    return ModernBertForCausalLM(ModernBertConfig(**sizes | fields)).eval()


MODELS = {"gpt": gpt, "modern": modern}


def ids(rows: int = 2, length: int = LENGTH) -> torch.Tensor:
    return torch.randint(50, (rows, length), generator=torch.Generator().manual_seed(1))


def masks() -> dict[str, torch.Tensor | None]:
    left = torch.ones(2, LENGTH, dtype=torch.bool)
    left[0, :3] = False
    documents = torch.tensor([[0] * 5 + [1] * 9, [0] * 2 + [1] * 4 + [2] * 8])
    return {
        "none": None,
        "left": left,
        "right": left.flip(1),
        "packed": documents[:, :, None] == documents[:, None, :],
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


@pytest.mark.parametrize("name", MODELS)
def test_a_row_without_a_real_token_has_finite_gradients(name):
    model, row = MODELS[name](), ids()
    mask = torch.ones_like(row)
    mask[0] = 0
    logits = model(row, mask).logits
    assert logits.isfinite().all()
    logits.sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"kind": "backwards"}, "choose one of full, causal, prefix"),
        ({"kind": "causal", "prefix": 2}, 'with "prefix" alone'),
        ({"kind": "prefix"}, "prefix is None"),
        ({"kind": "prefix", "prefix": 6}, "0 to length = 5"),
        ({"kind": "full", "real": torch.ones(1, 5)}, "real is torch.float32"),
        ({"kind": "full", "documents": torch.ones(5).long()}, r"needs \(batch, 5\)"),
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


def test_a_window_of_nothing_is_refused():
    with pytest.raises(ValueError, match="local_attention=1"):
        modern(local_attention=1)


def test_positions_count_real_tokens():
    row = torch.zeros(1, 5, dtype=torch.long)
    mask = torch.tensor([[False, False, True, True, True]])
    assert sight(mask, row, None).positions.tolist() == [[0, 0, 0, 1, 2]]
    assert sight(None, row, None).positions.tolist() == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------- writing


@pytest.mark.parametrize("name", MODELS)
def test_the_same_generator_writes_the_same_with_and_without_a_cache(name):
    model, row, mask = MODELS[name](), ids(), masks()["left"]
    texts = [
        model.generate(
            row,
            mask,
            max_new_tokens=12,
            temperature=0.8,
            top_k=20,
            top_p=0.9,
            use_cache=use_cache,
            generator=torch.Generator().manual_seed(seed),
        )
        for seed in (1, 2)
        for use_cache in (True, False)
    ]
    assert torch.equal(texts[0], texts[1])
    assert torch.equal(texts[2], texts[3])
    assert not torch.equal(texts[0], texts[2])
    assert torch.equal(texts[0][:, :LENGTH], row)
    assert texts[0].shape == (2, LENGTH + 12)


def test_it_ends_where_the_end_is_written():
    model, row = gpt(), ids()
    free = model.generate(row, max_new_tokens=10, temperature=0)
    end = int(free[0, LENGTH + 3])
    assert end not in free[0, LENGTH : LENGTH + 3]
    ended = model.generate(row, max_new_tokens=10, temperature=0, end_id=end)
    assert torch.equal(ended[0, : LENGTH + 4], free[0, : LENGTH + 4])
    assert (ended[0, LENGTH + 3 :] == end).all()
    both = model.generate(row[[0, 0]], max_new_tokens=10, temperature=0, end_id=end)
    assert both.shape[1] == LENGTH + 4  # nobody is left to write for


def test_narrowing():
    chances = torch.tensor([[0.5, 0.25, 0.15, 0.1]])
    logits = chances.log()
    kept = {
        (1, None): [0],
        (2, None): [0, 1],
        (9, None): [0, 1, 2, 3],
        (None, 0.4): [0],
        (None, 0.5): [0],
        (None, 0.6): [0, 1],
        (None, 0.95): [0, 1, 2, 3],
        (None, 1.0): [0, 1, 2, 3],
        (3, 0.6): [0, 1],
    }
    for (top_k, top_p), places in kept.items():
        found = narrow(logits, top_k=top_k, top_p=top_p)
        assert found.isfinite()[0].nonzero()[:, 0].tolist() == places
    shuffled = narrow(logits[:, [2, 0, 3, 1]], top_p=0.6)
    assert shuffled.isfinite().tolist() == [[False, True, False, True]]


def test_draws_follow_the_temperature():
    """12,000 draws; 6 sigmas: a false alarm once in 10^8, and 0.05 off is found 99.9 % of times."""
    logits = torch.tensor([0.5, 0.25, 0.15, 0.1]).log().expand(12_000, 4)
    generator = torch.Generator().manual_seed(0)
    for temperature in (1.0, 0.5, 2.0):
        wanted = (logits[0] / temperature).softmax(0)
        found = draw(logits, temperature=temperature, generator=generator)
        shares = found.bincount(minlength=4) / 12_000
        assert ((shares - wanted).abs() < 6 * (wanted * (1 - wanted) / 12_000).sqrt()).all()
    assert (draw(logits, temperature=0) == 0).all()
    assert (draw(logits, temperature=9.0, top_k=1) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"max_new_tokens": 0}, "max_new_tokens is 0"),
        ({"max_new_tokens": 3, "input_ids": ids()[0]}, "a batch of one"),
        ({"max_new_tokens": 3, "input_ids": ids()[:, :0]}, "a token to go on from"),
        ({"max_new_tokens": 19}, "would have 33 tokens"),
        ({"max_new_tokens": 1, "temperature": -0.5}, "temperature is -0.5"),
        ({"max_new_tokens": 1, "top_k": 0}, "top_k is 0"),
        ({"max_new_tokens": 1, "top_p": 0.0}, "top_p is 0.0"),
        ({"max_new_tokens": 1, "attention_mask": masks()["right"]}, "pad on the left"),
        ({"max_new_tokens": 1, "attention_mask": masks()["packed"]}, "a row holds one text"),
    ],
)
def test_writing_that_cannot_be_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        gpt().generate(**{"input_ids": ids()} | arguments)
