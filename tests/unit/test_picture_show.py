"""Pictures of pictures, the MAE lab and the loss lab: what is drawn, and what is said of it."""

import pytest
import torch
from ipywidgets import BoundedFloatText, Dropdown, FloatSlider
from matplotlib.patches import Rectangle
from test_boards import page_of, widgets_of

from companion.data import Images, checkpoint, load_images
from companion.evaluation import Surprises, error_at_hidden, loss_of, restore
from companion.masking import mask_patches
from companion.models import Mae, patchify
from companion.show import (
    LossState,
    PictureRow,
    PictureState,
    amount_bars,
    curves,
    draw_stages,
    loss_playground,
    numbered_picture,
    picture_playground,
    picture_rows,
    render_loss,
    render_pictures,
)
from companion.show.picture_board import mask_of
from companion.show.style import STATES


@pytest.fixture(scope="module")
def model():
    return Mae.from_pretrained(checkpoint("mae-emoji-mini"))


@pytest.fixture(scope="module")
def images():
    found = load_images("emoji", "validation")
    few = slice(0, 8)
    return Images(found.pixels[few], found.labels[few], found.names, found.titles[few])


def covers(axes):
    """The corners of the hatched patches, in pixels."""
    return {
        (round(p.get_x() + 0.5), round(p.get_y() + 0.5))
        for p in axes.patches
        if isinstance(p, Rectangle) and p.get_hatch() == STATES["hidden"].hatch * 2
    }


def test_hidden_patches_are_hatched_where_they_are():
    picture = torch.rand(1, 3, 8, 12)
    hidden = torch.tensor([[True, False, False, False, False, True]])  # 2 rows of 3
    figure = picture_rows([PictureRow("one", picture, hidden)], 4)
    (axes,) = figure.axes
    assert covers(axes) == {(0, 0), (8, 4)}
    shown = axes.images[0].get_array()
    assert shown.shape == (8, 12, 3)
    assert torch.allclose(torch.tensor(shown), picture[0].permute(1, 2, 0))


def test_patches_are_numbered_row_by_row_and_hidden_ones_have_no_number():
    picture = torch.rand(3, 8, 12)
    hidden = torch.tensor([False, True, False, False, False, False])
    words = {t.get_text(): t.get_position() for t in numbered_picture(picture, 4).axes[0].texts}
    assert list(words) == ["0", "1", "2", "3", "4", "5"]
    assert words["1"][0] > words["0"][0]
    assert words["3"] == (words["0"][0], words["0"][1] + 4)
    kept = [t.get_text() for t in numbered_picture(picture, 4, hidden).axes[0].texts]
    assert kept == ["0", "2", "3", "4", "5"]


def test_grey_pictures_and_captions():
    rows = [PictureRow("grey", torch.rand(2, 1, 8, 8), None, ["a", "b"])]
    figure = picture_rows(rows, 4)
    assert [t.get_text() for t in figure.texts] == ["grey", "a", "b"]
    assert figure.axes[0].images[0].get_array().ndim == 2


def test_rows_that_do_not_fit_are_named():
    two, three = torch.rand(2, 3, 8, 8), torch.rand(3, 3, 8, 8)
    with pytest.raises(ValueError, match=r"rows have \[2, 3\] pictures"):
        picture_rows([PictureRow("a", two), PictureRow("b", three)], 4)
    with pytest.raises(ValueError, match="row 'a' needs 2 captions"):
        picture_rows([PictureRow("a", two, None, ["only one"])], 4)


def test_stages_count_the_tokens_of_each_part(images, model):
    mask = mask_patches(1, 64, generator=torch.Generator().manual_seed(0))
    restored = restore(model, images.pixels[:1], mask).pictures[0]
    figure = draw_stages(images.pixels[0], mask, restored, 4)
    said = [t.get_text() for t in figure.texts]
    for words in ("64 patches", "17 tokens: [CLS] + 16", "65 tokens: [CLS] + 64"):
        assert words in said
    _, numbered, encoder, decoder, _ = figure.axes
    kept = [str(n) for n in sorted(mask.keep[0].tolist())]
    assert [t.get_text() for t in numbered.texts] == kept
    assert [t.get_text() for t in encoder.texts] == ["CLS", *map(str, mask.keep[0].tolist())]
    assert len(covers(decoder)) == 48


def test_amounts_stand_beside_their_bars():
    figure = amount_bars({"a": {"x": 1.5, "y": 20.0}, "b": {"x": 0.25, "y": 3.0}}, xlabel="times")
    assert [t.get_text().strip() for t in figure.axes[0].texts] == ["1.50", "20.00", "0.25", "3.00"]
    with_line = amount_bars({"a": {"x": 1.5}}, xlabel="times", line=1)
    assert len(with_line.axes[0].lines) == len(figure.axes[0].lines) + 1


def test_a_legend_of_long_names_has_two_rows():
    lines = {f"a rather long name of a line, number {n}": ([1, 2], [1, 2]) for n in range(4)}
    (legend,) = curves(lines, xlabel="x", ylabel="y").legends
    assert legend._ncols == 2
    (short,) = curves({n: ([1], [1]) for n in "abcd"}, xlabel="x", ylabel="y").legends
    assert short._ncols == 4


# The MAE lab


def test_the_lab_says_what_it_shows(images, model):
    state = PictureState(picture=5, kind="patches", ratio=0.75, draw=3)
    page = render_pictures(state, images, model)
    mask = mask_of(state, images.pixels[5], 4, (8, 8))
    pred = restore(model, images.pixels[5:6], mask).pred
    error = float(error_at_hidden(pred, patchify(images.pixels[5:6], 4), mask.hidden))
    assert f"{images.titles[5]}: the encoder sees 16 of 64 patches." in page
    assert f"the model {error:.4f}." in page
    assert page.count("<img alt=") == 1
    assert 'role="status"' in page


@pytest.mark.parametrize("kind", ["patches", "blocks", "grid", "edges"])
def test_every_kind_of_mask_hides_what_is_asked(images, kind):
    for ratio in (0.5, 0.75, 0.95):
        mask = mask_of(PictureState(kind=kind, ratio=ratio), images.pixels[3], 4, (8, 8))
        assert int(mask.hidden.sum()) == (48 if kind == "grid" else round(64 * ratio))


def test_hiding_nothing_asks_nothing(images, model):
    page = render_pictures(PictureState(ratio=0.0), images, model)
    assert "sees 64 of 64 patches. Nothing is hidden, so nothing is asked." in page


def test_moving_a_widget_of_the_lab_draws_again(images, model):
    board = picture_playground(images, model, picture=2)
    assert images.titles[2] in page_of(board)
    which, kind = widgets_of(board, Dropdown)
    (slider,), (box,) = widgets_of(board, FloatSlider), widgets_of(board, BoundedFloatText)
    box.value = 0.5
    assert slider.value == 0.5
    assert "sees 32 of 64" in page_of(board)
    which.value = 4
    assert images.titles[4] in page_of(board)
    kind.value = "grid"
    assert "sees 16 of 64" in page_of(board)
    assert slider.disabled  # a grid has one ratio alone
    assert "<img" in board._repr_mimebundle_()["text/html"]  # where widgets do not run


# The loss lab

FOUND = Surprises(
    torch.tensor([[4.0, 0.5, 9.0, 1.0], [2.0, 8.0, 0.0, 5.0], [1.0, 1.0, 1.0, 1.0]]),
    torch.tensor([[True, False, False, True], [True, False, False, False], [False] * 4]),
    torch.tensor([[True, False, False, False], [False] * 4, [False] * 4]),
)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (("selected", "over_them", "nats"), 7 / 3),
        (("selected", "over_all_places", "nats"), 7 / 12),
        (("selected", "of_row_means", "nats"), (2.5 + 2) / 2),
        (("selected", "sum_of_a_row", "nats"), 7 / 3),
        (("masked", "over_them", "nats"), 4.0),
        (("everywhere", "over_them", "nats"), 33.5 / 12),
        (("selected", "over_them", "bits"), 7 / 3 / 0.6931472),
        (("masked", "over_them", "perplexity"), 54.59815),
    ],
)
def test_one_model_has_many_losses(choice, wanted):
    assert loss_of(FOUND, *choice) == pytest.approx(wanted, rel=1e-6)


def test_the_loss_lab_says_both_numbers():
    page = render_loss(LossState("masked", "over_them", "bits"), FOUND)
    assert "[MASK] alone, mean over these places: 5.771 bits." in page
    assert "The usual choices give 2.333 nats." in page
    board = loss_playground(FOUND)
    positions, average, unit = widgets_of(board, Dropdown)
    unit.value = "perplexity"
    assert "10.312 perplexity" in page_of(board)
    average.value = "over_all_places"
    positions.value = "everywhere"
    assert "all tokens, seen ones too, sum divided by all places" in page_of(board)
