"""The film of a training run: what it fills into the same blanks, step after step."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from companion.show.figures import course_style, new_figure
from companion.show.labels import label
from companion.show.style import DPI, FAINT, INK, STATES
from companion.show.widgets import board, html_table, status_line

CHAR, ROW = 0.082, 0.34  # inches of a letter at size 9, and of a row
TICK = "\u2713"


def film_strip(film: Mapping[str, Any], blanks: Sequence[int], frames: Sequence[int]) -> Figure:
    """The likeliest token at some blanks (rows) in some frames (columns); right ones are marked.

    film: as `companion.evaluation.film.read_film` gives it. blanks, frames: numbers in it.
    """
    texts = [_short(film["blanks"][n]["text"]) for n in blanks]
    tops = [[film["frames"][f]["top"][n][0][0] for f in frames] for n in blanks]
    left = CHAR * max(map(len, texts)) + 0.1
    column = max(0.62, CHAR * (2 + max(len(token) for row in tops for token in row)) + 0.1)
    width, height = left + column * len(frames), ROW * (len(blanks) + 1)
    with course_style():
        figure = new_figure(width, height)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.axis("off")
        axes.text(left - 0.12, ROW / 2, label("step"), ha="right", va="center", size=9, color=FAINT)
        for place, frame in enumerate(frames):
            x = left + column * (place + 0.5)
            step = f"{film['frames'][frame]['step']:,}"
            axes.text(x, ROW / 2, step, ha="center", va="center", size=9, color=FAINT)
        for line, (number, text) in enumerate(zip(blanks, texts, strict=True), 1):
            y = ROW * (line + 0.5)
            axes.text(left - 0.12, y, text, ha="right", va="center", size=9, color=INK)
            for place, token in enumerate(tops[line - 1]):
                is_right = token == film["blanks"][number]["answer"]
                state = STATES["hidden" if is_right else "seen"]
                corner = (left + column * place + 0.03, ROW * line + 0.03)
                axes.add_patch(
                    Rectangle(corner, column - 0.06, ROW - 0.06, fc=state.fill, ec=state.edge)
                )
                words = f"{token} {TICK}" if is_right else token
                x = left + column * (place + 0.5)
                axes.text(x, y, words, ha="center", va="center", size=9, color=INK)
    figure.set_dpi(DPI)
    return figure


def render_film(film: Mapping[str, Any], frame: int) -> str:
    """One frame: every blank with its five likeliest tokens, and how many are right: HTML."""
    found = film["frames"][frame]
    rows, first, among = [], 0, 0
    for blank, top in zip(film["blanks"], found["top"], strict=True):
        tokens = [token for token, _ in top]
        first += tokens[0] == blank["answer"]
        among += blank["answer"] in tokens
        likely = " · ".join(
            f"<b>{html.escape(token)}&nbsp;{TICK}</b>&nbsp;{share:.0%}"
            if token == blank["answer"]
            else f"{html.escape(token)}&nbsp;{share:.0%}"
            for token, share in top
        )
        sentence = html.escape(blank["text"]).replace("[MASK]", "<b>[MASK]</b>")
        rows.append([sentence, html.escape(blank["answer"]), likely])
    words = label("film_line").format(
        step=found["step"],
        first=first,
        among=among,
        blanks=len(rows),
    )
    headings = [label("sentence"), label("answer"), label("likeliest")]
    return status_line(words) + html_table(headings, rows)


def film_player(film: Mapping[str, Any]) -> Any:
    """A slider over the frames of a film, with a number box beside it."""
    import ipywidgets as W

    last = len(film["frames"]) - 1
    wide = {"description_width": "110px"}
    slider = W.IntSlider(
        last, min=0, max=last, description=label("frame"), style=wide, readout=False
    )
    box = W.BoundedIntText(last, min=0, max=last, layout={"width": "80px"}, tooltip=label("frame"))
    W.link((slider, "value"), (box, "value"))
    picture = W.HTML(render_film(film, last))

    def redraw(_change: object) -> None:
        picture.value = render_film(film, slider.value)

    slider.observe(redraw, "value")
    return board([W.HBox([slider, box])], picture)


def _short(text: str, words: int = 3) -> str:
    """The surroundings of the blank, at most `words` on each side."""
    before, after = text.split("[MASK]")
    left, right = before.split(), after.split()
    start = "… " if len(left) > words else ""
    end = " …" if len(right) > words else ""
    glue = "" if not after[:1].isspace() else " "
    return f"{start}{' '.join(left[-words:])} ___{glue}{' '.join(right[:words])}{end}".strip()
