"""Bars of amounts that are no shares: errors, ratios, counts."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from companion.show.figures import course_style, new_figure
from companion.show.style import HATCHES, INK, SERIES


def amount_bars(
    amounts: Mapping[str, Mapping[str, float]],
    *,
    xlabel: str,
    decimals: int = 2,
    line: float | None = None,
    width: float = 8.0,
) -> Figure:
    """Horizontal bars, each with its number.

    amounts: for each series, for each bar: a number, 0 or more.
    line: an amount to compare with, drawn from top to bottom.
    """
    series = list(amounts)
    bars = list(amounts[series[0]])
    thick = 0.8 / len(series)
    with course_style():
        figure = new_figure(width, 0.75 + len(bars) * (0.18 + 0.24 * len(series)))
        axes = figure.subplots()
        for number, name in enumerate(series):
            for place, bar in enumerate(bars):
                amount = amounts[name][bar]
                y = place + (number - (len(series) - 1) / 2) * thick
                axes.barh(
                    y,
                    amount,
                    height=thick * 0.9,
                    color=SERIES[number],
                    alpha=0.85,
                    hatch=HATCHES[number],
                    edgecolor="white",
                    label=name if place == 0 else None,
                )
                axes.text(amount, y, f"  {amount:,.{decimals}f}", va="center", size=9)
        if line is not None:
            axes.axvline(line, color=INK, ls=":", lw=1.5)
        axes.set_yticks(range(len(bars)), bars)
        axes.invert_yaxis()
        axes.set_xlabel(xlabel)
        axes.margins(x=0.12)
        if len(series) > 1:
            figure.legend(loc="outside upper center", ncols=len(series))
    return figure
