"""Calls: which operator or index modifier a function's name means, and how many it takes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from structarr._compiler.ir.ops import OPS
from structarr._language.read.source import Source
from structarr._language.read.syntax import Apply, Modified, Syntax
from structarr._language.read.vocabulary import CASTS, PROTOCOLS, REFUSED, operator


def called(node: ast.Call, source: Source) -> tuple[str, str]:
    """Return the last part of the name of a called function, and all of it."""
    parts = []
    function = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        instead = "only a function that has a name can be called, as in `f(x)`"
        if parts:
            instead += "; instead of a method, write the loop, as in `s += A[i, j]`"
        raise source.error(instead, node)
    written = ".".join((function.id, *reversed(parts)))
    return written.rpartition(".")[2], written


def arguments(node: ast.Call, source: Source) -> list[ast.expr]:
    """Return what a function is called with: positional arguments alone."""
    for keyword in node.keywords:
        raise source.error("keyword arguments are not supported: an operator takes values", keyword)
    return node.args


def modifier(name: str, args: Sequence[Syntax], node: ast.Call, source: Source) -> Syntax | None:
    """Return the index that a protocol, `permit`, `offset` or `window` makes; None for others."""
    takes = 1 if name in PROTOCOLS else {"offset": 2, "window": 3}.get(name)
    if takes is None:
        return None
    _expect(takes, name, len(args), node, source)
    at = source.place(node)
    if name == "offset":
        return Apply("subtract", (args[1], args[0]), at=at)
    if name == "window":
        return Apply("window", tuple(args), at=at)
    return Modified(name, args[0], at=at)


def application(written: str, args: Sequence[Syntax], node: ast.Call, source: Source) -> Syntax:
    """Return a function applied to values; operators from outside are looked up later."""
    if written in REFUSED:
        raise source.error(f"`{written}` is not supported: {REFUSED[written]}", node)
    name = written.rpartition(".")[2]
    op, at = operator(name), source.place(node)
    if name in ("min", "max") and len(args) > 2:
        # Nested to the right, so that `y = min(y, a, b)` is an update of `y` by `min(a, b)`.
        return Apply(op, (args[0], application(written, args[1:], node, source)), at=at)
    check_arity(name, len(args), node, source)
    return Apply(op, tuple(args), at=at)


def check_arity(name: str, given: int, node: ast.AST, source: Source) -> None:
    """Refuse to apply an operator of our own to too many or too few values."""
    op = operator(name)
    arity = 1 if op in CASTS else OPS[op].arity if op in OPS else given
    _expect(arity, name, given, node, source)


def _expect(takes: int, name: str, given: int, node: ast.AST, source: Source) -> None:
    if given != takes:
        values = "1 value" if takes == 1 else f"{takes} values"
        raise source.error(f"`{name}` takes {values}, not {given}", node)
