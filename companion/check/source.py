"""The code behind a learner's names: where it was run, and whether it is still the shipped stub."""

import ast
import inspect
import json
import pkgutil
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import torch

STUBS = Path(__file__).with_name("stubs.json")  # written by authoring/build.py
# What the first cells of exercise notebooks import, beside the companion.
IMPORTS: dict[str, Any] = {"F": torch.nn.functional, "re": re, "torch": torch}


@cache
def stubs() -> dict[str, str]:
    """Exercise id -> the cell as it is handed out."""
    found: dict[str, str] = json.loads(STUBS.read_text(encoding="utf-8"))
    return found


def is_stub(exercise_id: str, name: str, function: Any) -> bool:
    """Whether `function` is as it was handed out: comments and spaces do not count."""
    given = _definition(stubs().get(exercise_id, ""), name)
    source = source_of(function)
    return given is not None and source is not None and given == _definition(source, name)


def source_of(function: Any) -> str | None:
    """The text of a function, None where Python does not know it."""
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return None


def _definition(source: str, name: str) -> str | None:
    """Syntax tree of a function's definition without its docstring, as text."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return None
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
            return ast.dump(node)
    return None


def place_of(code: CodeType) -> str:
    """Where code was typed: In[13] in a notebook, the file's name elsewhere."""
    shell = _shell()
    if shell is not None:
        found = shell.compile.format_code_name(code.co_filename)
        if found is not None:
            return str(found[1]).replace(" ", "")  # "In[13]"
    name = Path(code.co_filename).name
    return name if name.endswith(".py") else "your code"


def _shell() -> Any:
    """The notebook's IPython, None outside of one."""
    if "IPython" not in sys.modules:
        return None
    from IPython.core.getipython import get_ipython

    return get_ipython()


def judged(functions: Mapping[str, Any]) -> str:
    """Which run of which cell was judged: "as run in In[13]"; '' where that says nothing."""
    places = {
        place_of(function.__code__)
        for function in functions.values()
        if hasattr(function, "__code__")
    }
    cells = sorted(place for place in places if place.startswith("In"))
    return f"as run in {' and '.join(cells)}" if cells else ""


def code_of(dotted: str) -> CodeType:
    """The code of "companion.room.file.function", or of a method of a class there."""
    function: Callable[..., Any] = pkgutil.resolve_name(dotted)
    return function.__code__
