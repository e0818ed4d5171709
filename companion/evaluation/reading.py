"""One exam for causal models: every next token of held-out pages."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.data import Tokenizer, pad_rows
from companion.evaluation.mode import examined


class Read(NamedTuple):
    """What a causal model says of each token that it is asked for. All: (n_tokens,)."""

    surprise: Tensor  # float32, nats: -log p(token | those before it)
    is_right: Tensor  # bool: it is the likeliest one
    text: Tensor  # int64, which text it stands in, counted from 0


def read_on(
    model: nn.Module,
    texts: Sequence[str],
    tokenizer: Tokenizer,
    *,
    length: int,
    batch: int = 32,
) -> Read:
    """Ask a causal model for each token of each text; its dropout is off meanwhile.

    Each text is read as [CLS] text [SEP]; one of more than `length` tokens in parts of equal size.
    Every token is asked for, given [CLS] and those before it in its part; [SEP] is not asked for.

    Raises:
        ValueError: no text holds a token.
    """
    rows, numbers = [], []
    cls, sep = torch.tensor([tokenizer.cls_id]), torch.tensor([tokenizer.sep_id])
    for number, one in enumerate(tokenizer.encode_batch(texts, specials=False)):
        for ids in one.ids.chunk(-(-len(one.ids) // (length - 2))) if len(one.ids) else ():
            rows.append(torch.cat([cls, ids, sep]))
            numbers.append(number)
    if not rows:
        raise ValueError(f"{len(texts)} texts give nothing to read: none holds a token.")
    surprise: list[Tensor] = [torch.empty(0)] * len(rows)
    is_right: list[Tensor] = [torch.empty(0)] * len(rows)
    device = next(model.parameters()).device
    # Rows of like length together: little padding.
    by_length = sorted(range(len(rows)), key=lambda row: len(rows[row]))
    for start in range(0, len(rows), batch):
        picked = by_length[start : start + batch]
        input_ids = pad_rows([rows[row] for row in picked], tokenizer.pad_id)  # (batch, length)
        # Told by the lengths: a text may speak of [PAD].
        lengths = torch.tensor([len(rows[row]) for row in picked])
        real = torch.arange(input_ids.shape[1]) < lengths[:, None]  # (batch, length)
        asks = real.clone()
        asks[:, :-2] &= real[:, 2:]  # not from the last token, which asks for [SEP], nor from it
        asks[:, -2:] = False
        answers = input_ids[:, 1:][asks[:, :-1]]
        with examined(model):
            logits = model(
                input_ids.to(device), attention_mask=real.to(device), selected=asks.to(device)
            ).logits.cpu()  # (n_selected, vocab)
        costs = F.cross_entropy(logits.float(), answers, reduction="none")  # (n_selected,)
        sizes = [len(rows[row]) - 2 for row in picked]
        right = logits.argmax(-1) == answers
        for row, cost, is_it in zip(
            picked, torch.split(costs, sizes), torch.split(right, sizes), strict=True
        ):
            surprise[row], is_right[row] = cost, is_it
    sizes = [len(row) - 2 for row in rows]
    text = torch.tensor(numbers).repeat_interleave(torch.tensor(sizes))
    return Read(torch.cat(surprise), torch.cat(is_right), text)
