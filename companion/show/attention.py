"""One query among keys in the plane: which weights it gives, and the average that they make."""

import math
from typing import Any, NamedTuple

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from companion.show.figures import course_style, figure_html, new_figure
from companion.show.labels import label
from companion.show.style import BLUE, FAINT, HALO, INK, VERMILION
from companion.show.widgets import board, status_line

Point = tuple[float, float]


class AttentionState(NamedTuple):
    """A query, and for each token a key, a value, and whether it may be looked at."""

    words: tuple[str, ...]
    keys: tuple[Point, ...]
    values: tuple[Point, ...]
    query: Point
    may_attend: tuple[bool, ...]


def weights_of(state: AttentionState) -> Tensor:
    """The weight of each token, (tokens,); zeros where none may be looked at."""
    scores = torch.tensor(state.keys) @ torch.tensor(state.query) / math.sqrt(2)
    allowed = torch.tensor(state.may_attend)
    if not allowed.any():
        return torch.zeros(len(state.words))
    return scores.masked_fill(~allowed, -torch.inf).softmax(-1)


def attention_plane(state: AttentionState) -> Figure:
    """Left: the query and the keys. Right: the values, drawn by weight, and their mean."""
    weights = weights_of(state)
    mean = weights @ torch.tensor(state.values)
    with course_style():
        figure = new_figure(8.0, 3.6)
        left, right = figure.subplots(1, 2)
        _plane(left, label("query_and_keys"), (*state.keys, state.query))
        left.annotate(
            "",
            state.query,
            (0, 0),
            arrowprops={"arrowstyle": "-|>", "color": VERMILION, "lw": 2},
        )
        left.annotate(
            label("query"), state.query, xytext=(6, -12), textcoords="offset points",
            color=VERMILION, size=9,
        )  # fmt: skip
        for word, key, weight, allowed in zip(
            state.words, state.keys, weights.tolist(), state.may_attend, strict=True
        ):
            words = f"{word} {100 * weight:.0f} %" if allowed else f"{word}: {label('not_allowed')}"
            left.scatter(
                *key, s=50, color=BLUE if allowed else FAINT, marker="o" if allowed else "x"
            )
            left.annotate(
                words, key, xytext=(6, 6), textcoords="offset points", size=9, color=INK,
                path_effects=HALO,
            )  # fmt: skip
        _plane(right, label("values_and_mean"), state.values)
        for word, value, weight, allowed in zip(
            state.words, state.values, weights.tolist(), state.may_attend, strict=True
        ):
            if allowed:
                right.scatter(*value, s=20 + 700 * weight, color=BLUE, alpha=0.35, lw=0)
            else:
                right.scatter(*value, s=50, color=FAINT, marker="x")
            right.annotate(
                word, value, xytext=(0, 9 + 9 * weight), textcoords="offset points", ha="center",
                size=9, color=INK, path_effects=HALO,
            )  # fmt: skip
        if any(state.may_attend):
            right.scatter(*mean.tolist(), s=110, marker="D", color=VERMILION, edgecolor=INK)
            right.annotate(
                label("weighted_mean"), mean.tolist(), xytext=(-10, 0), textcoords="offset points",
                ha="right", va="center", size=9, color=VERMILION, path_effects=HALO,
            )  # fmt: skip
    return figure


def _plane(axes: Axes, title: str, points: tuple[Point, ...]) -> None:
    reach = 1.25 * max(1.0, *(abs(x) for point in points for x in point))
    axes.set_title(title, size=10)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.axhline(0, color=FAINT, lw=0.6)
    axes.axvline(0, color=FAINT, lw=0.6)
    axes.tick_params(labelsize=8, length=2)


def plane_in_words(state: AttentionState) -> str:
    """All weights and the average, as a sentence: what the picture shows."""
    if not any(state.may_attend):
        return label("nothing_allowed")
    weights = weights_of(state)
    shares = ", ".join(
        f"{word} {100 * weight:.0f} %" if allowed else f"{word} {label('not_allowed')}"
        for word, weight, allowed in zip(
            state.words, weights.tolist(), state.may_attend, strict=True
        )
    )
    x, y = (weights @ torch.tensor(state.values)).tolist()
    return label("attention_line").format(shares=shares, x=x, y=y)


def render_attention(state: AttentionState) -> str:
    """The picture, and a line that says what is shown: HTML."""
    words = plane_in_words(state)
    return figure_html(attention_plane(state), alt=words) + status_line(words)


def attention_playground(state: AttentionState) -> Any:
    """Turn and stretch the query, and forbid tokens: every change draws the plane again."""
    import ipywidgets as W

    wide = {"description_width": "110px"}
    angle = round(math.degrees(math.atan2(state.query[1], state.query[0]))) % 360
    turn = W.IntSlider(
        angle, min=0, max=359, description=label("direction"), style=wide, readout=False
    )
    stretch = W.FloatSlider(
        round(math.hypot(*state.query), 1), min=0, max=6, step=0.1, description=label("length"),
        style=wide, readout=False,
    )  # fmt: skip
    turn_box = W.BoundedIntText(
        turn.value, min=0, max=359, layout={"width": "80px"}, tooltip=label("direction")
    )
    stretch_box = W.BoundedFloatText(
        stretch.value, min=0, max=6, step=0.1, layout={"width": "80px"}, tooltip=label("length")
    )
    W.link((turn, "value"), (turn_box, "value"))
    W.link((stretch, "value"), (stretch_box, "value"))
    boxes = [
        W.Checkbox(allowed, description=word, indent=False, layout={"width": "auto"})
        for word, allowed in zip(state.words, state.may_attend, strict=True)
    ]
    picture = W.HTML()

    def redraw(_change: object = None) -> None:
        way = math.radians(turn.value)
        picture.value = render_attention(
            state._replace(
                query=(stretch.value * math.cos(way), stretch.value * math.sin(way)),
                may_attend=tuple(box.value for box in boxes),
            )
        )

    for widget in (turn, stretch, *boxes):
        widget.observe(redraw, "value")
    redraw()
    allowed = W.HBox([W.Label(label("may_attend")), *boxes])
    return board([W.HBox([turn, turn_box]), W.HBox([stretch, stretch_box]), allowed], picture)
