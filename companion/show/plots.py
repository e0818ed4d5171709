"""Bars, histograms and curves: colour is never the only mark."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from companion.show.figures import course_style, new_figure
from companion.show.style import DASHES, FAINT, HALO, HATCHES, INK, SERIES

Interval = tuple[float, float]
LETTER = 0.085  # inches of a letter in a legend, about


def share_bars(
    shares: Mapping[str, Mapping[str, tuple[float, Interval]]],
    *,
    xlabel: str,
    chance: float | None = None,
    width: float = 8.0,
) -> Figure:
    """Horizontal bars of shares with their intervals, in per cent.

    shares: for each series, for each bar: the share and its interval, all between 0 and 1.
    chance: what guessing gets, drawn as a line.
    """
    series = list(shares)
    bars = list(shares[series[0]])
    thick = 0.8 / len(series)
    with course_style():
        figure = new_figure(width, 0.75 + len(bars) * (0.18 + 0.24 * len(series)))
        axes = figure.subplots()
        for number, name in enumerate(series):
            for place, bar in enumerate(bars):
                share, (low, high) = shares[name][bar]
                y = place + (number - (len(series) - 1) / 2) * thick
                axes.barh(
                    y,
                    100 * share,
                    height=thick * 0.9,
                    color=SERIES[number],
                    alpha=0.85,
                    hatch=HATCHES[number],
                    edgecolor="white",
                    label=name if place == 0 else None,
                )
                axes.plot([100 * low, 100 * high], [y, y], color=INK, lw=1.5)
                axes.text(100 * high, y, f"  {100 * share:.1f}", va="center", size=9)
        if chance is not None:
            axes.axvline(100 * chance, color=INK, ls=":", lw=1.5)
        axes.set_yticks(range(len(bars)), bars)
        axes.invert_yaxis()
        axes.set_xlabel(xlabel)
        axes.margins(x=0.12)
        if len(series) > 1:
            figure.legend(loc="outside upper center", ncols=len(series))
    return figure


def bars_in_words(shares: Mapping[str, Mapping[str, tuple[float, Interval]]]) -> str:
    """What `share_bars` shows of the same `shares`, as sentences for its alternative text."""
    return " ".join(
        f"{series}: " + ", ".join(f"{bar} {share:.1%}" for bar, (share, _) in bars.items()) + "."
        for series, bars in shares.items()
    )


def histograms(
    counts: Mapping[str, Sequence[int]],
    *,
    xlabel: str,
    ylabel: str,
    same_height: bool = False,
    width: float = 8.6,
) -> Figure:
    """How often each whole number occurs: one small picture for each series, same x axis.

    same_height: one y axis for all, where heights are to be compared.
    """
    top = max(max(values) for values in counts.values())
    with course_style():
        figure = new_figure(width, 2.5)
        for number, (axes, (name, values)) in enumerate(
            zip(
                figure.subplots(1, len(counts), sharex=True, sharey=same_height, squeeze=False)[0],
                counts.items(),
                strict=True,
            )
        ):
            axes.bar(
                range(top + 1),
                [sum(value == x for value in values) for x in range(top + 1)],
                color=SERIES[number],
                hatch=HATCHES[number],
                edgecolor="white",
                alpha=0.85,
            )
            axes.set_title(name, size=10)
            axes.set_xlabel(xlabel)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            if number == 0:
                axes.set_ylabel(ylabel)
    return figure


def curves(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    xlabel: str,
    ylabel: str,
    levels: Mapping[str, float] | None = None,
    width: float = 6.4,
    height: float = 3.0,
) -> Figure:
    """Lines over steps, told apart by colour and dashes.

    levels: yardsticks, drawn as thin lines across, each with its name on it.
    """
    with course_style():
        figure = new_figure(width, height)
        axes = figure.subplots()
        for name, level in (levels or {}).items():
            axes.axhline(level, color=FAINT, lw=1)
            axes.annotate(
                name,
                (1, level),
                xycoords=("axes fraction", "data"),
                xytext=(-4, 6),
                textcoords="offset points",
                ha="right",
                size=9,
                color=INK,
                path_effects=HALO,
                zorder=3,
            )
        for number, (name, (x, y)) in enumerate(lines.items()):
            axes.plot(x, y, color=SERIES[number], ls=DASHES[number], lw=2, label=name)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        axes.margins(y=0.1)  # room for the name of a level at the top
        axes.set_ylim(bottom=0)
        if len(lines) > 2:  # inside, so many names would cover a line
            letters = sum(len(name) + 8 for name in lines)  # the line and gaps too
            fits = letters * LETTER < width
            figure.legend(loc="outside upper center", ncols=len(lines) if fits else 2)
        else:
            axes.legend(loc="best")
    return figure
