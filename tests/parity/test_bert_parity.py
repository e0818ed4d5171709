"""BERT against `transformers`, through saved folders, in both directions."""

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
import transformers
from torch import Tensor

from companion.models import Bert, BertForMaskedLM, BertForPreTraining

# Three configurations in which no two sizes that could be mixed up are equal.
CONFIGS = {
    "narrow": {
        "vocab_size": 61,
        "hidden_size": 24,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 40,
        "max_position_embeddings": 14,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
    },
    "deep": {
        "vocab_size": 97,
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 56,
        "max_position_embeddings": 20,
        "type_vocab_size": 3,
        "layer_norm_eps": 1e-2,  # large, so that a model that ignores it is far off
        "initializer_range": 0.3,
    },
    "one_segment": {
        "vocab_size": 53,
        "hidden_size": 20,
        "num_hidden_layers": 2,
        "num_attention_heads": 1,
        "intermediate_size": 12,
        "max_position_embeddings": 11,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
        "pad_token_id": 7,
        "initializer_range": 0.5,
    },
}
PADDING = ["none", "right", "left"]
BATCH, LENGTH = 3, 11


def hf_model(name: str, kind: str) -> transformers.PreTrainedModel:
    """A model of transformers in which no parameter is all ones or zeros."""
    torch.manual_seed(0)
    config = transformers.BertConfig(**CONFIGS[name])
    model = getattr(transformers, kind)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 1:  # biases, and what LayerNorm multiplies with
                parameter.normal_(0.5, 0.5)
    return model


def batch_of(name: str, padding: str) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, segments and an integer attention mask, padded by 0, 3 and 6 positions."""
    config = CONFIGS[name]
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(config["vocab_size"], (BATCH, LENGTH), generator=generator)
    segments = torch.randint(config["type_vocab_size"], (BATCH, LENGTH), generator=generator)
    mask = torch.ones_like(ids)
    for row, pad in enumerate((0, 3, 6)):
        if padding == "right":
            mask[row, LENGTH - pad :] = 0
        if padding == "left":
            mask[row, :pad] = 0
    return ids, segments, mask


def close(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def labels_of(ids: Tensor, mask: Tensor) -> Tensor:
    selected = torch.rand(ids.shape, generator=torch.Generator().manual_seed(2)) < 0.4
    return ids.masked_fill(~(selected & mask.bool()), -100)


def compare(ours: torch.nn.Module, theirs: transformers.PreTrainedModel, name: str) -> None:
    """Hidden states, pooled output, logits and losses of a pair of twins, for each padding."""
    for padding in PADDING:
        ids, segments, mask = batch_of(name, padding)
        labels, is_random = labels_of(ids, mask), torch.tensor([0, 1, 1])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        if not isinstance(ours, Bert):
            inputs["labels"] = labels
        if isinstance(ours, BertForPreTraining):
            inputs["next_sentence_label"] = is_random
        with torch.no_grad():
            out = ours(ids, segments, mask)
            expected = theirs(**inputs, output_hidden_states=True)
        close(out.last_hidden_state, expected.hidden_states[-1])
        if isinstance(ours, Bert):
            close(out.pooled, expected.pooler_output)
            continue
        loss = F.cross_entropy(out.mlm_logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
        if isinstance(ours, BertForMaskedLM):
            close(out.mlm_logits, expected.logits)
        else:
            close(out.mlm_logits, expected.prediction_logits)
            close(out.nsp_logits, expected.seq_relationship_logits)
            loss = loss + F.cross_entropy(out.nsp_logits, is_random)
        close(loss, expected.loss)
        with torch.no_grad():
            scored = ours(ids, segments, mask, selected=labels != -100)
        close(scored.mlm_logits, out.mlm_logits[labels != -100])


TWINS = [
    (Bert, "BertModel"),
    (BertForMaskedLM, "BertForMaskedLM"),
    (BertForPreTraining, "BertForPreTraining"),
]


@pytest.mark.parametrize(("ours", "kind"), TWINS)
@pytest.mark.parametrize("name", CONFIGS)
def test_what_transformers_saves_we_compute_alike(tmp_path: Path, name, ours, kind):
    theirs = hf_model(name, kind)
    theirs.save_pretrained(tmp_path)
    model = ours.from_pretrained(tmp_path)
    assert all(getattr(model.config, k) == v for k, v in CONFIGS[name].items())
    compare(model, theirs, name)


@pytest.mark.parametrize(("ours", "kind"), TWINS)
@pytest.mark.parametrize("name", CONFIGS)
def test_what_we_save_transformers_loads_strictly(tmp_path: Path, name, ours, kind):
    hf_model(name, kind).save_pretrained(tmp_path / "theirs")
    model = ours.from_pretrained(tmp_path / "theirs")
    model.save_pretrained(tmp_path / "ours")
    theirs, info = getattr(transformers, kind).from_pretrained(
        tmp_path / "ours", output_loading_info=True
    )
    assert not any(info.values()), info
    assert theirs.config.architectures == [kind]
    assert {k: getattr(theirs.config, k) for k in CONFIGS[name]} == CONFIGS[name]
    compare(model, theirs.eval(), name)


def test_transformers_finds_the_class_of_our_folder(tmp_path: Path):
    hf_model("narrow", "BertForMaskedLM").save_pretrained(tmp_path / "theirs")
    BertForMaskedLM.from_pretrained(tmp_path / "theirs").save_pretrained(tmp_path / "ours")
    model = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "ours")
    assert type(model) is transformers.BertForMaskedLM


def test_sharded_folder_of_transformers(tmp_path: Path):
    theirs = hf_model("deep", "BertForPreTraining")
    theirs.save_pretrained(tmp_path, max_shard_size="20KB")
    assert (tmp_path / "model.safetensors.index.json").is_file()
    assert not (tmp_path / "model.safetensors").exists()
    compare(BertForPreTraining.from_pretrained(tmp_path), theirs, "deep")


def test_pickled_state_dict_with_tied_copies(tmp_path: Path):
    """torch.save of a whole state_dict holds the decoder's matrix and bias a second time."""
    theirs = hf_model("deep", "BertForPreTraining")
    theirs.config.save_pretrained(tmp_path)
    state = theirs.state_dict()
    assert "cls.predictions.decoder.weight" in state
    torch.save(state, tmp_path / "pytorch_model.bin")
    compare(BertForPreTraining.from_pretrained(tmp_path), theirs, "deep")


def test_encoder_and_pooler_from_the_pretraining_twin(tmp_path: Path):
    theirs = hf_model("deep", "BertForPreTraining")
    theirs.save_pretrained(tmp_path)
    compare(Bert.from_pretrained(tmp_path), theirs.bert, "deep")


@pytest.mark.parametrize(
    "kind", ["BertForSequenceClassification", "BertForQuestionAnswering", "BertForMultipleChoice"]
)
def test_heads_of_other_twins_are_skipped(tmp_path: Path, kind):
    theirs = hf_model("narrow", kind)
    theirs.save_pretrained(tmp_path)
    missing = "init" if theirs.bert.pooler is None else "error"
    model = Bert.from_pretrained(tmp_path, missing=missing)
    ids, segments, mask = batch_of("narrow", "right")
    with torch.no_grad():
        expected = theirs.bert(ids, attention_mask=mask, token_type_ids=segments)
        close(model(ids, segments, mask).last_hidden_state, expected.last_hidden_state)


@pytest.mark.parametrize("name", CONFIGS)
def test_gradients_agree(tmp_path: Path, name):
    theirs = hf_model(name, "BertForMaskedLM")
    theirs.save_pretrained(tmp_path)
    ours = BertForMaskedLM.from_pretrained(tmp_path)
    ids, segments, mask = batch_of(name, "right")
    labels = labels_of(ids, mask)
    theirs(ids, attention_mask=mask, token_type_ids=segments, labels=labels).loss.backward()
    selected = labels != -100
    logits = ours(ids, segments, mask, selected=selected).mlm_logits
    F.cross_entropy(logits, labels[selected]).backward()
    # The word embedding gets its gradient from both of its uses. Their padding row gets only one:
    # `padding_idx` keeps the look-up's share out.
    rows = torch.arange(ours.config.vocab_size) != ours.config.pad_token_id
    close(
        ours.encoder.embeddings.words.weight.grad[rows],
        theirs.bert.embeddings.word_embeddings.weight.grad[rows],
    )
    attention = theirs.bert.encoder.layer[-1].attention.self
    fused = torch.cat([p.weight.grad for p in (attention.query, attention.key, attention.value)])
    close(ours.encoder.blocks[-1].attention.qkv.weight.grad, fused)
    close(ours.mlm_head.bias.grad, theirs.cls.predictions.decoder.bias.grad)
