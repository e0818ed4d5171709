"""Who may look at whom: one function builds each pattern and keeps padding and other texts out."""

from typing import Literal, get_args

import torch
from torch import Tensor

from companion.models.transformer import kind_of

Kind = Literal["full", "causal", "prefix"]


def attention_pattern(
    kind: Kind,
    length: int,
    *,
    prefix: int | None = None,
    real: Tensor | None = None,
    documents: Tensor | None = None,
) -> Tensor:
    """An attention mask, True = may attend: row i says at which positions i may look.

    Args:
        kind: "full": at all (BERT). "causal": at itself and those before it (GPT). "prefix": the
            first `prefix` positions look at each other, the others as in "causal" (UniLM, Dong et
            al. 2019, arXiv 1905.03197). A prefix of 0 or 1 is causal, one of `length` is full.
        length: positions in a row.
        prefix: 0 to `length`, for "prefix" alone.
        real: bool or integer 0/1, (batch, length): nobody looks at padding, on whichever side.
        documents: integer, (batch, length): which text a token belongs to; each sees its own.

    Returns:
        Bool, (length, length), or (batch, length, length) with `real` or `documents`.

    Raises:
        ValueError: an unknown kind, a prefix that is missing, out of range or not asked for, a
            float mask, or a shape that does not fit.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind is {kind!r}; choose one of {', '.join(get_args(Kind))}")
    if (prefix is not None) != (kind == "prefix"):
        raise ValueError(f'prefix is {prefix}, and kind is {kind!r}: give it with "prefix" alone')
    if prefix is not None and not 0 <= prefix <= length:
        raise ValueError(f"prefix is {prefix}; it must lie in 0 to length = {length}")
    for name, given in (("real", real), ("documents", documents)):
        if given is None:
            continue
        if given.dtype.is_floating_point:
            raise ValueError(f"{name} is {kind_of(given)}; pass bool, or integers")
        if given.ndim != 2 or given.shape[1] != length:
            shape = tuple(given.shape)
            raise ValueError(f"{name} has shape {shape}, but needs (batch, {length})")
    given = real if real is not None else documents
    place = torch.arange(length, device=None if given is None else given.device)
    pattern = torch.ones(length, length, dtype=torch.bool, device=place.device)
    if kind != "full":
        pattern = place <= place[:, None]  # (length, length): the key is not later than the query
    if prefix is not None:
        pattern = pattern | (place < prefix)  # whoever stands after the prefix sees it already
    if real is not None:
        pattern = pattern & (real != 0)[:, None, :]  # (batch, length, length)
    if documents is not None:
        pattern = pattern & (documents[:, :, None] == documents[:, None, :])
    return pattern
