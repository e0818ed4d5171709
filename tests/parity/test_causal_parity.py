"""GPT-2 and the causal ModernBERT against `transformers`, through saved folders, both ways."""

import json

import pytest
import torch
import transformers
from padded import padded_rows
from torch import Tensor

from companion.losses import causal_lm_loss
from companion.models import Cache, Gpt, GptConfig, ModernBertConfig, ModernBertForCausalLM

GPT = {
    "vocab_size": 61,
    "n_positions": 40,
    "n_embd": 24,
    "n_layer": 3,
    "n_head": 4,
    "n_inner": 52,
    "layer_norm_epsilon": 1e-2,  # large, so that a model that ignores it is far off
    "initializer_range": 0.3,
    "bos_token_id": 2,
    "eos_token_id": 3,
}
MODERN = {
    "vocab_size": 61,
    "hidden_size": 24,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "intermediate_size": 28,
    "max_position_embeddings": 40,
    "global_attn_every_n_layers": 2,
    "local_attention": 8,
    "global_rope_theta": 50.0,
    "local_rope_theta": 7.0,
    "norm_eps": 1e-2,
    "initializer_range": 0.3,
    "pad_token_id": 7,
    "bos_token_id": 2,
    "cls_token_id": 2,
    "eos_token_id": 3,
    "sep_token_id": 3,
}
PAIRS = {
    "gpt": (Gpt, transformers.GPT2LMHeadModel, transformers.GPT2Config, GPT),
    "modern": (
        ModernBertForCausalLM,
        transformers.ModernBertDecoderForCausalLM,
        transformers.ModernBertDecoderConfig,
        MODERN,
    ),
}
LENGTH = 17


def their_model(name: str) -> transformers.PreTrainedModel:
    """A model of transformers in which no LayerNorm is all ones and no bias is zero."""
    torch.manual_seed(0)
    _, kind, config, sizes = PAIRS[name]
    model = kind(config(**sizes)).eval()
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            is_scale = parameter.ndim == 1 and key.endswith("weight")
            wide = name == "gpt" and parameter.ndim == 2  # else it writes one token for ever
            parameter.normal_(1.0 if is_scale else 0.0, 0.8 if wide else 0.3)
    return model


def batch_of(padding: str) -> tuple[Tensor, Tensor]:
    """Padded by 0, 2 and 6 positions."""
    return padded_rows(padding, (0, 2, 6), LENGTH, vocab=61)


def their_logits(model: transformers.PreTrainedModel, ids: Tensor, mask: Tensor) -> Tensor:
    """GPT-2 there does not count positions from the mask by itself; the other needs none."""
    places = {"position_ids": (mask.cumsum(1) - 1).clamp(min=0)}
    with torch.no_grad():
        return model(ids, attention_mask=mask, **places).logits


@pytest.mark.parametrize("padding", ["none", "right", "left"])
@pytest.mark.parametrize("name", PAIRS)
def test_both_ways_through_folders(name, padding, tmp_path):
    theirs = their_model(name)
    theirs.save_pretrained(tmp_path / "theirs")
    ours = PAIRS[name][0].from_pretrained(tmp_path / "theirs")
    ids, mask = batch_of(padding)
    real = mask.bool()
    wanted = their_logits(theirs, ids, mask)
    with torch.no_grad():
        found = ours(ids, mask).logits
    torch.testing.assert_close(found[real], wanted[real], atol=1e-5, rtol=1e-5)
    assert wanted[real].std(dim=0).mean() > 0.1  # the logits hang on what was read
    ours.save_pretrained(tmp_path / "ours")
    back = PAIRS[name][1].from_pretrained(tmp_path / "ours").eval()
    torch.testing.assert_close(
        their_logits(back, ids, mask)[real], wanted[real], atol=1e-5, rtol=1e-5
    )


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_saved_has_the_names_and_shapes_of_the_hub(name, tmp_path):
    theirs = their_model(name)
    theirs.save_pretrained(tmp_path)
    ours = PAIRS[name][0].from_pretrained(tmp_path)
    ours.save_pretrained(tmp_path / "again")
    shapes = [
        {k: tuple(v.shape) for k, v in model.state_dict().items() if v.is_floating_point()}
        for model in (theirs, PAIRS[name][1].from_pretrained(tmp_path / "again"))
    ]
    assert shapes[0] == shapes[1]
    _, info = PAIRS[name][1].from_pretrained(tmp_path / "again", output_loading_info=True)
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]


@pytest.mark.parametrize("name", PAIRS)
def test_greedy_writing_agrees_token_by_token(name, tmp_path):
    theirs = their_model(name)
    theirs.save_pretrained(tmp_path)
    ours = PAIRS[name][0].from_pretrained(tmp_path)
    ids, mask = batch_of("left")
    wanted = theirs.generate(
        ids,
        attention_mask=mask,
        max_new_tokens=20,
        do_sample=False,
        eos_token_id=None,
        pad_token_id=7,
    )
    for use_cache in (True, False):
        found = ours.generate(ids, mask, max_new_tokens=20, temperature=0, use_cache=use_cache)
        assert torch.equal(found, wanted)
    assert len(wanted[:, LENGTH:].unique()) > 3  # it does not write one token for ever


@pytest.mark.parametrize("name", PAIRS)
def test_the_loss_is_theirs(name):
    theirs = their_model(name)
    ids, mask = batch_of("right")
    labels = ids.masked_fill(mask == 0, -100)
    wanted = theirs(ids, attention_mask=mask, labels=labels).loss
    found = causal_lm_loss(their_logits(theirs, ids, mask), ids, mask)
    torch.testing.assert_close(found, wanted.detach(), atol=1e-5, rtol=1e-5)


def test_old_folders_with_the_causal_mask_among_the_weights_load(tmp_path):
    theirs = their_model("gpt")
    state = {name.removeprefix("transformer."): p for name, p in theirs.state_dict().items()}
    del state["lm_head.weight"]
    for layer in range(GPT["n_layer"]):  # as openai-community/gpt2 was written
        state[f"h.{layer}.attn.bias"] = torch.ones(1, 1, 40, 40).tril()
        state[f"h.{layer}.attn.masked_bias"] = torch.tensor(-1e4)
    torch.save(state, tmp_path / "pytorch_model.bin")
    theirs.config.save_pretrained(tmp_path)
    ours = Gpt.from_pretrained(tmp_path)
    ids, mask = batch_of("none")
    with torch.no_grad():
        logits = ours(ids).logits
    torch.testing.assert_close(logits, their_logits(theirs, ids, mask), atol=1e-5, rtol=1e-5)


def test_configs_that_compute_something_else_are_refused(tmp_path):
    for name, field, value in (
        ("gpt", "activation_function", "relu"),
        ("gpt", "scale_attn_by_inverse_layer_idx", True),
        ("modern", "sliding_window", 5),
        ("modern", "norm_bias", True),
    ):
        their_model(name).save_pretrained(tmp_path)
        path = tmp_path / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
        with pytest.raises(ValueError, match=field):
            PAIRS[name][0].from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({}, 124_439_808),
        ({"n_embd": 1024, "n_layer": 24, "n_head": 16}, 354_823_168),
        ({"n_embd": 1280, "n_layer": 36, "n_head": 20}, 774_030_080),
        ({"n_embd": 1600, "n_layer": 48, "n_head": 25}, 1_557_611_200),
    ],
)
def test_gpt2s_parameters(fields, count):
    with torch.device("meta"):
        model = Gpt(GptConfig(**fields))
    assert sum(parameter.numel() for parameter in model.parameters()) == count


def test_modern_ones_have_the_same_weights_masked_or_causal():
    from companion.models import ModernBertForMaskedLM

    config = ModernBertConfig(**MODERN)
    torch.manual_seed(0)
    masked = ModernBertForMaskedLM(config)
    causal = ModernBertForCausalLM(config)
    causal.load_state_dict(masked.state_dict())
    ids, _ = batch_of("none")
    with torch.no_grad():
        assert not torch.allclose(masked(ids).mlm_logits, causal(ids).logits, atol=0.1)


@pytest.mark.parametrize("name", PAIRS)
def test_their_cache_and_ours_continue_alike(name, tmp_path):
    theirs = their_model(name)
    theirs.save_pretrained(tmp_path)
    ours = PAIRS[name][0].from_pretrained(tmp_path)
    ids, _ = batch_of("none")
    with torch.no_grad():
        first = ours(ids[:, :9], cache=Cache.empty())
        second = ours(ids[:, 9:], cache=first.cache)
    found = torch.cat([first.logits, second.logits], dim=1)
    wanted = their_logits(theirs, ids, torch.ones_like(ids))
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5)
