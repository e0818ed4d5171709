"""Next tokens: what is asked, what it costs, how held-out text is read, what is refused."""

import math
from pathlib import Path

import pytest
import torch
from tiny_run import DATA

from companion.data import PackedRows, load_corpus, load_tokenizer, pack_rows
from companion.evaluation import log_likelihood, pseudo_log_likelihood, read_on
from companion.losses import causal_lm_loss
from companion.models import (
    Gpt,
    GptConfig,
    ModernBertConfig,
    ModernBertForCausalLM,
    ModernBertForMaskedLM,
)
from companion.training import load_config, pretrain, read_log
from companion.training.next_tokens import NextTokens
from companion.training.setup import build_model

TOKENIZER = load_tokenizer()
SIZES = {
    "vocab_size": TOKENIZER.vocab_size,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "initializer_range": 0.3,
}


def rows() -> PackedRows:
    texts = [torch.arange(10, 10 + size) for size in (5, 9, 3, 20, 7)]
    return pack_rows(texts, length=12, cls_id=2, sep_id=3, pad_id=0)


def modern(cls=ModernBertForCausalLM):
    torch.manual_seed(0)
    return cls(ModernBertConfig(**SIZES)).eval()


def test_every_token_is_asked_for_but_the_first_of_a_text_in_a_row():
    packed = rows()
    scored = NextTokens(packed, seed=0).batch(torch.arange(len(packed.input_ids)), 0).answers
    seams = packed.documents[:, 1:] != packed.documents[:, :-1]
    padding = packed.documents < 0
    assert padding.any()
    assert not scored[padding].any()
    assert not scored[:, 0].any()
    assert not scored[:, 1:][seams].any()
    assert scored[:, 1:][~seams & ~padding[:, 1:]].all()


def test_parts_of_a_step_add_up_to_the_loss_of_the_whole():
    objective, model = NextTokens(rows(), seed=0), modern()
    batch = objective.batch(torch.arange(4), epoch=0)
    whole = objective.loss(model, batch, batch.scored, 4)
    parts = sum(objective.loss(model, part, batch.scored, 4) for part in batch.split(3))
    torch.testing.assert_close(parts, whole)
    full = objective.batch(torch.arange(3), epoch=0)  # without the row that ends in padding
    logits = model(full.input_ids, full.attention_mask).logits
    plain = causal_lm_loss(logits, full.input_ids, full.attention_mask)
    torch.testing.assert_close(objective.loss(model, full, full.scored, 3), plain)


def test_order_depends_on_seed_and_epoch_alone():
    one, other = NextTokens(rows(), seed=0), NextTokens(rows(), seed=1)
    assert torch.equal(one.order(3), NextTokens(rows(), seed=0).order(3))
    assert sorted(one.order(3).tolist()) == list(range(len(rows().input_ids)))
    assert not torch.equal(one.order(3), one.order(4)) or not torch.equal(
        one.order(3), other.order(3)
    )


@pytest.mark.parametrize("model", [modern(), "gpt"], ids=["modern", "gpt"])
def test_held_out_text_is_read_as_one_would_by_hand(model):
    if model == "gpt":
        torch.manual_seed(0)
        config = GptConfig(TOKENIZER.vocab_size, 64, 16, 2, 2, initializer_range=0.3)
        model = Gpt(config).eval()
    texts = [page.text for page in load_corpus("wiki", "validation").documents[:5]]
    read = read_on(model, texts, TOKENIZER, length=32, batch=3)
    costs, right, numbers = [], [], []
    for number, text in enumerate(texts):
        ids = TOKENIZER.encode(text, specials=False).ids
        for part in ids.chunk(-(-len(ids) // 30)):
            row = torch.cat([torch.tensor([2]), part])[None]
            with torch.no_grad():
                log_p = model(row).logits[0, :-1].log_softmax(-1)
            costs.append(-log_p[range(len(part)), part])
            right.append(log_p.argmax(-1) == part)
            numbers += [number] * len(part)
    torch.testing.assert_close(read.surprise, torch.cat(costs), atol=1e-4, rtol=1e-4)
    assert torch.equal(read.is_right, torch.cat(right))
    assert read.text.tolist() == numbers
    with pytest.raises(ValueError, match="nothing to read"):
        read_on(model, ["", " "], TOKENIZER, length=32)


def test_scores_of_sentences_are_those_of_one_token_after_the_other():
    text = "The river flows into the sea."
    ids = TOKENIZER.encode(text).ids
    causal, masked = modern(), modern(ModernBertForMaskedLM)
    with torch.no_grad():
        log_p = causal(ids[None]).logits[0].log_softmax(-1)
        by_hand = sum(float(log_p[t, ids[t + 1]]) for t in range(len(ids) - 1))
        one_by_one = 0.0
        for place in range(1, len(ids) - 1):
            row = ids.clone()
            row[place] = TOKENIZER.mask_id
            one_by_one += float(masked(row[None]).mlm_logits[0, place].log_softmax(-1)[ids[place]])
    assert log_likelihood(causal, TOKENIZER, text) == pytest.approx(by_hand, abs=1e-3)
    assert pseudo_log_likelihood(masked, TOKENIZER, text) == pytest.approx(one_by_one, abs=1e-3)
    assert pseudo_log_likelihood(masked, TOKENIZER, "") == 0


RECIPE = f"""
[model]
name = "ModernBertForCausalLM"

[model.sizes]
hidden_size = 16
num_hidden_layers = 1
num_attention_heads = 2
intermediate_size = 24
{DATA}
[optimizer]
learning_rate = 3e-2

[schedule]
steps = 30

[run]
batch_size = 8
evaluate_every = 10
"""


def recipe(folder: Path, text: str = RECIPE) -> Path:
    path = folder / "recipe.toml"
    path.write_text(text)
    return path


def test_a_causal_model_learns_and_is_kept_as_a_folder(tmp_path):
    pretrain(recipe(tmp_path), tmp_path / "run")
    log = read_log(tmp_path / "run" / "log.csv")
    assert log[-1].held_out_loss < math.log(TOKENIZER.vocab_size) - 1.5
    assert log[-1].held_out_loss < log[0].held_out_loss
    assert not (tmp_path / "run" / "film.json").exists()
    model = ModernBertForCausalLM.from_pretrained(tmp_path / "run")
    texts = [page.text for page in load_corpus("wiki", "validation").documents]
    read = read_on(model, texts, TOKENIZER, length=32)
    assert read.surprise.mean().item() == pytest.approx(log[-1].held_out_loss, abs=1e-3)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[optimizer]", "[masking]\nrate = 0.3\n\n[optimizer]", r"leave out \[masking\]"),
        ("batch_size = 8", "batch_size = 8\nfilm = [0]", "leave out run.film"),
    ],
)
def test_settings_that_a_causal_model_has_no_use_for_are_refused(old, new, says, tmp_path):
    with pytest.raises(ValueError, match=says):
        load_config(recipe(tmp_path, RECIPE.replace(old, new)))


def test_learned_positions_beyond_the_rows_are_refused(tmp_path):
    text = RECIPE.replace("ModernBertForCausalLM", "Gpt").split("[model.sizes]")[0]
    text += "[model.sizes]\nn_embd = 16\nn_layer = 1\nn_head = 2\nn_positions = 64\n"
    text += RECIPE[RECIPE.index("[data]") - 1 :]
    config = load_config(recipe(tmp_path, text))
    with pytest.raises(ValueError, match=r"n_positions is 64, and data\.length is 32"):
        build_model(config, TOKENIZER)


def test_texts_that_speak_of_special_tokens_are_read():
    model = modern()
    texts = ["use [PAD] to fill the rows here", "another text", "the \U0001f600 went home"]
    assert len(read_on(model, texts, TOKENIZER, length=32).text) == sum(
        len(TOKENIZER.encode(text, specials=False).ids) for text in texts
    )
    masked = modern(ModernBertForMaskedLM)
    assert pseudo_log_likelihood(masked, TOKENIZER, "\U0001f600") < -1  # unknown, and not free


def test_a_float_mask_is_no_mask():
    with pytest.raises(ValueError, match="float32"):
        causal_lm_loss(torch.zeros(1, 3, 5), torch.zeros(1, 3).long(), torch.zeros(1, 3))


def test_a_run_goes_on_with_the_text_that_it_began_with(tmp_path):
    text = tmp_path / "mine.txt"
    pages = load_corpus("wiki", "train").documents[:40]
    text.write_text("\n\n".join(page.text for page in pages), encoding="utf-8")
    config = recipe(tmp_path, RECIPE.replace("steps = 30", "steps = 2"))
    pretrain(config, tmp_path / "run", data=text)
    for data in (None, tmp_path / "other.txt"):
        with pytest.raises(ValueError, match=r"began with --data .*mine\.txt"):
            pretrain(config, tmp_path / "run", data=data, resume=True)
    pretrain(config, tmp_path / "run", data=text, resume=True)


def test_the_card_of_a_small_model_fits_into_its_places(tmp_path, capsys):
    from companion.cli import main

    pretrain(recipe(tmp_path, RECIPE.replace("steps = 30", "steps = 2")), tmp_path / "run")
    assert main(["evaluate", str(tmp_path / "run")]) == 0
    assert "next tokens of held-out pages" in capsys.readouterr().out
    (tmp_path / "run" / "config.json").write_text("{")
    assert main(["evaluate", str(tmp_path / "run")]) == 1
    assert "config.json is not valid JSON" in capsys.readouterr().err
