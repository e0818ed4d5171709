"""Small changes to a right answer, each of which a check has to notice: AST mutants.

Every change is one node: an operator, a comparison, a number, a name, an argument, a whole line. A
mutant is known by the line of source that it changes and by what stands there afterwards.
"""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

COMPARES = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.RShift: ast.LShift, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
WORDS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "ones": "zeros", "zeros": "ones",
    "ones_like": "zeros_like", "zeros_like": "ones_like", "mean": "sum", "sum": "mean",
    "rand": "randn", "argmin": "argmax", "argmax": "argmin", "big": "little",
}  # fmt: skip


class Mutant(NamedTuple):
    """A changed answer: the line as it was, the line as it is, and the whole source."""

    line: str
    change: str
    source: str

    def __str__(self) -> str:
        return f"{self.line}  ->  {self.change}"


def mutants(source: str, keep: set[str]) -> list[Mutant]:
    """Every mutant of the functions in `source`; `keep` are top-level names that are no code."""
    tree = ast.parse(source)
    lines = source.splitlines()
    found: dict[tuple[str, str], Mutant] = {}
    for number, node in enumerate(ast.walk(tree)):
        inside = getattr(node, "lineno", None)
        if inside is None or _is_outside(tree, node, keep):
            continue
        for changed in _changes(node, tree):
            twin = copy.deepcopy(tree)
            target = list(ast.walk(twin))[number]
            _replace(twin, target, changed)
            text = ast.unparse(ast.fix_missing_locations(twin))
            line = lines[inside - 1].strip()
            change = ast.unparse(changed) if not isinstance(changed, ast.Pass) else "(deleted)"
            before = ast.unparse(node)
            if text != ast.unparse(tree):
                one = Mutant(line, f"{before} becomes {change}", text)
                found.setdefault((one.line, one.change), one)
    return list(found.values())


def _is_outside(tree: ast.Module, node: ast.AST, keep: set[str]) -> bool:
    """Whether a node belongs to a signature, a docstring or a kept top-level name."""
    for top in tree.body:
        if not isinstance(top, ast.FunctionDef):
            if node in ast.walk(top):
                return True
            continue
        if node is top or any(node in ast.walk(part) for part in (top.args, *top.decorator_list)):
            return True
        first = top.body[0]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if is_text and (node is first or node is first.value):
            return True
    return False


def _changes(node: ast.AST, tree: ast.Module) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.Compare):
        for other in COMPARES.get(type(node.ops[0]), ()):
            yield ast.Compare(node.left, [other()], node.comparators)
    elif isinstance(node, ast.BinOp):
        if type(node.op) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        yield node.left
        yield node.right
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _numbers(node)
    elif isinstance(node, ast.Attribute) and node.attr in WORDS:
        yield ast.Attribute(node.value, WORDS[node.attr], node.ctx)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in sorted(_variables(tree) - {node.id}):
            if node.id in _variables(tree):
                yield ast.Name(other, ast.Load())
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield ast.Tuple(node.elts[::-1], node.ctx)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield ast.Pass()


def _numbers(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, float):
        yield ast.Constant(round(value + 0.1, 6))
        yield ast.Constant(round(value - 0.02, 6))


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if len(node.args) >= 2:
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
    for index in range(len(node.keywords)):
        rest = node.keywords[:index] + node.keywords[index + 1 :]
        yield ast.Call(node.func, node.args, rest)
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value  # x.clone() becomes x


def _variables(tree: ast.Module) -> set[str]:
    """Parameters and local variables of the functions."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _replace(tree: ast.AST, target: ast.AST, new: ast.AST) -> None:
    """Put `new` where `target` stands in `tree`."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, field, new)
                return
            if isinstance(value, list):
                for index, item in enumerate(value):
                    if item is target:
                        value[index] = new
                        return
