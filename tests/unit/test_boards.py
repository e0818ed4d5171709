"""Playgrounds of the warm-up and of chapters 1 and 3: pure pictures, a line of words, widgets."""

import math
import re

import pytest
import torch
from ipywidgets import Checkbox, Dropdown, IntSlider, Text

from companion.data import Document, load_tokenizer
from companion.show import (
    AttentionState,
    attention_plane,
    attention_playground,
    block_diagrams,
    matrices,
    neighbour_playground,
    pair_playground,
    pattern_playground,
    plane_in_words,
)
from companion.show.attention import weights_of
from companion.show.neighbours import render_neighbours
from companion.show.pairs import KINDS, PairState, pairs_of, render_pair
from companion.show.patterns import PatternState, pattern_of, render_pattern

STATE = AttentionState(
    ("the", "sun", "is"),
    ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0)),
    ((0.0, 0.0), (3.0, 0.0), (-2.0, 1.0)),
    (1.5, -0.5),
    (True, True, True),
)
PAGES = [
    Document("River Lea", "rivers", ("The Lea is a river.", "The Lea flows south.", "It is long.")),
    Document("Sun", "stars", ("The sun is a star.", "It shines <brightly>.")),
]


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer()


def widgets_of(board, kind):
    """All widgets of a kind in a board, in order."""
    found = [board] if isinstance(board, kind) else []
    for child in getattr(board, "children", ()):
        found += widgets_of(child, kind)
    return found


def page_of(board):
    return next(w for w in board.children if hasattr(w, "value") and "<" in str(w.value)).value


# Attention in the plane


def test_weights_are_those_of_scaled_dot_product_attention():
    q, k, v = (torch.tensor(x) for x in ([STATE.query], STATE.keys, STATE.values))
    mean = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(weights_of(STATE)[None] @ v, mean)


def test_what_is_not_allowed_gets_no_weight_and_the_rest_adds_up():
    weights = weights_of(STATE._replace(may_attend=(True, False, True)))
    assert weights[1] == 0
    assert weights.sum().item() == pytest.approx(1)
    assert weights_of(STATE._replace(may_attend=(False,) * 3)).tolist() == [0, 0, 0]


def test_the_plane_in_words_names_every_weight():
    said = plane_in_words(STATE._replace(query=(0.0, 0.0), may_attend=(True, False, True)))
    assert (
        said
        == "Weights: the 50 %, sun not allowed, is 50 %. The weighted average is (-1.00, 0.50)."
    )
    assert "nothing" in plane_in_words(STATE._replace(may_attend=(False,) * 3))


def test_the_plane_draws_each_token_twice_and_marks_what_is_forbidden():
    figure = attention_plane(STATE._replace(may_attend=(True, False, True)))
    left, right = ([text.get_text() for text in axes.texts] for axes in figure.axes)
    assert "sun: not allowed" in left
    assert set(STATE.words) < set(right)


def test_the_query_turns_and_tokens_are_forbidden():
    board = attention_playground(STATE)
    first = page_of(board)
    assert plane_in_words(STATE).split(" The")[0] in first  # as in the picture before it
    turn = widgets_of(board, IntSlider)[0]
    turn.value = 90
    turned = page_of(board)
    assert turned != first
    x, y = math.cos(math.pi / 2), math.sin(math.pi / 2)
    length = round(math.hypot(*STATE.query), 1)  # the slider goes by tenths
    expected = STATE._replace(query=(length * x, length * y))
    assert abs(_average(turned)[1] - _mean(expected)[1]) < 0.05
    next(box for box in widgets_of(board, Checkbox) if box.description == "is").value = False
    assert "is not allowed" in page_of(board)


def _average(page):
    return [float(x) for x in re.search(r"average is \((-?[\d.]+), (-?[\d.]+)\)", page).groups()]


def _mean(state):
    return (weights_of(state) @ torch.tensor(state.values)).tolist()


# Tables and plans


def test_tables_say_their_numbers_and_hatch_what_is_forbidden():
    table = torch.tensor([[0.25, -1.0], [0.5, 0.0]])
    allowed = torch.tensor([[True, True], [False, True]])
    figure = matrices({"one": table}, rows=["a", "b"], columns=["c", "d"], allowed={"one": allowed})
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["0.25", "\u22121.00", "0.00"]
    assert len(axes.patches) == 1
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["a", "b"]


def test_a_table_of_which_nothing_is_allowed_is_all_hatched():
    none = torch.zeros(2, 2).bool()
    figure = matrices(
        {"one": torch.ones(2, 2)}, rows=["a", "b"], columns=["c", "d"], allowed={"one": none}
    )
    assert len(figure.axes[0].patches) == 4
    assert not figure.axes[0].texts


def test_tables_share_one_scale():
    figure = matrices(
        {"weak": torch.full((1, 1), 0.1), "strong": torch.full((1, 1), 2.0)},
        rows=["a"], columns=["b"], decimals=None,
    )  # fmt: skip
    weak, strong = (axes.images[0] for axes in figure.axes)
    assert weak.get_clim() == strong.get_clim() == (-2.0, 2.0)


def test_a_table_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"'one' has shape \(1, 2\).*must be \(2, 2\)"):
        matrices({"one": torch.zeros(1, 2)}, rows=["a", "b"], columns=["c", "d"])


def test_numbers_stand_out_on_their_cell():
    figure = matrices({"t": torch.tensor([[1.0, 0.02]])}, rows=["a"], columns=["b", "c"])
    on_blue, on_white = figure.axes[0].texts
    assert on_blue.get_color() != on_white.get_color()


def test_both_blocks_have_the_same_parts_and_the_sum_of_pre_ln_ends_it():
    post, pre = (
        [text.get_text() for text in axes.texts if text.get_text()]
        for axes in block_diagrams().axes
    )
    assert sorted(post) == sorted(pre)
    order = [part for part in post if part in ("attention", "+", "LayerNorm", "feed-forward")]
    assert order == ["attention", "+", "LayerNorm", "feed-forward", "+", "LayerNorm"]
    assert [part for part in pre if part in order][-1] == "+"


# Neighbours


def test_neighbours_are_named_with_their_cosine(tokenizer):
    table = torch.randn(tokenizer.vocab_size, 8, generator=torch.Generator().manual_seed(0))
    sun, star = (int(tokenizer.encode(word, specials=False).ids) for word in ("sun", "star"))
    table[star] = 2 * table[sun]  # as near as can be
    page = render_neighbours(" sun ", table, tokenizer)
    assert "star 1.00" in page
    assert "<img" in page


@pytest.mark.parametrize("typed", ["", "photosynthesis", "[SEP]", "<script>"])
def test_what_has_no_vector_of_its_own_is_explained(tokenizer, typed):
    page = render_neighbours(typed, torch.randn(tokenizer.vocab_size, 8), tokenizer)
    assert "choose a word of one piece" in page
    assert "<script>" not in page


def test_typing_a_word_draws_again(tokenizer):
    board = neighbour_playground(torch.randn(tokenizer.vocab_size, 8), tokenizer, "sun")
    before = page_of(board)
    widgets_of(board, Text)[0].value = "star"
    assert page_of(board) != before


# Pairs


def test_common_words_are_marked_and_texts_are_escaped():
    pairs = pairs_of(PAGES, KINDS[1])
    numbers = {frozenset((pair.a, pair.b)): n for n, pair in enumerate(pairs)}
    lea = numbers[frozenset(PAGES[0].sentences[:2])]
    page = render_pair(PairState(KINDS[1], lea), pairs, {"the", "is", "a"})
    assert len(re.findall("<mark[^>]*>Lea</mark>", page)) == 2
    assert "1 " in page
    sun = numbers[frozenset(PAGES[1].sentences)]
    assert "&lt;brightly&gt;" in render_pair(PairState(KINDS[1], sun), pairs, set())


def test_the_answer_stays_hidden_until_asked_for():
    pairs = pairs_of(PAGES, KINDS[0])
    for number in range(len(pairs)):
        closed = render_pair(PairState(KINDS[0], number), pairs, set())
        opened = render_pair(PairState(KINDS[0], number, answer_shown=True), pairs, set())
        extra = opened.replace(closed[: closed.rindex("</")], "")
        assert opened != closed
        assert ("random" in extra) == (pairs[number].label == 1)


def test_another_pair_hides_the_answer_again():
    board = pair_playground(PAGES, set())
    (answer,) = widgets_of(board, Checkbox)
    answer.value = True
    opened = page_of(board)
    widgets_of(board, IntSlider)[0].value = 1
    assert not answer.value
    assert page_of(board) != opened
    answer.value = True
    widgets_of(board, Dropdown)[0].value = KINDS[1]
    assert not answer.value


TOKENS = ["[CLS]", "the", "sun", "is", "up"]


def test_the_attention_designer_says_what_one_place_may_look_at():
    for state, line in (
        (PatternState("causal", place=2), "Place 2 (sun) may look at 3 of 5 places: [CLS] the sun"),
        (PatternState("full", place=0), "may look at 5 of 5 places"),
        (PatternState("prefix", prefix=4, place=0), "may look at 4 of 5 places: [CLS] the sun is"),
        (PatternState("full", padding=2, place=4), "may look at 3 of 5 places: [CLS] the sun"),
        (PatternState("causal", padding=-2, place=3), "may look at 2 of 5 places: sun is"),
        (PatternState("causal", padding=-3, place=1), "nothing to average"),
    ):
        assert line in render_pattern(state, TOKENS)
    assert pattern_of(PatternState("causal", padding=-2), 5)[:2].sum() == 0


def test_the_attention_designer_redraws():
    board = pattern_playground(TOKENS)
    (kind,) = widgets_of(board, Dropdown)
    seen = {page_of(board)}
    kind.value = "prefix"
    seen.add(page_of(board))
    for slider in widgets_of(board, IntSlider):
        slider.value = 1
        seen.add(page_of(board))
    assert len(seen) == 5  # each control draws another picture
