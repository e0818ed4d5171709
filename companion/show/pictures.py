"""Pictures and their patches: what is seen and what is hidden, told by colour, hatch and word."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from companion.models import grid_of
from companion.show.figures import course_style, new_figure
from companion.show.style import FAINT, INK, STATES

TITLE = 1.75  # inches for the titles of rows
CELL = 1.12  # inches a side of one picture on a board
CAPTION = 0.2  # inches for a line of words under a row
EDGE = 0.03  # inches above the first row, for its frame


class PictureRow(NamedTuple):
    """One line of a board: a title, pictures of equal size, and what is hidden in them."""

    title: str
    pictures: Tensor  # float, (n, channels, height, width), values 0 to 1
    hidden: Tensor | None = None  # bool, (n, patches): covered by hatches
    captions: Sequence[str] = ()  # n of them, or none


def draw_picture(axes: Axes, picture: Tensor) -> None:
    """Pixels as they are, without smoothing and without axes; (channels, height, width)."""
    shown = picture.detach().clamp(0, 1).permute(1, 2, 0).numpy()  # (height, width, channels)
    if shown.shape[2] == 1:  # grey: ink on paper, as clothes are photographed here on black
        axes.imshow(shown[:, :, 0], cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    else:
        axes.imshow(shown, interpolation="nearest")
    axes.set_axis_off()


def cover(axes: Axes, hidden: Tensor, size: tuple[int, int], patch_size: int) -> None:
    """Hatch the patches where `hidden`, bool (patches,), of a picture of `size` in pixels."""
    _, columns = grid_of(*size, patch_size)
    state = STATES["hidden"]
    for place in hidden.nonzero()[:, 0].tolist():
        row, column = divmod(place, columns)
        corner = column * patch_size - 0.5, row * patch_size - 0.5
        axes.add_patch(
            Rectangle(
                corner, patch_size, patch_size,
                fc=state.fill, ec=state.edge, hatch=state.hatch * 2, lw=0.6,
            )
        )  # fmt: skip


def rule(axes: Axes, size: tuple[int, int], patch_size: int) -> None:
    """Thin lines between the patches."""
    height, width = size
    for x in range(0, width + 1, patch_size):
        axes.plot([x - 0.5, x - 0.5], [-0.5, height - 0.5], color=FAINT, lw=0.6, clip_on=False)
    for y in range(0, height + 1, patch_size):
        axes.plot([-0.5, width - 0.5], [y - 0.5, y - 0.5], color=FAINT, lw=0.6, clip_on=False)


def number(axes: Axes, size: tuple[int, int], patch_size: int, shown: Tensor | None = None) -> None:
    """The patches' numbers, row by row from 0; `shown`: bool (patches,), only these."""
    rows, columns = grid_of(*size, patch_size)
    for place in range(rows * columns):
        if shown is None or shown[place]:
            row, column = divmod(place, columns)
            axes.text(
                (column + 0.5) * patch_size - 0.5,
                (row + 0.5) * patch_size - 0.5,
                str(place),
                ha="center",
                va="center",
                size=7.5,
                color=INK,
                bbox={"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.75},
            )


def numbered_picture(
    picture: Tensor, patch_size: int, hidden: Tensor | None = None, *, side: float = 3.2
) -> Figure:
    """One picture, cut into its numbered patches; hidden ones are hatched."""
    size = int(picture.shape[1]), int(picture.shape[2])
    with course_style():
        figure = new_figure(side * size[1] / size[0], side)
        axes = figure.subplots()
        draw_picture(axes, picture)
        rule(axes, size, patch_size)
        if hidden is not None:
            cover(axes, hidden, size, patch_size)
        number(axes, size, patch_size, None if hidden is None else ~hidden)
    return figure


def picture_rows(
    rows: Sequence[PictureRow], patch_size: int, *, cell: float = CELL, title: float = TITLE
) -> Figure:
    """Rows of pictures under each other, each row with its title.

    cell: inches a side that one picture takes. title: inches for the rows' titles.
    ValueError: rows of different lengths, or captions that are not one for each picture.
    """
    counts = {len(row.pictures) for row in rows}
    if len(counts) != 1:
        raise ValueError(f"The rows have {sorted(counts)} pictures; they need the same number.")
    count = counts.pop()
    if wrong := [row.title for row in rows if len(row.captions) not in (0, count)]:
        raise ValueError(f"The row {wrong[0]!r} needs {count} captions, or none.")
    height, width = rows[0].pictures.shape[2:]
    tall = cell * height / width
    lines = [tall + 0.06 + (CAPTION if row.captions else 0) for row in rows]
    whole = title + count * (cell + 0.08), sum(lines) + EDGE
    with course_style():
        figure = new_figure(*whole)
        figure.set_layout_engine("none")
        top = whole[1] - EDGE
        for row, line in zip(rows, lines, strict=True):
            middle = (top - tall / 2) / whole[1]
            figure.text(
                (title - 0.12) / whole[0], middle, row.title, ha="right", va="center", size=9.5
            )
            for n in range(count):
                left = title + n * (cell + 0.08)
                box = (left / whole[0], (top - tall) / whole[1], cell / whole[0], tall / whole[1])
                axes = figure.add_axes(box)
                draw_picture(axes, row.pictures[n])
                if row.hidden is not None:
                    cover(axes, row.hidden[n], (height, width), patch_size)
                frame = Rectangle(
                    (-0.5, -0.5), width, height, fill=False, ec=FAINT, lw=0.6, clip_on=False
                )
                axes.add_patch(frame)
                if row.captions:
                    figure.text(
                        (left + cell / 2) / whole[0],
                        (top - tall - CAPTION / 2) / whole[1],
                        row.captions[n],
                        ha="center",
                        va="center",
                        size=9,
                    )
            top -= line
    return figure
