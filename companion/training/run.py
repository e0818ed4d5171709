"""From a config file to a trained model in a folder: what `companion pretrain` does."""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

import torch
from filelock import FileLock, Timeout
from torch import Tensor

import companion.models
from companion.data import (
    Document,
    PackedRows,
    PairRows,
    Tokenizer,
    load_corpus,
    load_tokenizer,
    pack_rows,
    pair_rows,
    segment_pairs,
)
from companion.files import replace_file
from companion.models import HubModel
from companion.training.checkpoints import whole_checkpoints
from companion.training.config import TrainingConfig, convert, load_config
from companion.training.held_out import HeldOut, HeldOutText
from companion.training.loop import Objective, Watcher, train
from companion.training.next_tokens import NextTokens
from companion.training.objective import MaskedWords
from companion.training.optimizers import build_optimizers

# Each page is made into pairs several times, with other cuts and other random texts, so that no
# model learns by heart which pair is which. BERT's code does the same (dupe_factor).
PAIR_PASSES = 5

# What a run may change when it goes on.
MAY_CHANGE = {
    "run.log_every",
    "run.evaluate_every",
    "run.checkpoint_every",
    "run.film",
}


def pretrain(config_file: Path, folder: Path, *, resume: bool = False) -> None:
    """Train what `config_file` says, into `folder`, on the GPU if there is one.

    The folder gets the config as training.toml, log.csv, film.json and checkpoints, and at the end
    the tokenizer and the model as a Hugging Face folder.

    Args:
        resume: go on with the run that is in `folder`, from its newest checkpoint.

    Raises:
        ValueError, OSError: see `load_config`; a run that is there already, or none to resume, or
            one that is at work.
        FloatingPointError: the run has diverged.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ValueError("this command trains in one process: start it without torchrun")
    config = load_config(config_file)
    recipe = folder / "training.toml"  # the mark of a run
    if recipe.exists() and not resume:
        raise ValueError(
            f"{folder} holds a run already: add --resume to go on with it, or choose another "
            "folder with --out"
        )
    if resume and not recipe.exists():
        raise ValueError(f"{folder} holds no run to go on with: leave out --resume")
    tokenizer = load_tokenizer(config.data.tokenizer)
    rows = training_rows(config, tokenizer)
    torch.manual_seed(config.run.seed)
    model = build_model(config, tokenizer)
    start_from_frequencies(model, rows, tokenizer)
    watcher: Watcher
    objective: Objective
    if config.is_causal:
        assert isinstance(rows, PackedRows)
        objective = NextTokens(rows, config.run.seed)
        watcher = HeldOutText(config, tokenizer)
    else:
        objective = MaskedWords(rows, tokenizer, config.masking, config.run.seed)
        watcher = HeldOut(config, tokenizer, folder)
    folder.mkdir(parents=True, exist_ok=True)
    with only_run_in(folder):
        if not whole_checkpoints(folder / "checkpoints"):
            replace_file(recipe, config_file.read_bytes())
        weights = sum(parameter.numel() for parameter in model.parameters())
        print(
            f"{config.model.name} with {weights:,} parameters; {len(rows.input_ids):,} rows of "
            f"{config.data.length} tokens; {config.schedule.steps:,} steps of "
            f"{config.run.batch_size}",
            flush=True,
        )
        train(
            model,
            objective,
            build_optimizers(model, config.optimizer),
            config,
            watcher,
            folder=folder,
            device=torch.device("cuda" if torch.cuda.is_available() else "cpu"),
            identity=identity_of(config, model, rows),
        )
        tokenizer.save(folder, max_length=model.config.max_position_embeddings)
        if isinstance(model, HubModel):
            model.save_pretrained(folder)
            print(f"The model is in {folder}")
        else:
            print(
                f"{config.model.name} has no twin on the hub; its weights are in "
                f"{whole_checkpoints(folder / 'checkpoints')[-1]}"
            )


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


def training_rows(config: TrainingConfig, tokenizer: Tokenizer) -> PackedRows | PairRows:
    """The training half of the corpora, packed, or as pairs where the model wants pairs.

    ValueError where it is less than one step.
    """
    pages = [page for name in config.data.corpora for page in load_corpus(name, "train").documents]
    length = config.data.length
    specials = {
        "cls_id": tokenizer.cls_id,
        "sep_id": tokenizer.sep_id,
        "pad_id": tokenizer.pad_id,
    }
    rows: PackedRows | PairRows
    if config.model.name.endswith("ForPreTraining"):
        documents = in_sentences(pages, tokenizer)
        generator = torch.Generator().manual_seed(config.run.seed)
        pairs = [
            pair
            for _ in range(PAIR_PASSES)
            for pair in segment_pairs(documents, length=length, generator=generator)
        ]
        rows = pair_rows(pairs, length=length, **specials)
    else:
        texts = tokenizer.encode_batch([page.text for page in pages], specials=False)
        rows = pack_rows([text.ids for text in texts], length=length, **specials)
    if len(rows.input_ids) < config.run.batch_size:
        raise ValueError(
            f"the text makes {len(rows.input_ids)} rows of {config.data.length} tokens, fewer than "
            f"run.batch_size = {config.run.batch_size}: give more text or make a step smaller"
        )
    return rows


def in_sentences(pages: Sequence[Document], tokenizer: Tokenizer) -> list[list[Tensor]]:
    """Token ids of each sentence of each page, each (tokens,)."""
    encoded = iter(
        tokenizer.encode_batch([s for page in pages for s in page.sentences], specials=False)
    )
    return [[next(encoded).ids for _ in page.sentences] for page in pages]


def build_model(config: TrainingConfig, tokenizer: Tokenizer) -> Any:
    """The freshly drawn model that the config names.

    What the tokenizer and the rows decide need not be given. A model whose positions are computed
    may have more places than rows have.

    Raises:
        ValueError: a size that is unknown, of another type, out of range, or at odds with the
            tokenizer or the rows.
    """
    name, sizes = config.model.name, config.model.sizes
    model_class = getattr(companion.models, name)
    known = {field.name for field in dataclasses.fields(model_class.config_class)}
    unknown = sorted(sizes.keys() - known)
    if unknown:
        raise ValueError(
            f"model.sizes.{unknown[0]} is not known to {name}; there are {', '.join(sorted(known))}"
        )
    hints = get_type_hints(model_class.config_class)
    sizes = {field: convert(hints[field], v, f"model.sizes.{field}") for field, v in sizes.items()}
    if sizes.get("vocab_size", tokenizer.vocab_size) != tokenizer.vocab_size:
        raise ValueError(
            f"model.sizes.vocab_size is {sizes['vocab_size']}, and the tokenizer has "
            f"{tokenizer.vocab_size} tokens: leave the field out"
        )
    given = {
        "vocab_size": tokenizer.vocab_size,
        "max_position_embeddings": config.data.length,
        "pad_token_id": tokenizer.pad_id,
        "bos_token_id": tokenizer.cls_id,
        "cls_token_id": tokenizer.cls_id,
        "eos_token_id": tokenizer.sep_id,
        "sep_token_id": tokenizer.sep_id,
    }
    given = {field: value for field, value in given.items() if field in known}
    model = model_class(model_class.config_class(**given | sizes))
    places = model.config.max_position_embeddings
    if places < config.data.length:
        raise ValueError(
            f"model.sizes.max_position_embeddings is {places}, and data.length is "
            f"{config.data.length}: rows must fit into the model"
        )
    if places > config.data.length and isinstance(model.config, companion.models.BertConfig):
        raise ValueError(
            f"model.sizes.max_position_embeddings is {places}, and data.length is "
            f"{config.data.length}: the positions of {name} are learned, and those beyond "
            "data.length would stay as they were drawn; leave the field out"
        )
    return model


@torch.no_grad()
def start_from_frequencies(model: Any, rows: PackedRows | PairRows, tokenizer: Tokenizer) -> None:
    """Set the output bias to the log of each token's frequency: what a model learns first.

    Where a token never occurs it gets the frequency of one occurrence.
    """
    counts = torch.bincount(rows.input_ids.flatten(), minlength=tokenizer.vocab_size).float()
    counts[list(tokenizer.special_ids)] = 0.0  # never an answer
    counts = counts.clamp(min=1.0)  # (vocab,)
    model.mlm_head.bias.copy_((counts / counts.sum()).log())


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
