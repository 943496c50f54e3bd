"""Expressions of kernels as Python source, which both tiers run."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from structarr._compiler.ir.conditions import All, Eq, Le, Not
from structarr._compiler.ir.expr import (
    Buffer,
    Call,
    Cast,
    Expr,
    FloorDiv,
    Helper,
    Lit,
    Load,
    Max,
    Min,
    Product,
    Sum,
    Var,
    affine,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.literals import literal
from structarr._compiler.runtime import HELPERS, values
from structarr._support.caches import MOST

VALUES: Final = {name for name, helper in HELPERS.items() if helper.__module__ == values.__name__}
"""The functions of values: what they are given are no places."""

LARGE: Final = 1 << 31
"""What no place is a multiple of."""

# What whole numbers of fewer bits are made of floats by: LLVM leaves open what a float beyond the
# bounds becomes, so that it would depend on the loop around it; NumPy goes these ways.
_BY_WIDER = {name: "int32" for name in ("int8", "int16", "uint8", "uint16")} | {"uint32": "int64"}


class Expressions:
    """
    Expressions as Python, for one of the two tiers.

    Parameters
    ----------
    plain : bool
        Whether for the interpreted tier. Its subscripts bear no mark. Numbers that stand for values
        are NumPy's: Python's would divide by zero, grow beyond the integers and negate truth in
        ways of their own. They are what a condition chooses, what functions of values are given,
        floats in variables, and factors so large that no place is a multiple of them.
    """

    def __init__(self, plain: bool) -> None:
        self._plain = plain

    def text(self, node: Node) -> str:
        """The text of an expression."""
        match node:
            case Var(_, name) | Buffer(name, _, _):
                return name
            case Lit(dtype, value, _):
                return literal(dtype, value)
            case Load(buffer, index):
                return f"{buffer.name}[{self._subscript(index)}]"
            case Cast("bool", arg):
                return f"bool_({self.text(arg)})"
            case Cast(dtype, arg):
                return self._cast(dtype, arg)
            case Call(dtype, op, args):
                ins = tuple(arg.dtype for arg in args)
                template = op.source(ins, dtype)
                shown = self._number if _tells(template) else self._factor
                return template.format(*map(shown, args))
            case Helper(_, name, args):
                shown = self.argument if name in VALUES else self.text
                return f"{name}({', '.join(map(shown, args))})"
            case Sum():
                return self._sum(node)
            case Product(left, right):
                return f"{self._factor(left)} * {self._factor(right)}"
            case FloorDiv(arg, by):
                return f"{self.atomic(arg)} // {by}"
            case Min(args):
                return f"min({', '.join(map(self.text, args))})"
            case Max(args):
                return f"max({', '.join(map(self.text, args))})"
        return self._condition(node)

    def _cast(self, dtype: str, arg: Expr) -> str:
        """A conversion to another dtype than bool."""
        shown, real = self.text(arg), not dtype.startswith("complex")
        if arg.dtype.startswith("complex") and real:
            shown = f"{self.atomic(arg)}.real"
        if arg.dtype.startswith(("float", "complex")) and dtype in _BY_WIDER:
            shown = f"{_BY_WIDER[dtype]}({shown})"
        if arg.dtype.startswith(("float", "complex")) and dtype == "uint64":
            return f"unsigned({shown})"
        return f"{dtype}({shown})"

    def _condition(self, node: Node) -> str:
        match node:
            case Le(left, right):
                return self._comparison(left, right)
            case Eq(left, right):
                return f"{self.text(left)} == {self.text(right)}"
            case All(()):
                return "True"
            case All(args):
                return " and ".join(map(self.text, args))
            case Not(All(())):
                return "False"
            case Not(Le(left, right)):
                return self._comparison(right + 1, left)
            case Not(Eq(left, right)):
                return f"{self.text(left)} != {self.text(right)}"
            case Not(arg):
                return f"not ({self.text(arg)})"
        raise TypeError(f"{node!r} cannot stand in a kernel")

    def _comparison(self, left: Expr, right: Expr) -> str:
        """`left <= right` with constants moved to one side: `a + 1 <= b` reads `a < b`."""
        small, large = _constant(left), _constant(right)
        left, right, gap = left - small, right - large, large - small
        if isinstance(left, Lit) or isinstance(right, Lit):  # keep the constant where it stands
            left, right, gap = left + small, right + large, 0
            if isinstance(left, Lit) and left.value > 0:
                return f"{self.text(left - 1)} < {self.text(right)}"
        if gap == -1:
            return f"{self.text(left)} < {self.text(right)}"
        if gap < 0:
            return f"{self.text(left - gap - 1)} < {self.text(right)}"
        return f"{self.text(left)} <= {self.text(right + gap)}"

    def _subscript(self, index: Expr) -> str:
        bare = self._plain or isinstance(index, Lit)
        return self.text(index) if bare else f"u({self.text(index)})"

    def atomic(self, node: Node) -> str:
        shown = self.text(node)
        simple = isinstance(node, Var | Load | Cast | Helper | Min | Max)
        if isinstance(node, Lit):
            simple = not shown.startswith("-")
        if isinstance(node, Call):
            simple = shown.endswith(")") and shown.split("(")[0].replace(".", "").isidentifier()
            simple = simple and closes_at_end(shown)
        return shown if simple else f"({shown})"

    def argument(self, node: Node) -> str:
        """A value; in the interpreted tier, a number is NumPy's."""
        if self._plain and isinstance(node, Lit) and node.dtype in ("int64", "float64"):
            return f"{node.dtype}({self.text(node)})"
        return self.text(node)

    def _number(self, node: Node) -> str:
        """The same as an operand."""
        return self.argument(node) if self._plain and isinstance(node, Lit) else self.atomic(node)

    def _factor(self, node: Node) -> str:
        """An operand that may be multiplied: integers of NumPy's wrap around."""
        large = isinstance(node, Lit) and node.dtype == "int64" and abs(node.value) >= LARGE
        return self._number(node) if large else self.atomic(node)

    def _sum(self, node: Sum) -> str:
        parts: list[str] = []
        positive_first = sorted(
            zip(node.atoms, node.factors, strict=True), key=lambda term: term[1] < 0
        )
        for atom, factor in positive_first:
            shown = self.text(atom) if isinstance(atom, Product | FloorDiv) else self.atomic(atom)
            if self._plain and abs(factor) >= LARGE:
                shown, factor = f"int64({factor}) * {self.atomic(atom)}", 1
            elif abs(factor) != 1:
                shown = f"{abs(factor)} * {self.atomic(atom)}"
            if not parts:
                parts.append(shown if factor > 0 else f"-{shown}")
            else:
                parts.append(f"{'+' if factor > 0 else '-'} {shown}")
        if node.const:
            parts.append(f"{'+' if node.const > 0 else '-'} {abs(node.const)}")
        return " ".join(parts)


@lru_cache(MOST)
def _tells(template: str) -> bool:
    """Whether an operator's text tells NumPy's numbers from Python's that it is given."""
    called = {name.partition("(")[0] for name in re.findall(r"\w+\(", template)}
    return " if " in template or any(name in VALUES or name in OPS for name in called)


text = Expressions(False).text


def _constant(side: Expr) -> int:
    """The constant term of a side of a comparison; of a minimum or maximum, the least one."""
    parts = side.args if isinstance(side, Min | Max) else (side,)
    return min([affine(part)[1] for part in parts])


def closes_at_end(shown: str) -> bool:
    """Whether the first bracket of `f(...)...` is closed by the last character."""
    depth = 0
    for k, letter in enumerate(shown):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return k == len(shown) - 1
    return False
