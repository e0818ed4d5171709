"""Who may look at whom: one function builds each pattern and keeps padding and other texts out."""

from typing import Literal, get_args

import torch
from torch import Tensor

from companion.models.transformer import can_look_inside, kind_of

Kind = Literal["full", "causal", "prefix"]


def attention_pattern(
    kind: Kind,
    length: int,
    *,
    prefix: int | Tensor | None = None,
    real: Tensor | None = None,
    documents: Tensor | None = None,
    device: torch.device | str | None = None,
) -> Tensor:
    """An attention mask, True = may attend: row i says at which positions i may look.

    Args:
        kind: "full": at all (BERT). "causal": at itself and those before it (GPT). "prefix": the
            first `prefix` positions look at each other, the others as in "causal" (UniLM, Dong et
            al. 2019, arXiv 1905.03197). A prefix of 0 or 1 is causal, one of `length` is full.
        length: positions in a row.
        prefix: 0 to `length`, for "prefix" alone; or an integer tensor (batch,), one a row.
        real: bool or integer 0/1, (batch, length): nobody looks at padding, on whichever side.
        documents: integer, (batch, length): which text a token belongs to; each sees its own.
        device: where the pattern is made; None: where the tensors given are, else the CPU.

    Returns:
        Bool, (length, length), or (batch, length, length) where a tensor was given.

    Raises:
        ValueError: an unknown kind, a prefix that is missing, out of range or not asked for, a
            float mask, a shape that does not fit, tensors of different batches, and, on the CPU,
            integers other than 0 and 1 in `real`.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind is {kind!r}; choose one of {', '.join(get_args(Kind))}")
    if (prefix is not None) != (kind == "prefix"):
        raise ValueError(f'prefix is {prefix}, and kind is {kind!r}: give it with "prefix" alone')
    given = {"prefix": prefix, "real": real, "documents": documents}
    tensors = {name: tensor for name, tensor in given.items() if isinstance(tensor, Tensor)}
    for name, tensor in tensors.items():
        check_rows(name, tensor, 1 if name == "prefix" else 2, length)
    if len({len(tensor) for tensor in tensors.values()}) > 1:
        rows = {name: len(tensor) for name, tensor in tensors.items()}
        raise ValueError(f"batches differ: rows are {rows}")
    if isinstance(prefix, int) and not 0 <= prefix <= length:
        raise ValueError(f"prefix is {prefix}; it must lie in 0 to length = {length}")
    if device is None and tensors:
        device = next(iter(tensors.values())).device
    place = torch.arange(length, device=device)
    pattern = torch.ones(length, length, dtype=torch.bool, device=device)
    if kind != "full":
        pattern = place <= place[:, None]  # (length, length): the key is not later than the query
    if prefix is not None:
        ends = prefix[:, None, None] if isinstance(prefix, Tensor) else prefix
        # Whoever stands after the prefix sees it already.
        pattern = pattern | (place < ends)  # (batch, length, length) where each row has its own
    if real is not None:
        pattern = pattern & (real != 0)[:, None, :]  # (batch, length, length)
    if documents is not None:
        pattern = pattern & (documents[:, :, None] == documents[:, None, :])
    return pattern


def check_rows(name: str, tensor: Tensor, ndim: int, length: int) -> None:
    """ValueError where `tensor` does not say something of each row; see `attention_pattern`."""
    if tensor.dtype.is_floating_point:
        raise ValueError(f"{name} is {kind_of(tensor)}; pass bool, or integers")
    if tensor.ndim != ndim or (ndim == 2 and tensor.shape[1] != length):
        needs = "(batch,)" if ndim == 1 else f"(batch, {length})"
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}, but needs {needs}")
    limits = {"prefix": length, "real": 1}
    if name in limits and can_look_inside(tensor) and tensor.numel():
        low, high = (int(value) for value in tensor.aminmax())
        if low < 0 or high > limits[name]:
            outside = low if low < 0 else high
            raise ValueError(f"{name} holds {outside}; it must lie in 0 to {limits[name]}")
