"""The strip of tokens: what the model sees, told by colour, hatch and word."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from companion.data import Tokenizer
from companion.masking import MaskedTokens
from companion.show.figures import course_style, new_figure
from companion.show.labels import label
from companion.show.style import FAINT, INK, STATES

CHAR = 0.088  # inches that one letter of the monospaced face takes at size 10
HEIGHT, BAND, GAP = 0.30, 0.08, 0.06  # of a box, of its hatched foot, between boxes
TITLE = 1.35  # inches for the row titles


class TokenRow(NamedTuple):
    """One line of the strip: a title, a token for each place, and a state for each token."""

    title: str
    tokens: Sequence[str]
    states: Sequence[str]  # a name from style.STATES


def states_of(original: Tensor, corrupted: Tensor, selected: Tensor, *, mask_id: int) -> list[str]:
    """The state of every place of one row; three tensors of shape (length,).

    seen: not selected. hidden: selected, [MASK] stands there. random: selected, another token
    stands there. kept: selected, and the original still stands there.
    """
    states = []
    for before, after, is_selected in zip(
        original.tolist(), corrupted.tolist(), selected.tolist(), strict=True
    ):
        if not is_selected:
            states.append("seen")
        elif after == before:
            states.append("kept")
        else:
            states.append("hidden" if after == mask_id else "random")
    return states


def masked_rows(
    tokenizer: Tokenizer, input_ids: Tensor, masked: MaskedTokens, row: int = 0
) -> list[TokenRow]:
    """What the model sees and what it is asked for, of one row of ids (batch, length)."""
    original, corrupted = input_ids[row], masked.corrupted[row]
    selected = masked.selected[row]
    states = states_of(original, corrupted, selected, mask_id=tokenizer.mask_id)
    answers = [
        token if is_selected else ""
        for token, is_selected in zip(tokenizer.tokens(original), selected.tolist(), strict=True)
    ]
    return [
        TokenRow(label("model_sees"), tokenizer.tokens(corrupted), states),
        TokenRow(label("labels"), answers, ["seen" if token else "plain" for token in answers]),
    ]


def selected_row(title: str, tokens: Sequence[str], selected: Tensor) -> TokenRow:
    """The tokens as they are, those that are selected marked; `selected`: bool, (length,)."""
    return TokenRow(title, tokens, ["selected" if chosen else "seen" for chosen in selected])


def token_strips(rows: Sequence[TokenRow], *, width: float = 8.6, key: bool = True) -> Figure:
    """Draw rows under each other, place by place, wrapped to `width` inches.

    key: a legend of the states that occur.
    """
    lengths = {len(row.tokens) for row in rows} | {len(row.states) for row in rows}
    if len(lengths) != 1:
        raise ValueError(f"The rows have {sorted(lengths)} places; they need the same number.")
    columns = [
        max(0.26, CHAR * max(len(row.tokens[i]) for row in rows) + 0.12)
        for i in range(lengths.pop())
    ]
    blocks = _wrap(columns, width - TITLE)
    used = [name for name in STATES if any(name in row.states for row in rows)]
    legend = [name for name in used if name not in ("plain", "seen")] if key else []
    line = HEIGHT + GAP
    height = len(blocks) * (len(rows) * line + 0.14) + (0.42 if legend else 0)
    with course_style():
        figure = new_figure(width, height)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        top = 0.07
        for block in blocks:
            for row in rows:
                _draw_row(axes, row, block, columns, top)
                top += line
            top += 0.14
        if legend:
            _draw_legend(axes, legend, top)
    return figure


def _wrap(columns: Sequence[float], room: float) -> list[range]:
    """Cut the places into as few lines as fit into `room` inches, about equally long."""
    lines = _fill(columns, room)
    even = (sum(columns) + GAP * len(columns)) / len(lines)
    while len(_fill(columns, even)) > len(lines):
        even += 0.1
    return _fill(columns, min(even, room))


def _fill(columns: Sequence[float], room: float) -> list[range]:
    """Put as many places on each line as fit."""
    blocks, start, used = [], 0, 0.0
    for place, column in enumerate(columns):
        if used + column + GAP > room and place > start:
            blocks.append(range(start, place))
            start, used = place, 0.0
        used += column + GAP
    return [*blocks, range(start, len(columns))]


def _draw_row(
    axes: Axes, row: TokenRow, block: range, columns: Sequence[float], top: float
) -> None:
    middle = top + (HEIGHT - BAND) / 2 + 0.02
    axes.text(TITLE - 0.12, middle, row.title, ha="right", va="center", color=FAINT, size=9)
    left = TITLE
    for place in block:
        _draw_box(axes, left, top, columns[place], row.states[place])
        axes.text(
            left + columns[place] / 2,
            middle,
            row.tokens[place].replace("$", r"\$"),  # a dollar sign would start mathematics
            ha="center",
            va="center",
            family="DejaVu Sans Mono",
            size=10,
            color=INK,
        )
        left += columns[place] + GAP


def _draw_box(axes: Axes, left: float, top: float, width: float, name: str) -> None:
    state = STATES[name]
    if name == "plain":
        return
    axes.add_patch(
        Rectangle((left, top), width, HEIGHT, facecolor=state.fill, edgecolor=state.edge, lw=1)
    )
    if state.hatch:
        foot = Rectangle((left, top + HEIGHT - BAND), width, BAND, lw=0, fill=False)
        foot.set(hatch=state.hatch, edgecolor=state.edge, linewidth=0)
        axes.add_patch(foot)


def _draw_legend(axes: Axes, names: Sequence[str], top: float) -> None:
    left = TITLE
    for name in names:
        _draw_box(axes, left, top, 0.3, name)
        words = label(name)
        axes.text(left + 0.38, top + HEIGHT / 2, words, va="center", size=9, color=INK)
        left += 0.38 + 0.078 * len(words) + 0.3
