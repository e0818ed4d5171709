"""What the playgrounds share: controls over a picture, and a line that says what is shown."""

import html
from collections.abc import Sequence
from typing import Any


def board(controls: Sequence[Any], picture: Any, static: str | None = None) -> Any:
    """Stack `controls` over `picture`, an HTML widget.

    static: HTML for where widgets do not run; None: the picture as it is.
    """
    import ipywidgets as W

    class Board(W.VBox):  # type: ignore[misc]
        """Controls over a picture, with a static twin."""

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            bundle = super()._repr_mimebundle_(**kwargs)
            return None if bundle is None else {**bundle, "text/html": static or picture.value}

    return Board([*controls, picture])


def status_line(words: str) -> str:
    """One line of HTML that screen readers announce when it changes."""
    return f'<p role="status">{html.escape(words)}</p>'


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are HTML already, in ink on paper whatever the page's colours."""
    # Each cell has its own paper: JupyterLab's dark theme paints the rows behind it.
    style = "text-align: left; vertical-align: top; padding: 2px 10px; background: #FFFFFF"
    head = "".join(f'<th scope="col" style="{style}">{html.escape(h)}</th>' for h in headings)
    body = "".join(
        "<tr>" + "".join(f'<td style="{style}">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return (
        '<table style="background: #FFFFFF; color: #1A1A1A; border-collapse: collapse; '
        f'font-size: 14px"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )
