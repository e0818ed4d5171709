"""Pictures as a masked autoencoder restores them."""

from typing import NamedTuple

import torch
from torch import Tensor

from companion.evaluation.mode import examined
from companion.losses import normalise_patches
from companion.masking import PatchMask
from companion.models import Mae, unpatchify

CHUNK = 256  # pictures at a time


class Restored(NamedTuple):
    """What a model makes of pictures of which it saw a part."""

    pictures: Tensor  # float, (batch, channels, height, width), in [0, 1]; kept patches are true
    pred: Tensor  # float, (batch, patches, p·p·channels): what it says of every patch, as pixels


def restore(model: Mae, pixels: Tensor, mask: PatchMask) -> Restored:
    """Let `model` fill in what `mask` hides of `pixels`, (batch, channels, height, width).

    Kept patches are pasted in: no loss ever asked for them, so what the model says there means
    nothing (MAE, figure 2, arXiv 2111.06377). A model that was trained on normalised patches says
    nothing of a patch's mean and contrast: it gets those of the true patch, hidden ones too. That
    is for the eye, and tells it something that no other way of filling in is told.
    """
    preds, pictures = [], []
    size = int(pixels.shape[2]), int(pixels.shape[3])
    with examined(model):
        for numbers in torch.split(torch.arange(len(pixels)), CHUNK):
            part = PatchMask(*(column[numbers] for column in mask))
            output = model(pixels[numbers], part)
            pred = output.pred
            if model.config.norm_pix_loss:
                known = normalise_patches(output.patches)
                pred = pred * known.std + known.mean
            pasted = torch.where(part.hidden[:, :, None], pred, output.patches)
            preds.append(pred)
            pictures.append(unpatchify(pasted, model.config.patch_size, size).clamp(0, 1))
    return Restored(torch.cat(pictures), torch.cat(preds))
