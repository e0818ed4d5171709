"""ModernBERT against `transformers`, through saved folders, in both directions."""

import json
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
import transformers
from padded import padded_rows
from torch import Tensor

from companion.models import ModernBert, ModernBertForMaskedLM

# No two sizes that could be mixed up are equal; windows are shorter than the rows of the test.
SIZES = {
    "narrow": {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2},
    "windows": {"hidden_size": 32, "num_hidden_layers": 5, "num_attention_heads": 4},
    "all_global": {"hidden_size": 40, "num_hidden_layers": 3, "num_attention_heads": 2},
    "two_in_three_local": {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 1},
}
EVERY = {"narrow": 3, "windows": 2, "all_global": 1, "two_in_three_local": 4}
COMMON = {
    "vocab_size": 61,
    "intermediate_size": 28,
    "max_position_embeddings": 40,
    "local_attention": 8,
    "norm_eps": 1e-2,  # large, so that a model that ignores it is far off
    "initializer_range": 0.3,
    "pad_token_id": 7,
}
THETAS = {"global_rope_theta": 50.0, "local_rope_theta": 7.0}
LENGTH = 17


def hf_model(name: str, kind: str) -> transformers.PreTrainedModel:
    """A model of transformers in which no LayerNorm is all ones and no bias is zero."""
    torch.manual_seed(0)
    config = transformers.ModernBertConfig(
        **COMMON,
        **SIZES[name],
        **THETAS,
        global_attn_every_n_layers=EVERY[name],
        bos_token_id=2,
        cls_token_id=2,
        eos_token_id=3,
        sep_token_id=3,
    )
    model = getattr(transformers, kind)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter.normal_(0.5, 0.5)
    return model


def batch_of(padding: str) -> tuple[Tensor, Tensor]:
    """Padded by 0, 2 and 3 positions: windows reach over."""
    return padded_rows(padding, (0, 2, 3), LENGTH, vocab=61)


def close(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def compare(ours: torch.nn.Module, theirs: transformers.PreTrainedModel) -> None:
    """Hidden states, logits and losses of a pair of twins, for each padding."""
    for padding in ("none", "right", "left"):
        ids, mask = batch_of(padding)
        with torch.no_grad():
            out = ours(ids, mask)
            if isinstance(ours, ModernBert):
                close(out.last_hidden_state, theirs(ids, mask).last_hidden_state)
                continue
            selected = torch.rand(ids.shape, generator=torch.Generator().manual_seed(2)) < 0.4
            labels = ids.masked_fill(~(selected & mask.bool()), -100)
            expected = theirs(ids, mask, labels=labels)
            scored = ours(ids, mask, selected=labels != -100).mlm_logits
        close(out.mlm_logits, expected.logits)
        close(scored, out.mlm_logits[labels != -100])
        close(F.cross_entropy(scored, labels[labels != -100]), expected.loss)


TWINS = [(ModernBert, "ModernBertModel"), (ModernBertForMaskedLM, "ModernBertForMaskedLM")]


@pytest.mark.parametrize(("ours", "kind"), TWINS)
@pytest.mark.parametrize("name", SIZES)
def test_what_transformers_saves_we_compute_alike(tmp_path: Path, name, ours, kind):
    theirs = hf_model(name, kind)
    theirs.save_pretrained(tmp_path)
    model = ours.from_pretrained(tmp_path)
    for field, value in {**COMMON, **SIZES[name]}.items():
        assert getattr(model.config, field) == value
    assert [model.config.is_global(n) for n in range(model.config.num_hidden_layers)] == [
        kind == "full_attention" for kind in theirs.config.layer_types
    ]
    compare(model, theirs)


@pytest.mark.parametrize(("ours", "kind"), TWINS)
@pytest.mark.parametrize("name", SIZES)
def test_what_we_save_transformers_loads_strictly(tmp_path: Path, name, ours, kind):
    hf_model(name, kind).save_pretrained(tmp_path / "theirs")
    model = ours.from_pretrained(tmp_path / "theirs")
    model.save_pretrained(tmp_path / "ours")
    theirs, info = getattr(transformers, kind).from_pretrained(
        tmp_path / "ours", output_loading_info=True
    )
    assert not any(info.values()), info
    assert theirs.config.architectures == [kind]
    compare(model, theirs.eval())


def test_config_in_the_spelling_of_version_4(tmp_path: Path):
    """The hub's ModernBERT-base has no layer_types and no rope_parameters."""
    theirs = hf_model("windows", "ModernBertForMaskedLM")
    theirs.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    del config["layer_types"], config["rope_parameters"]
    config |= THETAS | {"global_attn_every_n_layers": EVERY["windows"], "layer_norm_eps": 1e-5}
    (tmp_path / "config.json").write_text(json.dumps(config))
    compare(ModernBertForMaskedLM.from_pretrained(tmp_path), theirs)


def changed_config(folder: Path, **fields: object) -> None:
    hf_model("windows", "ModernBertForMaskedLM").save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text()) | fields
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"layer_types": ["full_attention"] * 3 + ["sliding_attention"] * 2}, "layer_types"),
        ({"layer_types": ["sliding_attention"] * 5}, "layer_types"),
        ({"layer_types": ["full_attention"] * 4}, "layer_types"),
        ({"attention_bias": True}, "attention_bias"),
        ({"norm_bias": True}, "norm_bias"),
        ({"decoder_bias": False}, "decoder_bias"),
        ({"hidden_activation": "silu"}, "hidden_activation"),
        (
            {"rope_parameters": {"full_attention": {"rope_type": "yarn", "rope_theta": 9.0}}},
            "scaled positions",
        ),
        ({"rope_parameters": {"full_attention": {}}}, "rope_theta"),
    ],
)
def test_config_that_asks_for_another_computation(tmp_path: Path, fields, message):
    changed_config(tmp_path, **fields)
    with pytest.raises(ValueError, match=message):
        ModernBertForMaskedLM.from_pretrained(tmp_path)


def test_parameter_counts_of_the_base_model():
    with torch.device("meta"):
        theirs = transformers.ModernBertForMaskedLM(transformers.ModernBertConfig())
        ours = ModernBertForMaskedLM(ModernBertForMaskedLM.config_class())
        bare = ModernBert(ModernBert.config_class())
    count = sum(parameter.numel() for parameter in ours.parameters())
    assert count == sum(parameter.numel() for parameter in theirs.parameters()) == 149_655_232
    assert sum(parameter.numel() for parameter in bare.parameters()) == 149_014_272
