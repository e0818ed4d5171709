"""MAE: a training step against `transformers`, and what hiding saves."""

from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch import Tensor

from benchmarks.timing import ratio, take_turns
from benchmarks.training import copy_weights, step
from companion.evaluation import multiply_adds
from companion.losses import mae_loss
from companion.masking import PatchMask, mask_patches
from companion.models import Mae, MaeConfig, patchify

SHAPES: dict[str, dict[str, Any]] = {"ViT-B/16": {}}  # the config's own sizes
RATIOS = {"25 %": 0.75, "50 %": 0.5, "100 %": 0.0}  # what is kept -> what is hidden


def pictures(shape: str, batch: int) -> tuple[MaeConfig, Tensor]:
    """The sizes of a shape, and random pictures that fit."""
    torch.manual_seed(0)
    config = MaeConfig(**SHAPES[shape])
    return config, torch.rand(batch, 3, *config.size)


def training(shape: str, rounds: int, *, batch: int = 8) -> list[tuple[str, str]]:
    """One update with AdamW, with equal weights and equal masks; the losses must agree."""
    config, images = pictures(shape, batch)
    ours = Mae(config).train()
    theirs = transformers.ViTMAEForPreTraining(transformers.ViTMAEConfig(**SHAPES[shape])).train()
    copy_weights(ours, theirs)  # its own positions are zero
    patches = config.grid[0] * config.grid[1]
    noise = torch.rand(batch, patches)

    def our_loss() -> Tensor:
        mask = mask_patches(batch, patches, noise=noise)
        output = ours(images, mask)
        return mae_loss(output.pred, output.patches, mask.hidden)

    def their_loss() -> Tensor:
        loss: Tensor = theirs(pixel_values=images, noise=noise).loss
        return loss

    torch.testing.assert_close(our_loss(), their_loss(), atol=1e-4, rtol=1e-4)
    candidates = {"ours": step(ours, our_loss), "theirs": step(theirs, their_loss)}
    times = take_turns(candidates, rounds=rounds)
    what = f"Mae training step, {shape}, {batch} pictures of {config.size[0]} pixels"
    return [(what, str(ratio(times["ours"], times["theirs"])))]


def saved_bytes(loss: Callable[[], Tensor]) -> int:
    """What autograd keeps for the way back; one storage counts once."""
    seen: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        seen[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss()
    return sum(seen.values())


def asymmetry(shape: str, rounds: int, *, batch: int = 8) -> list[tuple[str, str]]:
    """The encoder over a part of the patches, against all: time, work, and memory for training."""
    config, images = pictures(shape, batch)
    model = Mae(config).eval()
    patches = config.grid[0] * config.grid[1]
    masks = {name: mask_patches(batch, patches, ratio=hide) for name, hide in RATIOS.items()}

    def reading(mask: PatchMask) -> Callable[[], object]:
        def read() -> None:
            with torch.no_grad():
                model.encoder(images, mask.keep)

        return read

    times = take_turns({n: reading(mask) for n, mask in masks.items()}, rounds=rounds)
    work = {n: multiply_adds(model.encoder, images, mask.keep) for n, mask in masks.items()}
    weights = sum(p.numel() * p.element_size() for p in model.parameters())

    def kept_by_autograd(mask: PatchMask) -> int:
        return saved_bytes(lambda: model(images, mask).pred.sum()) - weights

    memory = {name: kept_by_autograd(mask) for name, mask in masks.items()}
    rows = []
    for name in ("25 %", "50 %"):
        faster = ratio(times[name], times["100 %"])
        rows.append((f"encoder, {shape}, {name} of the patches kept against all", str(faster)))
        less = work["100 %"] / work[name]
        rows.append(
            (f"the same, multiplications ({work[name] / batch / 1e9:.2f} G)", f"{less:.2f} x")
        )
        share = memory["100 %"] / memory[name]
        rows.append(
            (
                f"saved activations, encoder and decoder, {name} kept against all "
                f"({memory[name] / 1e6:.0f} MB)",
                f"{share:.2f} x",
            )
        )
    return rows


def cutting(shape: str, rounds: int, *, batch: int = 64) -> list[tuple[str, str]]:
    """Masks and patches by themselves, against the same in `transformers`."""
    config, images = pictures(shape, batch)
    theirs = transformers.ViTMAEForPreTraining(transformers.ViTMAEConfig(**SHAPES[shape]))
    count = config.grid[0] * config.grid[1]
    vectors = torch.zeros(batch, count, 1)  # theirs also drops patches: as narrow as can be
    if not torch.equal(patchify(images, config.patch_size), theirs.patchify(images)):
        raise AssertionError("the two cut pictures in different ways")
    times = take_turns(
        {
            "masks": lambda: mask_patches(batch, count),
            "their masks": lambda: theirs.vit.embeddings.random_masking(vectors),
            "patches": lambda: patchify(images, config.patch_size),
            "their patches": lambda: theirs.patchify(images),
        },
        rounds=rounds,
    )
    rows = []
    for ours, what in (("masks", "mask_patches"), ("patches", "patchify")):
        speed = batch / sorted(times[ours])[rounds // 2]
        rows.append(
            (
                f"{what}, {batch} pictures of {count} patches ({speed:,.0f} pictures a second)",
                str(ratio(times[ours], times[f"their {ours}"])),
            )
        )
    return rows
