"""How good is a causal model? Its next tokens beside those of counting, on the same pages."""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from companion.data import Document, Tokenizer
from companion.evaluation.blanks import COMMONEST
from companion.evaluation.counting import FOUR_LEFT, CountingMachine
from companion.evaluation.intervals import Share, per_cent, share
from companion.evaluation.mode import examined
from companion.evaluation.reading import read_on
from companion.models import CausalModel

PROMPTS, PROMPT_TOKENS, WRITTEN = 5, 8, 30


class CausalReport(NamedTuple):
    """What a causal model's card says."""

    rows: tuple[tuple[str, int, Share, Share, Share], ...]  # exam, how many, model, counting, ahead
    surprise: Share  # nats a token
    texts: tuple[tuple[str, str], ...]  # how a page begins, and how the model goes on


def causal_report(
    model: CausalModel,
    tokenizer: Tokenizer,
    train: Sequence[Document],
    held_out: Sequence[Document],
    *,
    length: int,
) -> CausalReport:
    """Ask `model` for every next token of `held_out`; counting counts `train`, four to the left.

    `length` is the longest row that the model reads. Both see the same tokens to the left, but for
    the beginning of a part, where the model sees [CLS] alone.
    """
    read = read_on(model, [page.text for page in held_out], tokenizer, length=length)
    counter = CountingMachine(FOUR_LEFT, vocab_size=tokenizer.vocab_size)
    counter.fit(
        [one.ids for one in tokenizer.encode_batch([p.text for p in train], specials=False)]
    )
    rows = [
        one.ids
        for one in tokenizer.encode_batch([page.text for page in held_out], specials=False)
        if len(one.ids)
    ]
    answers = torch.cat(rows)
    everything = [torch.ones_like(row, dtype=torch.bool) for row in rows]
    counted = counter.predict(rows, everything).tokens == answers
    is_rare = answers >= len(tokenizer.special_ids) + COMMONEST
    exams = {"all tokens": torch.ones_like(is_rare), "tokens outside the 100 commonest": is_rare}
    found = tuple(
        (
            name,
            int(chosen.sum()),
            share(read.is_right[chosen], read.text[chosen]),
            share(counted[chosen], read.text[chosen]),
            share((read.is_right.int() - counted.int())[chosen], read.text[chosen]),
        )
        for name, chosen in exams.items()
    )
    generator = torch.Generator().manual_seed(0)
    texts = []
    for page in held_out[:PROMPTS]:
        start = tokenizer.encode(page.text).ids[None, : min(PROMPT_TOKENS, model.max_length // 2)]
        with examined(model):
            text = model.generate(
                start,
                max_new_tokens=min(WRITTEN, model.max_length - start.shape[1]),
                temperature=0.7,
                top_p=0.9,
                end_id=tokenizer.sep_id,
                generator=generator,
            )
        texts.append((tokenizer.decode(start[0]), tokenizer.decode(text[0, start.shape[1] :])))
    return CausalReport(found, share(read.surprise, read.text), tuple(texts))


def causal_table(name: str, found: CausalReport) -> str:
    """The figures as a Markdown table, with what the model writes below it."""
    lines = [
        f"| next tokens of held-out pages | how many | {name} | counting, four to the left | "
        "ahead by |",
        "|---|---|---|---|---|",
    ]
    for exam, tokens, *shares in found.rows:
        lines.append(f"| {exam} | {tokens:,} | {' | '.join(per_cent(one) for one in shares)} |")
    low, high = found.surprise.low, found.surprise.high
    lines += ["", f"Mean surprise at a token: {found.surprise.value:.3f} nats "]
    lines[-1] += f"({low:.3f} to {high:.3f})."
    lines += ["", "How the first five held-out pages begin, and how it goes on (drawn, top-p 0.9,"]
    lines += ["temperature 0.7):", "", "| beginning | what it wrote |", "|---|---|"]
    for start, text in found.texts:
        cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in (start, text)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
