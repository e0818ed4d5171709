"""The MAE lab: hide patches of a picture one way or another, and see what the model makes of it."""

from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from companion.data import Images
from companion.evaluation import distance_weighted, error_at_hidden, restore
from companion.masking import (
    PatchMask,
    edge_weights,
    mask_blocks,
    mask_grid,
    mask_patches,
    mask_weighted,
)
from companion.models import Mae, patchify, unpatchify
from companion.show.figures import figure_html
from companion.show.labels import label
from companion.show.pictures import PictureRow, picture_rows
from companion.show.widgets import board, status_line

MaskKind = Literal["patches", "blocks", "grid", "edges"]
KINDS: tuple[MaskKind, ...] = ("patches", "blocks", "grid", "edges")
POWER = 3.0  # of the distance in the yardstick


class PictureState(NamedTuple):
    """What the learner has set in the MAE lab."""

    picture: int = 0
    kind: MaskKind = "patches"
    ratio: float = 0.75
    draw: int = 0


def mask_of(
    state: PictureState, picture: Tensor, patch_size: int, grid: tuple[int, int]
) -> PatchMask:
    """The mask of a state, for one picture (channels, height, width); a grid hides 75 %."""
    generator = torch.Generator().manual_seed(state.draw)
    if state.kind == "grid":
        return mask_grid(1, grid)
    if state.kind == "blocks":
        return mask_blocks(1, grid, ratio=state.ratio, generator=generator)
    if state.kind == "edges":
        weights = edge_weights(picture[None], patch_size)
        return mask_weighted(weights, ratio=state.ratio, generator=generator)
    return mask_patches(1, grid[0] * grid[1], ratio=state.ratio, generator=generator)


def render_pictures(state: PictureState, images: Images, model: Mae) -> str:
    """The picture, what the encoder sees, and two ways to fill in the rest: HTML."""
    config = model.config
    picture = images.pixels[state.picture]
    size = int(picture.shape[1]), int(picture.shape[2])
    mask = mask_of(state, picture, config.patch_size, config.grid)
    patches = patchify(picture[None], config.patch_size)  # (1, patches, values)
    kept, places = mask.keep.shape[1], patches.shape[1]
    words = label("picture_line").format(
        title=images.titles[state.picture], kept=kept, places=places
    )
    if kept == places:
        words += " " + label("nothing_hidden")
        figure = picture_rows(
            [PictureRow("", picture[None])], config.patch_size, cell=1.9, title=0.1
        )
        return figure_html(figure, alt=words) + status_line(words)
    by_colour = distance_weighted(
        patches, mask.hidden, config.grid, channels=config.num_channels, power=POWER
    )
    by_model = restore(model, picture[None], mask).pred
    errors = [float(error_at_hidden(pred, patches, mask.hidden)) for pred in (by_colour, by_model)]
    seen = ~mask.hidden[:, :, None]
    filled = [torch.where(seen, patches, pred) for pred in (by_colour, by_model)]
    shown = [unpatchify(one, config.patch_size, size)[0] for one in filled]
    words += " " + label("picture_errors").format(colour=errors[0], model=errors[1])
    uncovered = torch.zeros_like(mask.hidden)
    row = PictureRow(
        "",
        torch.stack([picture, picture, *shown]),
        torch.cat([uncovered, mask.hidden, uncovered, uncovered]),
        [
            label("the_picture"),
            label("encoder_sees"),
            label("by_colour"),
            label("by_model"),
        ],
    )
    figure = picture_rows([row], config.patch_size, cell=1.9, title=0.1)
    return figure_html(figure, alt=words) + status_line(words)


def picture_playground(images: Images, model: Mae, picture: int = 0) -> Any:
    """Choose a picture, how its patches are hidden, and how many."""
    import ipywidgets as W

    wide = {"description_width": "110px"}
    start = PictureState(picture)
    which = W.Dropdown(
        options=[(title, n) for n, title in enumerate(images.titles)],
        value=picture,
        description=label("picture"),
        style=wide,
    )
    kind = W.Dropdown(
        options=[(label(f"hide_{one}"), one) for one in KINDS],
        value=start.kind,
        description=label("hide_by"),
        style=wide,
    )
    slider = W.FloatSlider(
        start.ratio, min=0, max=0.95, step=0.05, readout=False,
        description=label("ratio"), style=wide, continuous_update=False,
    )  # fmt: skip
    box = W.BoundedFloatText(
        start.ratio, min=0, max=0.95, step=0.05, layout={"width": "80px"}, tooltip=label("ratio")
    )
    W.link((slider, "value"), (box, "value"))
    draw = W.BoundedIntText(0, min=0, max=9999, description=label("draw"), style=wide)
    shown = W.HTML()

    def redraw(_change: object = None) -> None:
        slider.disabled = box.disabled = kind.value == "grid"
        state = PictureState(which.value, kind.value, slider.value, draw.value)
        shown.value = render_pictures(state, images, model)

    for widget in (which, kind, slider, draw):
        widget.observe(redraw, "value")
    redraw()
    return board([which, W.HBox([kind, draw]), W.HBox([slider, box])], shown)
