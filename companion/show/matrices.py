"""Tables of numbers as pictures: attention weights, similarities, what may look at what."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from companion.show.figures import course_style, new_figure
from companion.show.style import BLUE, FAINT, INK, PAPER, VERMILION

# White is zero on both sides, so that the eye compares amounts.
SHADES = LinearSegmentedColormap.from_list("shades", [VERMILION, PAPER, BLUE])
CELL = 0.52  # inches


def matrices(
    tables: Mapping[str, Tensor],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    allowed: Mapping[str, Tensor] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    decimals: int | None = 2,
    cell: float = CELL,
) -> Figure:
    """Draw tables of the same size beside each other, all on one scale.

    Args:
        tables: title -> numbers, (len(rows), len(columns)).
        allowed: title -> bool of the same shape; a cell that is False is hatched, without a number.
        decimals: of the numbers in the cells; None leaves them out.
        cell: inches that one cell takes.
    """
    shape = (len(rows), len(columns))
    for title, table in tables.items():
        if tuple(table.shape) != shape:
            raise ValueError(
                f"The table {title!r} has shape {tuple(table.shape)}; with {shape[0]} rows and "
                f"{shape[1]} columns named it must be {shape}."
            )
    shown = {title: (allowed or {}).get(title, torch.ones(shape).bool()) for title in tables}
    amounts = torch.cat([table[shown[title]].abs() for title, table in tables.items()])
    top = amounts.max().item() if amounts.any() else 1.0  # nothing, or nothing but zeros: all white
    left = 0.085 * max(map(len, rows)) + (0.5 if ylabel else 0.25)
    width = left + len(tables) * (cell * shape[1] + 0.35)
    foot = 0.085 * max(map(len, columns)) if any(len(name) > 4 for name in columns) else 0.25
    with course_style():
        figure = new_figure(width, cell * shape[0] + 0.6 + foot + (0.3 if xlabel else 0))
        axes_row = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (title, table) in zip(axes_row, tables.items(), strict=True):
            axes.imshow(table.detach().numpy(), cmap=SHADES, vmin=-top, vmax=top, aspect="equal")
            axes.set_title(title, size=10)
            axes.set_xticks(range(shape[1]), columns, rotation=90 if foot > 0.3 else 0)
            axes.set_yticks(range(shape[0]), rows)
            axes.tick_params(length=0)
            for side in axes.spines.values():
                side.set_visible(False)
            axes.set_xlabel(xlabel)
            for row in range(shape[0]):
                for column in range(shape[1]):
                    corner = (column - 0.5, row - 0.5)
                    if not shown[title][row, column]:
                        blocked = Rectangle(
                            corner, 1, 1, fc="#EDEDED", ec=FAINT, hatch="////", lw=0
                        )
                        axes.add_patch(blocked)
                    elif decimals is not None:
                        number = float(table[row, column])
                        axes.text(
                            column,
                            row,
                            f"{number:.{decimals}f}".replace("-", "\u2212"),
                            ha="center",
                            va="center",
                            size=9,
                            color=_readable_on(SHADES((number / top + 1) / 2)),
                        )
        axes_row[0].set_ylabel(ylabel)
    return figure


def _readable_on(colour: tuple[float, float, float, float]) -> str:
    """Ink or paper, whichever stands out more (WCAG 2.1, contrast ratio)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return PAPER if (1.05 / (light + 0.05)) > (light + 0.05) / 0.06 else INK
