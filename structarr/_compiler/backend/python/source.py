"""Kernels as the interpreted tier runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.backend.line_source import Printer
from structarr._compiler.backend.names import Names
from structarr._compiler.backend.spelling import spelled
from structarr._compiler.ir.dtypes import COMPLEX
from structarr._compiler.ir.expr import Buffer, Call, Cast, Expr, Helper, Lit, Load, Sum
from structarr._compiler.ir.kernel import Do, Function, If, Invoke, Line, Set, every_line
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op
from structarr._compiler.ir.variables import Var
from structarr._compiler.runtime import traits
from structarr._support.debug import debug

PYTHONS: Final = {"float32": "float", "complex64": "complex"}
"""What is wider than a dtype, and Python's own."""

TURNS: Final = "turns"
"""The name of the iterator that each turn of each loop advances, so that a call can be stopped."""

LARGE: Final = 1 << 31
"""What no place is a multiple of."""


class PythonExpressions(Expressions):
    """
    Expressions in which numbers that stand for values are NumPy's.

    Python's would divide by zero, grow beyond the integers and negate truth in ways of their own.
    They are what a condition chooses, what functions of values are given, floats in variables, and
    factors so large that no place is a multiple of them.
    """

    def subscript(self, index: Expr) -> str:
        """The text of a subscript, which is looked at under `STRUCTARR_DEBUG=check`."""
        shown = self.text(index)
        return f"u({shown})" if debug("check") and not isinstance(index, Lit) else shown

    def argument(self, node: Node) -> str:
        """A value that a function is given, or a variable."""
        if isinstance(node, Lit) and node.dtype in ("int64", "float64"):
            return f"{node.dtype}({self.text(node)})"
        return self.text(node)

    def number(self, node: Node) -> str:
        """The same as an operand."""
        return self.argument(node) if isinstance(node, Lit) else self.atom(node)

    def factor(self, node: Node) -> str:
        """An operand that may be multiplied: integers of NumPy's wrap around."""
        large = isinstance(node, Lit) and node.dtype == "int64" and abs(node.value) >= LARGE
        return self.number(node) if large else self.atom(node)

    def term(self, atom: Expr, factor: int) -> str:
        """A positive multiple of an atom."""
        if factor >= LARGE:
            return f"int64({factor}) * {self.atom(atom)}"
        return super().term(atom, factor)


class PythonPrinter(Printer):
    """
    Lines that leave out what Python does by itself: arrays refuse what is beyond their bounds.

    Parameters
    ----------
    names : Names
        The names of the kernel's variables and buffers.
    sums : mapping
        Variables in which machine code adds up in any order, with what they are where terms are
        added from left to right, which loses more: Python's floats where those are wider. A store
        rounds, as a cast does.
    """

    endless = f"for _ in {TURNS}"

    def __init__(self, names: Names, sums: Mapping[Var, str]) -> None:
        super().__init__(PythonExpressions(names))
        self._sums = sums

    def line(self, line: Line) -> list[str]:
        """A line and what is nested in it, but for checks of room."""
        match line:
            case If(((_, (Do(Helper(_, "overflow")),)), *_)):
                return []
        return super().line(line)

    def counted(self, var: Var, values: str) -> str:
        """The head of a loop in which a variable takes some values."""
        return f"for {self.names[var]}, _ in zip({values}, {TURNS})"

    def given(self, nodes: Sequence[Buffer | Var]) -> str:
        """The text between the parentheses of a function, or of a call of one."""
        return ", ".join([TURNS, *([super().given(nodes)] if nodes else [])])

    def update(self, var: Var, value: Expr) -> str:
        """An assignment; that of a sum is to the wider type."""
        match value:
            case Sum(
                (counter, Cast("int64", cond)) | (Cast("int64", cond), counter), (1, 1), 0
            ) | Call("int64", Op("add"), (counter, Cast("int64", cond))):
                if counter is var and cond.dtype == "bool":
                    return f"{self.names[var]} += {self.text(cond)}"  # truth counts as one
        summed = self._summed(var, value)
        return f"{self.names[var]} = {summed}" if summed else super().update(var, value)

    def stored(self, buffer: Buffer, value: Expr) -> str:
        """A value as it is stored, which rounds it."""
        match value:
            case Cast("float32" | "complex64" as dtype, Var(own) as var) if dtype == buffer.dtype:
                if dtype == "complex64" or own not in COMPLEX:
                    return self.names[var]
        return super().stored(buffer, value)

    def _summed(self, var: Var, value: Expr) -> str:
        """The new value of a sum, as text; empty for a variable that is no sum."""
        wide = self._sums.get(var, "")
        match value:
            case Helper(_, name, (total, term)) if traits(name).sums:
                added = f"{wide}({self.text(term)})" if wide else self.values.atom(term)
                return f"{self.values.atom(total)} + {added}"
            case Helper(_, "blocks_to", (start, _, _)):
                return self.text(start)
        return f"{wide}({self.text(value)})" if wide else ""


def source(functions: Sequence[Function]) -> str:
    """The text of a kernel's functions."""
    names = Names(functions, (TURNS, "_", "zip"))
    return PythonPrinter(names, _sums(functions)).source(functions)


def _sums(functions: Sequence[Function]) -> dict[Var, str]:
    """The variables that are sums in a dtype that Python's type of numbers is wider than."""
    found: dict[Var, list[Expr | None]] = {}
    for line in (line for one in functions for line in every_line(one.block)):
        match line:
            case Set(var, value):
                found.setdefault(var, []).append(value)
            case Invoke(_, _, (var,)):
                found.setdefault(var, []).append(None)
    sums: dict[Var, str] = {}
    for var, every in found.items():
        kinds = {_converted(value) for value in every if not _is_sum(value)}
        if len(kinds) == 1 and any(map(_is_sum, every)):
            sums[var] = PYTHONS.get(kinds.pop(), "")
    return sums


def _is_sum(value: Expr | None) -> bool:
    return isinstance(value, Helper) and traits(value.name).sums


def _converted(value: Expr | None) -> str:
    """The dtype of an element, of a constant or of a conversion; empty for anything else."""
    match value:
        case Load(buffer):
            return buffer.dtype
        case Lit(dtype) | Cast(dtype):
            return dtype
        case Call(dtype, op, args):
            converts = spelled(op, tuple([arg.dtype for arg in args]), dtype).converts
            return dtype if converts else ""
    return ""
