"""The attention designer: a pattern, padding, and what one place may look at."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from matplotlib.figure import Figure
from torch import Tensor

from companion.models import attention_pattern
from companion.models.patterns import Kind
from companion.show.figures import figure_html
from companion.show.labels import label
from companion.show.matrices import matrices
from companion.show.widgets import board, status_line

KINDS: tuple[Kind, ...] = ("full", "causal", "prefix")
SMALL = 0.32  # inches a cell


class PatternState(NamedTuple):
    """What the learner has set in the attention designer."""

    kind: Kind = "causal"
    prefix: int = 3
    padding: int = 0  # places of padding, on the left if below 0
    place: int = 3  # the one that looks


def pattern_of(state: PatternState, length: int) -> Tensor:
    """The mask of a state: bool, (length, length)."""
    place = torch.arange(length)
    real = (place < length - state.padding) & (place >= -state.padding)
    prefix = min(state.prefix, length) if state.kind == "prefix" else None
    return attention_pattern(state.kind, length, prefix=prefix, real=real[None])[0]


def pattern_picture(patterns: dict[str, Tensor], tokens: Sequence[str]) -> Figure:
    """Masks beside each other; a row is a place that looks, and hatched is what it may not see."""
    return matrices(
        {title: pattern.float() for title, pattern in patterns.items()},
        rows=tokens,
        columns=tokens,
        allowed=patterns,
        xlabel=label("looked_at"),
        ylabel=label("who_looks"),
        decimals=None,
        cell=SMALL,
    )


def render_pattern(state: PatternState, tokens: Sequence[str]) -> str:
    """The pattern, and a line that says what one place may look at: HTML."""
    length = len(tokens)
    pattern = pattern_of(state, length)
    place = min(state.place, length - 1)
    row = pattern[place]
    seen = [token for token, may in zip(tokens, row.tolist(), strict=True) if may]
    line = label("pattern_line").format(
        place=place,
        token=tokens[place],
        count=len(seen),
        length=length,
        seen=" ".join(seen) or "–",
    )
    if not len(seen):
        line += " " + label("nothing_allowed")
    picture = pattern_picture({label(f"pattern_{state.kind}"): pattern}, tokens)
    return figure_html(picture, alt=line) + status_line(line)


def pattern_playground(tokens: Sequence[str]) -> Any:
    """Choose a pattern, a prefix, padding, and the place that looks."""
    import ipywidgets as W

    wide = {"description_width": "110px"}
    start, last = PatternState(), len(tokens) - 1
    limits = {"prefix": (0, last + 1), "padding": (-last, last), "place": (0, last)}
    kind = W.Dropdown(
        options=[(label(f"pattern_{one}"), one) for one in KINDS],
        value=start.kind,
        description=label("pattern"),
        style=wide,
    )
    numbers = {
        name: (
            W.IntSlider(
                getattr(start, name), min=low, max=high, description=label(f"pattern_of_{name}"),
                style=wide, readout=False, continuous_update=False,
            ),
            W.BoundedIntText(
                getattr(start, name), min=low, max=high, layout={"width": "80px"},
                tooltip=label(f"pattern_of_{name}"),
            ),
        )
        for name, (low, high) in limits.items()
    }  # fmt: skip
    for slider, box in numbers.values():
        W.link((slider, "value"), (box, "value"))
    picture = W.HTML()

    def redraw(_change: object = None) -> None:
        values = {name: slider.value for name, (slider, _) in numbers.items()}
        picture.value = render_pattern(PatternState(kind.value, **values), tokens)

    for widget in (kind, *(slider for slider, _ in numbers.values())):
        widget.observe(redraw, "value")
    redraw()
    return board([kind, *(W.HBox(pair) for pair in numbers.values())], picture)
