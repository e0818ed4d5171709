"""What a learner's error means: the own line that raised it, and its usual reason."""

import linecache
import re
import sys
from collections.abc import Mapping
from types import CodeType, ModuleType
from typing import Any

from companion.check.exercise import shortened
from companion.check.source import place_of, source_of

RUN_ABOVE = "Run ▸ Run All Above Selected Cell"


def in_words(error: BaseException) -> str:
    """The error on one line."""
    if isinstance(error, SystemExit):
        return "it asked Python to exit; a function ends with return"
    if isinstance(error, NotImplementedError) and not str(error):  # PyTorch's own ones say more
        return "NotImplementedError: the line that the exercise came with is still there"
    text = shortened(str(error), 200)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def own_place(error: BaseException, functions: Mapping[str, Any]) -> tuple[str, str]:
    """The last line of the learner's own code that ran, and what it says."""
    files = {f.__code__.co_filename for f in functions.values() if hasattr(f, "__code__")}
    best = None
    walker = error.__traceback__
    while walker is not None:
        code = walker.tb_frame.f_code
        if code.co_filename in files or place_of(code).startswith("In["):
            best = code, walker.tb_lineno
        walker = walker.tb_next
    if best is None:
        return "the call itself", ""
    code, number = best
    return f"{place_of(code)}, line {number}", _line_of(code, number)


def _line_of(code: CodeType, number: int) -> str:
    line = linecache.getline(code.co_filename, number).strip()
    if not line and (source := source_of(code)) is not None:
        lines = source.splitlines()
        index = number - code.co_firstlineno
        line = lines[index].strip() if 0 <= index < len(lines) else ""
    return shortened(line, 80)


def advice(error: BaseException, functions: Mapping[str, Any]) -> str:
    """One sentence for errors whose usual reason is known; '' for the others."""
    spaces = [f.__globals__ for f in functions.values() if hasattr(f, "__globals__")]
    for space in spaces:
        if not isinstance(space.get("torch", sys), ModuleType):
            return f"torch is no module here any more: rename your variable, and {RUN_ABOVE}"
    text = str(error)
    if isinstance(error, NameError) and (missing := re.search(r"name '(\w+)'", text)):
        return f"{missing[1]} is not defined here: a typing error, or a cell that was not run"
    if isinstance(error, UnboundLocalError):
        return (
            "a variable has no value yet: is its line inside an if or a loop? Or does it belong to "
            "the function around this one? Then write nonlocal, or append to a list"
        )
    if isinstance(error, TypeError) and "positional argument" in text:
        called = re.match(r"(?:[\w<>]+\.)*([\w<>]+)\(\)", text)
        own = {getattr(function, "__name__", "") for function in functions.values()}
        if called is not None and called[1] not in own:
            return f"look up what {called[1]} wants between its brackets"
        return "compare the names between the brackets with the signature in the task"
    for kind, pattern, usual in USUAL:
        if isinstance(error, kind) and re.search(pattern, text):
            return usual
    return ""


# What is usually behind an error of a kind whose text has this pattern; the first that fits.
USUAL: tuple[tuple[type[BaseException], str, str], ...] = (
    (
        Exception,
        "NoneType",
        "something is None: an input that may be, or a function without return",
    ),
    (
        Exception,
        r"bitwise_|unsupported operand type\(s\) for &",
        "& binds more tightly than <: put each comparison in brackets, a & (b < c)",
    ),
    (
        Exception,
        "builtin_function_or_method",
        "brackets are missing after the name of a method: x.clone(), not x.clone",
    ),
    (
        TypeError,
        "'torch.Size' object is not callable",
        "a shape is no function: x.shape[0], with square brackets",
    ),
    (
        TypeError,
        "object is not callable",
        "a name that you call, such as len or list, stands for a value here: rename that one",
    ),
    (
        Exception,
        "Boolean value of Tensor",
        "`if`, `and`, `in` want one True or False, and a tensor has many: use &, |, torch.isin",
    ),
    (
        AttributeError,
        "Tensor.*copy",
        "that is NumPy's name for it; tensors have another one",
    ),
    (
        Exception,
        "Input dtype must be|must be either a floating point",
        "turn True and False, or whole numbers, into floats first",
    ),
    (RecursionError, "", "the function calls itself without an end"),
    (
        Exception,
        "random_ expects 'from'",
        "a draw from nothing: what does your code do where there is nothing to draw from?",
    ),
    (
        Exception,
        "shape mismatch: value",
        "the two sides of = have different shapes: print both before that line",
    ),
    (
        Exception,
        "shape mismatch",
        "two indices of different shapes meet: print both shapes before that line",
    ),
    (
        RuntimeError,
        "size of tensor",
        "two tensors of different shapes meet: print both shapes before that line",
    ),
    (
        RuntimeError,
        "dtype",
        "two types of numbers meet: print both .dtype before that line",
    ),
    (
        IndexError,
        "tensors used as indices",
        "an index is made of floats, as torch.tensor([]) is: give dtype=torch.long",
    ),
    (IndexError, "", "an index lies outside: print the shape before that line"),
    (Exception, "out of bounds", "an index lies outside: print the shape before that line"),
)
