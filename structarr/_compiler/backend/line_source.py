"""Lines of kernels as Python source, which both targets of text share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.ir.conditions import All
from structarr._compiler.ir.expr import Buffer, Expr, Lit, Load, Sum
from structarr._compiler.ir.kernel import (
    Break,
    Check,
    Do,
    For,
    Function,
    If,
    Invoke,
    Line,
    Make,
    Set,
    Store,
    While,
)
from structarr._compiler.ir.variables import Var


class Printer:
    """
    Printer of the lines of kernels, as Python.

    Targets differ in the printer of expressions, and in the methods `line`, `update` and `stored`
    and the heads of loops.

    Parameters
    ----------
    expressions : Expressions
        The printer of expressions.
    """

    endless: ClassVar[str] = "while True"
    """The head of a loop that a line in it ends."""

    def __init__(self, expressions: Expressions) -> None:
        self.values = expressions
        self.text = expressions.text
        self.names = expressions.names

    def source(self, functions: Sequence[Function]) -> str:
        """The text of a kernel's functions."""
        return "\n".join(map(self._function, functions))

    def _function(self, one: Function) -> str:
        head = f"def {one.name}({self.given(one.params)}):"
        body = [f"    {line}" for line in (*self.block(one.block), f"return {self._result(one)}")]
        return "\n".join((head, *body, ""))

    def block(self, block: tuple[Line, ...]) -> list[str]:
        """The texts of a block's lines."""
        return [shown for line in block for shown in self.line(line)]

    def line(self, line: Line) -> list[str]:
        """A line and what is nested in it; nothing of what a target does without."""
        match line:
            case Set(var, value):
                return [self.update(var, value)]
            case Make(buffer, value):
                return [f"{self.names[buffer]} = {self.text(value)}"]
            case Store(buffer, index, value):
                return [f"{self.text(Load(buffer, index))} = {self.stored(buffer, value)}"]
            case Do(call):
                return [self.text(call)]
            case Invoke(name, arguments, results):
                given = f"{self._listed(results)} = " if results else ""
                return [f"{given}{name}({self.given(arguments)})"]
            case Break():
                return ["break"]
            case Check(cond):
                return [f"assert {self.text(cond)}"]
            case For(var, lo, hi, body, step):
                return [f"{self.counted(var, self.range(lo, hi, step))}:", *self.nested(body)]
            case While(body):
                return [f"{self.endless}:", *self.nested(body)]
            case If(arms):
                return [shown for k, arm in enumerate(arms) for shown in self._arm(k, *arm)]
        raise TypeError(f"{line!r} cannot stand in a kernel")

    def range(self, lo: Expr, hi: Expr, step: int) -> str:
        """The text of a range of indices, without what is Python's default."""
        whole = step == 1 and isinstance(lo, Lit) and lo.value == 0
        bounds = self.text(hi) if whole else f"{self.text(lo)}, {self.text(hi)}"
        return f"range({bounds}, {step})" if step > 1 else f"range({bounds})"

    def counted(self, var: Var, values: str) -> str:
        """The head of a loop in which a variable takes some values."""
        return f"for {self.names[var]} in {values}"

    def _arm(self, place: int, cond: Expr, body: tuple[Line, ...]) -> list[str]:
        otherwise = place and isinstance(cond, All) and not cond.args
        head = "else" if otherwise else f"{'elif' if place else 'if'} {self.text(cond)}"
        return [f"{head}:", *self.nested(body)]

    def nested(self, block: tuple[Line, ...]) -> list[str]:
        """The lines of a block, indented."""
        return [f"    {line}" for line in self.block(block)] or ["    pass"]

    def _result(self, function: Function) -> str:
        if isinstance(function.result, Expr):
            return self.text(function.result)
        return f"({self._listed(function.result)},)" if function.result else ""

    def given(self, nodes: Sequence[Buffer | Var]) -> str:
        """The text between the parentheses of a function, or of a call of one."""
        return self._listed(nodes)

    def _listed(self, nodes: Sequence[Buffer | Var]) -> str:
        return ", ".join([self.names[one] for one in nodes])

    def update(self, var: Var, value: Expr) -> str:
        """`x += 1` where that is what it is."""
        if isinstance(value, Sum) and var in value.atoms:
            k = value.atoms.index(var)
            if value.factors[k] == 1 and len(value.atoms) == 1:
                sign = "+=" if value.const > 0 else "-="
                return f"{self.names[var]} {sign} {abs(value.const)}"
        place = isinstance(value, Lit) and value.dtype == "int64" and value.value >= 0
        shown = self.text(value) if place else self.values.argument(value)
        return f"{self.names[var]} = {shown}"

    def stored(self, buffer: Buffer, value: Expr) -> str:
        """A value as it is stored."""
        return self.text(value)
