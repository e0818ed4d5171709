"""Mae: who sees what, which shapes come out, and what is refused."""

import pytest
import torch

from companion.masking import PatchMask, mask_patches
from companion.models import Mae, MaeConfig, patchify
from companion.models.find import class_of

SMALL = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 32,
    "image_size": 16,
    "patch_size": 4,
    "decoder_hidden_size": 16,
    "decoder_num_hidden_layers": 2,
    "decoder_num_attention_heads": 2,
    "decoder_intermediate_size": 32,
}


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Mae(MaeConfig(**SMALL)).eval()


@pytest.fixture
def images():
    return torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def mask():
    return mask_patches(2, 16, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize(
    ("sizes", "trainable", "table"),
    [
        ({}, 111_655_680, 197 * 768 + 197 * 512),
        (
            {
                "hidden_size": 1024,
                "num_hidden_layers": 24,
                "num_attention_heads": 16,
                "intermediate_size": 4096,
            },
            329_239_296,
            197 * 1024 + 197 * 512,
        ),
        (
            {
                "hidden_size": 1280,
                "num_hidden_layers": 32,
                "num_attention_heads": 16,
                "intermediate_size": 5120,
                "patch_size": 14,
            },
            656_613_964,
            257 * 1280 + 257 * 512,
        ),
    ],
    ids=["B/16", "L/16", "H/14"],
)
def test_sizes_of_the_paper(sizes, trainable, table):
    """ORACLES 3.1: the parameters that learn, and the fixed tables beside them."""
    with torch.device("meta"):
        model = Mae(MaeConfig(**sizes))
    assert sum(p.numel() for p in model.parameters()) == trainable
    assert sum(b.numel() for b in model.buffers()) == table


def test_shapes(model, images, mask):
    out = model(images, mask)
    assert out.latent.shape == (2, 1 + 4, 24)
    assert out.pred.shape == out.patches.shape == (2, 16, 48)
    assert torch.equal(out.patches, patchify(images, 4))
    assert model.encode(images).shape == (2, 17, 24)


def test_hidden_pixels_change_nothing(model, images, mask):
    """F22: neither the encoder nor the predictions can know what was hidden."""
    others = torch.rand(images.shape)
    hidden = mask.hidden.reshape(2, 1, 4, 4)
    hidden = hidden.repeat_interleave(4, 2).repeat_interleave(4, 3)
    changed = torch.where(hidden, others, images)
    with torch.no_grad():
        before, after = model(images, mask), model(changed, mask)
    assert torch.equal(before.latent, after.latent)
    assert torch.equal(before.pred, after.pred)
    assert not torch.equal(before.patches, after.patches)


def test_every_kept_patch_reaches_every_prediction(model, images, mask):
    images.requires_grad_()
    pred = model(images, mask).pred
    is_hidden = mask.hidden[0]
    gradient = torch.autograd.grad(pred[0, is_hidden].square().sum(), images)[0]
    by_patch = patchify(gradient, 4).abs().sum(2)
    assert (by_patch[0, ~is_hidden] > 0).all()
    assert (by_patch[0, is_hidden] == 0).all()
    assert (by_patch[1] == 0).all()


def test_the_order_of_kept_patches_changes_nothing(model, images, mask):
    """They carry their places with them (added before any is dropped)."""
    turn = torch.tensor([2, 0, 3, 1])
    noise_order = mask.restore.argsort(dim=1)
    noise_order[:, :4] = noise_order[:, :4][:, turn]
    turned = PatchMask(mask.keep[:, turn], mask.hidden, noise_order.argsort(dim=1))
    with torch.no_grad():
        one, other = model(images, mask), model(images, turned)
    assert torch.allclose(one.latent[:, 1:][:, turn], other.latent[:, 1:], atol=1e-5)
    assert torch.allclose(one.pred, other.pred, atol=1e-5)


def test_patches_come_back_at_their_places(images):
    """F5, C12: a kept patch's own vector stands at its place in the decoder, in every row."""
    torch.manual_seed(1)
    model = Mae(MaeConfig(**SMALL | {"decoder_num_hidden_layers": 1})).eval()
    with torch.no_grad():  # blocks that add nothing: a prediction is that of its own place alone
        for block in [*model.encoder.blocks, *model.decoder.blocks]:
            for part in (block.attention.out, block.feed_forward.down):
                part.weight.zero_()
                part.bias.zero_()
        mask = mask_patches(2, 16, generator=torch.Generator().manual_seed(3))
        everything = model(images).pred
        some = model(images, mask).pred
    assert torch.allclose(some[~mask.hidden], everything[~mask.hidden], atol=1e-5)
    assert not torch.allclose(some[mask.hidden], everything[mask.hidden], atol=1e-2)


def test_only_positions_tell_mask_tokens_apart(model, images, mask):
    """C5: without the decoder's table all hidden patches of a picture get one prediction."""
    with torch.no_grad():
        with_places = model(images, mask).pred
        model.decoder.decoder_pos_embed.zero_()
        without = model(images, mask).pred
    for row in range(2):
        apart = without[row, mask.hidden[row]]
        assert torch.allclose(apart, apart[:1].expand_as(apart), atol=1e-5)
        assert with_places[row, mask.hidden[row]].std(dim=0).max() > 1e-3


def test_eval_hides_nothing_and_draws_nothing(model, images):
    """F10: the same vectors twice, all patches in the picture's order."""
    state = torch.get_rng_state()
    first, second = model.encode(images), model.encode(images)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(first, second)
    everything = mask_patches(2, 16, ratio=0.0, noise=torch.arange(16.0).expand(2, -1))
    assert torch.equal(model(images, everything).latent, first)


def test_other_sizes_and_shapes(model):
    """C8: a grid is rows and columns, and 2 by 8 patches are not 4 by 4."""
    images = torch.rand(1, 3, 8, 32)
    out = model(images)
    assert out.pred.shape == (1, 16, 48)
    upright = model(images.transpose(2, 3)).latent
    assert not torch.allclose(out.latent[:, 0], upright[:, 0], atol=1e-4)
    wide = Mae(MaeConfig(**SMALL | {"image_size": (8, 32), "num_channels": 5}))
    assert wide.encoder.position_embeddings.shape == (1, 17, 24)
    assert wide(torch.rand(1, 5, 8, 32)).pred.shape == (1, 16, 80)


def test_a_folder_keeps_everything(model, images, mask, tmp_path):
    config = MaeConfig(**SMALL | {"image_size": (8, 32), "norm_pix_loss": True})
    wide = Mae(config)
    wide.save_pretrained(tmp_path / "wide")
    assert Mae.from_pretrained(tmp_path / "wide").config == config
    model.save_pretrained(tmp_path / "square")
    assert class_of(tmp_path / "square") is Mae
    again = Mae.from_pretrained(tmp_path / "square")
    assert torch.equal(again(images, mask).pred, model(images, mask).pred)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m._replace(keep=m.keep[:1]), r"mask\.keep has shape \(1, 4\); 2 pictures"),
        (lambda m: m._replace(keep=m.keep[:, :0]), "1 to 16 kept"),
        (lambda m: m._replace(keep=m.keep.int()), "mask.keep must be an int64 tensor"),
        (lambda m: m._replace(keep=m.keep + 16), "patches are 0 to 15"),
        (lambda m: m._replace(keep=m.keep.flip(1)), "two different masks"),
        (lambda m: m._replace(restore=m.restore[:, :9]), r"need \(2, 16\)"),
        (lambda m: m._replace(restore=m.restore * 0), "each of 0 to patches - 1 once"),
        (lambda m: m._replace(restore=m.restore.float()), "mask.restore must be an int64"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(model, images, mask, change, message):
    with pytest.raises(ValueError, match=message):
        model(images, change(mask))


@pytest.mark.parametrize(
    ("pictures", "message"),
    [
        (torch.zeros(1, 3, 16, 16, dtype=torch.uint8), "divided by 255"),
        (torch.zeros(1, 1, 16, 16), r"reads \(batch, 3, height, width\)"),
        (torch.zeros(3, 16, 16), r"\(3, 16, 16\)"),
        (torch.zeros(1, 3, 16, 18), "18 pixels wide"),
        ([[0.0]], "not list"),
    ],
)
def test_pictures_that_do_not_fit_are_refused(model, pictures, message):
    for read in (model, model.encode):
        with pytest.raises(ValueError, match=message):
            read(pictures)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"image_size": 18}, "18 pixels high.*patch_size=4"),
        ({"image_size": (16, 18)}, "18 pixels wide"),
        ({"image_size": (16, 16, 16)}, "image_size must be pixels"),
        ({"num_attention_heads": 5}, "hidden_size=24 must be a multiple of num_attention_heads=5"),
        ({"decoder_hidden_size": 18}, "decoder_hidden_size=18 .* of 4"),
        ({"mask_ratio": 1.0}, r"mask_ratio must lie in \[0, 1\)"),
        ({"num_channels": 0}, "num_channels must be an integer of at least 1"),
    ],
)
def test_sizes_that_make_no_model_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        MaeConfig(**SMALL | sizes)


def test_fresh_weights_are_those_of_the_paper():
    """Xavier's bound for a patch as one row of numbers; tokens from N(0, 0.02); C4: not zero."""
    torch.manual_seed(0)
    model = Mae(MaeConfig(**SMALL | {"hidden_size": 192, "num_attention_heads": 4}))
    weight = model.encoder.patch_embedding.weight
    bound = (6 / (48 + 192)) ** 0.5
    assert 0.95 * bound < weight.abs().max() <= bound
    assert 0.01 < model.encoder.cls_token.std() < 0.03
    assert model.decoder.mask_token.abs().max() > 0
    assert model.encoder.position_embeddings.requires_grad is False
    assert all((block.attention.qkv.bias == 0).all() for block in model.encoder.blocks)
