"""From a figure to the page, always with words for readers who do not see it."""

import base64
import html
import io
from contextlib import AbstractContextManager
from typing import Any, cast

import matplotlib
from matplotlib.figure import Figure

from companion.show.style import DPI, RC


def course_style() -> AbstractContextManager[None]:
    """Draw inside this context; matplotlib's settings outside of it stay as they are."""
    return matplotlib.rc_context(cast(Any, RC))


def new_figure(width: float, height: float) -> Figure:
    """An empty figure in the course's style; inches. No pyplot, so no global state."""
    with course_style():
        return Figure(figsize=(width, height), dpi=DPI, layout="constrained")


def png_bytes(figure: Figure) -> bytes:
    """The figure as PNG; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    with course_style():
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def figure_html(figure: Figure, *, alt: str) -> str:
    """An <img> that carries the picture and the alternative text."""
    return _img(png_bytes(figure), figure, alt)


def show(figure: Figure, *, alt: str) -> None:
    """Display a figure in a notebook.

    alt: what the picture tells, in a sentence or two, for somebody who does not see it. Jupyter
        drops alternative text that stands in metadata, so it goes into an HTML image; the PNG
        stands beside it for readers that show no HTML.
    """
    from IPython.display import display

    png = png_bytes(figure)
    bundle = {
        "text/html": _img(png, figure, alt),
        "image/png": base64.b64encode(png).decode(),
        "text/plain": alt,
    }
    display(bundle, raw=True)  # type: ignore[no-untyped-call]


def _img(png: bytes, figure: Figure, alt: str) -> str:
    if len(alt.split()) < 5:
        raise ValueError(f"alt is {alt!r}: say in a sentence what the figure shows.")
    width = round(figure.get_figwidth() * 96)  # inches to CSS pixels
    data = base64.b64encode(png).decode()
    return (
        f'<img alt="{html.escape(alt, quote=True)}" width="{width}" '
        f'style="max-width: 100%; height: auto" src="data:image/png;base64,{data}">'
    )
