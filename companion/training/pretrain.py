"""From a config file to a trained model in a folder: what `companion pretrain` does."""

import dataclasses
import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

import companion.models
from companion.data import Document, PackedRows, Tokenizer, load_corpus, load_tokenizer, pack_rows
from companion.evaluation import fill_blanks, make_blanks
from companion.evaluation.film import Film, choose_blanks
from companion.models import HubModel
from companion.training.checkpoints import whole_checkpoints
from companion.training.config import ModelConfig, TrainingConfig, load_config
from companion.training.loop import Score, Watcher, train
from companion.training.objective import MaskedWords
from companion.training.optimizers import build_optimizers


def pretrain(config_file: Path, folder: Path, *, resume: bool = False) -> None:
    """Train what `config_file` says, into `folder`, on the GPU if there is one.

    The folder gets the model as a Hugging Face folder, the tokenizer, the config, log.csv,
    film.json and checkpoints.

    Raises:
        ValueError, OSError: see `load_config`; a run that is there already, or none to resume.
    """
    config = load_config(config_file)
    check_folder(folder, resume)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = load_tokenizer(config.data.tokenizer)
    rows = training_rows(config, tokenizer)
    torch.manual_seed(config.run.seed)
    model = build_model(config, tokenizer)
    start_from_frequencies(model, rows, tokenizer)
    held_out = load_corpus(config.data.corpora[0], "validation").documents
    shutil.copyfile(config_file, folder / "training.toml")
    train(
        model,
        MaskedWords(rows, tokenizer, config.masking, config.run.seed),
        build_optimizers(model, config.optimizer),
        config,
        watch(held_out, tokenizer, folder, config.data.length),
        folder=folder,
        device=torch.device("cuda" if torch.cuda.is_available() else "cpu"),
        identity=identity_of(config, rows),
    )
    if isinstance(model, HubModel):
        model.save_pretrained(folder)
    tokenizer.save(folder, max_length=config.data.length)


def check_folder(folder: Path, resume: bool) -> None:
    """Neither overwrite a run nor start one where one was to be continued."""
    found = whole_checkpoints(folder / "checkpoints")
    if found and not resume:
        raise ValueError(
            f"{folder} holds a run already ({found[-1].name}): add --resume to go on with it, or "
            "choose another folder with --out"
        )
    if resume and not found:
        raise ValueError(f"{folder} holds no checkpoint to go on from: leave out --resume")


def training_rows(config: TrainingConfig, tokenizer: Tokenizer) -> PackedRows:
    """The training half of the corpora, packed."""
    texts = [
        page.text for name in config.data.corpora for page in load_corpus(name, "train").documents
    ]
    rows = pack_rows(
        [encoding.ids for encoding in tokenizer.encode_batch(texts, specials=False)],
        length=config.data.length,
        cls_id=tokenizer.cls_id,
        sep_id=tokenizer.sep_id,
        pad_id=tokenizer.pad_id,
    )
    if len(rows.input_ids) < config.run.batch_size:
        raise ValueError(
            f"the text makes {len(rows.input_ids)} rows of {config.data.length} tokens, fewer than "
            f"run.batch_size = {config.run.batch_size}: give more text or make a step smaller"
        )
    return rows


def build_model(config: TrainingConfig, tokenizer: Tokenizer) -> nn.Module:
    """The freshly drawn model that the config names."""
    kind: ModelConfig = config.model
    model_class = getattr(companion.models, kind.name)
    given = {
        "vocab_size": tokenizer.vocab_size,
        "pad_token_id": tokenizer.pad_id,
        "bos_token_id": tokenizer.cls_id,
        "cls_token_id": tokenizer.cls_id,
        "eos_token_id": tokenizer.sep_id,
        "sep_token_id": tokenizer.sep_id,
    }
    known = {field.name for field in dataclasses.fields(model_class.config_class)}
    unknown = sorted(kind.sizes.keys() - known)
    if unknown:
        raise ValueError(
            f"model.sizes.{unknown[0]} is not known to {kind.name}; there are "
            f"{', '.join(sorted(known))}"
        )
    given = {name: value for name, value in given.items() if name in known}
    model: nn.Module = model_class(model_class.config_class(**given | kind.sizes))
    return model


@torch.no_grad()
def start_from_frequencies(model: Any, rows: PackedRows, tokenizer: Tokenizer) -> None:
    """Set the output bias to the log of each token's frequency: what a model learns first.

    Where a token never occurs it gets the frequency of one occurrence.
    """
    counts = torch.bincount(rows.input_ids.flatten(), minlength=tokenizer.vocab_size).float()
    counts[list(tokenizer.special_ids)] = 0.0  # never an answer
    counts = counts.clamp(min=1.0)  # (vocab,)
    model.mlm_head.bias.copy_((counts / counts.sum()).log())


def watch(held_out: Sequence[Document], tokenizer: Tokenizer, folder: Path, length: int) -> Watcher:
    """Held-out blanks for the log, and thirty of them for the film.

    Held-out texts are read in rows of `length`: places beyond it were never trained.
    """
    blanks = make_blanks([page.text for page in held_out], tokenizer, draws=[0])
    scenes = choose_blanks(held_out, tokenizer, common=10, rare=20, seed=0)
    film = Film(folder / "film.json", tokenizer, scenes)

    def evaluate(model: nn.Module) -> Score:
        filled = fill_blanks(model, blanks, tokenizer, length=length)
        is_right = filled.tokens == blanks.answers
        return Score(filled.surprise.mean().item(), is_right.float().mean().item())

    return Watcher(evaluate, film.record)


def identity_of(config: TrainingConfig, rows: PackedRows) -> dict[str, Any]:
    """Each setting by its place in the file, and a hash of the packed text."""
    flat: dict[str, Any] = {}

    def walk(values: dict[str, Any], place: str) -> None:
        for name, value in values.items():
            if isinstance(value, dict):
                walk(value, f"{place}{name}.")
            else:
                flat[place + name] = value

    walk(dataclasses.asdict(config), "")
    flat["the text"] = hashlib.sha256(rows.input_ids.numpy().tobytes()).hexdigest()
    return flat
