"""Masks over patches: what holds of every layout, and what each of them promises.

Sampling tests compare a count with its expectation at 6 standard deviations: a right function
fails with probability 2e-9 a count. The power against the mistake that each one looks for is stated
beside it, computed for the same bound.
"""

import itertools
import math
import random

import pytest
import torch

from companion.masking import (
    count_kept,
    edge_weights,
    example_generator,
    mask_blocks,
    mask_grid,
    mask_patches,
    mask_pictures,
    mask_weighted,
    scheduled_ratio,
    split_by_noise,
)

GRID = (4, 6)
PLACES = 24
WEIGHTS = torch.rand(5, PLACES, generator=torch.Generator().manual_seed(1)) + 0.1


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


DRAWN = {
    "patches": lambda **kw: mask_patches(5, PLACES, **kw),
    "weighted": lambda **kw: mask_weighted(WEIGHTS, **kw),
    "blocks": lambda **kw: mask_blocks(5, GRID, **kw),
}
LAYOUTS = {
    **{name: lambda make=make: make(generator=rng()) for name, make in DRAWN.items()},
    "grid": lambda: mask_grid(5, GRID),
    "pictures": lambda: mask_pictures(range(5), PLACES, seed=0, epoch=0),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_three_parts_of_a_mask_agree(name):
    keep, hidden, restore = LAYOUTS[name]()
    assert keep.shape == (5, 6)
    assert hidden.shape == restore.shape == (5, PLACES)
    assert keep.dtype == restore.dtype == torch.int64
    assert hidden.dtype == torch.bool
    assert (hidden.sum(1) == 18).all()
    for row in range(5):
        assert keep[row].sort().values.tolist() == (~hidden[row]).nonzero()[:, 0].tolist()
    # Kept patches first, then as many blanks as are missing: `restore` puts all at their places.
    row_of = torch.cat([keep, torch.full((5, 18), -1)], dim=1)
    expected = torch.where(hidden, -1, torch.arange(PLACES).expand(5, -1))
    assert torch.equal(row_of.gather(1, restore), expected)
    assert torch.equal(restore.sort(dim=1).values, torch.arange(PLACES).expand(5, -1))


@pytest.mark.parametrize("name", DRAWN)
class TestEveryDraw:
    def test_the_generator_decides(self, name):
        torch.manual_seed(5)
        before = torch.random.get_rng_state()
        first, again, other = (DRAWN[name](generator=rng(seed)) for seed in (1, 1, 2))
        assert torch.equal(torch.random.get_rng_state(), before)
        assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
        assert not torch.equal(first.hidden, other.hidden)
        assert not (first.hidden == first.hidden[:1]).all()  # each picture by itself

    def test_without_a_generator_torchs_own_is_used(self, name):
        torch.manual_seed(3)
        first, second = DRAWN[name](), DRAWN[name]()
        torch.manual_seed(3)
        assert torch.equal(DRAWN[name]().restore, first.restore)
        assert not torch.equal(first.restore, second.restore)

    @pytest.mark.parametrize("kept", [1, 7, PLACES])
    def test_kept_stands_in_place_of_the_ratio(self, name, kept):
        mask = DRAWN[name](ratio=0.5, kept=kept, generator=rng())
        assert mask.keep.shape == (5, kept)
        assert (mask.hidden.sum(1) == PLACES - kept).all()

    @pytest.mark.parametrize("ratio", [0.0, 0.1, 0.4, 0.75, 0.9, 1.0])
    def test_every_picture_keeps_the_same_number(self, name, ratio):
        mask = DRAWN[name](ratio=ratio, generator=rng())
        assert mask.keep.shape[1] == count_kept(PLACES, ratio)
        assert (mask.hidden.sum(1) == PLACES - count_kept(PLACES, ratio)).all()

    @pytest.mark.parametrize("kept", [0, -3, PLACES + 1])
    def test_what_cannot_stay_is_refused(self, name, kept):
        with pytest.raises(ValueError, match=rf"kept is {kept}; of 24 patches 1 to 24 can stay"):
            DRAWN[name](kept=kept)

    @pytest.mark.parametrize("ratio", [-0.1, 1.5, 75, float("nan")])
    def test_a_ratio_that_is_no_share_is_refused(self, name, ratio):
        with pytest.raises(ValueError, match=rf"ratio {ratio}; .* 0 to 1"):
            DRAWN[name](ratio=ratio)


def test_published_counts():
    """ORACLES 3.3: 49 of 196 patches, 64 of 256."""
    assert mask_patches(1, 196).keep.shape == (1, 49)
    assert mask_patches(1, 256).keep.shape == (1, 64)


def test_at_least_one_patch_stays_and_the_nearest_number_is_hidden():
    for places in range(1, 60):
        for percent in range(101):
            kept = count_kept(places, percent / 100)
            assert 1 <= kept <= places
            if kept > 1:  # in whole numbers, so that no rounding decides
                assert abs(100 * (places - kept) - places * percent) <= 50
    with pytest.raises(ValueError, match="num_patches is 0"):
        count_kept(0, 0.5)


def test_the_smallest_noise_is_kept_in_its_order():
    noise = torch.tensor([[0.4, 0.1, 0.3, 0.2], [0.1, 0.2, 0.3, 0.4]])
    before = noise.clone()
    mask = split_by_noise(noise, 2)
    assert mask.keep.tolist() == [[1, 3], [0, 1]]
    assert mask.hidden.tolist() == [[True, False, True, False], [False, False, True, True]]
    assert mask.restore.tolist() == [[3, 0, 2, 1], [0, 1, 2, 3]]
    assert torch.equal(noise, before)
    given = mask_patches(2, 4, kept=2, noise=noise, generator=rng())
    assert all(torch.equal(a, b) for a, b in zip(given, mask, strict=True))


def test_of_equal_noise_the_first_is_kept():
    """Long enough for a sort that is not stable to show it."""
    mask = split_by_noise(torch.zeros(2, 5000), 100)
    assert torch.equal(mask.restore, torch.arange(5000).expand(2, -1))


def test_with_nothing_hidden_patches_come_in_the_order_of_the_noise():
    noise = torch.tensor([[0.3, 0.1, 0.2]])
    mask = mask_patches(1, 3, ratio=0.0, noise=noise)
    assert mask.keep.tolist() == [[1, 2, 0]]
    assert not mask.hidden.any()


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        (torch.rand(2, 5), r"noise has shape \(2, 5\); 2 pictures of 4 patches need \(2, 4\)"),
        (torch.rand(1, 4), r"\(1, 4\)"),  # one row for all would be one mask for all
        (torch.rand(4), r"\(4,\)"),
        (torch.zeros(2, 4, dtype=torch.int64), "int64; it needs floats"),
        (torch.tensor([[0.1, 0.2, 0.3, math.nan]] * 2), "no NaN"),
    ],
)
def test_noise_of_another_kind_is_refused(noise, message):
    with pytest.raises(ValueError, match=message):
        mask_patches(2, 4, noise=noise)
    if noise.dim() == 1:
        with pytest.raises(ValueError, match=r"\(batch, num_patches\)"):
            split_by_noise(noise, 2)


def test_no_pictures_give_an_empty_mask():
    for mask in (
        mask_patches(0, 16),
        mask_blocks(0, (4, 4)),
        mask_grid(0, (4, 4)),
        mask_weighted(torch.rand(0, 16)),
        mask_pictures([], 16, seed=0, epoch=0),
    ):
        assert [part.shape for part in mask] == [(0, 4), (0, 16), (0, 16)]


def shares_of_subsets(mask):
    """How often each set of kept patches occurs."""
    sets, counts = mask.keep.sort(dim=1).values.unique(dim=0, return_counts=True)
    return dict(zip(map(tuple, sets.tolist()), (counts / len(mask.keep)).tolist(), strict=True))


def test_all_sets_of_kept_patches_are_equally_likely():
    """60,000 masks, 10 sets: one that comes 9 % instead of 10 % of the time has power 0.98, a
    mask for the whole batch or runs of neighbours 1."""
    shares = shares_of_subsets(mask_patches(60_000, 5, kept=2, generator=rng()))
    assert set(shares) == set(itertools.combinations(range(5), 2))
    for share in shares.values():
        assert abs(share - 0.1) < 6 * math.sqrt(0.1 * 0.9 / 60_000)


def test_by_weight_means_one_after_the_other_by_the_share_that_is_left():
    """60,000 masks against the definition, summed over all orders. Keys of `draw · weight`, weights
    that are squared, and keeping in place of hiding lie 70 sigma off or more: power 1."""
    weights = [4.0, 2.0, 1.0, 1.0]
    expected = dict.fromkeys(itertools.combinations(range(4), 2), 0.0)
    for first, second in itertools.permutations(range(4), 2):
        chance = weights[first] / 8 * weights[second] / (8 - weights[first])
        expected[tuple(sorted(set(range(4)) - {first, second}))] += chance
    mask = mask_weighted(torch.tensor([weights]).expand(60_000, -1), kept=2, generator=rng())
    shares = shares_of_subsets(mask)
    for kept, chance in expected.items():
        assert abs(shares[kept] - chance) < 6 * math.sqrt(chance * (1 - chance) / 60_000)


def test_a_patch_without_weight_is_hidden_last():
    weights = torch.ones(500, 8)
    weights[:, 2:5] = 0
    weights[:, 5] = 1e-40  # small is not nothing
    kept_three = mask_weighted(weights, kept=3, generator=rng())
    assert (kept_three.keep.sort(dim=1).values == torch.tensor([2, 3, 4])).all()
    kept_two = mask_weighted(weights, kept=2, generator=rng())
    assert not kept_two.hidden[:, 2:5].all(dim=1).any()
    assert kept_two.hidden[:, 2:5].any(dim=0).all()  # which of them is drawn, too
    tiny = torch.tensor([[0.0, 1e-300, 0.0]], dtype=torch.float64).expand(200, -1)
    assert mask_weighted(tiny, kept=2, generator=rng()).hidden[:, 1].all()


def test_without_any_weight_all_are_equally_likely():
    """30,000 masks; an order that is the same each time is caught with certainty."""
    hidden = mask_weighted(torch.zeros(30_000, 4), kept=1, generator=rng()).hidden
    assert ((hidden.double().mean(0) - 0.75).abs() < 6 * math.sqrt(0.75 * 0.25 / 30_000)).all()


def test_only_the_ratio_of_weights_counts_and_they_stay():
    before = WEIGHTS.clone()
    one, other = (mask_weighted(w, generator=rng()) for w in (WEIGHTS, WEIGHTS * 2**20))
    assert torch.equal(one.restore, other.restore)
    assert torch.equal(WEIGHTS, before)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (torch.ones(4), r"shape \(4,\)"),
        (torch.ones(2, 4).long(), "int64; they need floats"),
        (torch.tensor([[1.0, -0.5]]), "finite and not negative"),
        (torch.tensor([[1.0, math.inf]]), "finite and not negative"),
        (torch.tensor([[1.0, math.nan]]), "finite and not negative"),
    ],
)
def test_weights_of_another_kind_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        mask_weighted(weights)


def test_edges_are_differences_between_neighbours():
    image = torch.tensor([[[[0.0, 1, 1, 1], [0, 1, 1, 3]]]])
    # Left patch: 1 and 1 to the right. Right patch: 2 to the right, 2 down. Means: 0.5 and 1.
    wanted = torch.tensor([[0.5, 1.0]]) / 0.75
    torch.testing.assert_close(edge_weights(image, 2, floor=0.0), wanted)
    torch.testing.assert_close(edge_weights(image, 2), wanted + 0.05)
    turned = edge_weights(image.transpose(2, 3), 2)
    torch.testing.assert_close(turned, wanted + 0.05)
    two_channels = torch.cat([image, torch.zeros_like(image)], dim=1)
    torch.testing.assert_close(edge_weights(two_channels, 2), wanted + 0.05)


def test_an_edge_between_two_patches_counts_for_the_lower_or_right_one():
    image = torch.zeros(1, 1, 4, 2)
    image[:, :, 2:] = 1
    for picture in (image, image.transpose(2, 3)):
        torch.testing.assert_close(edge_weights(picture, 2, 0.0), torch.tensor([[0.0, 2.0]]))


def test_weights_by_edges_do_not_change_with_brightness_and_contrast():
    images = torch.rand(3, 3, 8, 12, generator=rng())
    before = images.clone()
    weights = edge_weights(images, 4)
    assert torch.equal(images, before)
    assert weights.shape == (3, 6)
    torch.testing.assert_close(weights.mean(1), torch.full((3,), 1.05))
    torch.testing.assert_close(edge_weights(0.2 * images + 0.3, 4), weights)
    assert (edge_weights(torch.full((1, 3, 8, 8), 0.3), 4) == 0.05).all()  # nothing happens


def test_patches_with_edges_are_hidden_more_often_and_flat_ones_sometimes():
    """2,000 masks; equal chances would hide half of the flat ones, 86 sigma above the bound."""
    image = torch.zeros(1, 1, 8, 8)
    image[..., 4:] = torch.rand(8, 4, generator=rng())
    weights = edge_weights(image, 2).expand(2000, -1)
    hidden = mask_weighted(weights, ratio=0.5, generator=rng()).hidden.reshape(2000, 4, 4)
    flat = hidden[..., :2].double().mean().item()
    assert 0 < flat < 0.25


@pytest.mark.parametrize(
    ("images", "patch_size", "message"),
    [
        (torch.zeros(3, 8, 8), 4, r"shape \(3, 8, 8\)"),
        (torch.zeros(1, 3, 8, 8, dtype=torch.uint8), 4, "uint8; they need floats"),
        (torch.zeros(1, 3, 8, 10), 4, "patch_size=4; their sides"),
        (torch.zeros(1, 3, 10, 8), 4, "patch_size=4; their sides"),
        (torch.zeros(1, 3, 8, 8), 0, "patch_size=0"),
    ],
)
def test_images_that_cannot_be_cut_are_refused(images, patch_size, message):
    with pytest.raises(ValueError, match=message):
        edge_weights(images, patch_size)


def first_block(hidden):
    """Width of the first row of hidden patches; checks that they lie as one block does."""
    rows = hidden.any(dim=1).nonzero()[:, 0]
    assert rows.tolist() == list(range(int(rows[0]), int(rows[0]) + len(rows)))
    spans = [hidden[row].nonzero()[:, 0].tolist() for row in rows]
    for span in spans:
        assert span == list(range(spans[0][0], spans[0][0] + len(span)))
    assert all(len(span) == len(spans[0]) for span in spans[:-1])
    assert len(spans[-1]) <= len(spans[0])
    return len(spans[0]), spans[0][0]


def simulated_width(source):
    """The definition, written again, for 14 by 14 patches."""
    area = source.uniform(16, 98)
    aspect = math.exp(source.uniform(math.log(0.3), -math.log(0.3)))  # height over width
    return min(14, max(1, round(math.sqrt(area / aspect))))


def test_blocks_have_the_sizes_and_shapes_of_the_definition():
    """10 hidden patches are a part of one block. 6 sigma on the mean width of its first row, cut at
    10, and on the share of each width. Shapes that are even on a linear scale make the mean 1.2
    smaller, or 28 sigma; squares alone are never 3 wide, in place of 5 %: power 1."""
    draws = 3000
    mask = mask_blocks(draws, (14, 14), kept=186, generator=rng())
    found = [first_block(row) for row in mask.hidden.reshape(draws, 14, 14)]
    widths = torch.tensor([width for width, _ in found]).double()
    source = random.Random(0)
    wanted = torch.tensor([min(10, simulated_width(source)) for _ in range(20 * draws)]).double()
    error = math.sqrt(widths.var() / draws + wanted.var() / (20 * draws))
    assert abs(widths.mean() - wanted.mean()) < 6 * error
    for width in range(1, 11):
        share = (wanted == width).double().mean().item()
        error = math.sqrt(share * (1 - share) * 1.05 / draws)
        assert abs((widths == width).double().mean() - share) < 6 * error + 1e-9
    hidden = mask.hidden.reshape(draws, 14, 14)
    assert hidden[:, -1].any()  # down to the last row
    assert hidden[:, :, -1].any()
    # Where a block lies is free: one of 5 columns has 10 places, all equally likely.
    lefts = torch.tensor([left for width, left in found if width == 5])
    counts = lefts.bincount(minlength=10)
    assert len(counts) == 10
    assert ((counts - len(lefts) / 10).abs() < 6 * math.sqrt(len(lefts) * 0.09)).all()


def test_hidden_patches_of_blocks_have_hidden_neighbours():
    def neighbours(mask):
        hidden = mask.hidden.reshape(-1, 8, 8)
        return (hidden[:, :, 1:] & hidden[:, :, :-1]).double().mean().item()

    one_by_one = neighbours(mask_patches(500, 64, ratio=0.5, generator=rng()))
    blocks = neighbours(mask_blocks(500, (8, 8), ratio=0.5, generator=rng()))
    assert one_by_one == pytest.approx(0.25, abs=0.02)
    assert blocks > 0.35


@pytest.mark.parametrize("grid", [(1, 1), (1, 7), (9, 1), (2, 3), (16, 4)])
@pytest.mark.parametrize("ratio", [0.4, 0.9])
def test_blocks_hide_exactly_what_is_asked_for(grid, ratio):
    places = grid[0] * grid[1]
    mask = mask_blocks(20, grid, ratio=ratio, generator=rng())
    assert (mask.hidden.sum(1) == places - count_kept(places, ratio)).all()


def test_a_grid_keeps_the_upper_left_of_every_four():
    mask = mask_grid(2, (4, 6))
    assert mask.keep.tolist() == [[0, 2, 4, 12, 14, 16]] * 2
    for bad in [(3, 4), (4, 5), (0, 4), (1, 2)]:
        with pytest.raises(ValueError, match=rf"grid is {bad[0]} by {bad[1]}; .* even"):
            mask_grid(1, bad)


def test_a_pictures_mask_depends_on_seed_epoch_and_index_alone():
    whole = mask_pictures(torch.arange(100, 108), 16, seed=1, epoch=3)
    order = [5, 0, 7]
    part = mask_pictures([105, 100, 107], 16, seed=1, epoch=3)
    assert all(torch.equal(a[order], b) for a, b in zip(whole, part, strict=True))
    alone = mask_patches(1, 16, generator=example_generator(1, 3, 105))
    assert torch.equal(alone.restore, whole.restore[5:6])
    seen = {
        tuple(mask_pictures([index], 64, seed=seed, epoch=epoch).restore[0].tolist())
        for seed in range(4)
        for epoch in (None, *range(4))
        for index in range(10)
    }
    assert len(seen) == 4 * 5 * 10


def test_pictures_leave_torchs_own_generator_alone():
    state = torch.random.get_rng_state()
    mask = mask_pictures(range(3), 16, seed=0, epoch=None, kept=5)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert mask.keep.shape == (3, 5)
    with pytest.raises(ValueError, match="kept is 0"):
        mask_pictures(range(3), 16, seed=0, epoch=0, kept=0)
    with pytest.raises(ValueError, match="index -1"):
        mask_pictures([-1], 16, seed=0, epoch=0)


def test_over_the_epochs_every_patch_of_a_picture_is_hidden_equally_often():
    """3,000 epochs of one picture: 6 sigma; a patch that is never hidden, or always, is caught."""
    hidden = torch.cat([mask_pictures([7], 8, seed=0, epoch=e).hidden for e in range(3000)])
    bound = 6 * math.sqrt(0.75 * 0.25 / 3000)
    assert ((hidden.double().mean(0) - 0.75).abs() < bound).all()


@pytest.mark.parametrize("shape", ["linear", "cosine"])
@pytest.mark.parametrize(("start", "end"), [(0.1, 0.7), (0.9, 0.3), (0.15, 0.15)])
def test_a_schedule_begins_and_ends_exactly_and_goes_one_way(shape, start, end):
    ratios = [scheduled_ratio(n, 101, start=start, end=end, shape=shape) for n in range(101)]
    assert ratios[0] == start
    assert ratios[-1] == end
    assert ratios[50] == pytest.approx((start + end) / 2)
    assert ratios == sorted(ratios, reverse=start > end)


def test_a_line_and_half_a_cosine():
    def at(step, shape):
        return scheduled_ratio(step, 5, start=0.2, end=0.6, shape=shape)

    assert [at(n, "linear") for n in range(5)] == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6])
    slow = 0.2 + 0.4 * (1 - math.sqrt(0.5)) / 2  # a quarter of the way in time
    assert at(1, "cosine") == pytest.approx(slow)
    assert scheduled_ratio(1, 5, start=0.2, end=0.6) == at(1, "linear")
    assert scheduled_ratio(0, 1, start=0.2, end=0.6) == 0.6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"step": 5}, "step is 5 of 5; steps are counted from 0 to 4"),
        ({"step": -1}, "step is -1"),
        ({"step": 0, "steps": 0}, "step is 0 of 0"),
        ({"start": 15}, "start is 15 and end 0.6; ratios lie in 0 to 1"),
        ({"end": -0.1}, "end -0.1"),
        ({"end": math.nan}, "end nan"),
        ({"shape": "step"}, "shape is 'step'; choose 'linear' or 'cosine'"),
    ],
)
def test_schedules_that_make_no_sense_are_refused(changes, message):
    arguments = {"step": 1, "steps": 5, "start": 0.2, "end": 0.6} | changes
    with pytest.raises(ValueError, match=message):
        scheduled_ratio(arguments.pop("step"), arguments.pop("steps"), **arguments)
