"""`# include: companion.masking.tokens.corrupt` becomes the source of that object.

The file is read and parsed, not imported, so what a lesson shows is what the file says.
"""

import ast
import re
import textwrap
from pathlib import Path

INCLUDE = re.compile(r"# include:\s*(\S*)")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def split_fences(markdown: str) -> list[tuple[str, bool]]:
    """Every line with True where it belongs to a fenced block; ValueError if one stays open."""
    lines, opened = [], ""
    for line in markdown.split("\n"):
        fence = FENCE.match(line)
        if opened:
            lines.append((line, True))
            if fence and fence[1].startswith(opened) and not fence[2].strip():
                opened = ""
        else:
            opened = fence[1] if fence else ""
            lines.append((line, bool(fence)))
    if opened:
        raise ValueError(f"a fenced block opened by {opened} is never closed: close it")
    return lines


def expand_includes(source: str, kind: str, root: Path) -> str:
    """The source of a cell with every include replaced; ValueError says which one cannot be."""
    if kind == "code":
        lines = [(line, True) for line in source.split("\n")]
    else:
        lines = split_fences(source)
    expanded = []
    for line, is_code in lines:
        include = INCLUDE.match(line.strip())
        if include is None:
            expanded.append(line)
        elif not is_code or line != line.strip():
            raise ValueError(
                f"{line!r}: an include stands at the left margin of a code cell or a fenced block"
            )
        else:
            expanded.append(object_source(include[1], root))
    return "\n".join(expanded)


def object_source(dotted: str, root: Path) -> str:
    """Source text of `companion.module.object`, decorators included, at the left margin."""
    path, names = _find_module(dotted, root)
    text = path.read_text(encoding="utf-8")
    body: list[ast.stmt] = ast.parse(text).body
    node: ast.stmt | None = None
    for name in names:
        node = next((item for item in body if name in _defined_names(item)), None)
        if node is None:
            raise ValueError(
                f"include {dotted}: {path.relative_to(root).as_posix()} does not define {name}; "
                "name the module that holds its def, class or assignment"
            )
        body = getattr(node, "body", [])
    if node is None:
        raise ValueError(f"include {dotted}: a whole module; name one object in it")
    first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
    return textwrap.dedent("\n".join(text.splitlines()[first - 1 : node.end_lineno]))


def _find_module(dotted: str, root: Path) -> tuple[Path, list[str]]:
    """The file of the longest prefix that is a module, and the names that are left."""
    parts = dotted.split(".")
    if parts[0] == "companion":
        for count in range(len(parts), 0, -1):
            module = root.joinpath(*parts[:count])
            for path in (module.with_suffix(".py"), module / "__init__.py"):
                if path.is_file():
                    return path, parts[count:]
    raise ValueError(f"include {dotted!r}: no such module; write companion.module.object")


def _defined_names(node: ast.stmt) -> list[str]:
    """Names that a statement defines: def, class or a plain assignment."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]
