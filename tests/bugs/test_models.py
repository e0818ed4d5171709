"""Bug cases of the models; the ids are those of the list of public bug reports."""

import inspect

import pytest
import torch
import torch.nn.functional as F

from companion.models import Bert, BertConfig, BertForMaskedLM, BertForPreTraining
from companion.models.transformer import sdpa_mask

CONFIG = BertConfig(
    vocab_size=30,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=24,
    max_position_embeddings=12,
    initializer_range=0.4,
)
IDS = torch.randint(1, 30, (3, 6), generator=torch.Generator().manual_seed(0))


def make(cls):
    torch.manual_seed(0)
    return cls(CONFIG).eval()


def test_a29_each_embedding_is_added_once():
    """A29: positions and segments were added twice where sums were handed in as embeddings."""
    table = make(Bert).encoder.embeddings
    segments = IDS % 2
    total = table.words.weight[IDS] + table.positions.weight[:6] + table.segments.weight[segments]
    expected = F.layer_norm(total, (16,), eps=CONFIG.layer_norm_eps)
    torch.testing.assert_close(table(IDS, segments), expected)


def test_b7_nsp_reads_position_0_through_the_pooler():
    """B7: a head read all tokens, flattened."""
    model = make(BertForPreTraining)
    out = model(IDS)
    pooled = torch.tanh(model.pooler.dense(out.last_hidden_state[:, 0]))
    torch.testing.assert_close(out.pooled, pooled)
    torch.testing.assert_close(out.nsp_logits, model.nsp_head(pooled))
    (gradient,) = torch.autograd.grad(out.nsp_logits.sum(), out.last_hidden_state)
    assert gradient[:, 0].any()
    assert not gradient[:, 1:].any()


def test_b8_column_0_is_next_column_1_is_random(tmp_path):
    """B8: 0 = is next, 1 = random; said where people look, and kept on the way to disk and back."""
    assert "0 = is next, 1 = random" in inspect.getdoc(BertForPreTraining)
    model = make(BertForPreTraining)
    with torch.no_grad():
        model.nsp_head.bias.copy_(torch.tensor([50.0, -50.0]))  # "is next", whatever comes
    model.save_pretrained(tmp_path)
    logits = BertForPreTraining.from_pretrained(tmp_path)(IDS).nsp_logits
    assert F.cross_entropy(logits, torch.zeros(3, dtype=torch.long)) < 1e-3
    assert F.cross_entropy(logits, torch.ones(3, dtype=torch.long)) > 10


@pytest.mark.parametrize("side", ["left", "right"])
def test_b11_segment_of_padding_has_no_influence(side):
    """B11: what segment a masked position claims to be in changes nothing elsewhere."""
    model = make(BertForPreTraining)
    pad = slice(0, 2) if side == "left" else slice(4, 6)
    mask, segments = torch.ones_like(IDS), torch.zeros_like(IDS)
    mask[:, pad] = 0
    flipped = segments.clone()
    flipped[:, pad] = 1
    one, other = model(IDS, segments, mask), model(IDS, flipped, mask)
    real = mask.bool()
    assert torch.equal(one.mlm_logits[real], other.mlm_logits[real])
    if side == "right":
        assert torch.equal(one.nsp_logits, other.nsp_logits)


def test_b11_id_under_padding_has_no_influence():
    model = make(BertForMaskedLM)
    mask = torch.ones_like(IDS)
    mask[:, 4:] = 0
    other = IDS.masked_fill(mask == 0, 0)
    one, other = (model(ids, attention_mask=mask).mlm_logits[:, :4] for ids in (IDS, other))
    assert torch.equal(one, other)


def test_c3_right_padding_changes_nothing():
    model = make(Bert)
    padded = F.pad(IDS, (0, 4))
    mask = F.pad(torch.ones_like(IDS), (0, 4))
    short, long = model(IDS), model(padded, attention_mask=mask)
    torch.testing.assert_close(long.last_hidden_state[:, :6], short.last_hidden_state)
    torch.testing.assert_close(long.pooled, short.pooled)


def test_c3_bert_counts_positions_from_the_left_edge():
    """C3: BERT's positions are 0..L-1 whatever the mask, so left padding does shift the text."""
    model = make(Bert)
    padded = F.pad(IDS, (3, 0))
    mask = F.pad(torch.ones_like(IDS), (3, 0))
    left = model(padded, attention_mask=mask).last_hidden_state[:, 3:]
    assert not torch.allclose(left, model(IDS).last_hidden_state, atol=1e-2)
    with torch.no_grad():  # the same text, read with the positions it has been moved to
        table = model.encoder.embeddings.positions.weight
        table[:9] = table[3:].clone()
    torch.testing.assert_close(left, model(IDS).last_hidden_state)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("per_query", [False, True])
def test_d1_row_with_every_key_masked(per_query, training):
    """D1: a softmax over nothing gave NaN, and NaN gradients in healthy rows."""
    model = make(BertForPreTraining).train(training)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0  # but that of the attention weights, which shares the code path
    mask = torch.ones(3, 6, dtype=torch.bool)
    mask[1] = False
    if per_query:
        mask = mask[:, None].expand(3, 6, 6)
    out = model(IDS, attention_mask=mask)
    assert all(tensor.isfinite().all() for tensor in out)
    sum(tensor.square().sum() for tensor in out).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all(), name
    if not training:
        rows = torch.tensor([0, 2])
        healthy = model(IDS[rows])
        for tensor, expected in zip(out, healthy, strict=True):
            torch.testing.assert_close(tensor[rows], expected)


def test_d1_gradients_of_healthy_rows_are_unchanged():
    rows = torch.tensor([0, 2])
    mask = torch.ones(3, 6, dtype=torch.bool)
    mask[1] = False
    one, other = make(Bert), make(Bert)
    one(IDS, attention_mask=mask).last_hidden_state[rows].square().sum().backward()
    other(IDS[rows]).last_hidden_state.square().sum().backward()
    for name, parameter in one.encoder.named_parameters():
        torch.testing.assert_close(parameter.grad, other.encoder.get_parameter(name).grad)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64])
def test_d2_true_means_may_attend(dtype):
    """D2: True = keep in one PyTorch function and = ignore in another; here True = may attend."""
    model = make(Bert)
    mask = torch.tensor([[1, 1, 1, 1, 0, 0]] * 3).to(dtype)
    seen = model(IDS, attention_mask=mask).last_hidden_state[:, :4]
    torch.testing.assert_close(seen, model(IDS[:, :4]).last_hidden_state)


def test_g8_renamed_head_is_not_passed_over(tmp_path):
    """G8: head weights under another name were not loaded, and fill-mask gave nonsense."""
    from safetensors.torch import load_file, save_file

    make(BertForMaskedLM).save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    renamed = {k.replace("cls.predictions", "lm_head"): v for k, v in load_file(path).items()}
    save_file(renamed, path)
    for missing in ("error", "init"):
        with pytest.raises(ValueError, match=r"not accounted for \['lm_head\.bias'"):
            BertForMaskedLM.from_pretrained(tmp_path, missing=missing)


@pytest.mark.parametrize("cls", [BertForMaskedLM, BertForPreTraining])
def test_g12_output_matrix_is_the_word_embedding(cls):
    """G12: one tensor, not two that start equal."""
    model = make(cls)
    square = [n for n, p in model.state_dict().items() if p.shape == (30, 16)]
    assert square == ["encoder.embeddings.words.weight"]
    words = model.encoder.embeddings.words.weight
    absent = 29
    ids = IDS.clamp(max=28)
    before = model(ids).mlm_logits
    with torch.no_grad():
        words[absent] *= 2  # not among the inputs: the logit of this word, and no other, moves
    after = model(ids).mlm_logits
    assert torch.equal(before[..., :29], after[..., :29])
    assert not torch.isclose(before[..., absent], after[..., absent]).any()
    model(ids).mlm_logits[..., absent].sum().backward()
    assert words.grad[absent].any()  # as an output
    assert words.grad[ids[0, 0]].any()  # as an input


def test_g13_loss_at_one_position():
    """G13: the loss over one selected position is the cross-entropy there."""
    model = make(BertForMaskedLM)
    selected = torch.zeros_like(IDS, dtype=torch.bool)
    selected[1, 3] = True
    labels = IDS.masked_fill(~selected, -100)
    full = model(IDS).mlm_logits
    there = -full[1, 3].log_softmax(-1)[IDS[1, 3]]
    some = F.cross_entropy(model(IDS, selected=selected).mlm_logits, labels[selected])
    torch.testing.assert_close(some, there)
    flat = F.cross_entropy(full.flatten(0, 1), labels.flatten(), ignore_index=-100)
    torch.testing.assert_close(flat, there)


@pytest.mark.parametrize("cls", [Bert, BertForMaskedLM, BertForPreTraining])
def test_h1_h4_models_neither_mask_nor_score(cls):
    """H1, H4: `labels = input_ids` was believed to mask the text; no model here takes labels."""
    model = make(cls)
    with pytest.raises(TypeError, match="labels"):
        model(IDS, labels=IDS)
    before = torch.get_rng_state()
    assert torch.equal(model(IDS)[0], model(IDS)[0])
    assert torch.equal(before, torch.get_rng_state())


def test_h6_one_helper_one_convention():
    """H6: seven masks of nn.Transformer; here one helper, two shapes, one meaning."""
    keys = torch.tensor([[1, 1, 1, 0]])
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    combined = sdpa_mask(causal & keys.bool()[:, None], 1, 4)
    assert torch.equal(combined, sdpa_mask(keys, 1, 4) & causal)
    assert combined[0, 0].int().tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 0]]
