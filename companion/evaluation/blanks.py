"""One exam for counting and for networks: the same held-out pages, the same blanks."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.data import Tokenizer, pad_rows
from companion.evaluation.mode import examined
from companion.masking import mask_examples

COMMONEST = 100  # how many of the most frequent tokens are left out of the second exam


class Blanks(NamedTuple):
    """BERT's own corruption of some texts, and what stood there.

    `corrupted` and `selected` hold one row a text and draw, without special tokens: int64 and bool,
    each (length,). The others hold one value a blank, in the same order: (n_blanks,).
    """

    corrupted: tuple[Tensor, ...]
    selected: tuple[Tensor, ...]
    answers: Tensor  # int64
    is_masked: Tensor  # bool: [MASK] stands there
    is_kept: Tensor  # bool: the answer itself still stands there; neither: a random token
    is_rare_word: Tensor  # bool: one whole word, letters only, outside the 100 commonest tokens
    text: Tensor  # int64, which text it stands in, counted from 0; the same in every draw


class Filled(NamedTuple):
    """What a model says at the blanks. Both: (n_blanks,)."""

    tokens: Tensor  # int64, the likeliest one
    surprise: Tensor  # float32, nats: -log p(answer)


def make_blanks(
    texts: Sequence[str], tokenizer: Tokenizer, *, draws: Sequence[int] = (0, 1, 2)
) -> Blanks:
    """Select 15 % of each text and corrupt it, once for each number in `draws`.

    Token ids must be ranks of frequency, as those of the shipped tokenizer are.

    Raises:
        ValueError: nothing to ask, as no text holds a known token.
    """
    encoded = tokenizer.encode_batch(texts, specials=False)
    numbers = [number for number, one in enumerate(encoded) if len(one.ids)]
    sheets = [
        mask_examples(
            encoded[number].ids[None], [number], seed=draw, epoch=None, **tokenizer.mask_args
        )
        for draw in draws
        for number in numbers
    ]
    if not any(sheet.selected.any() for sheet in sheets):
        raise ValueError(f"{len(texts)} texts give no blank: none holds a known token.")
    selected = tuple(sheet.selected[0] for sheet in sheets)
    answers = torch.cat([sheet.labels[sheet.selected] for sheet in sheets])
    shown = torch.cat([sheet.corrupted[sheet.selected] for sheet in sheets])
    words = [encoded[number].word_ids for number in numbers]
    alone = [word.bincount()[word] == 1 for word in words] * len(draws)
    is_whole = torch.cat([one[chosen] for one, chosen in zip(alone, selected, strict=True)])
    letters = torch.tensor([t.isalpha() for t in tokenizer.tokens(range(tokenizer.vocab_size))])
    is_rare = is_whole & letters[answers] & (answers >= len(tokenizer.special_ids) + COMMONEST)
    counts = torch.tensor([int(chosen.sum()) for chosen in selected])
    text = torch.tensor(numbers * len(draws)).repeat_interleave(counts)
    corrupted = tuple(sheet.corrupted[0] for sheet in sheets)
    return Blanks(
        corrupted,
        selected,
        answers,
        is_masked=shown == tokenizer.mask_id,
        is_kept=shown == answers,
        is_rare_word=is_rare,
        text=text,
    )


def fill_blanks(
    model: nn.Module, blanks: Blanks, tokenizer: Tokenizer, *, length: int, batch: int = 32
) -> Filled:
    """Ask a masked language model; its dropout is off meanwhile.

    Each text is read as [CLS] text [SEP]; one of more than `length` tokens in parts of equal size.
    """
    rows, chosen, order = [], [], []
    cls, sep = torch.tensor([tokenizer.cls_id]), torch.tensor([tokenizer.sep_id])
    first = 0
    for text, selected in zip(blanks.corrupted, blanks.selected, strict=True):
        parts = -(-len(text) // (length - 2))
        for ids, where in zip(text.chunk(parts), selected.chunk(parts), strict=True):
            rows.append(torch.cat([cls, ids, sep]))
            chosen.append(F.pad(where, (1, 1)))  # [CLS] and [SEP] are no blanks
            order.append(torch.arange(first, first + int(where.sum())))
            first += int(where.sum())
    tokens = torch.zeros_like(blanks.answers)
    surprise = torch.zeros(len(blanks.answers))
    # Rows of like length together: little padding.
    device = next(model.parameters()).device
    by_length = sorted(range(len(rows)), key=lambda row: len(rows[row]))
    for start in range(0, len(rows), batch):
        picked = by_length[start : start + batch]
        input_ids = pad_rows([rows[row] for row in picked], tokenizer.pad_id)  # (batch, length)
        selected = pad_rows([chosen[row] for row in picked], 0).bool()
        # Told by the lengths: a text may speak of [PAD].
        lengths = torch.tensor([len(rows[row]) for row in picked])
        real = torch.arange(input_ids.shape[1]) < lengths[:, None]  # (batch, length)
        with examined(model):
            logits = model(
                input_ids.to(device), attention_mask=real.to(device), selected=selected.to(device)
            ).mlm_logits.cpu()  # (n_selected, vocab)
        places = torch.cat([order[row] for row in picked])
        tokens[places] = logits.argmax(-1)
        surprise[places] = F.cross_entropy(logits.float(), blanks.answers[places], reduction="none")
    return Filled(tokens, surprise)
