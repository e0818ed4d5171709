"""The neighbour board: type a word, see which words have the nearest vectors."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from torch import Tensor

from companion.data import Tokenizer
from companion.evaluation.neighbours import nearest
from companion.show.figures import course_style, figure_html, new_figure
from companion.show.labels import label
from companion.show.style import BLUE
from companion.show.widgets import board, status_line

COUNT = 10


def neighbour_bars(found: Sequence[tuple[str, float]]) -> Figure:
    """A bar for each neighbour, as long as its cosine."""
    with course_style():
        figure = new_figure(6.0, 0.7 + 0.24 * len(found))
        axes = figure.subplots()
        for place, (_, cosine) in enumerate(found):
            axes.barh(place, cosine, color=BLUE, alpha=0.85, height=0.75)
            axes.text(cosine, place, f" {cosine:.2f}", va="center", size=9)
        axes.set_yticks(range(len(found)), [word for word, _ in found])
        axes.invert_yaxis()
        axes.set_xlim(0, 1.1)
        axes.set_xlabel(label("cosine"))
    return figure


def render_neighbours(word: str, table: Tensor, tokenizer: Tokenizer) -> str:
    """The picture, and a line that says what is shown: HTML."""
    try:
        found = nearest(word.strip(), table, tokenizer, count=COUNT)
    except ValueError as error:
        return status_line(str(error))
    words = label("neighbour_line").format(
        word=word.strip(), others=", ".join(f"{other} {cosine:.2f}" for other, cosine in found)
    )
    return figure_html(neighbour_bars(found), alt=words) + status_line(words)


def neighbour_playground(table: Tensor, tokenizer: Tokenizer, word: str) -> Any:
    """A box for a word over its nearest neighbours."""
    import ipywidgets as W

    box = W.Text(word, description=label("word"), continuous_update=False)
    picture = W.HTML(render_neighbours(word, table, tokenizer))

    def redraw(_change: object) -> None:
        picture.value = render_neighbours(box.value, table, tokenizer)

    box.observe(redraw, "value")
    return board([box], picture)
