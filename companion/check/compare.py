"""Looking at what a function returned: is it of the right kind, and how to say that it is not."""

from typing import Any, Literal

import torch
from torch import Tensor

from companion.check.exercise import Gap, first_line

Numbers = Literal["bool", "whole numbers", "floats"]


def not_a_tensor(value: Any, shape: tuple[int, ...], numbers: Numbers, tried: str) -> Gap | None:
    """A gap when `value` is no tensor of this shape and this kind of numbers."""
    wanted = f"a tensor of {numbers}, shape {shape}"
    if value is None:
        return Gap(tried, "None", ask="is there a return at the end of the function?")
    if not isinstance(value, Tensor):
        return Gap(tried, f"{kind_of(value)}, and not {wanted}")
    if tuple(value.shape) != shape:
        return Gap(tried, f"a tensor of shape {tuple(value.shape)}, and not of shape {shape}")
    if numbers_of(value) != numbers:
        return Gap(tried, f"a tensor of {value.dtype}, and not of {numbers}")
    return None


def kind_of(value: Any) -> str:
    """ "a list of 3", "a float"."""
    name = type(value).__name__
    if isinstance(value, list | tuple | dict | set):
        return f"a {name} of {len(value)}"
    return f"a {name} ({first_line(value, 30)})"


def numbers_of(tensor: Tensor) -> Numbers:
    """What kind of numbers a tensor holds."""
    if tensor.dtype == torch.bool:
        return "bool"
    return "floats" if tensor.is_floating_point() or tensor.is_complex() else "whole numbers"


def shares_memory(result: Tensor, given: tuple[Any, ...]) -> bool:
    """Whether a result is one of the inputs, or a view of one: who writes into it changes both."""
    storages = {x.untyped_storage().data_ptr() for x in given if isinstance(x, Tensor)}
    return result.untyped_storage().data_ptr() in storages


def first_place(is_wrong: Tensor) -> tuple[int, ...]:
    """Indices of the first True."""
    return tuple(int(index) for index in is_wrong.nonzero()[0])


def bounds(share: float, n: int, sigmas: float = 6.0) -> tuple[float, float]:
    """Where a share of n independent draws lies, but for one time in half a billion."""
    wide = sigmas * (share * (1 - share) / n) ** 0.5
    return share - wide, share + wide
