"""What can be read off a model's vectors by a linear classifier: a probe, and its yardsticks.

The model stays as it is; only one matrix is fitted. Source: Alain and Bengio 2016, arXiv
1610.01644.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.data import Encoding, Tokenizer, pad_batch
from companion.evaluation.mode import examined


class Probe(NamedTuple):
    """A linear classifier over centred features."""

    mean: Tensor  # (features,)
    scale: Tensor  # one number for all features: rare ones are not blown up
    weight: Tensor  # (classes, features)
    bias: Tensor  # (classes,)

    def predict(self, features: Tensor) -> Tensor:
        """The likeliest class of each row of `features`, (n, features): int64, (n,)."""
        return F.linear((features - self.mean) / self.scale, self.weight, self.bias).argmax(-1)


def fit_probe(
    features: Tensor, labels: Tensor, *, classes: int, decay: float = 1e-3, rounds: int = 100
) -> Probe:
    """Logistic regression by L-BFGS: the same result in every run.

    Args:
        features: float, (n, features).
        labels: int64, (n,), 0 to `classes` - 1.
        decay: what the sum of the squared weights costs.
        rounds: of L-BFGS at most.
    """
    mean = features.mean(0)
    scale = (features - mean).square().sum(1).mean().sqrt()  # a typical distance from the mean
    x = (features - mean) / scale
    weight = torch.zeros(classes, features.shape[1], requires_grad=True)
    bias = torch.zeros(classes, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=rounds, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = F.cross_entropy(F.linear(x, weight, bias), labels) + decay * weight.square().sum()
        torch.autograd.backward(loss)
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return Probe(mean, scale, weight.detach(), bias.detach())


def best_decay(features: Tensor, labels: Tensor, *, classes: int, decays: Sequence[float]) -> float:
    """The one of `decays` that does best on every fifth example, fitted on the others."""
    held_out = torch.arange(len(labels)) % 5 == 0

    def right(decay: float) -> int:
        probe = fit_probe(features[~held_out], labels[~held_out], classes=classes, decay=decay)
        return int((probe.predict(features[held_out]) == labels[held_out]).sum())

    return max(decays, key=right)


def token_vectors(
    model: nn.Module, tokenizer: Tokenizer, encodings: Sequence[Encoding], *, batch: int = 64
) -> list[Tensor]:
    """The model's last vectors of each text, [CLS] and [SEP] left out: each (tokens, width)."""
    device = next(model.parameters()).device
    found = []
    for start in range(0, len(encodings), batch):
        rows = pad_batch(encodings[start : start + batch], pad_id=tokenizer.pad_id)
        few = torch.zeros_like(rows.attention_mask)
        few[:, 0] = True  # no scores are wanted, and the head is the slowest part
        with examined(model):
            states = model(
                rows.input_ids.to(device),
                attention_mask=rows.attention_mask.to(device),
                selected=few.to(device),
            ).last_hidden_state.cpu()  # (batch, length, width)
        sizes = rows.attention_mask.sum(1).tolist()
        found += [one[1 : size - 1] for one, size in zip(states, sizes, strict=True)]
    return found


def tf_idf(train: Sequence[Tensor], texts: Sequence[Tensor], *, vocab_size: int) -> Tensor:
    """How often each token occurs in a text, rare tokens weighing more: (texts, vocab), length 1.

    Args:
        train: ids of the texts that say how rare a token is, each (tokens,).
        texts: ids of the texts to describe.
    """

    def counts(rows: Sequence[Tensor]) -> Tensor:
        return torch.stack([row.bincount(minlength=vocab_size) for row in rows]).float()

    found_in = (counts(train) > 0).sum(0)  # (vocab,)
    rarity = ((1 + len(train)) / (1 + found_in)).log() + 1
    return F.normalize(counts(texts).log1p() * rarity, dim=1)
