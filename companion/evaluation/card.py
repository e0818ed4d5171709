"""How good is a masked language model? Its figures beside those of counting, on one exam."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import Document, Tokenizer
from companion.evaluation.blanks import Blanks, fill_blanks, make_blanks
from companion.evaluation.causal_card import causal_report, causal_table
from companion.evaluation.counting import TWO_EACH_SIDE, CountingMachine
from companion.evaluation.filling import Filling, fill_mask
from companion.evaluation.film import FilmBlank, choose_blanks
from companion.evaluation.intervals import Share, per_cent, share
from companion.evaluation.pairs import pair_report, pair_table
from companion.models import CausalModel


class Row(NamedTuple):
    """One exam: model, counting, and how much the model is ahead of it."""

    exam: str
    blanks: int
    model: Share
    counting: Share
    ahead: Share


class Report(NamedTuple):
    """What a model's card says."""

    rows: tuple[Row, ...]
    surprise: float  # nats a blank
    examples: tuple[tuple[FilmBlank, list[Filling]], ...]


def figures(
    name: str,
    model: nn.Module,
    tokenizer: Tokenizer,
    train: Sequence[Document],
    held_out: Sequence[Document],
    *,
    length: int,
) -> str:
    """What `companion evaluate` prints and a card shows: Markdown.

    A model with a next-sentence head is examined on pairs of sentences too, and a causal one on
    next tokens alone. `length` is the longest row that the model reads.
    """
    if isinstance(model, CausalModel):
        found = causal_report(model, tokenizer, train, held_out, length=length)
        return causal_table(name, found)
    parts = [table(name, report(model, tokenizer, train, held_out, length=length))]
    if hasattr(model, "nsp_head"):
        rows = pair_report(model, tokenizer, train, held_out, length=length)
        parts.append(pair_table(name, rows))
    return "\n\n".join(parts)


def report(
    model: nn.Module,
    tokenizer: Tokenizer,
    train: Sequence[Document],
    held_out: Sequence[Document],
    *,
    length: int,
) -> Report:
    """Examine `model` on `held_out`; counting counts `train`.

    `length` is the longest row that the model reads. Three draws of BERT's own corruption; the
    same blanks for both.
    """
    blanks = make_blanks([page.text for page in held_out], tokenizer)
    filled = fill_blanks(model, blanks, tokenizer, length=length)
    counted = count(blanks, tokenizer, train)
    exams = {
        "all tokens": torch.ones_like(blanks.is_masked),
        "whole words outside the 100 commonest": blanks.is_rare_word,
        "all tokens, at [MASK] alone": blanks.is_masked,
        "those words, at [MASK] alone": blanks.is_rare_word & blanks.is_masked,
    }
    by_model, by_counting = filled.tokens == blanks.answers, counted == blanks.answers
    rows = [
        Row(
            name,
            int(chosen.sum()),
            share(by_model[chosen], blanks.text[chosen]),
            share(by_counting[chosen], blanks.text[chosen]),
            share((by_model.int() - by_counting.int())[chosen], blanks.text[chosen]),
        )
        for name, chosen in exams.items()
    ]
    scenes = choose_blanks(held_out, tokenizer, common=0, rare=60, length=length, seed=1)
    examples = tuple((scene, fill_mask(model, tokenizer, scene.text)[0]) for scene in scenes)
    return Report(tuple(rows), filled.surprise.mean().item(), examples)


def count(blanks: Blanks, tokenizer: Tokenizer, train: Sequence[Document]) -> Tensor:
    """What the counting machine fills in, up to two neighbours on each side: (n_blanks,)."""
    machine = CountingMachine(TWO_EACH_SIDE, vocab_size=tokenizer.vocab_size)
    texts = tokenizer.encode_batch([page.text for page in train], specials=False)
    machine.fit([text.ids for text in texts])
    return machine.predict(blanks.corrupted, blanks.selected).tokens


def table(name: str, found: Report) -> str:
    """The figures as a Markdown table, with the examples below it."""
    lines = [
        f"| blanks of held-out pages | how many | {name} | counting, two on each side | ahead by |",
        "|---|---|---|---|---|",
    ]
    for row in found.rows:
        cells = [per_cent(part) for part in (row.model, row.counting, row.ahead)]
        lines.append(f"| {row.exam} | {row.blanks:,} | {' | '.join(cells)} |")
    lines += ["", f"Mean surprise at a blank: {found.surprise:.3f} nats.", ""]
    lines += ["Of sixty sentences from pages of their own: the first ten that it fills well, and"]
    lines += ["the first five whose answer is not among its five likeliest.", ""]
    well = [pair for pair in found.examples if pair[1][0].token == pair[0].answer][:10]
    badly = [pair for pair in found.examples if pair[0].answer not in [f.token for f in pair[1]]][
        :5
    ]
    lines += ["| sentence | answer | likeliest |", "|---|---|---|"]
    for scene, fillings in well + badly:
        likely = ", ".join(f"{f.token} {f.probability:.0%}" for f in fillings[:3])
        cells = [cell.replace("|", "\\|") for cell in (scene.text, scene.answer, likely)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
