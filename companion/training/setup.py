"""What a run is made of: pages, rows, and a freshly drawn model."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_type_hints

import torch
from torch import Tensor

import companion.models
from companion.data import (
    Document,
    PackedRows,
    PairRows,
    Tokenizer,
    load_corpus,
    load_own_text,
    pack_rows,
    pair_rows,
    segment_pairs,
)
from companion.data.text import Split
from companion.models import BertConfig, CausalModel, GptConfig
from companion.training.config import TrainingConfig, convert

# Each page is made into pairs several times, with other cuts and other random texts, so that no
# model learns by heart which pair is which. BERT's code does the same (dupe_factor).
PAIR_PASSES = 5


def pages_of(config: TrainingConfig, data: Path | None, split: Split) -> Sequence[Document]:
    """One half of the learner's own text, or of the corpora: for the exam of the first alone."""
    if data is not None:
        return load_own_text(data, split).documents
    names = config.data.corpora if split == "train" else config.data.corpora[:1]
    return [page for name in names for page in load_corpus(name, split).documents]


def training_rows(
    config: TrainingConfig, tokenizer: Tokenizer, data: Path | None = None
) -> PackedRows | PairRows:
    """The training half of the text, packed, or as pairs where the model wants pairs.

    ValueError where it is less than one step.
    """
    pages = pages_of(config, data, "train")
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
    """Token ids of each sentence of each page, each (tokens,), but for those that have none."""
    encoded = iter(
        tokenizer.encode_batch([s for page in pages for s in page.sentences], specials=False)
    )
    ids = [[next(encoded).ids for _ in page.sentences] for page in pages]
    return [[sentence for sentence in page if len(sentence)] for page in ids]


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
        "n_positions": config.data.length,
        "pad_token_id": tokenizer.pad_id,
        "bos_token_id": tokenizer.cls_id,
        "cls_token_id": tokenizer.cls_id,
        "eos_token_id": tokenizer.sep_id,
        "sep_token_id": tokenizer.sep_id,
    }
    given = {field: value for field, value in given.items() if field in known}
    model = model_class(model_class.config_class(**given | sizes))
    places = places_of(model.config)
    field = "n_positions" if isinstance(model.config, GptConfig) else "max_position_embeddings"
    if places < config.data.length:
        raise ValueError(
            f"model.sizes.{field} is {places}, and data.length is {config.data.length}: rows must "
            "fit into the model"
        )
    if places > config.data.length and isinstance(model.config, BertConfig | GptConfig):
        raise ValueError(
            f"model.sizes.{field} is {places}, and data.length is {config.data.length}: the "
            f"positions of {name} are learned, and those beyond data.length would stay as they "
            "were drawn; leave the field out"
        )
    return model


def places_of(config: Any) -> int:
    """How many positions a model of this config has."""
    places = config.n_positions if isinstance(config, GptConfig) else config.max_position_embeddings
    return int(places)


@torch.no_grad()
def start_from_frequencies(model: Any, rows: PackedRows | PairRows, tokenizer: Tokenizer) -> None:
    """Set the output bias to the log of each token's frequency: what a model learns first.

    Where a token never occurs it gets the frequency of one occurrence. GPT-2's head has no bias,
    and stays as it is.
    """
    if isinstance(model.config, GptConfig):
        return
    counts = torch.bincount(rows.input_ids.flatten(), minlength=tokenizer.vocab_size).float()
    never = {tokenizer.pad_id, tokenizer.cls_id, tokenizer.mask_id}  # an answer
    if not isinstance(model, CausalModel):
        never |= set(tokenizer.special_ids)  # no blank either; but texts end, and words are unknown
    counts[list(never)] = 0.0
    counts = counts.clamp(min=1.0)  # (vocab,)
    model.mlm_head.bias.copy_((counts / counts.sum()).log())
