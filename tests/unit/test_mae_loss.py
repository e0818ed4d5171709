"""MAE's loss: the hidden patches alone, each by the same weight, normalised or not."""

import math

import numpy as np
import pytest
import torch

from companion.losses import mae_loss, normalise_patches
from companion.masking import mask_patches


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def example(batch=3, patches=8, values=12):
    """Predictions, patches, and two hidden patches in the first picture, five in the second."""
    pred = torch.randn(batch, patches, values, generator=rng())
    true = torch.rand(batch, patches, values, generator=rng(1))
    hidden = torch.zeros(batch, patches, dtype=torch.bool)
    hidden[0, [1, 6]] = True
    hidden[1, [0, 2, 3, 5, 7]] = True
    return pred, true, hidden


def by_definition(pred, patches, hidden, norm_pix):
    """Sums over patches and values, in float64."""
    errors = []
    for row, place in hidden.nonzero().tolist():
        target = patches[row, place].double().numpy()
        if norm_pix:
            target = (target - target.mean()) / np.sqrt(target.var(ddof=1) + 1e-6)
        errors.append(((pred[row, place].double().numpy() - target) ** 2).sum() / len(target))
    return sum(errors) / len(errors)


@pytest.mark.parametrize("norm_pix", [False, True])
def test_it_is_the_mean_over_values_and_then_over_hidden_patches(norm_pix):
    """Each hidden patch counts once: a mean for each picture first would be another number."""
    pred, patches, hidden = example()
    loss = mae_loss(pred, patches, hidden, norm_pix=norm_pix)
    assert loss.shape == ()
    expected = by_definition(pred, patches, hidden, norm_pix)
    assert loss.item() == pytest.approx(expected, rel=1e-6)
    by_picture = [by_definition(pred[n : n + 1], patches[n : n + 1], hidden[n : n + 1], norm_pix)
                  for n in range(2)]  # fmt: skip
    assert abs(sum(by_picture) / 2 - expected) > 1e-3


@pytest.mark.parametrize("norm_pix", [False, True])
@pytest.mark.parametrize("poison", [math.nan, math.inf])
def test_poison_at_kept_patches_stays_out(norm_pix, poison):
    pred, patches, hidden = example()
    clean = mae_loss(pred, patches, hidden, norm_pix=norm_pix)
    pred[~hidden], patches[~hidden] = poison, poison
    pred.requires_grad_()
    patches.requires_grad_()
    loss = mae_loss(pred, patches, hidden, norm_pix=norm_pix)
    loss.backward()
    assert loss == clean
    for gradient in (pred.grad, patches.grad):
        assert (gradient[~hidden] == 0).all()
        assert gradient[hidden].isfinite().all()
    assert (pred.grad[hidden] != 0).all()


@pytest.mark.parametrize("norm_pix", [False, True])
@pytest.mark.parametrize("total", [None, 0, 7])
def test_nothing_hidden_is_zero_with_zero_gradient(norm_pix, total):
    pred, patches, hidden = example()
    pred.requires_grad_()
    loss = mae_loss(pred, patches, hidden & False, norm_pix=norm_pix, total=total)
    loss.backward()
    assert loss.item() == 0
    assert torch.equal(pred.grad, torch.zeros_like(pred))


def test_the_gradient_pulls_each_value_to_its_target():
    pred, patches, hidden = example()
    pred.requires_grad_()
    mae_loss(pred, patches, hidden).backward()
    expected = 2 * (pred.detach() - patches) * hidden[..., None] / (7 * 12)
    torch.testing.assert_close(pred.grad, expected)


def test_the_order_of_pictures_and_patches_has_no_effect_and_inputs_stay():
    given = example()
    before = [part.clone() for part in given]
    loss = mae_loss(*given, norm_pix=True)
    turned = [part.flip(0).roll(3, dims=1) for part in given]
    assert mae_loss(*turned, norm_pix=True).item() == pytest.approx(loss.item(), rel=1e-6)
    assert all(torch.equal(a, b) for a, b in zip(given, before, strict=True))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_scored_in_float32(dtype):
    """A square of 300 does not fit float16, and 0.1 squared loses digits in both."""
    hidden = torch.ones(1, 4, dtype=torch.bool)
    pred, patches = torch.full((1, 4, 6), 300.0, dtype=dtype), torch.zeros(1, 4, 6, dtype=dtype)
    loss = mae_loss(pred, patches, hidden)
    assert loss.dtype == torch.float32
    assert loss.item() == 90_000
    pred = torch.rand(1, 4, 6, generator=rng()).to(dtype)
    expected = mae_loss(pred.float(), patches.float(), hidden)
    assert mae_loss(pred, patches, hidden) == expected
    true = torch.rand(1, 4, 6, generator=rng(1)).to(dtype)
    normed = mae_loss(pred, true, hidden, norm_pix=True)
    assert normed == mae_loss(pred.float(), true.float(), hidden, norm_pix=True)
    wide = mae_loss(pred.double(), patches.double(), hidden)
    assert wide.dtype == torch.float64


def test_an_untrained_model_has_the_loss_of_the_table():
    """ORACLES 3.6: with targets normalised, (n - 1)/n and the mean square of the predictions."""
    patches = torch.rand(2, 9, 768, generator=rng())
    hidden = mask_patches(2, 9, generator=rng()).hidden
    nothing = mae_loss(torch.zeros_like(patches), patches, hidden, norm_pix=True)
    assert nothing.item() == pytest.approx(767 / 768, abs=2e-5)  # the eps takes 1.2e-5
    even = mae_loss(torch.full_like(patches, 0.5), patches, hidden, norm_pix=True)
    assert even.item() == pytest.approx(767 / 768 + 0.25, abs=2e-5)


def test_normalised_patches_have_no_mean_and_the_unbiased_variance_one():
    """P6: dividing by n in place of n - 1 makes all values larger by the root of 768/767."""
    patches = torch.rand(2, 5, 768, generator=rng(), dtype=torch.float64)
    values, mean, std = normalise_patches(patches)
    assert mean.shape == std.shape == (2, 5, 1)
    torch.testing.assert_close(mean, patches.mean(-1, keepdim=True))
    torch.testing.assert_close(std, torch.sqrt(patches.var(-1, keepdim=True) + 1e-6))
    torch.testing.assert_close(values.mean(-1), torch.zeros(2, 5, dtype=torch.float64))
    ratio = patches.var(-1) / (patches.var(-1) + 1e-6)
    torch.testing.assert_close(values.square().sum(-1) / 767, ratio)
    torch.testing.assert_close(values * std + mean, patches)


def test_an_even_patch_becomes_exactly_zero():
    """Whatever its grey: a rounded mean, divided by a standard deviation of 0.001, shows."""
    for values in (2, 48, 768):
        grey = torch.rand(1, 500, 1, generator=rng()).expand(-1, -1, values)
        normed = normalise_patches(grey)
        assert (normed.values == 0).all()
        assert torch.equal(normed.mean, grey[..., :1])
        torch.testing.assert_close(normed.std, torch.full((1, 500, 1), 1e-3))


def test_brightness_and_contrast_are_taken_away():
    patches = torch.rand(2, 5, 48, generator=rng())
    wanted = normalise_patches(patches, eps=0.0).values
    torch.testing.assert_close(normalise_patches(patches + 0.7, eps=0.0).values, wanted,
                               atol=1e-5, rtol=0)  # fmt: skip
    torch.testing.assert_close(normalise_patches(patches * 0.2, eps=0.0).values, wanted)
    less = normalise_patches(patches, eps=1.0).values.std(-1)
    assert (less < 0.5).all()  # the eps counts


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 4, 6), (2, 4, 5), (2, 4)), r"pred \(2, 4, 6\), patches \(2, 4, 5\)"),
        (((2, 4, 6), (1, 4, 6), (2, 4)), r"patches \(1, 4, 6\)"),  # no broadcasting
        (((2, 4, 6), (2, 4, 6), (2, 4, 6)), r"hidden \(2, 4, 6\)"),
        (((2, 4, 6), (2, 4, 6), (4,)), r"hidden \(4,\)"),
        (((2, 3, 8, 8), (2, 3, 8, 8), (2, 3)), r"\(batch, patches, values\) twice"),
    ],
)
def test_shapes_that_do_not_fit_are_named(shapes, message):
    pred, patches, hidden = (torch.zeros(shape) for shape in shapes)
    with pytest.raises(ValueError, match=message):
        mae_loss(pred, patches, hidden.bool())


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_a_mask_of_another_type_is_refused(dtype):
    pred, patches, hidden = example()
    with pytest.raises(ValueError, match=rf"hidden is {dtype}; it needs bool"):
        mae_loss(pred, patches, hidden.to(dtype))


def test_a_negative_total_and_patches_of_one_value_are_refused():
    pred, patches, hidden = example()
    with pytest.raises(ValueError, match="total is -1"):
        mae_loss(pred, patches, hidden, total=-1)
    with pytest.raises(ValueError, match=r"1 values each; .* larger patch_size"):
        mae_loss(pred[..., :1], patches[..., :1], hidden, norm_pix=True)
    assert mae_loss(pred[..., :1], patches[..., :1], hidden).isfinite()
