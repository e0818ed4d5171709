"""Colours, hatches and sizes: every figure of the course takes them from here."""

from typing import Any, NamedTuple

from matplotlib.patheffects import withStroke

# Okabe and Ito 2008: told apart by readers with every common kind of colour vision.
BLUE, GREEN, VERMILION, PURPLE = "#0072B2", "#009E73", "#D55E00", "#CC79A7"
SERIES = (BLUE, VERMILION, GREEN, PURPLE)  # lines and bars, in this order
DASHES = ("-", "--", "-.", ":")  # a second mark beside the colour
HATCHES = ("", "///", "...", "xx")

INK, PAPER, FAINT = "#1A1A1A", "#FFFFFF", "#6B6B6B"
HALO = [withStroke(linewidth=3, foreground=PAPER)]  # words stay legible on lines and dots


class State(NamedTuple):
    """How one state of a token or a patch is drawn."""

    fill: str  # light, so that dark words stand on it
    edge: str
    hatch: str


# What a model sees has four states; "selected" marks a choice alone. The hatch sits in a band of
# its own, so that words stay readable.
STATES = {
    "seen": State("#F4F4F4", "#8C8C8C", ""),
    "hidden": State("#CFE5F3", BLUE, "////"),
    "random": State("#FBE3D5", VERMILION, "xxxx"),
    "kept": State("#FBE9B7", "#8A6100", "...."),
    "selected": State("#F3E4EC", "#9B4F76", "\\\\\\\\"),
    "plain": State(PAPER, PAPER, ""),  # a place in the grid without a token
}

DPI = 144  # drawn at 1.5 times the size of the page: sharp on dense screens
RC: dict[str, Any] = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture everywhere
    "font.size": 10,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
}
