"""Filling in without a network, the card, and pictures as a model restores them."""

import dataclasses

import pytest
import torch

from companion.cli import main
from companion.data import checkpoint
from companion.evaluation import (
    best_power,
    distance_weighted,
    error_at_hidden,
    exam_mask,
    look_up,
    mean_image,
    multiply_adds,
    picture_report,
    picture_table,
    restore,
)
from companion.losses import normalise_patches
from companion.masking import mask_patches
from companion.models import Mae, MaeConfig, patchify

SMALL = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24,
    "image_size": 16, "patch_size": 4, "decoder_hidden_size": 8, "decoder_num_hidden_layers": 1,
    "decoder_num_attention_heads": 2, "decoder_intermediate_size": 16,
}  # fmt: skip


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Mae(MaeConfig(**SMALL))


@pytest.fixture
def pixels():
    return torch.rand(5, 3, 16, 16, generator=torch.Generator().manual_seed(1))


def masks(count=5, places=16):
    return mask_patches(count, places, generator=torch.Generator().manual_seed(2))


def test_the_mean_image_is_the_mean_of_each_place():
    known = torch.rand(7, 4, 6)
    found = mean_image(known)
    assert found.shape == (1, 4, 6)
    assert torch.allclose(found[0, 2], known[:, 2].mean(0))


def test_colours_of_one_kept_patch_go_everywhere():
    patches = torch.rand(1, 4, 12)
    hidden = torch.tensor([[True, False, True, True]])
    found = distance_weighted(patches, hidden, (2, 2), channels=3, power=2.0)
    colour = patches[0, 1].view(4, 3).mean(0)
    assert torch.allclose(found.view(4, 4, 3), colour.expand(4, 4, 3), atol=1e-6)


def test_near_patches_count_more_and_hidden_ones_nothing():
    """Three patches in a row, black, hidden, white: from dark to light, in the middle grey."""
    patches = torch.tensor([[[0.0] * 4, [9.0] * 4, [1.0] * 4]])
    hidden = torch.tensor([[False, True, False]])
    found = distance_weighted(patches, hidden, (1, 3), channels=1, power=3.0)[0, 1].view(2, 2)
    assert (found[:, 0] < 0.5).all()
    assert (found[:, 1] > 0.5).all()
    assert torch.allclose(found.sum(1), torch.ones(2))
    sharp = distance_weighted(patches, hidden, (1, 3), channels=1, power=6.0)[0, 1].view(2, 2)
    assert sharp[0, 0] < found[0, 0]


def test_the_power_that_is_chosen_has_the_smallest_error():
    """Chance pixels: the wider the mean, the better. Large even areas: the nearest patch."""
    noise = torch.rand(60, 16, 4)
    assert best_power(noise, (4, 4), channels=1, ratio=0.75) == 1.0
    halves = (torch.rand(60, 1, 1) > 0.5).float().expand(60, 16, 4).clone()
    halves[:, :8] = 1 - halves[:, :8]
    assert best_power(halves, (4, 4), channels=1, ratio=0.5) > 1.0


def test_look_up_finds_the_picture_that_agrees_at_kept_patches():
    known = torch.rand(200, 16, 12, generator=torch.Generator().manual_seed(0))
    mask = masks(70)
    truth = torch.randint(200, (70,))
    patches = known[truth] + 0.01 * torch.randn(70, 16, 12)
    patches[mask.hidden] = 7.0  # what is hidden must not be looked at
    assert torch.equal(look_up(known, patches, mask.hidden), known[truth])


def test_errors_are_of_hidden_patches_alone():
    pred, patches = torch.zeros(2, 3, 2), torch.zeros(2, 3, 2)
    pred[0, 0], pred[0, 1], pred[1, 2] = 1.0, 50.0, torch.tensor([0.0, 2.0])
    hidden = torch.tensor([[True, False, True], [False, False, True]])
    assert error_at_hidden(pred, patches, hidden).tolist() == [0.5, 2.0]


def test_restored_pictures_keep_what_was_seen(model, pixels):
    mask = masks()
    model.train()
    found = restore(model, pixels, mask)
    assert model.training  # as it was
    assert not found.pictures.requires_grad
    shown, true = patchify(found.pictures, 4), patchify(pixels, 4)
    assert torch.equal(shown[~mask.hidden], true[~mask.hidden])
    assert torch.allclose(shown[mask.hidden], found.pred[mask.hidden].clamp(0, 1))
    assert not torch.equal(found.pred[~mask.hidden], true[~mask.hidden])


def test_a_model_of_normalised_patches_is_given_their_mean_and_spread(model, pixels):
    """F2: else its answers are drawn as grey blocks."""
    mask = masks()
    plain = restore(model, pixels, mask).pred
    model.config = dataclasses.replace(model.config, norm_pix_loss=True)
    known = normalise_patches(patchify(pixels, 4))
    assert torch.allclose(restore(model, pixels, mask).pred, plain * known.std + known.mean)


def test_the_exam_is_the_same_for_ever():
    one, other = exam_mask(20, 64, 0.75), exam_mask(10, 64, 0.75)
    assert torch.equal(one.hidden[:10], other.hidden)
    assert (one.hidden.sum(1) == 48).all()
    assert len({tuple(row) for row in one.keep.tolist()}) == 20


def test_a_card_puts_the_model_beside_three_yardsticks(model, pixels):
    """A model that has learned nothing loses to them; the differences are picture by picture."""
    train = torch.rand(40, 3, 16, 16)
    found = picture_report(model, train, pixels)
    ways = [row.name.split(" ")[0] for row in found.rows]
    assert ways == ["mean", "kept", "the", "model"]
    errors = [row.error.value for row in found.rows]
    assert errors[3] == max(errors)
    for row in found.rows[:3]:
        assert row.worse is not None
        assert row.worse.value == pytest.approx(row.error.value - errors[3], abs=1e-6)
        assert row.worse.low < row.worse.value < row.worse.high < 0
    table = picture_table("tiny", found)
    assert "75 % of the patches hidden, 5 held-out pictures" in table
    assert "| **tiny** |" in table


@pytest.mark.parametrize("name", ["mae-emoji-mini", "mae-fashion-mini"])
def test_shipped_models_beat_the_look_up_and_their_cards_can_be_repeated(name, capsys):
    assert main(["evaluate", name]) == 0
    said = capsys.readouterr().out.strip()
    assert said in (checkpoint(name) / "README.md").read_text()
    look_up_row = next(line for line in said.splitlines() if "fits best" in line)
    worse_at_least = float(look_up_row.split("(")[-1].split(" to ")[0])
    assert worse_at_least > 0.01


def test_evaluating_a_model_of_pictures_that_does_not_say_which(tmp_path, model, capsys):
    model.save_pretrained(tmp_path)
    assert main(["evaluate", str(tmp_path)]) == 1
    assert "has no training.toml that names the pictures" in capsys.readouterr().err


def test_multiply_adds_are_those_of_the_formula():
    """ORACLES 3.5, for a block of width d over n tokens: 12 n d² + 2 n² d."""
    with torch.device("meta"):
        model = Mae(MaeConfig(num_hidden_layers=3))
        x = torch.empty(1, 50, 768)
    block = multiply_adds(model.encoder.blocks[0], x, None)
    assert block == 12 * 50 * 768**2 + 2 * 50**2 * 768
