"""Pairs of texts: labels, sources, balance, and what is refused. BUG_CASES B1 to B5."""

from collections import Counter

import pytest
import torch

from companion.data import (
    Pair,
    load_corpus,
    load_tokenizer,
    pair_rows,
    segment_pairs,
    sentence_pairs,
    share_of_random,
    swapped_pairs,
)
from companion.data.pairs import shorten


def source(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def named(documents: int, sentences: int) -> list[list[str]]:
    """Every sentence says where it stands: "3.1"."""
    return [[f"{d}.{s}" for s in range(sentences)] for d in range(documents)]


def numbered(documents: int, sentences: int, tokens: int) -> list[list[torch.Tensor]]:
    """Sentences as ids: 1,000,000 d + 1,000 s + t."""
    return [
        [10**6 * d + 1000 * s + torch.arange(tokens) for s in range(sentences)]
        for d in range(documents)
    ]


def test_sentence_pairs_follow_or_come_from_another_document() -> None:
    pairs = sentence_pairs(named(30, 20), generator=source())
    assert len(pairs) == 30 * 19
    for pair in pairs:
        document, place = pair.a.split(".")
        if pair.label == 0:
            assert pair.b == f"{document}.{int(place) + 1}"
        else:
            assert pair.b.split(".")[0] != document
        assert tuple(int(text.split(".")[0]) for text in (pair.a, pair.b)) == pair.documents
    # 570 coins: six standard deviations are 12.6 points.
    assert abs(share_of_random(pairs) - 0.5) < 0.126


def test_random_sentences_come_from_everywhere() -> None:
    """A negative that is always a first sentence, or of the document after, could be told by it."""
    pairs = [p for seed in range(5) for p in sentence_pairs(named(12, 9), generator=source(seed))]
    negatives = [
        p for p in pairs if p.label == 1
    ]  # about 240; one of 9 or 11 is missed once in 1e8
    assert {int(p.b.split(".")[1]) for p in negatives} == set(range(9))
    assert {(p.documents[1] - p.documents[0]) % 12 for p in negatives} == set(range(1, 12))


def test_random_runs_begin_everywhere() -> None:
    documents = numbered(12, 9, 5)
    pairs = [
        p
        for seed in range(8)
        for p in segment_pairs(documents, length=35, short_share=0.0, generator=source(seed))
    ]
    negatives = [p for p in pairs if p.label == 1]
    assert len(negatives) > 150
    assert {int(p.b[0]) // 1000 % 1000 for p in negatives} == set(range(9))
    assert {(p.documents[1] - p.documents[0]) % 12 for p in negatives} == set(range(1, 12))


def test_short_rows_are_as_many_as_asked_for() -> None:
    documents = numbered(100, 60, 3)
    sizes = {}
    for share in (0.0, 0.5, 1.0):
        pairs = segment_pairs(documents, length=63, short_share=share, generator=source())
        own = [p for p in pairs if p.label == 0]  # a random B may be the end of its document
        sizes[share] = [len(p.a) + len(p.b) for p in own]
    low = [sum(size < 45 for size in one) / len(one) for one in sizes.values()]
    assert low[0] < 0.35  # what is left at the ends of documents
    assert low[0] + 0.2 < low[1] < low[2] - 0.05


def test_another_document_can_be_asked_for() -> None:
    pairs = sentence_pairs(
        named(10, 8), generator=source(), draw_other=lambda number: (number + 3) % 10
    )
    for pair in pairs:
        assert (pair.documents[1] - pair.documents[0]) % 10 == (3 if pair.label else 0)


@pytest.mark.parametrize("other", [0, 3, 7, -1])
def test_a_document_that_cannot_be_another_is_refused(other: int) -> None:
    documents = [["a", "b", "c", "d"], ["e"], ["f"], []]

    def make_until_a_negative() -> None:
        for seed in range(9):
            sentence_pairs(documents, generator=source(seed), draw_other=lambda _: other)

    with pytest.raises(ValueError, match=rf"draw_other returned {other} for document 0"):
        make_until_a_negative()


def test_b1_one_document_is_refused() -> None:
    for make in (sentence_pairs, lambda docs: segment_pairs(docs, length=16)):
        with pytest.raises(ValueError, match=r"there are 1 documents with text.*give two or more"):
            make([[torch.tensor([1, 2]), torch.tensor([3])], []])


def test_b2_a_negative_is_never_the_true_next_sentence() -> None:
    """Here every second sentence is the same in all documents: one in two draws would hit it."""
    documents = [["first", "same"], ["other first", "same"]]
    for seed in range(50):
        for pair in sentence_pairs(documents, generator=source(seed)):
            assert (pair.b == "same") == (pair.label == 0)


def test_copies_of_one_text_are_refused() -> None:
    with pytest.raises(ValueError, match="copies of each other"):
        sentence_pairs([["a", "a"], ["a", "a"]], generator=source())


def test_b3_a_blank_line_after_every_sentence_is_noticed() -> None:
    with pytest.raises(ValueError, match=r"no document has two sentences.*blank line"):
        sentence_pairs([["a"], ["b"], ["c"]])
    pairs = segment_pairs(numbered(50, 1, 9), length=32, generator=source())
    assert share_of_random(pairs) == 1.0  # as in BERT's code: the balance shows it


@pytest.mark.parametrize(
    ("sentences", "tokens", "wanted"),
    # Of three short sentences: 1 random pair in 1.625 on average, when all fit into a row.
    [(3, 20, 8 / 13), (1, 20, 1.0)],
)
def test_b3_label_balance_of_the_original_code(sentences: int, tokens: int, wanted: float) -> None:
    pairs = segment_pairs(
        numbered(3000, sentences, tokens), length=128, short_share=0.0, generator=source(1)
    )
    # About 4,900 pairs; six standard deviations of independent ones are 4.2 points.
    assert abs(share_of_random(pairs) - wanted) < 0.042


def test_b4_a_long_document_gives_many_pairs() -> None:
    pairs = segment_pairs(numbered(2, 200, 10), length=64, generator=source())
    assert len(pairs) > 60


def test_segments_are_runs_of_sentences() -> None:
    documents = numbered(20, 12, 7)
    pairs = segment_pairs(documents, length=48, short_share=0.2, generator=source(3))
    used = Counter()
    for pair in pairs:
        assert 2 <= len(pair.a) + len(pair.b) <= 45
        assert len(pair.a) > 0
        assert len(pair.b) > 0
        for text, document in zip((pair.a, pair.b), pair.documents, strict=True):
            assert set((text // 10**6).tolist()) == {document}
            places = (text // 1000 % 1000) * 7 + text % 1000
            assert (places.diff() == 1).all()  # a run: nothing is left out inside
        assert (pair.documents[0] == pair.documents[1]) == (pair.label == 0)
        if pair.label == 0 and len(pair.a) + len(pair.b) < 45:
            assert pair.b[0] - pair.a[-1] == 1000 - 6  # B begins with the sentence after A
        used[pair.documents[0]] += 1
    assert set(used) == set(range(20))


def test_what_a_random_b_replaces_is_used_again() -> None:
    """Every sentence is in some A or in a true B: the original code goes back."""
    documents = numbered(30, 8, 5)
    pairs = segment_pairs(documents, length=40, short_share=0.0, generator=source(5))
    for number, sentences in enumerate(documents):
        own = [p.a for p in pairs if p.documents[0] == number]
        own += [p.b for p in pairs if p.documents == (number, number)]
        seen = set(torch.cat(own).tolist())
        # Cutting takes a few tokens at the edges of a pair, never a whole sentence of five.
        assert all(seen & set(sentence.tolist()) for sentence in sentences)


def test_shorten_cuts_the_longer_text_at_both_ends() -> None:
    a, b = torch.arange(50), torch.arange(100, 110)
    fronts, backs = 0, 0
    for seed in range(40):
        short_a, short_b = shorten(a, b, 30, source(seed))
        assert len(short_a) + len(short_b) == 30
        assert torch.equal(short_b, b)
        assert torch.equal(short_a, a[short_a[0] : short_a[-1] + 1])
        fronts += int(short_a[0])
        backs += 49 - int(short_a[-1])
    # 1,200 coins: six standard deviations are 104.
    assert fronts + backs == 1200
    assert abs(fronts - 600) < 104


def test_b5_swapped_pairs_are_swaps_alone() -> None:
    pairs = swapped_pairs([*named(40, 6), ["alone"]], generator=source())
    assert len(pairs) == 40 * 5
    for pair in pairs:
        assert pair.documents[0] == pair.documents[1] != 40
        first, second = (pair.b, pair.a) if pair.label else (pair.a, pair.b)
        document, place = first.split(".")
        assert second == f"{document}.{int(place) + 1}"
    assert abs(share_of_random(pairs) - 0.5) < 0.21  # six standard deviations of 200 coins
    with pytest.raises(ValueError, match="nothing that could be swapped"):
        swapped_pairs([["a"], ["b"]])


def test_the_generator_decides() -> None:
    documents = numbered(9, 9, 9)
    for make in (
        lambda g: sentence_pairs(documents, generator=g),
        lambda g: swapped_pairs(documents, generator=g),
        lambda g: segment_pairs(documents, length=40, generator=g),
    ):
        texts = [
            [(p.label, p.documents, p.a.tolist(), p.b.tolist()) for p in make(source(seed))]
            for seed in (1, 1, 2)
        ]
        assert texts[0] == texts[1] != texts[2]


def test_rows_of_pairs() -> None:
    pairs = [
        Pair(torch.tensor([11, 12]), torch.tensor([21]), 0, (0, 0)),
        Pair(torch.tensor([13]), torch.tensor([22, 23, 24]), 1, (0, 1)),
    ]
    rows = pair_rows(pairs, length=8, cls_id=2, sep_id=3, pad_id=0)
    assert rows.input_ids.tolist() == [[2, 11, 12, 3, 21, 3, 0, 0], [2, 13, 3, 22, 23, 24, 3, 0]]
    assert rows.segment_ids.tolist() == [[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 0]]
    assert rows.is_real.tolist() == [[True] * 6 + [False] * 2, [True] * 7 + [False]]
    assert rows.labels.tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"makes 7 tokens .* length is 6"):
        pair_rows(pairs, length=6, cls_id=2, sep_id=3, pad_id=0)


def test_rows_are_those_of_the_tokenizer() -> None:
    tokenizer = load_tokenizer()
    page = load_corpus("wiki", "validation").documents[0]
    first, second = page.sentences[:2]
    wanted = tokenizer.encode(first, second)
    a, b = (tokenizer.encode(text, specials=False).ids for text in (first, second))
    rows = pair_rows(
        [Pair(a, b, 0, (0, 0))],
        length=len(wanted.ids),
        cls_id=tokenizer.cls_id,
        sep_id=tokenizer.sep_id,
        pad_id=tokenizer.pad_id,
    )
    assert torch.equal(rows.input_ids[0], wanted.ids)
    assert torch.equal(rows.segment_ids[0], wanted.segment_ids)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"length": 4}, "length is 4"),
        ({"length": 32, "short_share": 1.5}, "short_share is 1.5"),
    ],
)
def test_bad_settings(settings, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        segment_pairs(numbered(3, 3, 3), **settings)
    with pytest.raises(ValueError, match="a sentence has no tokens"):
        segment_pairs([[torch.tensor([])], [torch.tensor([1])]], length=32)
