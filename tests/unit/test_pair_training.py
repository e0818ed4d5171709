"""Training on pairs of texts: rows, both losses, and a run from a config to a folder."""

import re
from types import SimpleNamespace

import pytest
import torch
import transformers
from torch import nn

from companion.data import Pair, load_corpus, load_tokenizer, pair_rows
from companion.evaluation.overlap import common_words
from companion.evaluation.pairs import pair_report, pair_table
from companion.losses import mlm_loss, nsp_loss
from companion.models import BertConfig, BertForPreTraining
from companion.training import load_config
from companion.training import setup as training_setup
from companion.training.config import MaskingConfig
from companion.training.objective import MaskedWords
from companion.training.run import pretrain
from companion.training.setup import PAIR_PASSES, in_sentences, training_rows

TOKENIZER = load_tokenizer()
LENGTH = 64
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "max_position_embeddings": LENGTH,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}
CONFIG = f"""
[model]
name = "BertForPreTraining"

[model.sizes]
{chr(10).join(f"{key} = {value}" for key, value in SIZES.items())}
initializer_range = 0.05

[data]
corpora = ["wiki"]
length = {LENGTH}

[optimizer]
learning_rate = 1e-3

[schedule]
steps = 4
warmup = 1

[run]
batch_size = 4
evaluate_every = 4
checkpoint_every = 2
"""


def rows_of(number: int = 12):
    """Pairs of different lengths, so that rows end in padding; labels by turns."""
    generator = torch.Generator().manual_seed(0)
    pairs = []
    for n in range(number):
        a, b = (
            torch.randint(
                5, 200, (int(torch.randint(2, 10, (), generator=generator)),), generator=generator
            )
            for _ in "ab"
        )
        pairs.append(Pair(a, b, n % 2, (n, n)))
    specials = {"cls_id": TOKENIZER.cls_id, "sep_id": TOKENIZER.sep_id, "pad_id": TOKENIZER.pad_id}
    return pair_rows(pairs, length=LENGTH, **specials)


def model_of() -> BertForPreTraining:
    torch.manual_seed(0)
    config = BertConfig(vocab_size=TOKENIZER.vocab_size, initializer_range=0.1, **SIZES)
    return BertForPreTraining(config).eval()


def objective_of() -> MaskedWords:
    return MaskedWords(rows_of(), TOKENIZER, MaskingConfig(rate=0.3), seed=1)


def test_padding_and_special_tokens_are_never_selected():
    objective = objective_of()
    rows = objective.rows
    special = torch.isin(rows.input_ids, torch.tensor(sorted(TOKENIZER.special_ids)))
    for epoch in range(5):
        selected = objective.batch(torch.arange(12), epoch).selected
        assert selected.any(1).all()
        assert not selected[special | ~rows.is_real].any()


def test_a_row_has_one_mask_an_epoch_and_keeps_its_segments_and_its_label():
    objective = objective_of()
    whole = objective.batch(torch.arange(12), epoch=2)
    for all_rows, two_rows in zip(whole, objective.batch(torch.tensor([7, 4]), 2), strict=True):
        assert torch.equal(all_rows[[7, 4]], two_rows)
    assert torch.equal(whole.segment_ids, objective.rows.segment_ids)
    assert whole.pair_labels.tolist() == [0, 1] * 6


@pytest.mark.parametrize("size", [1, 5])
def test_parts_of_a_batch_give_both_losses_and_their_gradient(size):
    objective, model = objective_of(), model_of()
    batch = objective.batch(torch.arange(12), epoch=0)
    output = model(batch.corrupted, batch.segment_ids, attention_mask=batch.attention_mask)
    expected = mlm_loss(output.mlm_logits, batch.labels) + nsp_loss(
        output.nsp_logits, batch.pair_labels
    )
    expected.backward()
    gradients = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    parts = batch.split(size)
    assert sum(len(part.labels) for part in parts) == 12
    loss = sum(objective.loss(model, part, batch.scored, rows=12) for part in parts)
    loss.backward()
    torch.testing.assert_close(loss, expected)
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, atol=1e-6, rtol=1e-4)


def test_segments_padding_and_labels_reach_the_loss():
    objective, model = objective_of(), model_of()
    batch = objective.batch(torch.arange(12), epoch=0)
    with torch.no_grad():
        plain = objective.loss(model, batch, batch.scored, rows=12)
        changes = {
            "segments": batch._replace(segment_ids=1 - batch.segment_ids),
            "labels": batch._replace(pair_labels=1 - batch.pair_labels),
            "mask": batch._replace(attention_mask=torch.ones_like(batch.attention_mask)),
        }
        for name, changed in changes.items():
            assert objective.loss(model, changed, batch.scored, rows=12) != plain, name
        noise = batch.corrupted.clone()
        noise[~objective.rows.is_real] = 99
        spoilt = objective.loss(model, batch._replace(corrupted=noise), batch.scored, rows=12)
    torch.testing.assert_close(spoilt, plain)


def test_both_tasks_can_be_learned():
    """Twelve pairs by heart: a chance of 1 in 4,096 for a model that learns no label."""
    objective, model = objective_of(), model_of().train()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(80):
        batch = objective.batch(torch.arange(12), epoch=0)
        loss = objective.loss(model, batch, batch.scored, rows=12)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    with torch.no_grad():
        output = model(batch.corrupted, batch.segment_ids, attention_mask=batch.attention_mask)
    assert (output.nsp_logits.argmax(-1) == batch.pair_labels).all()
    assert losses[-1] < 0.5 * losses[0]


@pytest.fixture
def few_pages(monkeypatch):
    """The corpus, cut to a few pages: making all its pairs takes half a minute."""

    def load_few(name: str, split: str):
        corpus = load_corpus(name, split)
        return corpus._replace(documents=corpus.documents[:30])

    monkeypatch.setattr(training_setup, "load_corpus", load_few)
    return load_corpus("wiki", "train").documents[:30]


def config_of(folder):
    path = folder / "pairs.toml"
    path.write_text(CONFIG)
    return path


def test_rows_are_pairs_of_the_training_half_made_several_times(tmp_path, few_pages):
    rows = training_rows(load_config(config_of(tmp_path)), TOKENIZER)
    ids = rows.input_ids
    assert (ids[:, 0] == TOKENIZER.cls_id).all()
    assert ((ids == TOKENIZER.sep_id).sum(1) == 2).all()
    assert 0.4 < rows.labels.float().mean() < 0.8  # chunks of one sentence: more than half
    known = {int(t) for page in in_sentences(few_pages, TOKENIZER) for s in page for t in s}
    assert {int(t) for t in ids.unique()} - set(TOKENIZER.special_ids) <= known
    passes = ids[: len(ids) // PAIR_PASSES * PAIR_PASSES].unique(dim=0)
    assert len(passes) > 2 * len(ids) / PAIR_PASSES  # and not the same pairs each time


def test_sentences_are_those_of_the_page():
    pages = load_corpus("wiki", "validation").documents[:3]
    for page, sentences in zip(pages, in_sentences(pages, TOKENIZER), strict=True):
        assert len(sentences) == len(page.sentences)
        for text, ids in zip(page.sentences, sentences, strict=True):
            assert torch.equal(ids, TOKENIZER.encode(text, specials=False).ids)


def test_a_run_on_pairs_becomes_a_folder_that_transformers_loads(tmp_path, few_pages):
    pretrain(config_of(tmp_path), tmp_path / "run")
    ours = BertForPreTraining.from_pretrained(tmp_path / "run").eval()
    theirs: nn.Module = transformers.BertForPreTraining.from_pretrained(tmp_path / "run").eval()
    pair = TOKENIZER.encode("The sun is a star.", "It shines.")
    ids, segments = pair.ids[None], pair.segment_ids[None]
    with torch.no_grad():
        expected = theirs(ids, token_type_ids=segments)
        found = ours(ids, segments)
    torch.testing.assert_close(found.mlm_logits, expected.prediction_logits, atol=1e-5, rtol=0)
    torch.testing.assert_close(
        found.nsp_logits, expected.seq_relationship_logits, atol=1e-5, rtol=0
    )


def test_pairs_are_examined_beside_shared_words():
    """A model that says what shared words say gets the same share; its opposite gets the rest."""

    class ByNumber(nn.Module):
        def __init__(self, turned):
            super().__init__()
            self.turned = turned

        def forward(self, ids, segments, attention_mask):
            rows = []
            for row, kinds, real in zip(ids, segments, attention_mask, strict=True):
                texts = [
                    tokenizer_words(TOKENIZER, row[real & (kinds == kind)]) - stop
                    for kind in (0, 1)
                ]
                rows.append([1.0, 0.0] if texts[0] & texts[1] else [0.0, 1.0])
            logits = torch.tensor(rows)
            return SimpleNamespace(nsp_logits=logits.flip(1) if self.turned else logits)

    pages = load_corpus("wiki", "validation").documents[:60]
    stop = common_words(pages, 100)
    same, opposite = (
        pair_report(ByNumber(turned), TOKENIZER, pages, pages, length=512)
        for turned in (False, True)
    )
    assert [row.exam for row in same] == [
        "all pairs", "pairs that share a word", "pairs that share none",
    ]  # fmt: skip
    assert same[0].pairs == same[1].pairs + same[2].pairs
    assert same[0].model.value == pytest.approx(same[0].overlap.value, abs=0.05)
    for one, other in zip(same, opposite, strict=True):
        assert one.model.value + other.model.value == pytest.approx(1)
        assert one.overlap == other.overlap
    assert same[1].overlap.value == pytest.approx(1 - same[1].random)
    assert same[2].overlap.value == pytest.approx(same[2].random)
    table = pair_table("tiny", same)
    assert f"{same[0].pairs:,}" in table
    assert len(table.splitlines()) == 5


def tokenizer_words(tokenizer, ids):
    """The words of a row: pieces joined, letters alone, without accents as the tokenizer reads."""
    text = " ".join(tokenizer.tokens(ids)).replace(" ##", "")
    return set(re.findall("[a-z]+", text))
