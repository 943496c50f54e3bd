"""Kernels as Numba compiles them."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.backend.line_source import Printer
from structarr._compiler.backend.names import Names
from structarr._compiler.ir.expr import Expr, Lit
from structarr._compiler.ir.kernel import Function, Line


class NumbaExpressions(Expressions):
    """Expressions whose subscripts are marked as not negative: no index is counted from the end."""

    def subscript(self, index: Expr) -> str:
        """The text of a subscript; Numba sees the sign of a literal."""
        return self.text(index) if isinstance(index, Lit) else f"u({self.text(index)})"


class NumbaPrinter(Printer):
    """Lines as they are compiled."""


def source(functions: Sequence[Function]) -> str:
    """The text of a kernel's functions."""
    return NumbaPrinter(NumbaExpressions(Names(functions))).source(functions)


def show(block: tuple[Line, ...]) -> str:
    """The text of some lines, for people and goldens."""
    return "\n".join(NumbaPrinter(NumbaExpressions(Names())).block(block))
