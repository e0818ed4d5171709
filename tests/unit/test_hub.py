"""Hugging Face folders: what is read, what is refused, how it is written."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import safetensors.torch
import torch

from companion.models import Bert, BertConfig, BertForMaskedLM, BertForPreTraining

CONFIG = BertConfig(
    vocab_size=30,
    hidden_size=8,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=12,
    max_position_embeddings=6,
)
IDS = torch.tensor([[1, 2, 3, 4]])
CLASSES = [Bert, BertForMaskedLM, BertForPreTraining]


def make(cls):
    """A model in which no parameter is all ones or zeros."""
    torch.manual_seed(0)
    model = cls(CONFIG).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0.5, 0.5)
    return model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole folder with both heads."""
    make(BertForPreTraining).save_pretrained(tmp_path / "bert")
    return tmp_path / "bert"


def weights_of(folder: Path) -> dict:
    return safetensors.torch.load_file(folder / "model.safetensors")


def write_weights(folder: Path, weights: dict) -> None:
    tensors = {name: tensor.clone() for name, tensor in weights.items()}
    safetensors.torch.save_file(tensors, folder / "model.safetensors")


def edit_config(folder: Path, **fields) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | fields))


def same(one, other) -> bool:
    ours, theirs = one.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[k], theirs[k]) for k in ours)


# Saving and loading


@pytest.mark.parametrize("cls", CLASSES)
def test_round_trip_to_the_bit(tmp_path, cls):
    model = make(cls)
    model.save_pretrained(tmp_path / "a" / "b")
    loaded = cls.from_pretrained(str(tmp_path / "a" / "b"))
    assert loaded.config == CONFIG
    assert same(loaded, model)
    assert not loaded.training
    assert all(p.requires_grad for p in loaded.parameters())


def test_names_on_disk_are_the_hubs(tmp_path):
    make(Bert).save_pretrained(tmp_path / "base")
    make(BertForPreTraining).save_pretrained(tmp_path / "heads")
    base, heads = weights_of(tmp_path / "base"), weights_of(tmp_path / "heads")
    query = "encoder.layer.1.attention.self.query.weight"
    assert query in base
    assert f"bert.{query}" in heads
    assert {"pooler.dense.bias", "embeddings.LayerNorm.weight"} <= base.keys()
    assert {"cls.predictions.bias", "cls.seq_relationship.weight"} <= heads.keys()
    assert not any("decoder" in name for name in heads)
    with safetensors.safe_open(tmp_path / "base" / "model.safetensors", "pt") as file:
        assert file.metadata() == {"format": "pt"}


def test_query_key_and_value_stand_in_this_order(folder):
    weights = weights_of(folder)
    fused = make(BertForPreTraining).encoder.blocks[0].attention.qkv.weight
    names = [f"bert.encoder.layer.0.attention.self.{x}.weight" for x in ("query", "key", "value")]
    assert torch.equal(torch.cat([weights[name] for name in names]), fused)


def test_config_on_disk(folder):
    config = json.loads((folder / "config.json").read_text())
    assert config["architectures"] == ["BertForPreTraining"]
    assert config["model_type"] == "bert"
    assert config["hidden_act"] == "gelu"
    assert config["hidden_size"] == 8


def test_half_precision_is_kept_on_disk_and_widened_at_loading(tmp_path):
    model = make(Bert).bfloat16()
    model.save_pretrained(tmp_path)
    assert {t.dtype for t in weights_of(tmp_path).values()} == {torch.bfloat16}
    assert same(Bert.from_pretrained(tmp_path), model.float())


def test_saving_over_a_folder_keeps_its_other_files(folder):
    (folder / "tokenizer.json").write_text("{}")
    edit_config(folder, layer_norm_eps=0.1)
    model = make(BertForPreTraining)
    with torch.no_grad():
        model.nsp_head.bias.fill_(3.0)
    model.save_pretrained(folder)
    names = {p.name for p in folder.iterdir()}
    assert names == {"config.json", "model.safetensors", "tokenizer.json"}
    assert same(BertForPreTraining.from_pretrained(folder), model)
    assert BertForPreTraining.from_pretrained(folder).config.layer_norm_eps == 1e-12


@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("exists", [True, False])
def test_interrupted_save_never_looks_whole(tmp_path, monkeypatch, step, exists):
    """Stop before the first write, the second, the first rename, the second."""
    old, new = make(Bert), make(Bert)
    with torch.no_grad():
        new.pooler.dense.bias.fill_(9.0)
    if exists:
        old.save_pretrained(tmp_path)
    calls = iter(range(9))

    def stop_at(step, real):
        def call(*args, **kwargs):
            if next(calls) == step:
                raise KeyboardInterrupt
            return real(*args, **kwargs)

        return call

    monkeypatch.setattr(Path, "open", stop_at(step, Path.open))
    monkeypatch.setattr(Path, "replace", stop_at(step, Path.replace))
    with pytest.raises(KeyboardInterrupt):
        new.save_pretrained(tmp_path)
    monkeypatch.undo()
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    if exists and step < 2:
        assert same(Bert.from_pretrained(tmp_path), old)
    else:
        with pytest.raises(FileNotFoundError, match=r"is empty|has no config\.json"):
            Bert.from_pretrained(tmp_path)


def test_drafts_of_a_killed_save_are_cleared_by_the_next(tmp_path):
    left = tmp_path / f".model.safetensors.{'0a' * 16}"
    other = tmp_path / ".model.safetensors.notes"
    for path in (left, other):
        path.write_bytes(b"half")
    make(Bert).save_pretrained(tmp_path)
    assert not left.exists()
    assert other.exists(), "only what the save itself leaves behind"


# Spellings


def test_sharded_folder(folder):
    weights = weights_of(folder)
    shards = {"one.safetensors": dict(list(weights.items())[:5])}
    shards["two.safetensors"] = {
        k: v for k, v in weights.items() if k not in shards["one.safetensors"]
    }
    for name, part in shards.items():
        safetensors.torch.save_file(part, folder / name)
    index = {"weight_map": {k: name for name, part in shards.items() for k in part}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "model.safetensors").unlink()
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))
    (folder / "two.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match=r"two\.safetensors is missing"):
        BertForPreTraining.from_pretrained(folder)
    for index in ("{}", '{"weight_map": {"a": 5}}'):
        (folder / "model.safetensors.index.json").write_text(index)
        with pytest.raises(ValueError, match=r"index\.json is not an index of weights"):
            BertForPreTraining.from_pretrained(folder)


def test_pytorch_model_bin(folder):
    torch.save(weights_of(folder), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


@pytest.mark.parametrize("cls", CLASSES)
def test_names_without_the_prefix(folder, cls):
    weights = {k.removeprefix("bert."): v for k, v in weights_of(folder).items()}
    write_weights(folder, weights)
    assert cls.from_pretrained(folder)(IDS)[0].shape == (1, 4, 8)
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


def test_prefix_is_taken_off_in_front_only(folder):
    weights = weights_of(folder)
    weights["encoder.bert.layer"] = torch.ones(1)
    write_weights(folder, weights)
    with pytest.raises(ValueError, match=r"not accounted for \['encoder\.bert\.layer'\]"):
        BertForPreTraining.from_pretrained(folder)


def test_one_name_in_two_spellings(folder):
    weights = weights_of(folder)
    weights["pooler.dense.bias"] = torch.ones(8)
    write_weights(folder, weights)
    with pytest.raises(ValueError, match=r"pooler\.dense\.bias is there twice"):
        BertForPreTraining.from_pretrained(folder)


def test_gamma_and_beta(folder):
    old = {
        k.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): v
        for k, v in weights_of(folder).items()
    }
    assert "bert.embeddings.LayerNorm.gamma" in old
    write_weights(folder, old)
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


def test_known_buffers_and_equal_copies(folder):
    weights = weights_of(folder)
    weights["bert.embeddings.position_ids"] = torch.arange(6)[None]
    weights["bert.embeddings.token_type_ids"] = torch.zeros(1, 6, dtype=torch.long)
    weights["cls.predictions.decoder.weight"] = weights["bert.embeddings.word_embeddings.weight"]
    weights["cls.predictions.decoder.bias"] = weights["cls.predictions.bias"]
    write_weights(folder, weights)
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


def test_copies_without_their_originals(folder):
    weights = weights_of(folder)
    words = weights.pop("bert.embeddings.word_embeddings.weight")
    weights["cls.predictions.decoder.weight"] = words
    weights["cls.predictions.decoder.bias"] = weights.pop("cls.predictions.bias")
    write_weights(folder, weights)
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


@pytest.mark.parametrize("leaf", ["weight", "bias"])
def test_untied_decoder(folder, leaf):
    weights = weights_of(folder)
    original = {
        "weight": weights["bert.embeddings.word_embeddings.weight"],
        "bias": weights["cls.predictions.bias"],
    }[leaf]
    weights[f"cls.predictions.decoder.{leaf}"] = original + 1e-3
    write_weights(folder, weights)
    with pytest.raises(ValueError, match=rf"cls\.predictions\.decoder\.{leaf} differs from"):
        BertForMaskedLM.from_pretrained(folder)
    Bert.from_pretrained(folder)  # has no decoder: nothing that it computes is touched


# Heads


@pytest.mark.parametrize("cls", [Bert, BertForMaskedLM])
def test_heads_of_siblings_are_skipped(folder, cls):
    weights = weights_of(folder)
    weights |= {"classifier.weight": torch.ones(3, 8), "qa_outputs.bias": torch.ones(2)}
    write_weights(folder, weights)
    whole, part = make(BertForPreTraining)(IDS), cls.from_pretrained(folder)(IDS)
    for field in part._fields:
        torch.testing.assert_close(getattr(part, field), getattr(whole, field))


@pytest.mark.parametrize(
    ("saved", "cls", "lacks"),
    [
        (Bert, BertForMaskedLM, ["cls.predictions.bias", "cls.predictions.transform.dense.weight"]),
        (BertForMaskedLM, Bert, ["pooler.dense.bias", "pooler.dense.weight"]),
        (BertForMaskedLM, BertForPreTraining, ["pooler.dense.bias", "cls.seq_relationship.bias"]),
    ],
)
def test_missing_head_is_an_error_unless_asked_for(tmp_path, saved, cls, lacks):
    make(saved).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match='missing="init"') as caught:
        cls.from_pretrained(tmp_path)
    assert all(f"'{name}'" in str(caught.value) for name in lacks)
    assert "encoder.layer" not in str(caught.value)
    torch.manual_seed(1)
    model = cls.from_pretrained(tmp_path, missing="init")
    assert same(model.encoder, make(saved).encoder)
    fresh = [m for n, m in model.named_children() if n not in dict(make(saved).named_children())]
    assert fresh
    for module in fresh:
        matrices = [p for p in module.parameters() if p.ndim == 2]
        assert all(0 < p.std() < 0.05 for p in matrices)  # N(0, 0.02), not the 0.5 of `make`


def test_head_in_pieces_is_an_error_all_the_same(folder):
    weights = weights_of(folder)
    del weights["cls.predictions.transform.dense.bias"]
    write_weights(folder, weights)
    with pytest.raises(ValueError, match=r"missing \['cls\.predictions\.transform\.dense\.bias'\]"):
        BertForMaskedLM.from_pretrained(folder, missing="init")


def test_other_word_for_missing(folder):
    with pytest.raises(ValueError, match='missing must be "error" or "init", not \'ignore\''):
        Bert.from_pretrained(folder, missing="ignore")


# Weights that do not fit


def test_missing_and_left_over_names_are_all_listed(folder):
    weights = weights_of(folder)
    for leaf in ("weight", "bias"):
        moved = weights.pop(f"bert.encoder.layer.1.output.dense.{leaf}")
        weights[f"bert.encoder.layer.1.out.dense.{leaf}"] = moved
    write_weights(folder, weights)
    for missing in ("error", "init"):
        with pytest.raises(ValueError, match="BertForPreTraining") as caught:
            BertForPreTraining.from_pretrained(folder, missing=missing)
        for name in (
            "output.dense.weight",
            "output.dense.bias",
            "out.dense.weight",
            "out.dense.bias",
        ):
            assert f"'encoder.layer.1.{name}'" in str(caught.value)


def test_a_layer_too_many(folder):
    edit_config(folder, num_hidden_layers=1)
    with pytest.raises(ValueError, match=r"not accounted for \['encoder\.layer\.1\."):
        Bert.from_pretrained(folder)


@pytest.mark.parametrize(
    ("field", "value", "name", "on_disk", "by_config"),
    [
        ("vocab_size", 33, "embeddings.word_embeddings.weight", "(30, 8)", "(33, 8)"),
        (
            "intermediate_size",
            10,
            "encoder.layer.0.intermediate.dense.weight",
            "(12, 8)",
            "(10, 8)",
        ),
    ],
)
def test_shape_mismatch(folder, field, value, name, on_disk, by_config):
    edit_config(folder, **{field: value})
    with pytest.raises(ValueError, match="has shape") as caught:
        Bert.from_pretrained(folder)
    assert all(part in str(caught.value) for part in (name, on_disk, by_config))


def test_shape_mismatch_in_a_part_of_a_fused_tensor(folder):
    weights = weights_of(folder)
    name = "bert.encoder.layer.0.attention.self.key.weight"
    weights[name] = torch.ones(8)  # could be broadcast, and must not be
    write_weights(folder, weights)
    with pytest.raises(ValueError, match=r"self\.key\.weight has shape \(8,\).*\(8, 8\)"):
        Bert.from_pretrained(folder)


# Folders that are none, or damaged


def test_no_such_folder(tmp_path):
    for path in (tmp_path / "no", str(tmp_path / "no"), "./no/such", "a/b/c", Path("org/name")):
        with pytest.raises(FileNotFoundError, match="there is no folder"):
            Bert.from_pretrained(path)


def test_a_file_is_not_a_folder(folder):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        Bert.from_pretrained(folder / "config.json")


def test_empty_folder_and_folder_without_config(tmp_path):
    with pytest.raises(FileNotFoundError, match="is empty"):
        Bert.from_pretrained(tmp_path)
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(FileNotFoundError, match=r"has no config\.json"):
        Bert.from_pretrained(tmp_path)


def test_folder_without_weights(folder):
    (folder / "model.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match=r"has no weights: none of model\.safetensors,"):
        Bert.from_pretrained(folder)


@pytest.mark.parametrize("text", ["{", "[1]", '"bert"', ""])
def test_damaged_config(folder, text):
    (folder / "config.json").write_text(text)
    with pytest.raises(
        ValueError, match=r"config\.json (is not valid JSON|must hold a JSON object)"
    ):
        Bert.from_pretrained(folder)


@pytest.mark.parametrize("kept", [0, 4, 200, -1])
@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_truncated_weights(folder, name, kept):
    if name == "pytorch_model.bin":
        torch.save(weights_of(folder), folder / name)
        (folder / "model.safetensors").unlink()
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[:kept])
    with pytest.raises(ValueError, match=rf"{name} is truncated or not a file of weights"):
        Bert.from_pretrained(folder)


class Touch:
    """A pickle that would create a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


def test_pickle_that_would_run_code_is_refused(folder):
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(
        pickle.dumps({"w": Touch(folder / "ran")}, protocol=2)
    )
    with pytest.raises(ValueError, match="not a file of weights"):
        Bert.from_pretrained(folder)
    assert not (folder / "ran").exists()


def test_training_checkpoint_is_not_a_file_of_weights(folder):
    (folder / "model.safetensors").unlink()
    torch.save({"model": weights_of_model(), "step": 3}, folder / "pytorch_model.bin")
    with pytest.raises(ValueError, match="does not hold tensors by name"):
        Bert.from_pretrained(folder)


def weights_of_model() -> dict:
    return make(Bert).state_dict()


# Configs


def test_fields_that_change_nothing_are_ignored(folder):
    edit_config(
        folder,
        architectures=["Other"],
        transformers_version="4.0.0",
        torch_dtype="float16",
        dtype="float16",
        use_cache=True,
        gradient_checkpointing=True,
        id2label={"0": "a"},
        label2id={"a": 0},
        directionality="bidi",
        pooler_fc_size=768,
        pooler_num_attention_heads=12,
        pooler_num_fc_layers=3,
        pooler_size_per_head=128,
        pooler_type="first_token_transform",
        classifier_dropout=None,
        bos_token_id=1,
        pruned_heads={},
        is_encoder_decoder=False,
        hidden_act="gelu_python",
        output_past=True,
    )
    assert same(BertForPreTraining.from_pretrained(folder), make(BertForPreTraining))


def test_old_config_without_model_type(folder):
    config = json.loads((folder / "config.json").read_text())
    del config["model_type"]
    (folder / "config.json").write_text(json.dumps(config))
    Bert.from_pretrained(folder)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("position_embedding_type", "relative_key"),
        ("is_decoder", True),
        ("add_cross_attention", True),
        ("hidden_act", "gelu_new"),
        ("hidden_act", "relu"),
        ("tie_word_embeddings", False),
        ("is_encoder_decoder", True),
        ("pruned_heads", {"0": [1]}),
        ("model_type", "roberta"),
    ],
)
def test_fields_that_ask_for_another_computation(folder, field, value):
    edit_config(folder, **{field: value})
    with pytest.raises(ValueError, match="asks for another computation") as caught:
        Bert.from_pretrained(folder)
    assert f"{field}={value!r}" in str(caught.value)


def test_unknown_fields_are_named(folder):
    edit_config(folder, rotary_base=10000, embedding_size=128)
    with pytest.raises(ValueError, match=r"unknown \['embedding_size', 'rotary_base'\]"):
        Bert.from_pretrained(folder)


def test_a_value_that_is_none_names_its_field(folder):
    edit_config(folder, layer_norm_eps=None)
    with pytest.raises(ValueError, match=r"layer_norm_eps must be a number that is not negative"):
        Bert.from_pretrained(folder)


def test_bad_value_in_a_config_names_the_file(folder):
    edit_config(folder, hidden_size="8")
    with pytest.raises(ValueError, match=r"config\.json: hidden_size must be an integer"):
        Bert.from_pretrained(folder)


# Repositories of the hub

CHILD = """
import sys
from companion.models import BertForPreTraining
heavy = {"transformers", "huggingface_hub", "matplotlib", "IPython"} & sys.modules.keys()
assert not heavy, heavy
for name in ("tiny-bert", "pickled"):
    model = BertForPreTraining.from_pretrained(f"someone/{name}")
    model.save_pretrained(f"{sys.argv[1]}/{name}")
for name in ("someone/absent", "someone/no--where", "bert"):
    try:
        BertForPreTraining.from_pretrained(name)
    except OSError as error:
        assert f"{name!r} is not a folder here" in str(error), error
    else:
        raise AssertionError(name)
"""


def test_repo_id_from_the_cache_and_absent_ones(tmp_path):
    """A hub cache made by hand; in a process of its own, for the settings are read at import."""
    revision = "0123456789abcdef0123456789abcdef01234567"
    for name in ("tiny-bert", "pickled"):
        repo = tmp_path / "hub" / f"models--someone--{name}"
        snapshot = repo / "snapshots" / revision
        make(BertForPreTraining).save_pretrained(snapshot)
        (repo / "refs").mkdir()
        (repo / "refs" / "main").write_text(revision)
    torch.save(weights_of(snapshot), snapshot / "pytorch_model.bin")
    (snapshot / "model.safetensors").unlink()
    (tmp_path / "cwd").mkdir()
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path / "copy")],
        env=os.environ | {"HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1"},
        cwd=tmp_path / "cwd",
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    for copy in (tmp_path / "copy").iterdir():
        assert same(BertForPreTraining.from_pretrained(copy), make(BertForPreTraining))
