"""How good is a model at next sentences? Its figures beside those of shared words."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from companion.data import Document, Pair, Tokenizer, pad_batch, sentence_pairs
from companion.evaluation.intervals import Share, per_cent, share
from companion.evaluation.mode import examined
from companion.evaluation.overlap import common_words, word_overlap

BATCH = 100  # pairs at once


class PairRow(NamedTuple):
    """One exam: how many pairs, how many of them random, who judges how many rightly."""

    exam: str
    pairs: int
    random: float
    model: Share
    overlap: Share
    ahead: Share  # how much the model is ahead of the shared words


def pair_logits(
    model: nn.Module, tokenizer: Tokenizer, pairs: Sequence[Pair[str]], *, length: int
) -> Tensor:
    """What a model with a next-sentence head says of each pair: (pairs, 2), column 0 is "next".

    Texts that are too long together lose tokens at the end of the longer one, until the pair fits
    into `length` places. Nothing is masked, though the model was trained on masked rows.
    """
    found = []
    with examined(model):
        for start in range(0, len(pairs), BATCH):
            rows = [
                tokenizer.encode(pair.a, pair.b, max_length=length)
                for pair in pairs[start : start + BATCH]
            ]
            batch = pad_batch(rows, pad_id=tokenizer.pad_id)
            output = model(batch.input_ids, batch.segment_ids, attention_mask=batch.attention_mask)
            found.append(output.nsp_logits)
    return torch.cat(found)


def pair_report(
    model: nn.Module,
    tokenizer: Tokenizer,
    train: Sequence[Document],
    held_out: Sequence[Document],
    *,
    length: int,
) -> tuple[PairRow, ...]:
    """Examine `model` and shared words on pairs of sentences of `held_out`, next or random.

    Words are shared if they are not among the hundred commonest of `train`; one shared word is
    taken for "next". Pairs that do not fit into `length` places are left out: both judges are to
    read the same texts.
    """
    pairs = [
        pair
        for pair in sentence_pairs(
            [page.sentences for page in held_out], generator=torch.Generator().manual_seed(0)
        )
        if len(tokenizer.encode(pair.a, pair.b).ids) <= length
    ]
    stop = common_words(train, 100)
    is_random = torch.tensor([pair.label for pair in pairs]).bool()
    shares_none = torch.tensor([word_overlap(pair.a, pair.b, stop) == 0 for pair in pairs])
    by_model = pair_logits(model, tokenizer, pairs, length=length).argmax(-1).bool() == is_random
    by_overlap = shares_none == is_random
    pages = torch.tensor([pair.documents[0] for pair in pairs])
    exams = {
        "all pairs": torch.ones_like(is_random),
        "pairs that share a word": ~shares_none,
        "pairs that share none": shares_none,
    }
    return tuple(
        PairRow(
            name,
            int(chosen.sum()),
            is_random[chosen].double().mean().item(),
            share(by_model[chosen], pages[chosen]),
            share(by_overlap[chosen], pages[chosen]),
            share((by_model.int() - by_overlap.int())[chosen], pages[chosen]),
        )
        for name, chosen in exams.items()
    )


def pair_table(name: str, rows: Sequence[PairRow]) -> str:
    """The figures as a Markdown table."""
    lines = [
        f"| two sentences that fit into a row: next or random? | how many | random | {name} | "
        "one shared word is 'next' | ahead by |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [per_cent(part) for part in (row.model, row.overlap, row.ahead)]
        lines.append(
            f"| {row.exam} | {row.pairs:,} | {100 * row.random:.1f} % | {' | '.join(cells)} |"
        )
    return "\n".join(lines)
