"""A run on texts: masked words, pairs of texts, or next tokens."""

from pathlib import Path

from torch import nn

from companion.data import PackedRows, PairRows, Tokenizer, load_tokenizer
from companion.models import HubModel
from companion.training.config import TrainingConfig
from companion.training.held_out import HeldOut, HeldOutText
from companion.training.loop import Objective, Watcher
from companion.training.next_tokens import NextTokens
from companion.training.objective import MaskedWords
from companion.training.setup import (
    build_model,
    pages_of,
    places_of,
    start_from_frequencies,
    training_rows,
)
from companion.training.task import Task


def text_task(config: TrainingConfig, data: Path | None) -> Task:
    """Read the text, pack it into rows and draw the model from torch's generator.

    `data` is the learner's own text, in place of the corpora. ValueError, OSError: see
    `load_own_text`, `training_rows` and `build_model`.
    """
    tokenizer = load_tokenizer(config.data.tokenizer)
    rows = training_rows(config, tokenizer, data)
    model = build_model(config, tokenizer)
    start_from_frequencies(model, rows, tokenizer)

    def watch(folder: Path) -> Watcher:
        pages = pages_of(config, data, "validation")
        if config.is_causal:
            return HeldOutText(config, tokenizer, pages)
        return HeldOut(config, tokenizer, pages, folder)

    def save(trained: nn.Module, folder: Path) -> None:
        tokenizer.save(folder, max_length=places_of(trained.config))
        if isinstance(trained, HubModel):
            trained.save_pretrained(folder)

    return Task(
        model,
        objective_of(config, rows, tokenizer),
        rows.input_ids,
        f"{len(rows.input_ids):,} rows of {config.data.length} tokens",
        watch,
        save,
    )


def objective_of(
    config: TrainingConfig, rows: PackedRows | PairRows, tokenizer: Tokenizer
) -> Objective:
    """What the model is asked."""
    if config.is_causal:
        assert isinstance(rows, PackedRows)
        return NextTokens(rows, config.run.seed)
    return MaskedWords(rows, tokenizer, config.masking, config.run.seed)
