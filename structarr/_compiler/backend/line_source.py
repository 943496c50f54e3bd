"""Lines of kernels as Python source, which both tiers run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.ir.conditions import All
from structarr._compiler.ir.expr import Buffer, Cast, Expr, Helper, Lit, Load, Sum, Var
from structarr._compiler.ir.kernel import (
    Break,
    Check,
    Comment,
    Do,
    For,
    If,
    Invoke,
    Line,
    Set,
    Store,
    While,
)

PYTHONS: Final = {"float32": "float", "complex64": "complex"}
"""What is wider than a dtype, and Python's own."""


class Printer:
    """
    Lines of kernels as Python, for one of the two tiers.

    Parameters
    ----------
    plain : bool
        Whether for the interpreted tier, as of `Expressions`. There it is not asked whether there
        is room: arrays refuse what is beyond their bounds.
    sums : mapping, optional
        Variables in which machine code adds up in any order, with what they are where terms are
        added from left to right, which loses more: Python's floats where those are wider. A store
        rounds, as a cast does.
    """

    def __init__(self, plain: bool, sums: Mapping[str, str] = MappingProxyType({})) -> None:
        self._plain, self._sums = plain, sums
        self._values = Expressions(plain)
        self._text = self._values.text

    def source(
        self, name: str, params: tuple[str, ...], block: tuple[Line, ...], result: str
    ) -> str:
        """The text of a function."""
        body = [f"    {line}" for line in (*self.block(block), f"return {result}")]
        return "\n".join((f"def {name}({', '.join(params)}):", *body, ""))

    def block(self, block: tuple[Line, ...]) -> list[str]:
        """The texts of a block's lines."""
        return [shown for line in block for shown in self._line(line)]

    def _line(self, line: Line) -> list[str]:
        """A line and what is nested in it; nothing of what a tier does without."""
        match line:
            case Set(var, value):
                return [self._update(var, value)]
            case If(((_, (Do(Helper(_, "overflow")),)), *_)) if self._plain:
                return []
            case Store(buffer, index, value):
                return [f"{self._text(Load(buffer, index))} = {self._stored(buffer, value)}"]
            case Do(call):
                return [self._text(call)]
            case Invoke(name, arguments, results):
                names = ", ".join(var.name for var in results)
                return [(f"{names} = " if names else "") + f"{name}({', '.join(arguments)})"]
            case Break():
                return ["break"]
            case Check(cond):
                return [f"assert {self._text(cond)}"]
            case Comment(remark):
                return [f"# {remark}"]
            case For(var, lo, hi, body, step):
                return [f"for {var.name} in {self._range(lo, hi, step)}:", *self._nested(body)]
            case While(body):
                return ["while True:", *self._nested(body)]
            case If(arms):
                return [shown for k, arm in enumerate(arms) for shown in self._arm(k, *arm)]
        raise TypeError(f"{line!r} cannot stand in a kernel")

    def _range(self, lo: Expr, hi: Expr, step: int) -> str:
        whole = step == 1 and isinstance(lo, Lit) and lo.value == 0
        bounds = self._text(hi) if whole else f"{self._text(lo)}, {self._text(hi)}"
        return f"range({bounds}, {step})" if step > 1 else f"range({bounds})"

    def _arm(self, place: int, cond: Expr, body: tuple[Line, ...]) -> list[str]:
        otherwise = place and isinstance(cond, All) and not cond.args
        head = "else" if otherwise else f"{'elif' if place else 'if'} {self._text(cond)}"
        return [f"{head}:", *self._nested(body)]

    def _nested(self, block: tuple[Line, ...]) -> list[str]:
        return [f"    {line}" for line in self.block(block)] or ["    pass"]

    def _update(self, var: Var, value: Expr) -> str:
        """`x += 1` where that is what it is."""
        if isinstance(value, Sum) and var in value.atoms:
            k = value.atoms.index(var)
            if value.factors[k] == 1 and len(value.atoms) == 1:
                sign = "+=" if value.const > 0 else "-="
                return f"{var.name} {sign} {abs(value.const)}"
        if self._plain and (summed := self._summed(var, value)):
            return f"{var.name} = {summed}"
        place = isinstance(value, Lit) and value.dtype == "int64" and value.value >= 0
        return f"{var.name} = {self._text(value) if place else self._values.argument(value)}"

    def _stored(self, buffer: Buffer, value: Expr) -> str:
        shown = self._text(value)
        if self._plain and buffer.dtype in PYTHONS and isinstance(value, Cast):
            name = value.arg.name if isinstance(value.arg, Var) else ""
            return name if shown == f"{buffer.dtype}({name})" else shown
        return shown

    def _summed(self, var: Var, value: Expr) -> str:
        """The new value of a sum, as text; empty for a variable that is no sum."""
        wide = self._sums.get(var.name, "")
        match value:
            case Helper(_, "radd", (total, term)):
                added = f"{wide}({self._text(term)})" if wide else self._values.atomic(term)
                return f"{self._values.atomic(total)} + {added}"
            case Helper(_, "blocks_from", (_, stop, _)):
                return self._text(stop)
        if not wide:
            return ""
        shown = self._text(value)
        return f"{wide}({shown})" if isinstance(value, Load) else wide + shown[shown.index("(") :]


COMPILED: Final = Printer(False)

source = COMPILED.source


def show(block: tuple[Line, ...]) -> str:
    """The text of some lines, for people and goldens."""
    return "\n".join(COMPILED.block(block))
