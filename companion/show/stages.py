"""A masked autoencoder from picture to picture, with the count of tokens under each stage."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from torch import Tensor

from companion.masking import PatchMask
from companion.models import grid_of, patchify, unpatchify
from companion.show.figures import course_style, new_figure
from companion.show.labels import label
from companion.show.pictures import cover, draw_picture, number, rule
from companion.show.style import FAINT, INK, STATES

WIDTH, HEIGHT = 10.6, 2.75  # inches
SIDE = 1.75  # of a picture
FOOT = 0.22  # where pictures begin, as a share of the height
CLS = "CLS"


def draw_stages(picture: Tensor, mask: PatchMask, restored: Tensor, patch_size: int) -> Figure:
    """Picture, numbered patches, what the encoder reads, what the decoder reads, picture.

    Args:
        picture: float, (channels, height, width).
        mask: of a batch of one.
        restored: as `picture`: what the model makes of it.
        patch_size: pixels a side.
    """
    size = int(picture.shape[1]), int(picture.shape[2])
    rows, columns = grid_of(*size, patch_size)
    places, kept = rows * columns, mask.keep.shape[1]
    hidden = mask.hidden[0]
    stages = [
        (label("stage_picture"), f"{size[0]} × {size[1]}"),
        (label("stage_patches"), label("tokens_of").format(count=places)),
        (label("stage_encoder"), label("tokens_with_cls").format(count=kept + 1, rest=kept)),
        (label("stage_decoder"), label("tokens_with_cls").format(count=places + 1, rest=places)),
        (label("stage_restored"), label("patches_said").format(count=places)),
    ]
    with course_style():
        figure = new_figure(WIDTH, HEIGHT)
        figure.set_layout_engine("none")
        step = WIDTH / len(stages)
        axes_row = []
        for n, (title, count) in enumerate(stages):
            middle = (n + 0.5) * step / WIDTH
            box = (middle - SIDE / 2 / WIDTH, FOOT, SIDE / WIDTH, SIDE / HEIGHT)
            axes_row.append(figure.add_axes(box))
            figure.text(middle, 0.97, title, ha="center", va="top", size=10, weight="bold")
            figure.text(middle, 0.12, count, ha="center", va="center", size=10)
            if n:
                arrow_to = (n * step + 0.13) / WIDTH, FOOT + SIDE / 2 / HEIGHT
                arrow_from = (n * step - 0.13) / WIDTH, arrow_to[1]
                figure.add_artist(_arrow(arrow_from, arrow_to))
        draw_picture(axes_row[0], picture)
        draw_picture(axes_row[1], picture)
        rule(axes_row[1], size, patch_size)
        number(axes_row[1], size, patch_size, ~hidden)
        _read_by_encoder(axes_row[2], picture, mask.keep[0], patch_size)
        _read_by_decoder(axes_row[3], picture, hidden, patch_size)
        draw_picture(axes_row[4], restored)
    return figure


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> FancyArrowPatch:
    return FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=14, color=INK, lw=1.4)


def _token(axes: Axes, x: float, y: float, side: float, word: str) -> None:
    """A box for a token that is no patch."""
    state = STATES["seen"]
    axes.add_patch(Rectangle((x, y), side, side, fc=state.fill, ec=state.edge, lw=0.8))
    axes.text(x + side / 2, y + side / 2, word, ha="center", va="center", size=6.5)


def _read_by_encoder(axes: Axes, picture: Tensor, keep: Tensor, patch_size: int) -> None:
    """[CLS] and the kept patches, four to a line, in the order in which they are read."""
    channels = picture.shape[0]
    patches = patchify(picture[None], patch_size)[0, keep]  # (kept, values)
    shape = patches.view(len(keep), patch_size, patch_size, channels).clamp(0, 1)
    across = 4
    lines = -(-(len(keep) + 1) // across)
    cell = 1 / max(across, lines)
    _token(axes, 0.04 * cell, 0.04 * cell, 0.92 * cell, CLS)
    for n, place in enumerate(keep.tolist(), start=1):
        line, column = divmod(n, across)
        x, y = column * cell, line * cell
        colours = shape[n - 1].numpy()
        shown = colours if channels == 3 else colours.repeat(3, axis=2)
        axes.imshow(
            shown,
            extent=(x + 0.04 * cell, x + 0.96 * cell, y + 0.96 * cell, y + 0.04 * cell),
            interpolation="nearest",
        )
        axes.add_patch(
            Rectangle((x + 0.04 * cell, y + 0.04 * cell), 0.92 * cell, 0.92 * cell,
                      fill=False, ec=FAINT, lw=0.8)
        )  # fmt: skip
        axes.text(
            x + cell / 2, y + cell / 2, str(place), ha="center", va="center", size=7,
            bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.75},
        )  # fmt: skip
    axes.set_xlim(0, 1)
    axes.set_ylim(1, 0)
    axes.set_axis_off()


def _read_by_decoder(axes: Axes, picture: Tensor, hidden: Tensor, patch_size: int) -> None:
    """All places in order, a mask token in each hidden one; [CLS] in front."""
    size = int(picture.shape[1]), int(picture.shape[2])
    patches = patchify(picture[None], patch_size)
    patches = torch.where(hidden[None, :, None], torch.ones_like(patches), patches)
    draw_picture(axes, unpatchify(patches, patch_size, size)[0])
    cover(axes, hidden, size, patch_size)
    rule(axes, size, patch_size)
    _token(axes, -0.5 - 1.2 * patch_size, -0.5, patch_size, CLS)
    axes.set_xlim(-0.5 - 1.2 * patch_size, size[1] - 0.5)
