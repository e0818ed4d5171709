"""From a config file to a trained model in a folder: what `companion pretrain` does."""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from torch import Tensor, nn

from companion.data import PackedRows, PairRows, Tokenizer, load_tokenizer
from companion.files import replace_file
from companion.models import HubModel
from companion.training.checkpoints import whole_checkpoints
from companion.training.config import TrainingConfig, load_config
from companion.training.loop import train
from companion.training.optimizers import build_optimizers
from companion.training.processes import Processes, joined, spread
from companion.training.setup import (
    build_model,
    load_halves,
    start_from_frequencies,
    task,
    training_rows,
)
from companion.training.state import whole_weights

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
    data: Path | None = None,
    resume: bool = False,
    fsdp: bool = False,
) -> None:
    """Train what `config_file` says, into `folder`, on the GPU if there is one.

    The folder gets the config as training.toml, log.csv, film.json and checkpoints, and at the end
    the tokenizer and the model as a Hugging Face folder.

    Processes that torchrun has started share each step's rows. All of them need the same files;
    process 0 alone writes.

    Args:
        data: texts of one's own in place of the config's corpora; see `load_own_text`.
        resume: go on with the run that is in `folder`, from its newest checkpoint. The number of
            processes may differ from before; dropout then drops other values.
        fsdp: each process holds a share of the model (FSDP2) and not a copy (DDP).

    Raises:
        ValueError, OSError: see `load_config` and `load_own_text`; a run that is there already, or
            none to resume, or one that is at work; more processes than rows in a step.
        FloatingPointError: the run has diverged.
    """
    if fsdp and "WORLD_SIZE" not in os.environ:
        raise ValueError("--fsdp shares a model between processes: start them with torchrun")
    with joined() as processes:
        config = load_config(config_file)
        if config.run.batch_size < processes.total:
            raise ValueError(
                f"run.batch_size is {config.run.batch_size}, and each of {processes.total} "
                "processes needs a row in every step: start fewer, or make a step larger"
            )
        recipe = folder / "training.toml"  # the mark of a run
        if processes.is_first:
            check_folder(folder, recipe, resume)
        tokenizer = load_tokenizer(config.data.tokenizer)
        texts = load_halves(config, data)
        rows = training_rows(config, tokenizer, texts.training)
        torch.manual_seed(config.run.seed)
        model = build_model(config, tokenizer)
        start_from_frequencies(model, rows, tokenizer)
        identity = identity_of(config, model, rows)
        place = folder if processes.is_first else None
        objective, watcher = task(config, rows, tokenizer, texts.held_out, place)
        if not processes.is_first:
            torch.manual_seed(config.run.seed + processes.number)  # other values drop elsewhere
        with only_run_in(folder) if processes.is_first else nullcontext():
            if processes.is_first:
                if not whole_checkpoints(folder / "checkpoints"):
                    replace_file(recipe, config_file.read_bytes())
                announce(config, model, rows, processes)
            model = spread(model, processes, fsdp=fsdp)
            train(
                model,
                objective,
                build_optimizers(model, config.optimizer),
                config,
                watcher,
                folder=folder,
                processes=processes,
                identity=identity,
            )
            weights = whole_weights(model)
            if processes.is_first:
                save(weights, config, tokenizer, folder)


def check_folder(folder: Path, recipe: Path, resume: bool) -> None:
    """Refuse to write over a run, or to go on with none."""
    if recipe.exists() and not resume:
        raise ValueError(
            f"{folder} holds a run already: add --resume to go on with it, or choose another "
            "folder with --out"
        )
    if resume and not recipe.exists():
        raise ValueError(f"{folder} holds no run to go on with: leave out --resume")


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Refuse a second run in a folder where one is at work; a killed one does not count."""
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ValueError(f"another run is at work in {folder}: wait for it, or end it") from error
    try:
        yield
    finally:
        lock.release()


def announce(
    config: TrainingConfig, model: nn.Module, rows: PackedRows | PairRows, processes: Processes
) -> None:
    """Say what is about to be trained."""
    weights = sum(parameter.numel() for parameter in model.parameters())
    shared = f" in {processes.total} processes" if processes.total > 1 else ""
    print(
        f"{config.model.name} with {weights:,} parameters; {len(rows.input_ids):,} rows of "
        f"{config.data.length} tokens; {config.schedule.steps:,} steps of "
        f"{config.run.batch_size}{shared}",
        flush=True,
    )


def save(
    weights: dict[str, Tensor], config: TrainingConfig, tokenizer: Tokenizer, folder: Path
) -> None:
    """Write the tokenizer and, where the hub knows its kind, the model."""
    model = build_model(config, tokenizer)
    model.load_state_dict(weights)
    tokenizer.save(folder, max_length=model.config.max_position_embeddings)
    if isinstance(model, HubModel):
        model.save_pretrained(folder)
        print(f"The model is in {folder}")
    else:
        print(
            f"{config.model.name} has no twin on the hub; its weights are in "
            f"{whole_checkpoints(folder / 'checkpoints')[-1]}"
        )


def identity_of(config: TrainingConfig, model: Any, rows: PackedRows | PairRows) -> dict[str, Any]:
    """Each setting that decides about the weights, by its place, and a hash of the packed text.

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
    settings["model"]["sizes"] = dataclasses.asdict(model.config)
    walk(json.loads(json.dumps(settings)), "")  # tuples and lists as a checkpoint gives them back
    flat["the text"] = hashlib.sha256(rows.input_ids.numpy().tobytes()).hexdigest()
    return flat
