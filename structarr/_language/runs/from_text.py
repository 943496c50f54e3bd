"""Programs over runs that are given as text: functions, of the statements that texts may have.

A text is code that somebody else may have written, so nothing of it runs as Python but what is
listed here: numbers, arrays that are made, their lengths, and functions of the text itself.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import FunctionType
from typing import Any, Final

from structarr._language.read.parse import TEXT, unread_text
from structarr._language.read.source import Source
from structarr._language.runs.lifted import FREE, definition
from structarr._language.runs.number_text import CONSTANTS, EXTREMES, FLOATS

STATEMENTS: Final = (
    *(ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Break, ast.Continue),
    *(ast.Pass, ast.Return, ast.FunctionDef),
)
VALUES: Final = (
    *(ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.Tuple, ast.Subscript, ast.Slice, ast.Attribute, ast.Call),
)
BESIDE: Final = (
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
    *(ast.arguments, ast.arg, ast.keyword),
)
DTYPES: Final = frozenset(
    f"{kind}{size}" for kind in ("int", "uint") for size in (8, 16, 32, 64)
) | {"float32", "float64", "bool", "bool_"}
MADE: Final = frozenset({"zeros", "ones", "full", "empty", "arange"})
NUMPYS: Final = MADE | DTYPES | {*FLOATS, *EXTREMES, *CONSTANTS}
"""What texts have of NumPy."""
OURS: Final = frozenset({"zeros", "full", "runs", "trailing_zeros"})
"""What texts have of this library."""
ASKED: Final = frozenset({"shape", "ndim", "size", "dtype", "copy"})
"""What texts ask of arrays."""

LOCALS: Final = "locals"
"""What loops are handed their values by, which texts do not have themselves."""


def function_of(text: str, name: str, around: Mapping[str, Any]) -> FunctionType:
    """
    Return the function that a text is, which a kernel is made of as of any other.

    Parameters
    ----------
    text : str
        Functions, of which the last is the program; or functions, and statements behind them.
    name : str
        What the text is called in errors.
    around : mapping
        The values of names that texts have, besides Python's own.

    Raises
    ------
    ProgramError
        Where the text has something else.

    Examples
    --------
    >>> found = function_of("return len(a) + 1", "loops", {})
    >>> found([1, 2, 3])
    4
    """
    source = Source(unread_text(name, text))
    _check(source)
    own = definition(source)
    every = [one for one in source.body if isinstance(one, ast.FunctionDef) and one is not own]
    tree = ast.Module([*every, own], [])
    known: dict[str, Any] = {"__builtins__": _builtins(), **around}
    exec(compile(tree, "<structarr>", "exec"), known)  # nothing but functions that were checked
    lines = source.program.text.split("\n")
    for one in every:
        first, length = source.place(one).line, (one.end_lineno or one.lineno) - one.lineno
        known[one.name].__dict__[TEXT] = "\n".join(lines[first - 1 : first + length]), first
    made: FunctionType = known[own.name]
    made.__dict__[TEXT] = source.program.text, 1
    return made


def _builtins() -> dict[str, Any]:
    everything = vars(__import__("builtins"))
    return {name: everything[name] for name in (*FREE, LOCALS) if name in everything}


def _check(source: Source) -> None:
    """Refuse what texts do not have."""
    statements = [one for one in source.body if not isinstance(one, ast.FunctionDef)]
    for one in source.body:
        if isinstance(one, ast.FunctionDef) and statements and one.lineno > statements[0].lineno:
            raise source.error("functions stand before the statements that call them", one)
        for node in ast.walk(one):
            _check_node(node, source, one)
    if statements and not isinstance(statements[-1], ast.Return):
        raise source.error(
            "a program over runs returns what it computed: end it by `return` and names",
            statements[-1],
        )


def _check_node(node: ast.AST, source: Source, outer: ast.stmt) -> None:
    match node:
        case ast.FunctionDef(decorator_list=[ast.expr() as first, *_]):
            raise source.error("decorators are not supported in a text", first)
        case ast.FunctionDef() if node is not outer:
            raise source.error("a function stands by itself, not within another", node)
        case ast.arguments(vararg=None, kwonlyargs=[], kwarg=None, defaults=[]):
            return
        case ast.arguments():
            raise source.error("write each parameter by its name, without a default", outer)
        case ast.Expr(ast.Constant(str()) | ast.Call()):
            return
        case ast.Assign() if source.named_update(node):
            raise source.error("updates by named operators are for loops over elements", node)
        case ast.Attribute(ast.Name("np"), name) if name in NUMPYS:
            return
        case ast.Attribute(ast.Name("sa"), name) if name in OURS:
            return
        case ast.Attribute(value, name):
            is_library = isinstance(value, ast.Name) and value.id in ("np", "sa")
            if is_library or name not in ASKED:
                raise source.error(f"texts have no .{name} here", node)
        case ast.Name(name) if name.startswith("__") or name == LOCALS:
            raise source.error(f"{name} is not known here", node)
        case ast.stmt() if not isinstance(node, STATEMENTS):
            raise source.error(
                "this is no statement of programs over runs: they have assignments, `for`, "
                "`while`, `if`, `break`, `continue`, functions and `return`",
                node,
            )
        case ast.expr() if not isinstance(node, VALUES):
            raise source.error("this is no expression of programs over runs", node)
        case _:
            assert isinstance(node, (ast.stmt, ast.expr, *BESIDE)), node
