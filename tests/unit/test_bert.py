"""Bert, its two heads, its config: shapes, counts, errors."""

import dataclasses

import pytest
import torch
import torch.nn.functional as F

from companion.models import Bert, BertConfig, BertForMaskedLM, BertForPreTraining

SMALL = BertConfig(
    vocab_size=40,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=24,
    max_position_embeddings=10,
    initializer_range=0.5,
)
CLASSES = [Bert, BertForMaskedLM, BertForPreTraining]
BATCH, LENGTH = 2, 7


def make(cls, config=SMALL):
    torch.manual_seed(0)
    return cls(config).eval()


def some_ids():
    return torch.randint(40, (BATCH, LENGTH), generator=torch.Generator().manual_seed(0))


# Sizes

UNCASED = BertConfig()
CASED = BertConfig(vocab_size=28996)
LARGE = BertConfig(
    hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
)


@pytest.mark.parametrize(
    ("cls", "config", "count"),
    [
        (Bert, UNCASED, 109_482_240),
        (BertForMaskedLM, UNCASED, 109_514_298),
        (BertForPreTraining, UNCASED, 110_106_428),
        (Bert, CASED, 108_310_272),
        (BertForPreTraining, CASED, 108_932_934),
        (Bert, LARGE, 335_141_888),
        (BertForMaskedLM, LARGE, 335_174_458),
        (BertForPreTraining, LARGE, 336_226_108),
    ],
)
def test_parameter_counts(cls, config, count):
    with torch.device("meta"):
        model = cls(config)
    assert sum(p.numel() for p in model.parameters()) == count


def test_forward_on_the_meta_device():
    with torch.device("meta"):
        out = Bert(UNCASED)(torch.zeros(2, 512, dtype=torch.long))
    assert out.last_hidden_state.shape == (2, 512, 768)


# Outputs


def test_shapes_and_names():
    ids = some_ids()
    out = make(Bert)(ids)
    assert out._fields == ("last_hidden_state", "pooled")
    assert out.last_hidden_state.shape == (BATCH, LENGTH, 16)
    assert out.pooled.shape == (BATCH, 16)
    out = make(BertForMaskedLM)(ids)
    assert out._fields == ("last_hidden_state", "mlm_logits")
    assert out.mlm_logits.shape == (BATCH, LENGTH, 40)
    out = make(BertForPreTraining)(ids)
    assert out._fields == ("last_hidden_state", "pooled", "mlm_logits", "nsp_logits")
    assert out.mlm_logits.shape == (BATCH, LENGTH, 40)
    assert out.nsp_logits.shape == (BATCH, 2)


@pytest.mark.parametrize("cls", [BertForMaskedLM, BertForPreTraining])
def test_selected_gives_exactly_those_rows_of_the_full_logits(cls):
    model, ids = make(cls), some_ids()
    selected = torch.zeros(BATCH, LENGTH, dtype=torch.bool)
    selected[0, 5] = selected[0, 2] = selected[1, 0] = True
    full = model(ids).mlm_logits
    some = model(ids, selected=selected).mlm_logits
    assert some.shape == (3, 40)
    torch.testing.assert_close(some, torch.stack([full[0, 2], full[0, 5], full[1, 0]]))


def test_nothing_selected_gives_no_rows():
    none = torch.zeros(BATCH, LENGTH, dtype=torch.bool)
    assert make(BertForMaskedLM)(some_ids(), selected=none).mlm_logits.shape == (0, 40)


def test_missing_segments_are_segment_0_and_segments_count():
    model, ids = make(Bert), some_ids()
    zeros = torch.zeros_like(ids)
    default = model(ids).last_hidden_state
    assert torch.equal(default, model(ids, zeros).last_hidden_state)
    zeros[:, 4:] = 1
    assert not torch.allclose(default, model(ids, zeros).last_hidden_state)


def test_positions_count():
    """Without positions a permutation of the row would permute the output."""
    model, ids = make(Bert), some_ids()
    flipped = model(ids.flip(1)).last_hidden_state.flip(1)
    assert not torch.allclose(model(ids).last_hidden_state, flipped, atol=1e-2)


def test_context_comes_from_both_sides():
    model, ids = make(BertForMaskedLM), some_ids()
    out = model(ids).mlm_logits
    for changed in (0, LENGTH - 1):
        other = ids.clone()
        other[:, changed] = (other[:, changed] + 1) % 40
        assert not torch.allclose(model(other).mlm_logits[:, 3], out[:, 3], atol=1e-4)


def test_query_by_key_mask_reaches_the_attention():
    """With a causal pattern nothing depends on what stands further right."""
    model, ids = make(Bert), some_ids()
    causal = torch.ones(BATCH, LENGTH, LENGTH, dtype=torch.bool).tril()
    other = ids.clone()
    other[:, 4:] = (other[:, 4:] + 1) % 40
    before = model(ids, attention_mask=causal).last_hidden_state[:, :4]
    assert torch.equal(before, model(other, attention_mask=causal).last_hidden_state[:, :4])


def test_int32_ids_do_as_well():
    model, ids = make(Bert), some_ids()
    assert torch.equal(model(ids).pooled, model(ids.int()).pooled)


def test_full_length_is_allowed():
    assert make(Bert)(torch.zeros(1, 10, dtype=torch.long)).pooled.shape == (1, 16)


def test_dropout_acts_in_training_only():
    model, ids = make(Bert), some_ids()
    assert torch.equal(model(ids).pooled, model(ids).pooled)
    model.train()
    assert not torch.equal(model(ids).pooled, model(ids).pooled)


def test_each_dropout_rate_acts_in_its_place():
    ids = some_ids()
    none = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    for rate in none:
        encoder = make(Bert, dataclasses.replace(SMALL, **none | {rate: 0.5})).train().encoder
        x = encoder.embeddings(ids, None)
        same = torch.equal(x, encoder.embeddings(ids, None))
        assert same == (rate == "attention_probs_dropout_prob")
        for block in encoder.blocks:
            assert not torch.equal(block(x, None), block(x, None))


def test_padding_row_is_trained_like_any_other():
    model = make(Bert)
    model(torch.zeros(1, 3, dtype=torch.long)).pooled.sum().backward()
    assert model.encoder.embeddings.words.weight.grad[0].any()


def test_inputs_are_unchanged():
    model, ids = make(BertForPreTraining), some_ids()
    segments, mask = torch.zeros_like(ids), torch.ones_like(ids)
    selected = ids < 10
    before = [t.clone() for t in (ids, segments, mask, selected)]
    model(ids, segments, mask, selected)
    assert all(map(torch.equal, before, (ids, segments, mask, selected)))


def test_fresh_weights():
    torch.manual_seed(0)
    model = BertForPreTraining(dataclasses.replace(SMALL, hidden_size=64, initializer_range=0.02))
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            assert not parameter.any(), name
        elif "norm" in name:
            assert parameter.eq(1).all(), name
        elif parameter.numel() > 500:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.15), name
            assert not parameter.eq(0).all(1).any(), name  # no row left at zero, not even [PAD]'s


def test_one_tiny_model_learns_its_batch():
    torch.manual_seed(0)
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    model = BertForMaskedLM(dataclasses.replace(SMALL, initializer_range=0.02, **still))
    ids, selected = some_ids(), torch.rand(BATCH, LENGTH) < 0.5
    corrupted = ids.masked_fill(selected, 3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(40):
        logits = model(corrupted, selected=selected).mlm_logits
        loss = F.cross_entropy(logits, ids[selected])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 1.0  # from ln 40 = 3.7


@pytest.mark.parametrize("cls", CLASSES)
def test_every_parameter_gets_a_gradient(cls):
    model = make(cls)
    out = model(some_ids())
    sum(t.square().sum() for t in out[1:]).backward()
    assert [n for n, p in model.named_parameters() if p.grad is None or not p.grad.any()] == []


@pytest.mark.parametrize("cls", CLASSES)
def test_compiles_as_one_graph(cls):
    model, ids = make(cls), some_ids()
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    mask = torch.ones_like(ids)
    with torch.no_grad():
        torch.testing.assert_close(compiled(ids, ids % 2, mask), model(ids, ids % 2, mask))
    torch.compiler.reset()


# Errors


@pytest.mark.parametrize("cls", CLASSES)
def test_id_outside_the_vocabulary(cls):
    for bad in (40, -100):
        with pytest.raises(ValueError, match=rf"input_ids holds {bad}, .*vocab_size=40"):
            make(cls)(torch.tensor([[1, bad]]))


def test_segment_id_outside_its_table():
    with pytest.raises(ValueError, match=r"segment_ids holds 2, .*type_vocab_size=2"):
        make(Bert)(torch.tensor([[1, 1]]), torch.tensor([[0, 2]]))


@pytest.mark.parametrize("length", [0, 11])
def test_length_outside_the_positions(length):
    with pytest.raises(ValueError, match=rf"length {length};.* 10 \(max_position_embeddings\)"):
        make(Bert)(torch.zeros(1, length, dtype=torch.long))


def test_ids_of_another_kind():
    model = make(Bert)
    with pytest.raises(ValueError, match=r"input_ids must be .*integers.*not torch.float32"):
        model(torch.ones(1, 3))
    with pytest.raises(ValueError, match="not list"):
        model([[1, 2, 3]])
    with pytest.raises(ValueError, match=r"segment_ids must be .*not torch\.bool"):
        model(torch.ones(1, 3, dtype=torch.long), torch.ones(1, 3, dtype=torch.bool))


def test_ids_of_another_shape():
    model = make(Bert)
    with pytest.raises(ValueError, match=r"\(batch, length\), not \(3,\).*ids\[None\]"):
        model(torch.tensor([1, 2, 3]))
    with pytest.raises(ValueError, match=r"segment_ids has shape \(1, 2\), but input_ids has"):
        model(torch.ones(1, 3, dtype=torch.long), torch.ones(1, 2, dtype=torch.long))


@pytest.mark.parametrize("cls", [BertForMaskedLM, BertForPreTraining])
def test_selected_of_another_kind_or_shape(cls):
    model, ids = make(cls), some_ids()
    with pytest.raises(ValueError, match=r"selected must be a bool tensor, not torch\.int64"):
        model(ids, selected=torch.ones_like(ids))
    with pytest.raises(ValueError, match=r"selected has shape \(7,\), but input_ids has \(2, 7\)"):
        model(ids, selected=torch.ones(LENGTH, dtype=torch.bool))


def test_masks_that_are_refused():
    model, ids = make(Bert), some_ids()
    with pytest.raises(ValueError, match=r"attention_mask is torch\.float32"):
        model(ids, attention_mask=torch.ones(BATCH, LENGTH))
    with pytest.raises(ValueError, match="attention_mask has shape"):
        model(ids, attention_mask=torch.ones(BATCH, 1, 1, LENGTH, dtype=torch.bool))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("vocab_size", 0),
        ("num_hidden_layers", -1),
        ("intermediate_size", 2.5),
        ("num_attention_heads", 3),
        ("hidden_dropout_prob", 1.0),
        ("attention_probs_dropout_prob", -0.1),
        ("layer_norm_eps", -1e-12),
    ],
)
def test_configs_that_are_refused(field, value):
    with pytest.raises(ValueError, match=rf"{field}.*{value}"):
        dataclasses.replace(SMALL, **{field: value})
