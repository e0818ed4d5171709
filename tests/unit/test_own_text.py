"""A learner's own text: what is read, what is held out, and what is said of other files."""

from pathlib import Path

import pytest
import torch
from tiny_run import CONFIG

from companion.data import load_own_text, load_tokenizer
from companion.training import load_config
from companion.training.held_out import HeldOut
from companion.training.setup import in_sentences, pages_of, training_rows


def texts(number: int) -> str:
    return "\n\n".join(
        f"Text {n} begins here. It ends\nin a second line! Yes?" for n in range(number)
    )


def test_a_blank_line_ends_a_text_and_every_twentieth_is_held_out(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(texts(45))
    train, exam = (load_own_text(path, split).documents for split in ("train", "validation"))
    assert len(train) == 43
    assert [document.text[:7] for document in exam] == ["Text 19", "Text 39"]
    assert train[3].sentences == ("Text 3 begins here.", "It ends in a second line!", "Yes?")
    assert not {d.text for d in train} & {d.text for d in exam}


def test_with_few_texts_the_last_one_is_held_out(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(texts(2))
    assert [d.text[:6] for d in load_own_text(path, "train").documents] == ["Text 0"]
    assert [d.text[:6] for d in load_own_text(path, "validation").documents] == ["Text 1"]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path):
    (tmp_path / "b").mkdir()
    for name, words in (
        ("b/z.txt", "Last."),
        ("a.txt", "First."),
        ("c.md", "Third."),
        ("d.py", "no"),
    ):
        (tmp_path / name).write_text(words)
    (tmp_path / "b" / "a.txt").write_text("Second.")
    train, exam = (load_own_text(tmp_path, split).documents for split in ("train", "validation"))
    assert [d.text for d in train] == ["First.", "Second.", "Last."]
    assert [d.title for d in exam] == ["c"]


def test_windows_files_and_chinese_are_read(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes("\ufeff一句话。两句话！\r\n\r\nNext text.".encode())
    assert load_own_text(path, "train").documents[0].sentences == ("一句话。", "两句话！")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty: write text into it"),
        (b" \n\n \n", "is empty"),
        (b"PK\x03\x04\x00\x00", "is no text: it holds bytes that are 0"),
        (b"one line\ncaf\xe9 au lait\n", "not in UTF-8: byte 0xe9 in line 2"),
        (b"One text alone.", "holds one text"),
    ],
)
def test_what_does_not_fit_is_named(content, says, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=says) as caught:
        load_own_text(path, "train")
    assert str(path) in str(caught.value)
    (tmp_path / "good.txt").write_text("Good.\n\nBetter.")
    if says != "holds one text":  # in a folder the faulty file is named, not the folder alone
        with pytest.raises(ValueError, match=r"mine\.txt"):
            load_own_text(tmp_path, "train")


def test_paths_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="check the spelling"):
        load_own_text(tmp_path / "nothing.txt", "train")
    with pytest.raises(ValueError, match=r"no file that ends in \.txt or \.md"):
        load_own_text(tmp_path, "train")


def test_a_quote_stays_with_its_sentence(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(
        'He said "Go." Then he left. (See page 5.) It was 3.14 m. '
        "他说：“走。”然后走了。完。\n\nEnd."
    )
    assert load_own_text(path, "train").documents[0].sentences == (
        'He said "Go."',
        "Then he left.",
        "(See page 5.)",
        "It was 3.14 m.",
        "他说：“走。”然后走了。",
        "完。",
    )


# In a run


def config_of(folder: Path, *changes: tuple[str, str]):
    path = folder / "tiny.toml"
    text = CONFIG
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return load_config(path)


def test_rows_and_exam_are_those_of_the_two_halves(tmp_path):
    path, tokenizer = tmp_path / "mine.txt", load_tokenizer()
    names = [f"The {n} dogs ran over the green hills to the river." for n in range(400, 460)]
    path.write_text("\n\n".join(names))
    config = config_of(tmp_path)
    read = tokenizer.decode(training_rows(config, tokenizer, path).input_ids.flatten())
    exam = pages_of(config, path, "validation")
    assert [page.text for page in exam] == [names[n] for n in (19, 39, 59)]
    assert all((str(n) in read) == ((n + 1) % 20 != 0) for n in range(400, 460))
    film = HeldOut(config, tokenizer, exam, tmp_path).file
    assert len(film.blanks) == 3, "one a text: fewer than thirty"


def test_a_film_without_a_blank_is_refused(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("\n\n".join(["He ran to the sea."] * 60))
    config, tokenizer = config_of(tmp_path), load_tokenizer()
    exam = pages_of(config, path, "validation")
    with pytest.raises(ValueError, match=r"no sentence of the 3 held-out texts has 8 to 25 words"):
        HeldOut(config, tokenizer, exam, tmp_path)
    quiet = config_of(tmp_path, ("film = [0, 30]", "film = []"))
    assert HeldOut(quiet, tokenizer, exam, tmp_path).file.blanks == []


def test_pairs_are_made_of_the_sentences_that_have_tokens(tmp_path):
    """A sentence of signs that the tokenizer drops is nothing that a pair could hold."""
    path, tokenizer = tmp_path / "mine.txt", load_tokenizer()
    path.write_text("\n\n".join(["He ran. She saw it.", "\u200b", "It was the sea."] * 10))
    config = config_of(
        tmp_path,
        ("ModernBertForMaskedLM", "BertForPreTraining"),
        ("max_position_embeddings = 64", ""),
    )
    pages = pages_of(config, path, "train")
    sentences = in_sentences(pages, tokenizer)
    assert [len(page) for page in sentences][:3] == [2, 0, 1]
    ids = tokenizer.encode("He ran.", specials=False).ids
    assert torch.equal(sentences[0][0], ids)
    assert training_rows(config, tokenizer, path).labels.unique().tolist() == [0, 1]
