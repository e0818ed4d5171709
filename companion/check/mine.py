"""my_work/mine.py: the functions that passed, with what they need, for later chapters."""

import inspect
import re
import symtable
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.check.library import place_in_course
from companion.check.source import source_of
from companion.files import replace_file

FILE = "mine.py"
HEAD = '"""My own functions, saved when their checks passed. The checks write this file."""\n'
BLOCK = re.compile(r"^# --- exercise (\S+) ---\n(.*?)(?=^# --- exercise |\Z)", re.M | re.S)


def save_functions(folder: Path, exercise_id: str, functions: Mapping[str, Any]) -> str:
    """Put the functions of an exercise into mine.py; returns what stood in the way, or ''."""
    if not functions:
        return ""
    try:
        text = standalone(functions)
        exec(compile(text, FILE, "exec"), {"__name__": "mine"})  # what cannot stand alone is no use
    except Exception as error:
        return f"it was not saved in {FILE}: {type(error).__name__}: {error}"
    file = folder / FILE
    try:
        before = file.read_text(encoding="utf-8") if file.exists() else HEAD
        head = before[: before.index("# --- exercise ")] if "# --- exercise " in before else before
        blocks = {name: block.strip() for name, block in BLOCK.findall(before)}
        blocks[exercise_id] = text.strip()
        parts = [
            f"# --- exercise {n} ---\n{blocks[n]}" for n in sorted(blocks, key=place_in_course)
        ]
        new = "\n\n\n".join([head.strip(), *parts]) + "\n"
        replace_file(file, new.encode())
    except (OSError, ValueError) as error:
        return f"{FILE} could not be written: {error}"
    return ""


def standalone(functions: Mapping[str, Any]) -> str:
    """Source of the functions, and of the imports, constants and helpers that they use.

    ValueError where Python does not know the text of one.
    """
    imports: set[str] = set()
    constants: dict[str, str] = {}
    sources: dict[str, str] = {}

    def add(name: str, function: Any) -> None:
        source = source_of(function)
        if source is None:
            raise ValueError(f"Python does not know the text of {name}")
        sources[name] = ""  # holds its place: helpers may call each other
        space = inspect.unwrap(function).__globals__
        for used in sorted(_names(source) & space.keys()):
            value = space[used]
            if isinstance(value, types.ModuleType):
                imports.add(_import_line(value.__name__, used))
            elif getattr(value, "__module__", None) == "__main__" and callable(value):
                if used not in sources:
                    add(used, value)
            elif getattr(value, "__module__", None) and hasattr(value, "__qualname__"):
                imports.add(f"from {value.__module__} import {_renamed(value.__name__, used)}")
            elif isinstance(value, int | float | str | bool | tuple | list | dict):
                constants[used] = f"{used} = {value!r}"
        sources[name] = source

    for name, function in functions.items():
        add(name, function)
    helpers = [sources[name] for name in sources if name not in functions]
    parts = ["\n".join(sorted(imports)), "\n".join(constants.values()), *helpers]
    return "\n\n".join(part for part in [*parts, *(sources[name] for name in functions)] if part)


def _names(source: str) -> set[str]:
    """The names that a text looks up outside of itself; a parameter is no such name."""
    found: set[str] = set()
    tables = [symtable.symtable(source, FILE, "exec")]
    while tables:
        table = tables.pop()
        at_top = table.get_type() == "module"
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (at_top or symbol.is_global())
        }
        tables += table.get_children()
    return found


def _import_line(module: str, name: str) -> str:
    package, _, last = module.rpartition(".")
    if module == name:
        return f"import {module}"
    if package and last == name:
        return f"from {package} import {name}"
    return f"import {module} as {name}"


def _renamed(name: str, used: str) -> str:
    return name if name == used else f"{name} as {used}"
