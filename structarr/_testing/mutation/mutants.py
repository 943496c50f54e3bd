"""The mutants of a file: its syntax tree with one node changed.

Nothing of the package is imported here, as it would not be a mutant any more: trees are read by
Python's own function, in processes of one thread.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]  # found without the package, which is to be a mutant
ROOMS: Final = (
    *("_compiler/looplets", "_compiler/lowering", "_compiler/rules", "_compiler/kernel_passes"),
    *("_scheduler", "formats"),
)
"""Looplets, lowering, rules with the prover, passes, the planner, and levels."""

_OTHER: Final[dict[type[ast.AST], Any]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}
_NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """
    A file with one node changed.

    Attributes
    ----------
    path : str
        The file, below the package.
    number : int
        Its place among the mutants of the file.
    line : int
        Where the node is.
    what : str
        The node as it was, and as it is.
    """

    path: str
    number: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what}"


def mutants(path: Path) -> list[Mutant]:
    """All mutants of a file."""
    return mutants_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())


def mutants_of(text: str, name: str) -> list[Mutant]:
    """All mutants of the text of a file, which has a name below the package."""
    tree = ast.parse(text)
    denials = [*_denials(tree)]
    return [
        Mutant(name, number, node.lineno, f"{_shown(node)} -> {_shown(other)}")
        for number, (node, other) in enumerate(_changes(tree))
        if node not in denials
    ]


def mirrored(mutant: Mutant) -> Path:
    """Its file, as the folders of tests have it."""
    return Path(mutant.path.replace("/_", "/").removeprefix("_"))


def every_mutant() -> list[Mutant]:
    """The mutants of all files of the rooms, in a fixed order."""
    files = [path for room in ROOMS for path in sorted((ROOT / room).glob("*.py"))]
    return [one for path in files for one in mutants(path)]


def mutated(text: str, number: int) -> ast.Module:
    """The tree of a text with one node changed."""
    tree = ast.parse(text)
    node, other = [*_changes(tree)][number]
    found = _Swap(node, other).visit(tree)
    assert isinstance(found, ast.Module)
    return ast.fix_missing_locations(found)


def changed(tree: ast.Module) -> list[ast.AST]:
    """The nodes of a tree that its mutants change, in the order of their numbers."""
    return [node for node, _ in _changes(tree)]


def _denials(tree: ast.Module) -> Iterator[ast.Return]:
    """
    Each ``return False`` of a function that gives a bool.

    None in its place is the same program for who asks for a truth. It keeps its number, so that
    maps that were made before tell of the same mutants.
    """
    for function in ast.walk(tree):
        match function:
            case ast.FunctionDef(returns=ast.Name("bool")):
                for one in ast.walk(function):
                    if isinstance(one, ast.Return) and ast.unparse(one) == "return False":
                        yield one


class _Swap(ast.NodeTransformer):
    def __init__(self, node: ast.AST, other: ast.AST) -> None:
        self._node, self._other = node, other

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._node:
            return ast.copy_location(self._other, node)
        return self.generic_visit(node)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Nodes in functions, each with another one in its place."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for line in function.body:
                yield from _within(line)


def _within(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """The changes of a statement, but for those of functions within, which come by themselves."""
    if isinstance(node, ast.FunctionDef | ast.Assert | ast.Raise | ast.JoinedStr):
        return  # checks of our own, and messages
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return  # of `zip`: such a check, too
    if isinstance(node, ast.AnnAssign):
        yield from () if node.value is None else _within(node.value)  # nothing reads the annotation
        return
    if isinstance(node, ast.expr | ast.stmt):
        for other in _others(node):
            yield node, other
    for child in ast.iter_child_nodes(node):
        yield from _within(child)


def _others(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, [sign], rights) if type(sign) in _OTHER:
            yield ast.Compare(left, [_OTHER[type(sign)]()], rights)
        case ast.BoolOp(sign, parts):
            yield ast.BoolOp(_OTHER[type(sign)](), parts)
        case ast.BinOp(left, sign, right) if type(sign) in _OTHER:
            yield ast.BinOp(left, _OTHER[type(sign)](), right)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield copy.deepcopy(operand)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
        case ast.Call(ast.Name(name), args, keywords) if name in _NAMES:
            yield ast.Call(ast.Name(_NAMES[name], ast.Load()), args, keywords)
        case ast.If(_, body, orelse):
            yield from [ast.If(ast.Constant(told), body, orelse) for told in (True, False)]
        case ast.IfExp(_, yes, no):
            yield from (yes, no)
        case ast.Return(ast.Constant(None)):
            return
        case ast.Return(ast.expr()):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()):
            yield ast.Pass()


def _shown(node: ast.AST) -> str:
    """The first line of a node's text, cut to some length."""
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 70 else f"{text[:67]}..."
