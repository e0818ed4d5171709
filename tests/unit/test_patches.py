"""Pictures into patches and back, and where patches stand."""

import pytest
import torch

from companion.models import grid_of, patchify, unpatchify
from companion.models.positions import grid_positions, resize_positions


@pytest.mark.parametrize(
    ("shape", "patch_size"),
    [((2, 3, 8, 12), 4), ((1, 1, 6, 4), 2), ((3, 5, 3, 9), 3), ((2, 4, 5, 7), 1)],
)
def test_back_and_forth_is_the_same_picture(shape, patch_size):
    """F23: cutting loses nothing, whatever the sides and the channels."""
    images = torch.rand(shape)
    patches = patchify(images, patch_size)
    batch, channels, height, width = shape
    rows, columns = grid_of(height, width, patch_size)
    assert patches.shape == (batch, rows * columns, patch_size**2 * channels)
    assert torch.equal(unpatchify(patches, patch_size, (height, width)), images)


def test_values_of_a_patch_are_rows_then_columns_then_channels():
    """ORACLES 3.3; each value says where it was: 100·channel + 10·row + column."""
    row, column = torch.arange(4)[:, None], torch.arange(6)[None]
    image = torch.stack([100 * channel + 10 * row + column for channel in range(2)])
    patches = patchify(image[None], 2)
    assert patches.shape == (1, 6, 8)
    assert patches[0, 0].tolist() == [0, 100, 1, 101, 10, 110, 11, 111]
    assert patches[0, 1, 0] == 2  # to the right first,
    assert patches[0, 3, 0] == 20  # then down


def test_published_sizes():
    assert patchify(torch.zeros(1, 3, 224, 224), 16).shape == (1, 196, 768)
    assert patchify(torch.zeros(1, 3, 224, 224), 14).shape == (1, 256, 588)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: patchify(torch.zeros(1, 3, 30, 32), 4), "30 pixels high.*patch_size=4"),
        (lambda: patchify(torch.zeros(1, 3, 32, 30), 4), "30 pixels wide"),
        (lambda: patchify(torch.zeros(3, 32, 32), 4), r"image\[None\]"),
        (lambda: patchify(torch.zeros(1, 3, 32, 32), 0), "at least 1 pixel, not 0"),
        (lambda: unpatchify(torch.zeros(1, 9, 48), 4, (16, 16)), r"need \(batch, 16, 16 times"),
        (lambda: unpatchify(torch.zeros(1, 16, 47), 4, (16, 16)), "47"),
        (lambda: unpatchify(torch.zeros(1, 16, 48), 4, (16, 18)), "18 pixels wide"),
        (lambda: unpatchify(torch.zeros(16, 48), 4, (16, 16)), r"\(16, 48\)"),
    ],
)
def test_what_does_not_fit_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_small_table_of_positions():
    """ORACLES 3.2; C6: the first half follows the column; C7: in blocks, not interleaved."""
    table = grid_positions(2, 2, 8)
    sin, cos = 0.841471, 0.540302
    expected = [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0, 1, 1],
        [sin, 0.01, cos, 0.99995, 0, 0, 1, 1],
        [0, 0, 1, 1, sin, 0.01, cos, 0.99995],
        [sin, 0.01, cos, 0.99995, sin, 0.01, cos, 0.99995],
    ]
    assert torch.allclose(table, torch.tensor(expected, dtype=torch.float32), atol=2e-6)


@pytest.mark.parametrize(
    ("side", "width", "total"),
    [
        (14, 768, 69594.493859),
        (14, 1024, 92849.197918),
        (16, 1280, 149578.405753),
        (14, 512, 46340.333103),
        (16, 512, 59700.678479),
    ],
)
def test_tables_of_the_papers_sizes(side, width, total):
    table = grid_positions(side, side, width).double()
    assert table.sum().item() == pytest.approx(total, abs=0.05)
    assert (table**2).sum().item() == pytest.approx(side * side * width / 2, rel=1e-6)


def test_single_values_of_a_large_table():
    last = grid_positions(14, 14, 768)[196]
    expected = [0.420167, -0.17437, 0.001364, 0.907447, 0.999999, 0.420167]
    assert torch.allclose(last[[0, 1, 191, 192, 383, 384]], torch.tensor(expected), atol=2e-6)


def test_a_grid_need_not_be_square():
    """C8: a grid of 8 by 32 has other positions than one of 16 by 16."""
    wide = grid_positions(2, 3, 8)
    assert wide.shape == (7, 8)
    place = 1 + 1 * 3 + 2  # row 1, column 2
    assert torch.equal(wide[place, :4], grid_positions(1, 3, 8)[3, :4])
    assert torch.equal(wide[place, 4:], grid_positions(2, 1, 8)[2, 4:])


def test_a_width_that_four_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="width 6: it must be a multiple of 4"):
        grid_positions(2, 2, 6)


def test_positions_are_interpolated_in_two_dimensions():
    """C10, P9: between two rows stands what lies between them, and columns are left alone."""
    table = grid_positions(4, 4, 16)[None]
    assert resize_positions(table, (4, 4), (4, 4)) is table
    resized = resize_positions(table, (4, 4), (8, 4))
    assert resized.shape == (1, 33, 16)
    assert torch.equal(resized[:, 0], table[:, 0])
    columns = resized[0, 1:].reshape(8, 4, 16)[..., :8]
    assert torch.allclose(columns, table[0, 1:].reshape(4, 4, 16)[:1, :, :8], atol=1e-6)
    both = resize_positions(table, (4, 4), (8, 8))
    turned = resize_positions(table, (4, 4), (4, 8))
    assert both.shape == (1, 65, 16)
    assert turned.shape == (1, 33, 16)
    rows = turned[0, 1:].reshape(4, 8, 16)[..., 8:]
    assert torch.allclose(rows, table[0, 1:].reshape(4, 4, 16)[:, :1, 8:], atol=1e-6)
