"""From a config file to a trained model in a folder: what `companion pretrain` does."""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from torch import nn

from companion.files import replace_file
from companion.models import HubModel
from companion.training.checkpoints import whole_checkpoints
from companion.training.config import TrainingConfig, load_config
from companion.training.loop import train
from companion.training.optimizers import build_optimizers
from companion.training.pictures import picture_task
from companion.training.processes import Processes, joined, spread, whole
from companion.training.task import Task
from companion.training.texts import text_task

RECIPE = "training.toml"  # the mark of a run
DATA = "data.txt"  # beside it, the path of the learner's own data

# What a run may change when it goes on.
MAY_CHANGE = {
    "run.log_every",
    "run.evaluate_every",
    "run.checkpoint_every",
    "run.film",
}


def pretrain(
    config_file: Path,
    folder: Path,
    *,
    resume: bool = False,
    data: Path | None = None,
    fsdp: bool = False,
) -> None:
    """Train what `config_file` says, into `folder`, on the GPU if there is one.

    The folder gets the config as training.toml, log.csv, film.json and checkpoints, and at the end
    the tokenizer and the model as a Hugging Face folder. Started by `torchrun`, all processes train
    one model, and the first one alone writes.

    Args:
        resume: go on with the run that is in `folder`, from its newest checkpoint. There may be
            more processes than before, or fewer; then dropout drops other values.
        data: a file or a folder of the learner's own text, in place of the config's corpora, or a
            folder of pictures, in place of the config's.
        fsdp: share the weights out among the processes (FSDP2), in place of a copy in each (DDP).

    Raises:
        ValueError, OSError: see `load_config`, `text_task` and `picture_task`; a run that is there
            already, or none to resume, or one that is at work; more processes than rows in a step,
            or processes that torchrun did not start.
        FloatingPointError: the run has diverged.
    """
    if fsdp and "WORLD_SIZE" not in os.environ:
        raise ValueError("--fsdp shares a model out among processes: start them with torchrun")
    with joined() as processes:
        config = load_config(config_file)
        if config.run.batch_size < processes.total:
            raise ValueError(
                f"run.batch_size is {config.run.batch_size}, and each of {processes.total} "
                "processes needs a row in every step: start fewer, or make a step larger"
            )
        if processes.is_first:
            check_folder(folder, resume, data)
        torch.manual_seed(config.run.seed)
        task = picture_task(config, data) if config.is_of_pictures else text_task(config, data)
        if not processes.is_first:  # each process has a dropout of its own
            torch.manual_seed(config.run.seed + processes.number)
        watcher = None
        with at_work(folder, processes):
            if processes.is_first:
                watcher = task.watch(folder)
                announce(config, config_file, task, folder, data)
            identity = identity_of(config, task)
            model, spare = spread(task.model, processes, fsdp=fsdp)
            train(
                model,
                task.objective,
                build_optimizers(model, config.optimizer),
                config,
                watcher,
                folder=folder,
                processes=processes,
                identity=identity,
                spare=spare,
            )
            trained = whole(model, spare)
            if processes.is_first:
                keep(trained, task, folder)


def check_folder(folder: Path, resume: bool, data: Path | None) -> None:
    """Refuse to begin where a run is, and to go on where none is, or with other text."""
    recipe = folder / RECIPE
    if recipe.exists() and not resume:
        raise ValueError(
            f"{folder} holds a run already: add --resume to go on with it, or choose another "
            "folder with --out"
        )
    if resume and not recipe.exists():
        raise ValueError(f"{folder} holds no run to go on with: leave out --resume")
    if resume and (before := text_of(folder)) != (None if data is None else str(data)):
        began = "without --data" if before is None else f"with --data {before}"
        raise ValueError(f"the run in {folder} began {began}: go on in the same way")


def text_of(folder: Path) -> str | None:
    """What --data said when the run in `folder` began."""
    path = folder / DATA
    return path.read_text(encoding="utf-8") if path.exists() else None


def announce(
    config: TrainingConfig, config_file: Path, task: Task, folder: Path, data: Path | None
) -> None:
    """Say what begins, and leave the mark of a run."""
    if not whole_checkpoints(folder / "checkpoints"):
        if data is not None:
            replace_file(folder / DATA, str(data).encode())
        replace_file(folder / RECIPE, config_file.read_bytes())
    weights = sum(parameter.numel() for parameter in task.model.parameters())
    print(
        f"{config.model.name} with {weights:,} parameters; {task.words}; "
        f"{config.schedule.steps:,} steps of {config.run.batch_size}",
        flush=True,
    )


def keep(trained: nn.Module, task: Task, folder: Path) -> None:
    """Write the trained model."""
    task.save(trained, folder)
    if isinstance(trained, HubModel):
        print(f"The model is in {folder}")
    else:
        print(
            f"{type(trained).__name__} has no twin on the hub; its weights are in "
            f"{whole_checkpoints(folder / 'checkpoints')[-1]}"
        )


@contextmanager
def at_work(folder: Path, processes: Processes) -> Iterator[None]:
    """Refuse a second run in a folder where one is at work; a killed one does not count."""
    if not processes.is_first:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ValueError(f"another run is at work in {folder}: wait for it, or end it") from error
    try:
        yield
    finally:
        lock.release()


def identity_of(config: TrainingConfig, task: Task) -> dict[str, Any]:
    """Each setting that decides about the weights, by its place, and a hash of the data.

    Sizes are those of the model, defaults included: a size that is given later is another model.
    """
    flat: dict[str, Any] = {}

    def walk(values: dict[str, Any], place: str) -> None:
        for name, value in values.items():
            if isinstance(value, dict):
                walk(value, f"{place}{name}.")
            elif place + name not in MAY_CHANGE:
                flat[place + name] = value

    settings = dataclasses.asdict(config)
    settings["model"]["sizes"] = dataclasses.asdict(task.model.config)
    walk(json.loads(json.dumps(settings)), "")  # tuples and lists as a checkpoint gives them back
    flat["the data"] = hashlib.sha256(task.data.numpy().tobytes()).hexdigest()
    return flat
