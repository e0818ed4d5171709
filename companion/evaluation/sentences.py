"""A score for a whole sentence, from a model that fills blanks and from one that goes on."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.data import Tokenizer
from companion.evaluation.mode import examined


def pseudo_log_likelihood(model: nn.Module, tokenizer: Tokenizer, text: str) -> float:
    """The sum of log p(token | all others) in nats: each token is hidden once, alone.

    One batch with a row for each token. The sum ranks texts; it is no log-probability of the text,
    for over all texts it does not add up to 1.

    Source: Salazar et al. 2020, arXiv 1910.14659, section 2.
    """
    ids = tokenizer.encode(text).ids  # (length,)
    # An unknown word is asked for too: else a text of such words alone would be the likeliest.
    frame = torch.tensor([tokenizer.cls_id, tokenizer.sep_id, tokenizer.pad_id, tokenizer.mask_id])
    places = (~torch.isin(ids, frame)).nonzero()[:, 0]  # (n_tokens,)
    number = torch.arange(len(places))
    rows = ids.repeat(len(places), 1)  # (n_tokens, length)
    rows[number, places] = tokenizer.mask_id
    selected = torch.zeros_like(rows, dtype=torch.bool)
    selected[number, places] = True
    return _sum_of_log_p(model, rows, selected, ids[places], "mlm_logits")


def log_likelihood(model: nn.Module, tokenizer: Tokenizer, text: str) -> float:
    """log p(text) in nats by a causal model: the sum of log p(token | those before it).

    One pass. [CLS] begins the row and [SEP] ends it; the end is asked for too, so that over all
    texts the probabilities add up to 1.
    """
    ids = tokenizer.encode(text).ids[None]  # (1, length)
    selected = torch.ones_like(ids, dtype=torch.bool)
    selected[:, -1] = False  # nothing follows the last token
    return _sum_of_log_p(model, ids, selected, ids[0, 1:], "logits")


def _sum_of_log_p(
    model: nn.Module, rows: Tensor, selected: Tensor, answers: Tensor, name: str
) -> float:
    """The sum of log p at the selected places, whose true tokens are `answers`, (n_selected,)."""
    if not len(answers):
        return 0.0
    device = next(model.parameters()).device
    with examined(model):
        output = model(rows.to(device), selected=selected.to(device))
    logits = getattr(output, name).cpu().float()  # (n_selected, vocab)
    return -F.cross_entropy(logits, answers, reduction="sum").item()
