"""Loops over integers whose variables may be C's counters: nobody sees what they are beyond."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

FIXED: Final = (ast.Name, ast.Constant, ast.BinOp, ast.operator, ast.expr_context)
"""What the bounds of loops are made of that may be looked at again at each turn."""


class Counters:
    """
    What a function does with the variables of its loops.

    Python evaluates the bounds of a loop once and leaves its variable at the last value that it
    took; C's counter is one further then, or wherever the lines of the loop have set it.
    """

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self._seen: set[str] = set()
        self._block(body, frozenset())

    def is_plain(self, name: str) -> bool:
        """Whether a variable is set by no line of its loops, and read after none of them."""
        return name not in self._seen

    def is_fixed(self, bound: ast.expr, loop: ast.For) -> bool:
        """Whether a bound is the same at each turn of a loop, without a look at memory."""
        changed = {*_names([loop], ast.Store)}
        parts = list(ast.walk(bound))
        named = {one.id for one in parts if isinstance(one, ast.Name)}
        return not (changed & named) and all(isinstance(one, FIXED) for one in parts)

    def _block(self, body: Sequence[ast.stmt], beyond: frozenset[str]) -> frozenset[str]:
        """Walk over lines, where counters are beyond their last values; return those after."""
        for line in body:
            beyond = self._line(line, beyond)
        return beyond

    def _line(self, line: ast.stmt, beyond: frozenset[str]) -> frozenset[str]:
        match line:
            case ast.For(ast.Name(name), bounds, body):
                self._read([bounds], beyond)
                self._seen |= {name} & {*_names(body, ast.Store)}
                return self._turns(body, beyond, frozenset((name,))) | {name}
            case ast.While(test, body):
                self._read([test], beyond)
                after = self._turns(body, beyond, frozenset())
                self._read([test], after)
                return after
            case ast.If(test, body, orelse):
                self._read([test], beyond)
                return self._block(body, beyond) | self._block(orelse, beyond)
        self._read([line], beyond)
        return beyond - {*_names([line], ast.Store)}

    def _turns(
        self, body: Sequence[ast.stmt], beyond: frozenset[str], fresh: frozenset[str]
    ) -> frozenset[str]:
        """The lines of a loop, which follow those before it and themselves."""
        once = self._block(body, beyond - fresh)
        return beyond | self._block(body, (beyond | once) - fresh)

    def _read(self, parts: Iterable[ast.AST], beyond: frozenset[str]) -> None:
        self._seen |= beyond & {*_names(parts, ast.Load)}


def _names(parts: Iterable[ast.AST], how: type[ast.expr_context]) -> Iterator[str]:
    """The names that are read or set; those of updates are both."""
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, how):
                yield node.id
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                yield node.target.id
