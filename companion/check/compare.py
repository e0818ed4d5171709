"""Looking at what a function returned: is it of the right kind, and how to say that it is not."""

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.exercise import Gap, shortened
from companion.check.isolation import seed_everything

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
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, list | tuple | dict | set):
        return f"a {name} of {len(value)}"
    return f"a {name} ({shortened(repr(value), 30)})"


def one_number(value: Any) -> float | None:
    """A single number as a float, also one in a tensor or an array; None for anything else.

    True and False are no numbers here, nor is a complex one. A whole number too large for a float
    is inf.
    """
    if isinstance(value, Tensor | np.ndarray) and math.prod(value.shape) == 1:
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 300 digits
        return math.inf


def numbers_of(tensor: Tensor) -> Numbers:
    """What kind of numbers a tensor holds."""
    if tensor.dtype == torch.bool:
        return "bool"
    return "floats" if tensor.is_floating_point() or tensor.is_complex() else "whole numbers"


def gradients_of(found: Tensor, leaves: Sequence[Tensor], tried: str) -> list[Tensor] | Gap:
    """Gradients of the sum of `found`, zero where none arrives; a gap when autograd cannot go back.

    It fails on code that overwrites what it needs, which is a fault of the learner's and no crash.
    """
    if not found.requires_grad:
        return Gap(tried, "a result without a gradient")
    try:
        found_ones: Any = torch.autograd.grad(found.sum(), list(leaves), materialize_grads=True)
        return list(found_ones)
    except RuntimeError as error:
        return Gap(tried, f"backward fails: {str(error).splitlines()[0][:60]}")


def changed_gap(call: Call, tried: str) -> Gap | None:
    """A gap when the last call changed one of its inputs."""
    return Gap(tried, f"{call.changed[0]} was changed") if call.changed else None


def chance_gap(draw: Callable[[torch.Generator], Tensor], generator: torch.Generator) -> Gap | None:
    """A gap when what `draw` returns does not follow from its generator alone."""
    seed = int(torch.randint(10**6, (), generator=generator))
    results = []
    for number, world in ((seed, 1), (seed, 2), (seed + 1, 1)):
        seed_everything(world)
        source = torch.Generator().manual_seed(number)
        results.append([draw(source) for _ in range(2)])
    if not torch.equal(results[0][0], results[1][0]):
        return Gap("two generators with the same seed", "two different results")
    if torch.equal(results[0][0], results[2][0]):
        ask = "what does your code do to the generator before it draws?"
        return Gap("two generators with different seeds", "twice the same result", ask=ask)
    if torch.equal(*results[0]):
        ask = "what does your code do to the generator before it draws?"
        return Gap("one generator, two calls", "twice the same: set back, or not used", ask=ask)
    return None


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
