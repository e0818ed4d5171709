"""A run on pictures: a masked autoencoder, asked for the patches that it was not shown."""

import dataclasses
from pathlib import Path
from typing import get_type_hints

import torch
from torch import Tensor, nn

from companion.data import Images, load_images, load_own_images
from companion.models import Mae, MaeConfig
from companion.models.transformer import PreLNBlock
from companion.training.config import TrainingConfig, convert
from companion.training.hidden_patches import HiddenPatches
from companion.training.loop import Score, Watcher
from companion.training.task import Task

HELD_OUT = 10  # of a learner's own pictures every tenth is kept for the exam
EXAM_BATCH = 256


def picture_task(config: TrainingConfig, data: Path | None) -> Task:
    """Read the pictures and draw the model from torch's generator.

    `data` is the learner's own folder of pictures, in place of the config's. ValueError, OSError:
    see `load_own_images`, `own_pictures` and `build_mae`.
    """
    train, held_out = own_pictures(config, data) if data else shipped_pictures(config)
    if len(train.pixels) < config.run.batch_size:
        raise ValueError(
            f"there are {len(train.pixels)} pictures to train on, fewer than run.batch_size = "
            f"{config.run.batch_size}: give more pictures or make a step smaller"
        )
    model = build_mae(config, train.pixels)

    def watch(folder: Path) -> Watcher:
        return HeldOutPictures(HiddenPatches(held_out.pixels, model.config, config.run.seed))

    def save(trained: nn.Module, folder: Path) -> None:
        assert isinstance(trained, Mae)
        trained.save_pretrained(folder)

    count, channels, height, width = train.pixels.shape
    return Task(
        model,
        HiddenPatches(train.pixels, model.config, config.run.seed),
        train.pixels,
        f"{count:,} pictures of {height} by {width} pixels in {channels} "
        f"{'channel' if channels == 1 else 'channels'}",
        watch,
        save,
    )


def shipped_pictures(config: TrainingConfig) -> tuple[Images, Images]:
    """The two halves of the pictures that the config names."""
    name = config.data.images
    assert name is not None
    return load_images(name, "train"), load_images(name, "validation")


def own_pictures(config: TrainingConfig, folder: Path) -> tuple[Images, Images]:
    """The learner's own pictures, cut to the size that the config gives; every tenth is held out.

    Raises:
        ValueError: the config has no image_size, or there are fewer than two pictures.
    """
    sizes = {"num_channels": 3} | config.model.sizes
    if type(sizes.get("image_size")) is not int or type(sizes["num_channels"]) is not int:
        raise ValueError(
            "with --data, model.sizes.image_size must say how many pixels a side your pictures are "
            "to be cut to, and model.sizes.num_channels 3 for colour or 1 for grey"
        )
    images = load_own_images(folder, size=sizes["image_size"], channels=sizes["num_channels"])
    count = len(images.pixels)
    if count < 2:
        raise ValueError(
            f"{folder} holds {count} picture; one to learn from and one to be examined on are the "
            "least"
        )
    is_exam = torch.arange(count) % HELD_OUT == min(HELD_OUT, count) - 1
    return part_of(images, ~is_exam), part_of(images, is_exam)


def part_of(images: Images, chosen: Tensor) -> Images:
    """The pictures where `chosen`, bool (pictures,), is True."""
    titles = tuple(t for t, take in zip(images.titles, chosen.tolist(), strict=True) if take)
    return Images(images.pixels[chosen], images.labels[chosen], images.names, titles)


def build_mae(config: TrainingConfig, pixels: Tensor) -> Mae:
    """The freshly drawn model that the config names, for pictures like `pixels`.

    What the blocks add starts at zero: each begins as a copy of its input, and learning sets in
    sooner. Size and channels of the pictures need not be given.

    Raises:
        ValueError: a size that is unknown, of another type, out of range, or at odds with the
            pictures; nothing would be hidden, or one value a patch normalised.
    """
    hints = get_type_hints(MaeConfig)
    known = [field.name for field in dataclasses.fields(MaeConfig)]
    sizes = config.model.sizes
    if unknown := sorted(sizes.keys() - set(known)):
        raise ValueError(
            f"model.sizes.{unknown[0]} is not known to Mae; there are {', '.join(sorted(known))}"
        )
    sizes = {field: convert(hints[field], v, f"model.sizes.{field}") for field, v in sizes.items()}
    _, channels, height, width = pixels.shape
    given = {
        "image_size": height if height == width else (height, width),
        "num_channels": channels,
    }
    for field, value in given.items():
        if sizes.get(field, value) != value:
            raise ValueError(
                f"model.sizes.{field} is {sizes[field]}, and the pictures have {value}: leave the "
                "field out"
            )
    settings = MaeConfig(**given | sizes)
    rows, columns = settings.grid
    if round(rows * columns * settings.mask_ratio) == 0:
        raise ValueError(
            f"model.sizes.mask_ratio is {settings.mask_ratio}: of {rows * columns} patches none "
            "would be hidden, and nothing learned"
        )
    model = Mae(settings)
    for module in model.modules():
        if isinstance(module, PreLNBlock):
            nn.init.zeros_(module.attention.out.weight)
            nn.init.zeros_(module.feed_forward.down.weight)
    return model


class HeldOutPictures:
    """Watches a run of an MAE: the loss on held-out pictures, under masks that never move."""

    def __init__(self, pictures: HiddenPatches) -> None:
        self.pictures = pictures

    def go_on_from(self, step: int) -> None:
        """Nothing was written that would have to be cut back."""

    @torch.no_grad()
    def evaluate(self, model: nn.Module) -> Score:
        """The loss at the hidden patches of all held-out pictures, in the unit of training."""
        device = next(model.parameters()).device
        total, scored = 0.0, 0
        for numbers in torch.split(torch.arange(len(self.pictures)), EXAM_BATCH):
            batch = self.pictures.batch(numbers, None)
            share = self.pictures.loss(model, batch.to(device), batch.scored, batch.examples)
            total += share.item() * batch.scored
            scored += batch.scored
        return Score(total / scored)

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        """There are no blanks to fill."""
