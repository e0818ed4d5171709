"""You against a model: fill the same blanks, then look at the answers."""

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.show.labels import label
from companion.show.widgets import board, html_table, status_line

TICK = "\u2713"


class Riddle(NamedTuple):
    """One blank: what stood there, and what others say."""

    text: str  # with one [MASK]
    answer: str
    model: Sequence[tuple[str, float]]  # its likeliest tokens with their probabilities
    counting: str


class DuelState(NamedTuple):
    """What the learner has typed, and whether the answers are shown."""

    guesses: Sequence[str]
    shown: bool = False


def render_duel(state: DuelState, riddles: Sequence[Riddle]) -> str:
    """How many guesses are given; once they are shown, all answers and the score: HTML."""
    guesses = [guess.strip().lower() for guess in state.guesses]
    if not state.shown:
        words = label("duel_open").format(given=sum(map(bool, guesses)), blanks=len(riddles))
        return status_line(words)
    played = any(guesses)
    rows = [
        [
            sentence(riddle),
            html.escape(riddle.answer),
            *([marked(guess or "–", riddle.answer)] if played else []),
            " · ".join(
                f"{marked(token, riddle.answer)}&nbsp;{share:.0%}" for token, share in riddle.model
            ),
            marked(riddle.counting, riddle.answer),
        ]
        for riddle, guess in zip(riddles, guesses, strict=True)
    ]
    words = label("duel_score" if played else "duel_others").format(
        you=sum(g == r.answer for g, r in zip(guesses, riddles, strict=True)),
        model=sum(r.model[0][0] == r.answer for r in riddles),
        counting=sum(r.counting == r.answer for r in riddles),
        blanks=len(riddles),
    )
    headings = ["sentence", "answer", *(["you"] if played else []), "model", "counting"]
    return status_line(words) + html_table([label(h) for h in headings], rows)


def static_duel(riddles: Sequence[Riddle]) -> str:
    """For pages without widgets: the riddles, and the answers folded away."""
    answers = render_duel(DuelState([""] * len(riddles), shown=True), riddles)
    return (
        html_table([label("sentence")], [[sentence(riddle)] for riddle in riddles])
        + f"<details><summary>{html.escape(label('show_answers'))}</summary>{answers}</details>"
    )


def duel(riddles: Sequence[Riddle]) -> Any:
    """A box beside each sentence, and a button that shows the answers."""
    import ipywidgets as W

    boxes = [
        W.Text(tooltip=riddle.text, continuous_update=False, layout={"width": "130px"})
        for riddle in riddles
    ]
    lines = [
        W.HBox([box, W.HTML(sentence(riddle))]) for box, riddle in zip(boxes, riddles, strict=True)
    ]
    button = W.ToggleButton(False, description=label("show_answers"))
    picture = W.HTML()

    def redraw(_change: object = None) -> None:
        state = DuelState([box.value for box in boxes], button.value)
        picture.value = render_duel(state, riddles)

    for widget in (*boxes, button):
        widget.observe(redraw, "value")
    redraw()
    return board([*lines, button], picture, static_duel(riddles))


def sentence(riddle: Riddle) -> str:
    """The text with its blank in bold."""
    return html.escape(riddle.text).replace("[MASK]", "<b>[MASK]</b>")


def marked(token: str, answer: str) -> str:
    """The token, in bold and with a tick if it is the answer."""
    safe = html.escape(token)
    return f"<b>{safe}&nbsp;{TICK}</b>" if token == answer else safe
