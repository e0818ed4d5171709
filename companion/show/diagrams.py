"""Drawings of how the parts of a network follow each other."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from companion.show.figures import course_style, new_figure
from companion.show.labels import label
from companion.show.style import BLUE, FAINT, INK, PAPER, STATES

BOX, STEP = 0.36, 0.54  # inches: height of a box, and from one part to the next
FILLS = {"norm": STATES["kept"], "attention": STATES["hidden"], "feed_forward": STATES["hidden"]}


def block_diagrams() -> Figure:
    """A post-LN and a pre-LN block, from below to above; the sum runs along the straight line."""
    orders = {
        label("post_ln"): ("attention", "+", "norm", "feed_forward", "+", "norm"),
        label("pre_ln"): ("norm", "attention", "+", "norm", "feed_forward", "+"),
    }
    height = 7 * STEP + 0.7
    with course_style():
        figure = new_figure(7.6, height)
        for axes, (title, parts) in zip(figure.subplots(1, 2), orders.items(), strict=True):
            axes.set(xlim=(0, 3.8), ylim=(0, height - 0.4), aspect="equal")
            axes.axis("off")
            axes.set_title(title, size=11)
            _block(axes, parts)
    return figure


def _block(axes: Axes, parts: tuple[str, ...]) -> None:
    middle, side = 1.4, 2.9
    axes.annotate(
        "", (middle, 6 * STEP + 0.72), (middle, 0.1), arrowprops={"arrowstyle": "-|>", "color": INK}
    )
    axes.text(middle + 0.12, 0.1, label("vectors_in"), size=9, color=FAINT)
    axes.text(middle + 0.12, 6 * STEP + 0.6, label("vectors_out"), size=9, color=FAINT)
    fork = STEP * 0.5
    for number, part in enumerate(parts, 1):
        y = number * STEP
        if part == "+":
            # The residual: what came in, led past the boxes and added.
            axes.plot([middle, side, side], [fork, fork, y], color=BLUE, lw=2)
            axes.annotate(
                "", (middle + 0.11, y), (side, y),
                arrowprops={"arrowstyle": "-|>", "color": BLUE, "lw": 2, "shrinkA": 0,
                            "shrinkB": 0},
            )  # fmt: skip
            axes.plot(middle, y, "o", ms=17, mfc=PAPER, mec=INK, zorder=3)
            axes.text(middle, y - 0.01, "+", ha="center", va="center", size=13, zorder=4)
            fork = y + STEP * (0.5 if parts[0] == "norm" else 1.5)  # post-LN: above the norm
            continue
        state = FILLS[part]
        box = FancyBboxPatch(
            (middle - 1.05, y - BOX / 2), 2.1, BOX, boxstyle="round,pad=0,rounding_size=0.08",
            fc=state.fill, ec=state.edge, zorder=3,
        )  # fmt: skip
        axes.add_patch(box)
        axes.text(middle, y, label(part), ha="center", va="center", size=10, zorder=4)
