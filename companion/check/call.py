"""Calling what a learner wrote: inputs copied, time limited, borrowing seen, errors caught."""

import copy
import inspect
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import torch

from companion.check.limit import TimeIsUpError, limited, thread_seconds

WATCHED = 10  # calls in which borrowing is looked for: watching slows each of them down


class StoppedError(Exception):
    """The learner's code took too long; the message says with which inputs."""

    holding = 0  # properties that had been found to hold by then


class BorrowedError(Exception):
    """The companion's own version ran inside the learner's call."""


class LearnerError(Exception):
    """The learner's code raised; `error` is what it raised, `tried` what it was given."""

    def __init__(self, error: BaseException, tried: str) -> None:
        super().__init__(str(error))
        self.error, self.tried = error, tried


class Budget:
    """Seconds that the learner's code has left in this check."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


class Call:
    """A learner's function. After each call `changed` names the inputs that it changed."""

    def __init__(self, function: Callable[..., Any], budget: Budget, twins: set[CodeType]) -> None:
        self.function, self.budget, self.twins = function, budget, twins
        self.calls = 0
        self.changed: list[str] = []
        self.given: tuple[Any, ...] = ()  # the very objects that it got last

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it on copies; StoppedError, BorrowedError or LearnerError where that goes wrong."""
        args, kwargs = _copies(args), _copies(kwargs)
        before = _copies(args), _copies(kwargs)
        self.given = args
        self.calls += 1
        seen: set[CodeType] = set()

        def profile(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and frame.f_code in self.twins:
                seen.add(frame.f_code)

        outside = sys.getprofile()

        def run() -> Any:
            if self.twins and self.calls <= WATCHED:
                sys.setprofile(profile)
            return self.function(*args, **kwargs)

        started = thread_seconds()
        try:
            result = limited(run, max(self.budget.left, 0.01))
        except TimeIsUpError:
            raise StoppedError(describe(args, kwargs)) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if seen:
                raise BorrowedError from error
            raise LearnerError(error, describe(args, kwargs)) from None
        finally:
            sys.setprofile(outside)
            self.budget.left -= thread_seconds() - started
        if seen:
            raise BorrowedError
        self.changed = [
            name
            for name, new, old in zip(self._names(len(args)), args, before[0], strict=True)
            if not _same(new, old)
        ]
        self.changed += [name for name in kwargs if not _same(kwargs[name], before[1][name])]
        return result

    def _names(self, count: int) -> list[str]:
        """What the learner calls the first `count` inputs."""
        try:
            names = list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):  # compiled code does not tell
            names = []
        return (names + [f"input {place + 1}" for place in range(len(names), count)])[:count]


def _copies(values: Any) -> Any:
    """Tensors, lists and dictionaries are copied; a generator stays: drawing moves it on."""
    if isinstance(values, torch.Tensor):
        if not values.is_leaf:
            return values  # a gradient has to flow back through it
        return values.detach().clone().requires_grad_(values.requires_grad)
    if isinstance(values, list | tuple):
        return type(values)(_copies(value) for value in values)
    if isinstance(values, dict):
        return {name: _copies(value) for name, value in values.items()}
    return values if callable(values) or isinstance(values, torch.Generator) else copy.copy(values)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return one.shape == other.shape and one.dtype == other.dtype and _equal_with_nan(one, other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if callable(one) or isinstance(one, torch.Generator):
        return True
    return bool(one == other)


def _equal_with_nan(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.is_floating_point():
        return bool(torch.allclose(one, other, rtol=0, atol=0, equal_nan=True))
    return bool(torch.equal(one, other))


def describe(args: Any, kwargs: Any) -> str:
    """Inputs in a few words: shapes of tensors, small values as they are."""
    words = [_one(value) for value in args]
    words += [f"{name} = {_one(value)}" for name, value in kwargs.items()]
    return ", ".join(words)


def _one(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        small = value.numel() <= 8
        return str(value.tolist()) if small else f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, torch.Generator):
        return "a generator"
    text = repr(value)
    if len(text) <= 40:
        return text
    return f"a {type(value).__name__}" + (f" of {len(value)}" if hasattr(value, "__len__") else "")
