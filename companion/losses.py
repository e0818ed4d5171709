"""What every objective is scored by: a mean over the scored positions, and over nothing else.

Each loss takes `total`, the number of scored positions that the mean is over. By default it counts
this batch. Give the number of the whole batch when the batch comes in parts (accumulation) or is
spread over processes: then the parts add up to the loss, and the gradient, of the whole.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

IGNORED = -100  # PyTorch's own `ignore_index`: a position without a label; the rooms share no code


def masked_mean(values: Tensor, scored: Tensor, total: int | Tensor | None = None) -> Tensor:
    """The mean of `values` where `scored` is True: one number, float32 or wider.

    values: float, any shape. scored: bool, same shape.
    total: an int or a tensor of one number; 0 counts as 1, for a batch without anything scored.
    Nothing scored gives 0 with a zero gradient, never NaN. A NaN at an unscored place stays out of
    the mean and of the gradient. ValueError: shapes differ, `scored` is not bool, `total` below 0.
    """
    if scored.shape != values.shape or scored.dtype != torch.bool:
        raise ValueError(
            f"scored has shape {tuple(scored.shape)} and type {scored.dtype}; it needs bool of the "
            f"shape of values, {tuple(values.shape)}."
        )
    picked = _at_least_float32(values[scored])  # (n_scored,): taken out, as NaN times 0 is NaN
    count = picked.numel() if total is None else total
    if torch.is_tensor(count):
        return picked.sum() / count.clamp(min=1)
    if count < 0:
        raise ValueError(f"total is {count}; it counts scored positions.")
    return picked.sum() / max(count, 1)


def mlm_loss(logits: Tensor, labels: Tensor, *, total: int | Tensor | None = None) -> Tensor:
    """Cross-entropy in nats at the labelled positions, averaged over them.

    logits: float, (..., vocab). labels: int64, (...), the original id, or -100 for "not scored".
    Both the whole batch and the model's selected rows fit: (batch, length, vocab) with
    (batch, length), or (n_selected, vocab) with labels[selected].
    ValueError: shapes that do not fit, labels that are no whole numbers or outside the vocabulary.
    Source: BERT, section 3.1 and appendix A.2 ("the mean masked LM likelihood"; arXiv 1810.04805).
    """
    if logits.shape[:-1] != labels.shape:
        raise ValueError(
            f"logits {tuple(logits.shape)} do not fit labels {tuple(labels.shape)}: without its "
            "last axis, logits needs the shape of labels. With logits at selected positions, give "
            "labels[selected]."
        )
    scored = labels != IGNORED
    targets = labels[scored]  # (n_scored,)
    _check_classes(targets, logits.shape[-1], extra=f", or {IGNORED} where nothing is scored")
    if len(targets) < labels.numel():  # picking copies all logits, and their gradient once more
        logits = logits[scored]  # (n_scored, vocab)
    rows = _at_least_float32(logits.reshape(len(targets), logits.shape[-1]))
    surprise = F.cross_entropy(rows, targets.long(), reduction="none")  # (n_scored,)
    return masked_mean(surprise, torch.ones_like(targets, dtype=torch.bool), total)


def next_token_scored(attention_mask: Tensor) -> Tensor:
    """Which tokens a causal model is asked for: bool, (batch, length), False in column 0.

    attention_mask: integer or bool, (batch, length), 1 = a real token; or (batch, length, length),
        1 = may attend, for packed rows, in which padding must see nothing. A token is asked for
        where it is real and the one before it is real and visible to it: never from padding, never
        across the seam of two texts. ValueError: a float mask.
    """
    if attention_mask.is_floating_point():
        raise ValueError(f"attention_mask is {attention_mask.dtype}; it needs bool, or integers.")
    mask = attention_mask != 0
    if mask.dim() == 3:
        follows = mask.diagonal(offset=-1, dim1=1, dim2=2)  # (batch, length - 1): t sees t - 1
    else:
        follows = mask[:, 1:] & mask[:, :-1]
    return F.pad(follows, (1, 0))  # (batch, length)


def causal_lm_loss(
    logits: Tensor,
    input_ids: Tensor,
    attention_mask: Tensor | None = None,
    *,
    total: int | Tensor | None = None,
) -> Tensor:
    """Cross-entropy in nats of each token given those before it, averaged over the scored tokens.

    logits: float, (batch, length, vocab), at a place those for the token after it: the one shift is
        made here, so give the ids as the model saw them. input_ids: int64, (batch, length).
    attention_mask: see `next_token_scored`; None: all tokens are real. Padding is told by the mask
        and not by its id: a text's last token may have the same one.
    ValueError: shapes that do not fit, ids outside the vocabulary at a scored place.
    Source: GPT, section 3.1, equation 1 (Radford et al. 2018).
    """
    if logits.shape[:-1] != input_ids.shape or input_ids.dim() != 2:
        raise ValueError(
            f"logits {tuple(logits.shape)} do not fit input_ids {tuple(input_ids.shape)}: they "
            "need (batch, length, vocab) and (batch, length), both as the model saw them."
        )
    if attention_mask is None:
        attention_mask = torch.ones_like(input_ids)
    if attention_mask.shape[:2] != input_ids.shape:
        raise ValueError(
            f"attention_mask {tuple(attention_mask.shape)} does not fit input_ids "
            f"{tuple(input_ids.shape)}."
        )
    labels = input_ids.masked_fill(~next_token_scored(attention_mask), IGNORED)
    return mlm_loss(logits[:, :-1], labels[:, 1:], total=total)  # place t answers for t + 1


def nsp_loss(logits: Tensor, labels: Tensor, *, total: int | Tensor | None = None) -> Tensor:
    """Cross-entropy in nats of "is B the next text?", averaged over the pairs.

    logits: float, (batch, 2). labels: int64, (batch,), 0 = B is the next text, 1 = B is random.
    Every pair is scored: an ignored class 0 would never be learned. ValueError: see `mlm_loss`.
    Source: BERT, section 3.1 (arXiv 1810.04805, 2018).
    """
    if logits.dim() != 2 or logits.shape[1] != 2 or labels.shape != logits.shape[:1]:
        raise ValueError(
            f"logits have shape {tuple(logits.shape)} and labels {tuple(labels.shape)}; they need "
            "(batch, 2) and (batch,)."
        )
    _check_classes(labels, 2, extra=" (0 = is next, 1 = random)")
    rows = _at_least_float32(logits)
    surprise = F.cross_entropy(rows, labels.long(), reduction="none")  # (batch,)
    return masked_mean(surprise, torch.ones_like(labels, dtype=torch.bool), total)


class NormalisedPatches(NamedTuple):
    """Patches without their brightness and contrast, and both."""

    values: Tensor  # (batch, patches, p·p·channels)
    mean: Tensor  # (batch, patches, 1)
    std: Tensor  # (batch, patches, 1), never 0


def normalise_patches(patches: Tensor, eps: float = 1e-6) -> NormalisedPatches:
    """Each patch minus its mean, divided by its standard deviation.

    patches: float, (..., p·p·channels), usually (batch, patches, p·p·channels). The variance is the
        unbiased one, and `eps` stands under the root with it, as in MAE's code. A patch whose
        values are all equal becomes exactly 0.
    ValueError: patches of one value, which have no contrast.
    Source: MAE, section 4.1, "Reconstruction target" (arXiv 2111.06377, 2021).
    """
    n = patches.shape[-1]
    if n < 2:
        raise ValueError(
            f"patches {tuple(patches.shape)} have {n} values each; at least 2 are needed to "
            "normalise them: choose a larger patch_size, or norm_pix=False."
        )
    start = patches[..., :1]
    shifted = patches - start  # else a mean that is rounded leaves 1e-4 of an even patch
    mean = shifted.mean(dim=-1, keepdim=True)
    centred = shifted - mean
    std = (centred.square().sum(dim=-1, keepdim=True) / (n - 1) + eps).sqrt()
    return NormalisedPatches(centred / std, start + mean, std)


def mae_loss(
    pred: Tensor,
    patches: Tensor,
    hidden: Tensor,
    *,
    norm_pix: bool = False,
    total: int | Tensor | None = None,
) -> Tensor:
    """Mean squared error of a patch's values, averaged over the hidden patches.

    pred, patches: float, (batch, patches, p·p·channels). hidden: bool, (batch, patches), True =
    hidden and scored. norm_pix: ask for `normalise_patches(patches)` instead.
    total: the number of hidden patches of the whole batch, see above.
    What is predicted at kept patches has no effect, and gets no gradient.
    ValueError: shapes that do not fit, `hidden` is not bool; see `normalise_patches`.
    Source: MAE, section 3, "Reconstruction target" (arXiv 2111.06377, 2021).
    """
    if pred.shape != patches.shape or pred.dim() != 3 or hidden.shape != pred.shape[:2]:
        raise ValueError(
            f"pred {tuple(pred.shape)}, patches {tuple(patches.shape)} and hidden "
            f"{tuple(hidden.shape)} do not fit: they need (batch, patches, values) twice, and "
            "(batch, patches)."
        )
    if hidden.dtype != torch.bool:
        raise ValueError(f"hidden is {hidden.dtype}; it needs bool, True = hidden and scored.")
    asked = _at_least_float32(patches[hidden])  # (n_hidden, values): a NaN at a kept one stays out
    target = normalise_patches(asked).values if norm_pix else asked
    errors = (_at_least_float32(pred[hidden]) - target).square().mean(dim=-1)  # (n_hidden,)
    return masked_mean(errors, torch.ones_like(errors, dtype=torch.bool), total)


def _at_least_float32(values: Tensor) -> Tensor:
    """Half precision becomes float32: a sum of many losses does not fit into it."""
    return values.float() if values.dtype in (torch.float16, torch.bfloat16) else values


def _check_classes(targets: Tensor, classes: int, extra: str) -> None:
    if targets.is_floating_point() or targets.is_complex():
        raise ValueError(f"labels are {targets.dtype}; they must be whole numbers (torch.long).")
    # On an accelerator the look-up would wait for the device at every step.
    if targets.device.type != "cpu" or targets.numel() == 0:
        return
    low, high = (int(bound) for bound in targets.aminmax())
    if low < 0 or high >= classes:
        wrong = low if low < 0 else high
        raise ValueError(f"labels hold {wrong}; a label is 0 to {classes - 1}{extra}.")
