"""BUG_CASES group F, and those of A that come back with patches, as their smallest inputs.

C4 to C12, F5, F10, F22 and F23 speak of the model and of cutting: unit/test_mae.py, test_patches.py
and parity/test_mae_parity.py name them. F25's other half is in unit/test_patch_masking.py.
"""

import math

import pytest
import torch
import torch.nn.functional as F

from companion.losses import mae_loss, normalise_patches
from companion.masking import (
    count_kept,
    mask_blocks,
    mask_patches,
    mask_pictures,
    split_by_noise,
)
from companion.models import Mae, MaeConfig, patchify, unpatchify

SMALL = {
    "hidden_size": 24,
    "num_hidden_layers": 1,
    "num_attention_heads": 3,
    "intermediate_size": 32,
    "image_size": 16,
    "patch_size": 4,
    "decoder_hidden_size": 16,
    "decoder_num_hidden_layers": 1,
    "decoder_num_attention_heads": 2,
    "decoder_intermediate_size": 32,
}


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def test_a10_f12_nothing_hidden_gives_zero_and_no_gradient():
    """F12: with ratio 0 the sum was divided by 0 hidden patches, and the loss was NaN."""
    pred = torch.randn(2, 16, 48, generator=rng(), requires_grad=True)
    mask = mask_patches(2, 16, ratio=0.0, generator=rng())
    assert mask.keep.shape == (2, 16)
    loss = mae_loss(pred, torch.rand(2, 16, 48), mask.hidden)
    loss.backward()
    assert loss.item() == 0
    assert (pred.grad == 0).all()


def test_f12_a_model_reads_a_mask_that_hides_nothing():
    """F12: without mask tokens to append, special code was needed."""
    torch.manual_seed(0)
    model = Mae(MaeConfig(**SMALL)).eval()
    images = torch.rand(2, 3, 16, 16, generator=rng())
    with torch.no_grad():
        pred = model(images, mask_patches(2, 16, ratio=0.0, generator=rng())).pred
        torch.testing.assert_close(pred, model(images).pred, atol=1e-5, rtol=0)


def test_a20_a22_masks_move_with_the_epoch_and_not_with_the_worker():
    epochs = [mask_pictures(range(4), 64, seed=0, epoch=epoch).hidden for epoch in range(3)]
    assert not torch.equal(epochs[0], epochs[1])
    assert not torch.equal(epochs[1], epochs[2])
    for worker in ([0, 2], [1, 3]):  # two workers that share the data set
        again = mask_pictures(worker, 64, seed=0, epoch=0).hidden
        assert torch.equal(again, epochs[0][worker])
    exam = [mask_pictures(range(4), 64, seed=0, epoch=None).hidden for _ in range(2)]
    assert torch.equal(*exam)


@pytest.mark.parametrize("as_tensor", [False, True])
@pytest.mark.parametrize("norm_pix", [False, True])
def test_a30_micro_batches_with_1_and_9_hidden_patches_add_up(norm_pix, as_tensor):
    pred = torch.randn(2, 12, 6, generator=rng())
    patches = torch.rand(2, 12, 6, generator=rng(1))
    hidden = torch.zeros(2, 12, dtype=torch.bool)
    hidden[0, 4], hidden[1, 2:11] = True, True
    whole = pred.clone().requires_grad_()
    loss = mae_loss(whole, patches, hidden, norm_pix=norm_pix)
    loss.backward()
    parts = pred.clone().requires_grad_()
    total = torch.tensor(10) if as_tensor else 10
    losses = [
        mae_loss(parts[n : n + 1], patches[n : n + 1], hidden[n : n + 1], norm_pix=norm_pix,
                 total=total)
        for n in range(2)
    ]  # fmt: skip
    sum(losses).backward()
    assert sum(losses).item() == pytest.approx(loss.item(), rel=1e-5)
    torch.testing.assert_close(parts.grad, whole.grad)
    means = [mae_loss(pred[n : n + 1], patches[n : n + 1], hidden[n : n + 1], norm_pix=norm_pix)
             for n in range(2)]  # fmt: skip
    assert abs(sum(means) / 2 - loss) > 0.01


def test_f1_what_is_predicted_at_kept_patches_has_no_effect():
    """F1: kept patches look bad, for nothing is asked there; that is no bug."""
    patches = torch.rand(2, 16, 12, generator=rng())
    hidden = mask_patches(2, 16, generator=rng()).hidden
    pred = torch.rand(2, 16, 12, generator=rng(1))
    nonsense = torch.where(hidden[..., None], pred, 1000.0)
    assert mae_loss(nonsense, patches, hidden) == mae_loss(pred, patches, hidden)
    nonsense.requires_grad_()
    mae_loss(nonsense, patches, hidden).backward()
    assert (nonsense.grad[~hidden] == 0).all()


def test_f2_normalised_predictions_become_pixels_with_mean_and_std():
    """F2: shown as they are, they are grey blocks. F3: it takes the true patch's mean and std."""
    images = torch.rand(2, 3, 8, 8, generator=rng())
    normed = normalise_patches(patchify(images, 4))
    assert (normed.values < 0).any()
    shown = unpatchify(normed.values * normed.std + normed.mean, 4, (8, 8))
    torch.testing.assert_close(shown, images)


def test_f4_descending_noise():
    """F4: kept patches are the last four; True is hidden; `restore` is the inverse order."""
    keep, hidden, restore = mask_patches(1, 16, noise=torch.arange(16.0, 0, -1)[None])
    assert keep.tolist() == [[15, 14, 13, 12]]
    assert hidden.tolist() == [[True] * 12 + [False] * 4]
    assert restore.tolist() == [list(range(15, -1, -1))]


def test_f4_the_second_sort_is_the_inverse_permutation():
    """Of three patches an order can be its own inverse; in a circle of three it is not."""
    mask = split_by_noise(torch.tensor([[0.3, 0.1, 0.2]]), 3)
    assert mask.keep.tolist() == [[1, 2, 0]]
    assert mask.restore.tolist() == [[2, 0, 1]]


def test_f5_f8_every_patch_comes_back_at_its_own_place():
    """F5: patches left in the order of the noise. F8: targets one off, for [CLS] was forgotten."""
    numbers = torch.arange(16.0).expand(3, -1)[..., None]  # each patch is its own number
    mask = mask_patches(3, 16, generator=rng())
    kept = numbers.gather(1, mask.keep[..., None])
    row = torch.cat([kept, torch.full((3, 12, 1), -1.0)], dim=1)
    back = row.gather(1, mask.restore[..., None])
    assert torch.equal(back[~mask.hidden], numbers[~mask.hidden])
    assert (back[mask.hidden] == -1).all()
    # F9: what is hidden is what is asked for.
    assert mae_loss(back, numbers, ~mask.hidden) == 0
    assert mae_loss(back, numbers, mask.hidden) > 0


def test_f7_cls_is_no_patch():
    """F7: counted in, it made 193 of 256 patches hidden."""
    mask = mask_patches(1, 256)
    assert mask.hidden.sum() == 192
    torch.manual_seed(0)
    model = Mae(MaeConfig(**SMALL | {"image_size": 64}))
    assert model(torch.rand(1, 3, 64, 64), mask).latent.shape[1] == 1 + 64


@pytest.mark.parametrize(
    ("places", "ratio", "official", "ours"),
    [
        (10, 0.9, 0, 1),
        (100, 0.9, 9, 10),
        (100, 0.8, 19, 20),
        (20, 0.8, 3, 4),
        (5, 0.8, 0, 1),
        (196, 0.9, 19, 20),
        (3, 0.75, 0, 1),
        (196, 0.75, 49, 49),
        (16, 0.75, 4, 4),
        (196, 0.6, 78, 78),
    ],
)
def test_f11_the_count_is_not_cut_off_by_floating_point(places, ratio, official, ours):
    """F11: int(L·(1 - r)) keeps one too few, or none, where r is no binary fraction."""
    assert int(places * (1 - ratio)) == official
    assert count_kept(places, ratio) == ours
    assert mask_patches(1, places, ratio=ratio).keep.shape == (1, ours)
    if official == 0:
        with pytest.raises(ValueError, match="kept is 0"):
            mask_patches(1, places, kept=official)
    else:
        assert mask_patches(1, places, kept=official).keep.shape == (1, official)


def test_f16_each_picture_has_a_mask_of_its_own_and_one_for_all_is_a_choice():
    """F16: documented: one for the batch is one row of noise, expanded."""
    own = mask_patches(4, 64, generator=rng())
    assert not (own.hidden == own.hidden[:1]).all()
    noise = torch.rand(1, 64, generator=rng())
    shared = mask_patches(4, 64, noise=noise.expand(4, -1))
    assert (shared.hidden == shared.hidden[:1]).all()


def test_f18_the_loss_does_not_depend_on_the_size_of_the_picture():
    """F18: divided by the number of hidden patches twice, it shrank as pictures grew."""
    losses = []
    for side in (32, 64):
        patches = patchify(torch.full((2, 3, side, side), 0.25), 4)
        hidden = mask_patches(2, patches.shape[1], generator=rng()).hidden
        losses.append(mae_loss(patches + 0.5, patches, hidden).item())
    assert losses == [0.25, 0.25]


def test_f20_under_autocast_the_loss_is_in_float32():
    """F20: in half precision NaN came after hours; 70,000 patches do not fit a float16 sum."""
    head = torch.nn.Linear(4, 6)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        pred = head(torch.rand(1, 9, 4, generator=rng()))
        assert pred.dtype == torch.bfloat16
        loss = mae_loss(pred, torch.zeros_like(pred), torch.ones(1, 9, dtype=torch.bool))
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(F.mse_loss(pred.float(), torch.zeros(1, 9, 6)).item())
    many = torch.ones(1, 70_000, 2, dtype=torch.float16)
    assert mae_loss(many, many * 0, torch.ones(1, 70_000, dtype=torch.bool)).item() == 1


@pytest.mark.parametrize(("grid", "ratio"), [((16, 4), 0.9), ((8, 8), 0.9), ((4, 8), 0.5)])
def test_f25_blocks_hide_as_many_as_asked(grid, ratio):
    """F25: rounding, and shapes that did not fit, left 44 of 57 and 16 of 32."""
    hidden = mask_blocks(50, grid, ratio=ratio, generator=rng()).hidden
    assert (hidden.sum(1) == round(math.prod(grid) * ratio)).all()
