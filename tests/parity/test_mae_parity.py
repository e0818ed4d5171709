"""Mae against transformers' ViT-MAE: the same weights give the same numbers, both ways."""

import re

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import ViTMAEConfig, ViTMAEForPreTraining, ViTMAEModel

from companion.losses import mae_loss
from companion.masking import PatchMask, mask_patches
from companion.models import Mae, MaeConfig, MaeOutput, unpatchify

SIZES = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "image_size": 32,
    "patch_size": 8,
    "num_channels": 3,
    "decoder_hidden_size": 16,
    "decoder_num_hidden_layers": 2,
    "decoder_num_attention_heads": 2,
    "decoder_intermediate_size": 20,
}


def images_of(batch=2, channels=3, height=32, width=32):
    return torch.rand(batch, channels, height, width, generator=torch.Generator().manual_seed(4))


def ours(**changes):
    """A Mae whose every parameter was drawn, so that a forgotten one shows."""
    torch.manual_seed(3)
    model = Mae(MaeConfig(**(SIZES | changes))).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3)
    return model


def theirs(model, tmp_path, **changes):
    """Transformers' twin with our weights, read from the folder that we write."""
    model.save_pretrained(tmp_path)
    twin, report = ViTMAEForPreTraining.from_pretrained(
        tmp_path, output_loading_info=True, **changes
    )
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    return twin.eval()


def noise_of(batch=2, patches=16):
    return torch.rand(batch, patches, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize("ratio", [0.75, 0.5, 0.9])
def test_the_same_weights_and_noise_give_the_same_predictions(tmp_path, ratio):
    model = ours(mask_ratio=ratio)
    twin = theirs(model, tmp_path)
    images, noise = images_of(), noise_of()
    kept = int(16 * (1 - ratio))  # P7: the official count
    mask = mask_patches(2, 16, kept=kept, noise=noise)
    with torch.no_grad():
        out, their = model(images, mask), twin(images, noise=noise)
        their_latent = twin.vit(images, noise=noise).last_hidden_state
    assert torch.equal(mask.hidden.float(), their.mask)
    assert torch.equal(mask.restore, their.ids_restore)
    assert (out.pred - their.logits).abs().max() < 1e-5
    assert (out.latent - their_latent).abs().max() < 1e-5
    assert torch.equal(out.patches, twin.patchify(images))


@pytest.mark.parametrize("norm_pix", [False, True])
def test_the_same_loss(tmp_path, norm_pix):
    model = ours(norm_pix_loss=norm_pix)
    twin = theirs(model, tmp_path)
    images, noise = images_of(), noise_of()
    mask = mask_patches(2, 16, noise=noise)
    with torch.no_grad():
        out = model(images, mask)
        loss = mae_loss(out.pred, out.patches, mask.hidden, norm_pix=norm_pix)
        assert abs(loss - twin(images, noise=noise).loss) < 1e-5


def test_the_same_gradients(tmp_path):
    model = ours()
    twin = theirs(model, tmp_path)
    images, noise = images_of(), noise_of()
    mask = mask_patches(2, 16, noise=noise)
    out = model(images, mask)
    mae_loss(out.pred, out.patches, mask.hidden).backward()
    twin(images, noise=noise).loss.backward()
    assert torch.allclose(
        model.encoder.patch_embedding.weight.grad,
        twin.vit.embeddings.patch_embeddings.projection.weight.grad,
        atol=1e-5,
    )
    assert torch.allclose(model.decoder.mask_token.grad, twin.decoder.mask_token.grad, atol=1e-5)


def test_all_patches_in_order_for_downstream_use(tmp_path):
    model = ours()
    twin = theirs(model, tmp_path, mask_ratio=0.0)
    images = images_of()
    in_order = torch.arange(16.0).expand(2, -1)  # P8: else tokens leave in shuffled order
    with torch.no_grad():
        assert (
            model.encode(images) - twin.vit(images, noise=in_order).last_hidden_state
        ).abs().max() < 1e-5
        assert (model(images).pred - twin(images, noise=in_order).logits).abs().max() < 1e-5


def test_one_channel(tmp_path):
    model = ours(num_channels=1)
    twin = theirs(model, tmp_path)
    images, noise = images_of(channels=1), noise_of()
    mask = mask_patches(2, 16, noise=noise)
    with torch.no_grad():
        assert (model(images, mask).pred - twin(images, noise=noise).logits).abs().max() < 1e-5


def test_the_encoder_interpolates_positions_as_theirs_does(tmp_path):
    """P9: their decoder's interpolation is one-dimensional, so it is no oracle."""
    model = ours()
    twin = theirs(model, tmp_path)
    images, noise = images_of(height=48, width=64), noise_of(patches=48)
    mask = mask_patches(2, 48, noise=noise)
    with torch.no_grad():
        latent = model(images, mask).latent
        their = twin.vit(images, noise=noise, interpolate_pos_encoding=True).last_hidden_state
    assert (latent - their).abs().max() < 1e-5


def spelt_in_memory(weights):
    """The names that version 5 has in memory."""
    changes = (
        (r"^vit\.encoder\.layer\.", "vit.layers."),
        (r"\.attention\.attention\.query\.", ".attention.q_proj."),
        (r"\.attention\.attention\.key\.", ".attention.k_proj."),
        (r"\.attention\.attention\.value\.", ".attention.v_proj."),
        (r"\.attention\.output\.dense\.", ".attention.o_proj."),
        (r"\.intermediate\.dense\.", ".mlp.fc1."),
        (r"\.output\.dense\.", ".mlp.fc2."),
    )
    out = {}
    for name, tensor in weights.items():
        for pattern, spelling in changes:
            name = re.sub(pattern, spelling, name)
        out[name] = tensor
    return out


def test_the_three_spellings_of_weights_load_alike(tmp_path):
    model = ours()
    hub, saved, memory = (tmp_path / name for name in ("hub", "saved", "memory"))
    twin = theirs(model, hub)
    assert "decoder.decoder_layers.0.attention.attention.query.weight" in load_file(
        hub / "model.safetensors"
    )
    twin.save_pretrained(saved)
    twin.save_pretrained(memory)
    state = {n: t.clone() for n, t in twin.state_dict().items()}
    assert set(state) == set(spelt_in_memory(load_file(hub / "model.safetensors")))
    save_file(state, memory / "model.safetensors", metadata={"format": "pt"})
    images, mask = images_of(), mask_patches(2, 16, noise=noise_of())
    with torch.no_grad():
        expected = model(images, mask).pred
        for folder in (hub, saved, memory):
            assert torch.equal(Mae.from_pretrained(folder)(images, mask).pred, expected), folder


def test_an_encoder_alone_loads_with_a_fresh_decoder(tmp_path):
    model = ours()
    twin = theirs(model, tmp_path / "whole")
    ViTMAEModel.from_pretrained(tmp_path / "whole").save_pretrained(tmp_path / "encoder")
    del twin
    with pytest.raises(ValueError, match=r'missing.*decoder\.mask_token.*missing="init"'):
        Mae.from_pretrained(tmp_path / "encoder")
    loaded = Mae.from_pretrained(tmp_path / "encoder", missing="init")
    images = images_of()
    with torch.no_grad():
        assert torch.equal(loaded.encode(images), model.encode(images))


def test_zero_positions_of_a_fresh_twin_are_kept(tmp_path):
    """P1: what 5.x builds afresh has no positions; loading it says the same thing as it does."""
    twin = ViTMAEForPreTraining(ViTMAEConfig(**SIZES)).eval()
    twin.save_pretrained(tmp_path)
    model = Mae.from_pretrained(tmp_path)
    images, noise = images_of(), noise_of()
    with torch.no_grad():
        pred = model(images, mask_patches(2, 16, noise=noise)).pred
        assert (pred - twin(images, noise=noise).logits).abs().max() < 1e-5


def test_another_computation_is_refused(tmp_path):
    ours().save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    for old, new in (('"qkv_bias": true', '"qkv_bias": false'), ('"gelu"', '"relu"')):
        text = path.read_text()
        path.write_text(text.replace(old, new))
        with pytest.raises(ValueError, match="asks for another computation"):
            Mae.from_pretrained(tmp_path)
        path.write_text(text)


def test_pictures_come_back_as_theirs_do(tmp_path):
    model = ours()
    twin = theirs(model, tmp_path)
    images = images_of()
    out = model(images)
    assert isinstance(out, MaeOutput)
    assert torch.equal(unpatchify(out.patches, 8, (32, 32)), twin.unpatchify(out.patches))
    assert isinstance(mask_patches(1, 4), PatchMask)
