"""Corpora, tokenizer, padding: what ships, and what a learner can rely on."""

import hashlib

import pytest
import torch

from companion.data import checkpoint, load_corpus, load_tokenizer, pad_batch
from companion.data.text import ASSETS


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer()


@pytest.mark.parametrize(
    ("name", "train", "validation", "topics"),
    [("wiki", 9522, 500, 12), ("state-of-the-union", 221, 12, 8)],
)
def test_a_corpus_is_split_by_document(name, train, validation, topics):
    sides = {side: load_corpus(name, side).documents for side in ("train", "validation")}
    assert [len(sides["train"]), len(sides["validation"])] == [train, validation]
    titles = {side: {document.title for document in sides[side]} for side in sides}
    assert not titles["train"] & titles["validation"]
    texts = {side: {document.text for document in sides[side]} for side in sides}
    assert not texts["train"] & texts["validation"]
    everything = sides["train"] + sides["validation"]
    assert len({document.topic for document in everything}) == topics
    assert all(document.sentences and all(document.sentences) for document in everything)


def test_sentences_are_tidy():
    sentences = [s for d in load_corpus("wiki", "train").documents for s in d.sentences]
    assert not [s for s in sentences if s != s.strip() or "  " in s or "\n" in s or "()" in s]
    # 36,000 sentences: a splitter that falls over abbreviations would leave many scraps.
    assert sum(len(s) < 20 for s in sentences) < 30


def test_unknown_names_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"no corpus 'wikipedia'.*state-of-the-union, wiki"):
        load_corpus("wikipedia", "train")
    with pytest.raises(ValueError, match="split is 'test'"):
        load_corpus("wiki", "test")
    with pytest.raises(ValueError, match="no tokenizer 'bert'"):
        load_tokenizer("bert")


def test_shipped_files_are_the_ones_that_were_built():
    listed = dict(
        reversed(line.split("  ")) for line in (ASSETS / "SHA256SUMS").read_text().splitlines()
    )
    present = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in ASSETS.iterdir()
        if path.name != "SHA256SUMS" and path.is_file()
    }
    assert present == listed
    notice = (ASSETS / "NOTICE.md").read_text()
    assert all(f"## {name}" in notice for name in listed if name != "NOTICE.md")


def test_shipped_models_are_the_ones_that_were_made():
    folders = sorted(path.parent for path in ASSETS.glob("checkpoints/*/config.json"))
    assert [folder.name for folder in folders] == [
        "bert-wiki-mini",
        "gpt-wiki-mini",
        "mae-emoji-mini",
        "mae-fashion-mini",
        "nsp-wiki-mini",
    ]
    for folder in folders:
        lines = (folder / "SHA256SUMS").read_text().splitlines()
        listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
        present = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.iterdir()
            if path.name != "SHA256SUMS"
        }
        assert present == listed
        assert checkpoint(folder.name) == folder


def test_encode_adds_specials_and_counts_words_across_a_pair(tokenizer):
    encoding = tokenizer.encode("The brightly lit sky", "It is.")
    tokens = tokenizer.tokens(encoding.ids)
    assert tokens == [
        "[CLS]", "the", "bright", "##ly", "lit", "sk", "##y", "[SEP]", "it", "is", ".", "[SEP]",
    ]  # fmt: skip
    assert encoding.segment_ids.tolist() == [0] * 8 + [1] * 4
    assert encoding.word_ids.tolist() == [-1, 0, 1, 1, 2, 3, 3, -1, 4, 5, 6, -1]
    assert tokenizer.decode(encoding.ids) == "the brightly lit sky it is."


def test_without_specials_and_many_texts_at_once(tokenizer):
    texts = ["The sun.", "", "Rain and snow"]
    one_by_one = [tokenizer.encode(text, specials=False) for text in texts]
    together = tokenizer.encode_batch(texts, specials=False)
    for single, batched in zip(one_by_one, together, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(single, batched, strict=True))
    assert len(one_by_one[1].ids) == 0
    assert all(encoding.ids.dtype == torch.int64 for encoding in one_by_one)


def test_punctuation_splits_words_a25(tokenizer):
    """A25: "w1,w2" without blanks is three words, not one."""
    assert tokenizer.encode("sun,moon", specials=False).word_ids.tolist() == [0, 1, 2]


def test_a_literal_mask_token_is_the_mask_a19(tokenizer):
    """A19: one rule: a literal [MASK] is the special token, and special ids are never selected."""
    ids = tokenizer.encode("the [MASK] 中").ids.tolist()
    assert ids[2] == tokenizer.mask_id
    assert ids[3] == tokenizer.unk_id
    assert {tokenizer.mask_id, tokenizer.unk_id} <= set(tokenizer.special_ids)


@pytest.mark.parametrize(
    ("max_length", "words"), [(9, (3, 3)), (8, (2, 3)), (7, (2, 2)), (4, (0, 1))]
)
def test_a_pair_loses_tokens_from_its_longer_text(tokenizer, max_length, words):
    encoding = tokenizer.encode("sun and moon", "rain and snow", max_length=max_length)
    assert len(encoding.ids) == max_length
    assert encoding.ids.eq(tokenizer.sep_id).sum() == 2
    assert encoding.ids[-1] == tokenizer.sep_id
    ordinary = encoding.word_ids >= 0
    assert int((ordinary & (encoding.segment_ids == 0)).sum()) == words[0]
    assert int((ordinary & (encoding.segment_ids == 1)).sum()) == words[1]


def test_no_room_for_a_token_is_refused(tokenizer):
    with pytest.raises(ValueError, match=r"max_length is 3.*take 3.*at least 4"):
        tokenizer.encode("sun", "moon", max_length=3)


def test_ids_are_ranks_of_frequency(tokenizer):
    counts = torch.zeros(tokenizer.vocab_size, dtype=torch.int64)
    texts = [document.text for document in load_corpus("wiki", "train").documents]
    for encoding in tokenizer.encode_batch(texts, specials=False):
        counts += torch.bincount(encoding.ids, minlength=tokenizer.vocab_size)
    assert tokenizer.vocab_size == 4096
    assert (counts[5:].diff() <= 0).all()
    assert counts[tokenizer.unk_id] / counts.sum() < 0.001


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_keeps_every_row_whole(tokenizer, side):
    rows = [tokenizer.encode("The sun is shining."), tokenizer.encode("Rain", "Snow falls")]
    batch = pad_batch(rows, pad_id=tokenizer.pad_id, length=12, side=side)
    assert batch.attention_mask.dtype == torch.bool
    for row, encoding in enumerate(rows):
        real = batch.attention_mask[row]
        assert torch.equal(batch.input_ids[row, real], encoding.ids)
        assert torch.equal(batch.segment_ids[row, real], encoding.segment_ids)
        assert torch.equal(batch.word_ids[row, real], encoding.word_ids)
        assert batch.input_ids[row, ~real].eq(tokenizer.pad_id).all()
        assert batch.word_ids[row, ~real].eq(-1).all()
        assert bool(real[0]) == (side == "right")
        assert bool(real[-1]) == (side == "left")


def test_padding_refuses_what_does_not_fit(tokenizer):
    rows = [tokenizer.encode("The sun is shining.")]
    with pytest.raises(ValueError, match=r"has 8 tokens, but length is 4"):
        pad_batch(rows, pad_id=0, length=4)
    with pytest.raises(ValueError, match="side is 'rigth'"):
        pad_batch(rows, pad_id=0, side="rigth")
    with pytest.raises(ValueError, match="encodings is empty"):
        pad_batch([], pad_id=0)
