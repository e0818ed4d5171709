"""Figures: words for everybody, four states that differ, and pure playgrounds."""

import re
import warnings

import pytest
import torch

from companion.data import load_tokenizer
from companion.show import (
    Riddle,
    TokenRow,
    bars_in_words,
    curves,
    duel,
    figure_html,
    film_player,
    film_strip,
    histograms,
    label,
    mask_playground,
    masked_rows,
    share_bars,
    show,
    states_of,
    token_strips,
)
from companion.show.figures import png_bytes
from companion.show.film import render_film
from companion.show.labels import LABELS
from companion.show.playgrounds import MAX_TOKENS, MaskState, render_masks
from companion.show.style import FAINT, INK, PAPER, STATES

ALT = "Two boxes, of which the second is hidden."
SENTENCE = "The sun is shining brightly in the sky."


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer()


def strip():
    return token_strips([TokenRow("text", ["the", "[MASK]"], ["seen", "hidden"])])


def test_show_gives_html_with_alternative_text_and_the_picture(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data, raw)))
    show(strip(), alt='Two boxes: "the" & a hidden one.')
    ((bundle, raw),) = shown
    assert raw
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert 'alt="Two boxes: &quot;the&quot; &amp; a hidden one."' in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]


@pytest.mark.parametrize("alt", ["", "   ", "A figure", "loss curve of model"])
def test_a_figure_without_a_sentence_is_refused(alt):
    with pytest.raises(ValueError, match="say in a sentence"):
        show(strip(), alt=alt)


def test_the_same_figure_gives_the_same_bytes_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert png_bytes(strip()) == png_bytes(strip())
        bars = {"a": {"x": (0.4, (0.3, 0.5))}, "b": {"x": (0.2, (0.1, 0.3))}}
        for figure in (
            share_bars(bars, xlabel="per cent"),
            histograms({"a": [1, 2, 2]}, xlabel="n", ylabel="rows"),
            curves({"a": ([0, 1], [2.0, 1.0])}, xlabel="step", ylabel="loss"),
        ):
            assert png_bytes(figure)[:4] == b"\x89PNG"


def test_bars_in_words_name_every_bar():
    bars = {"a": {"x": (0.4, (0.3, 0.5)), "y": (0.05, (0.0, 0.1))}, "b": {"x": (0.2, (0.1, 0.3))}}
    assert bars_in_words(bars) == "a: x 40.0%, y 5.0%. b: x 20.0%."


def test_chance_is_a_line_across_the_bars():
    def dotted(**given):
        figure = share_bars({"a": {"x": (0.4, (0.3, 0.5))}}, xlabel="per cent", **given)
        return [line.get_xdata()[0] for line in figure.axes[0].lines if line.get_ls() == ":"]

    assert dotted(chance=0.25) == [25.0]
    assert dotted() == []


def test_many_names_stand_outside_of_a_picture():
    def legends(count):
        lines = {str(n): ([0, 1], [2.0, 1.0]) for n in range(count)}
        figure = curves(lines, xlabel="step", ylabel="loss")
        return len(figure.legends), figure.axes[0].get_legend() is not None

    assert legends(2) == (0, True)
    assert legends(3) == (1, False)


def test_states_of_a_row():
    original = torch.tensor([7, 8, 9, 10, 11])
    corrupted = torch.tensor([7, 4, 20, 10, 11])
    selected = torch.tensor([False, True, True, True, False])
    assert states_of(original, corrupted, selected, mask_id=4) == [
        "seen", "hidden", "random", "kept", "seen",
    ]  # fmt: skip


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"\[1, 2\] places"):
        token_strips([TokenRow("a", ["x"], ["seen"]), TokenRow("b", ["x", "y"], ["seen"] * 2)])


def test_odd_tokens_are_drawn_as_they_are():
    """Dollar signs are no mathematics, a long row wraps, an empty place is no error."""
    tokens = ["$5", "$", "", "a" * 40, *["word"] * 60]
    figure = token_strips([TokenRow("text", tokens, ["seen"] * len(tokens))])
    assert len(png_bytes(figure)) > 1000
    assert figure.get_figheight() > 1.5


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(first, second):
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_words_stand_out_and_states_differ_without_colour():
    assert contrast(INK, PAPER) > 4.5
    assert contrast(FAINT, PAPER) > 4.5
    for name, state in STATES.items():
        assert contrast(INK, state.fill) > 4.5, name
        if state.hatch:
            assert contrast(state.edge, state.fill) > 3, name
    named = [name for name in STATES if name != "plain"]
    assert len({STATES[name].hatch for name in named}) == len(named) == 5
    assert all(label(name) for name in named)


def test_an_unknown_label_is_an_error():
    with pytest.raises(KeyError, match="no label 'losss'"):
        label("losss")


def test_the_playground_says_what_it_shows(tokenizer):
    page = render_masks(MaskState(SENTENCE, rate=0.5, draw=3), tokenizer)
    said = re.search(
        r"(\d+) of 12 tokens are selected: (\d+) hidden, (\d+) random, (\d+) kept", page
    )
    total, hidden, random, kept = map(int, said.groups())
    assert total == hidden + random + kept > 0
    assert page.count("[MASK]") == 2 * hidden  # once in the alternative text, once below
    assert page == render_masks(MaskState(SENTENCE, rate=0.5, draw=3), tokenizer)
    assert page != render_masks(MaskState(SENTENCE, rate=0.5, draw=4), tokenizer)


def test_every_word_of_the_playground_can_be_translated(tokenizer, monkeypatch):
    """With all labels changed, nothing is left but numbers, tokens and marks."""
    for key, words in LABELS.items():
        fields = " ".join(re.findall(r"\{.*?\}", words))
        monkeypatch.setitem(LABELS, key, f"¤ {fields}")
    states = [MaskState(SENTENCE), MaskState(""), MaskState("sun " * 100)]
    states.append(MaskState(SENTENCE, mask_share=0.8, random_share=0.4))
    known = {*tokenizer.tokens(range(tokenizer.vocab_size)), "¤", "%"}
    for state in states:
        said = re.findall(r'<p role="status">(.*)</p>', render_masks(state, tokenizer))[-1]
        assert [w for w in said.split() if w not in known and not w.strip("%").isdigit()] == []


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (MaskState("   "), "Type a sentence."),
        (MaskState(SENTENCE, mask_share=0.8, random_share=0.4), "more than 100 % together"),
        (MaskState("sun " * 100), f"cut after {MAX_TOKENS} tokens"),
        (MaskState(SENTENCE, rate=0.0), "0 of 12 tokens are selected"),
        (MaskState("<b>5 & 6</b>", rate=0.0), "5 &amp; 6"),
    ],
)
def test_the_playground_takes_whatever_is_typed(tokenizer, state, words):
    assert words in render_masks(state, tokenizer)


def test_moving_a_widget_draws_again(tokenizer):
    board = mask_playground(tokenizer, SENTENCE)
    picture = board.children[-1]
    before = picture.value
    rate_slider, rate_box = board.children[1].children
    rate_box.value = 1.0
    assert rate_slider.value == 1.0
    assert "12 of 12 tokens are selected" in picture.value
    board.children[0].value = "Gold and iron"
    assert "3 of 3 tokens are selected" in picture.value
    assert picture.value != before


def test_without_widgets_the_playground_is_its_picture(tokenizer):
    board = mask_playground(tokenizer, SENTENCE)
    bundle = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"] == board.children[-1].value


def test_masked_rows_show_a_label_where_it_is_scored(tokenizer):
    from companion.masking import mask_tokens

    ids = tokenizer.encode(SENTENCE).ids
    masked = mask_tokens(ids[None], rate=1.0, **tokenizer.mask_args)
    rows = masked_rows(tokenizer, ids[None], masked)
    assert rows[1].tokens == ["", *tokenizer.tokens(ids)[1:-1], ""]
    assert "seen" not in rows[0].states[1:-1]
    assert figure_html(token_strips(rows), alt=ALT).startswith("<img alt=")


FILM = {
    "blanks": [
        {"title": "A", "text": "One two three four five [MASK], six.", "answer": "sun"},
        {"title": "B", "text": "[MASK] <b> & so on and on and on.", "answer": "and"},
    ],
    "frames": [
        {"step": 0, "seconds": 0.0, "top": [[["the", 0.5], ["sun", 0.25]], [["the", 0.5]] * 2]},
        {"step": 1200, "seconds": 90.0, "top": [[["sun", 0.75], ["a", 0.1]], [["and", 0.6]] * 2]},
    ],
}


def test_a_frame_of_the_film_counts_what_is_right():
    first, last = render_film(FILM, 0), render_film(FILM, 1)
    assert "After 0 steps: 0 of 2 blanks right, 1 with the answer among" in first
    assert "After 1,200 steps: 2 of 2 blanks right, 2 with" in last
    assert "<b>sun&nbsp;✓</b>&nbsp;25%" in first
    assert "the&nbsp;50%" in first
    assert "<b>[MASK]</b> &lt;b&gt; &amp; so on" in last


def test_film_strip_marks_right_answers():
    figure = film_strip(FILM, [0, 1], [0, 1])
    words = [text.get_text() for text in figure.axes[0].texts]
    assert "… three four five ___, six." in words
    assert "___ <b> & so …" in words
    assert words.count("the") == 2
    assert words.count("sun ✓") == words.count("and ✓") == 1
    assert words[1:3] == ["0", "1,200"]


def test_film_player_moves_by_slider_and_by_number():
    player = film_player(FILM)
    slider, box = player.children[0].children
    assert player.children[-1].value == render_film(FILM, 1)
    box.value = 0
    assert slider.value == 0
    assert player.children[-1].value == render_film(FILM, 0)


RIDDLES = [
    Riddle("The [MASK] shines.", "sun", [("sun", 0.9), ("moon", 0.05)], "moon"),
    Riddle("A <i> [MASK] b.", "or", [("and", 0.9), ("or", 0.05)], "or"),
]


def test_answers_of_the_duel_stay_hidden_until_asked_for():
    board = duel(RIDDLES)
    picture = board.children[-1]
    board.children[0].children[0].value = " Sun "
    assert "1 of 2 guesses given" in picture.value
    assert "shines" not in picture.value
    assert "moon" not in picture.value
    board.children[-2].value = True
    assert "Right: you 1, the model 1, counting 1 of 2." in picture.value
    assert picture.value.count("<b>sun&nbsp;✓</b>") == 2  # yours and the model's
    board.children[1].children[0].value = "<u>"
    assert "&lt;u&gt;" in picture.value
    static = board._repr_mimebundle_()["text/html"]
    assert static.index("A &lt;i&gt; <b>[MASK]</b> b.") < static.index("<details>")
    assert static.index("<details>") < static.index("moon")
    assert "Right: the model 1, counting 1 of 2." in static
    assert "You" not in static


def test_yardsticks_stand_in_the_picture():
    figure = curves(
        {"a": ([0, 1], [2.0, 1.0])}, xlabel="x", ylabel="y", levels={"counting": 1.5, "best": 0.5}
    )
    axes = figure.axes[0]
    names = {text.get_text(): text.xy[1] for text in axes.texts}
    assert names == {"counting": 1.5, "best": 0.5}
    drawn = [line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "-"]
    assert {1.5, 0.5} <= set(drawn)
