"""Kernel lines to Python source, which both tiers run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

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
from structarr._compiler.ir.kernel import (
    Break,
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
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.literals import literal
from structarr._compiler.runtime import HELPERS, values

VALUES: Final = {name for name, helper in HELPERS.items() if helper.__module__ == values.__name__}
"""The functions of values: what they are given are no places."""

LARGE: Final = 1 << 31
"""What no place is a multiple of."""

PYTHONS: Final = {"float32": "float", "complex64": "complex"}
"""What is wider than a dtype, and Python's own."""

# What whole numbers of fewer bits are made of floats by: LLVM leaves open what a float beyond the
# bounds becomes, so that it would depend on the loop around it; NumPy goes these ways.
_BY_WIDER = {name: "int32" for name in ("int8", "int16", "uint8", "uint16")} | {"uint32": "int64"}


class Printer:
    """
    Kernel lines as Python, for one of the two tiers.

    Parameters
    ----------
    plain : bool
        Whether for the interpreted tier. Its subscripts bear no mark, and it is not asked whether
        there is room: arrays refuse what is beyond their bounds. Numbers that stand for values are
        NumPy's: Python's would divide by zero, grow beyond the integers and negate truth in ways of
        their own. They are what a condition chooses, what functions of values are given, floats in
        variables, and factors so large that no place is a multiple of them.
    sums : mapping, optional
        Variables in which machine code adds up in any order, with what they are where terms are
        added from left to right, which loses more: Python's floats where those are wider. A store
        rounds, as a cast does.
    """

    def __init__(self, plain: bool, sums: Mapping[str, str] = MappingProxyType({})) -> None:
        self._plain, self._sums = plain, sums

    def source(
        self, name: str, params: tuple[str, ...], block: tuple[Line, ...], result: str
    ) -> str:
        """The text of a function."""
        lines = [f"def {name}({', '.join(params)}):"]
        self._block(block, 1, lines)
        lines.append(f"    return {result}")
        return "\n".join(lines) + "\n"

    def _block(self, block: tuple[Line, ...], depth: int, out: list[str]) -> None:
        pad = "    " * depth
        for line in block:
            match line:
                case Set(var, value):
                    out.append(f"{pad}{self._update(var, value)}")
                case If(((_, (Do(Helper(_, "overflow")),)), *_)) if self._plain:
                    continue
                case Store(buffer, index, value):
                    place = self.text(Load(buffer, index))
                    out.append(f"{pad}{place} = {self._stored(buffer, value)}")
                case Do(call):
                    out.append(f"{pad}{self.text(call)}")
                case Invoke(name, arguments, results):
                    calling = f"{name}({', '.join(arguments)})"
                    names = ", ".join(var.name for var in results)
                    out.append(f"{pad}{names} = {calling}" if names else f"{pad}{calling}")
                case Break():
                    out.append(f"{pad}break")
                case Comment(remark):
                    out.append(f"{pad}# {remark}")
                case For(var, lo, hi, body, step):
                    whole = step == 1 and isinstance(lo, Lit) and lo.value == 0
                    bounds = self.text(hi) if whole else f"{self.text(lo)}, {self.text(hi)}"
                    bounds += f", {step}" if step > 1 else ""
                    out.append(f"{pad}for {var.name} in range({bounds}):")
                    self._inner(body, depth + 1, out)
                case While(body):
                    out.append(f"{pad}while True:")
                    self._inner(body, depth + 1, out)
                case If(arms):
                    self._branches(arms, depth, out)

    def _branches(self, arms: Any, depth: int, out: list[str]) -> None:
        pad, word = "    " * depth, "if"
        for k, (cond, body) in enumerate(arms):
            if isinstance(cond, All) and not cond.args and k:
                out.append(f"{pad}else:")
            else:
                out.append(f"{pad}{word} {self.text(cond)}:")
            self._inner(body, depth + 1, out)
            word = "elif"

    def _inner(self, block: tuple[Line, ...], depth: int, out: list[str]) -> None:
        before = len(out)
        self._block(block, depth, out)
        if len(out) == before:
            out.append("    " * depth + "pass")

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
        return f"{var.name} = {self.text(value) if place else self._argument(value)}"

    def _stored(self, buffer: Buffer, value: Expr) -> str:
        shown = self.text(value)
        if self._plain and buffer.dtype in PYTHONS and isinstance(value, Cast):
            name = value.arg.name if isinstance(value.arg, Var) else ""
            return name if shown == f"{buffer.dtype}({name})" else shown
        return shown

    def _summed(self, var: Var, value: Expr) -> str:
        """What a sum becomes, or begins with; nothing where the variable is no sum."""
        wide = self._sums.get(var.name, "")
        match value:
            case Helper(_, "radd", (total, term)):
                added = f"{wide}({self.text(term)})" if wide else self._atomic(term)
                return f"{self._atomic(total)} + {added}"
            case Helper(_, "blocks_from", (_, stop, _)):
                return self.text(stop)
        if not wide:
            return ""
        shown = self.text(value)
        return f"{wide}({shown})" if isinstance(value, Load) else wide + shown[shown.index("(") :]

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
                shown = self._argument if name in VALUES else self.text
                return f"{name}({', '.join(map(shown, args))})"
            case Sum():
                return self._sum(node)
            case Product(left, right):
                return f"{self._factor(left)} * {self._factor(right)}"
            case FloorDiv(arg, by):
                return f"{self._atomic(arg)} // {by}"
            case Min(args):
                return f"min({', '.join(map(self.text, args))})"
            case Max(args):
                return f"max({', '.join(map(self.text, args))})"
        return self._condition(node)

    def _cast(self, dtype: str, arg: Expr) -> str:
        """A conversion to another dtype than bool."""
        shown, real = self.text(arg), not dtype.startswith("complex")
        if arg.dtype.startswith("complex") and real:
            shown = f"{self._atomic(arg)}.real"
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

    def _atomic(self, node: Node) -> str:
        shown = self.text(node)
        simple = isinstance(node, Var | Load | Cast | Helper | Min | Max)
        if isinstance(node, Lit):
            simple = not shown.startswith("-")
        if isinstance(node, Call):
            simple = shown.endswith(")") and shown.split("(")[0].replace(".", "").isidentifier()
            simple = simple and closes_at_end(shown)
        return shown if simple else f"({shown})"

    def _argument(self, node: Node) -> str:
        """A value; in the interpreted tier, a number is NumPy's."""
        if self._plain and isinstance(node, Lit) and node.dtype in ("int64", "float64"):
            return f"{node.dtype}({self.text(node)})"
        return self.text(node)

    def _number(self, node: Node) -> str:
        """The same as an operand."""
        return self._argument(node) if self._plain and isinstance(node, Lit) else self._atomic(node)

    def _factor(self, node: Node) -> str:
        """An operand that may be multiplied: integers of NumPy's wrap around."""
        large = isinstance(node, Lit) and node.dtype == "int64" and abs(node.value) >= LARGE
        return self._number(node) if large else self._atomic(node)

    def _sum(self, node: Sum) -> str:
        parts: list[str] = []
        positive_first = sorted(
            zip(node.atoms, node.factors, strict=True), key=lambda term: term[1] < 0
        )
        for atom, factor in positive_first:
            shown = self.text(atom) if isinstance(atom, Product | FloorDiv) else self._atomic(atom)
            if self._plain and abs(factor) >= LARGE:
                shown, factor = f"int64({factor}) * {self._atomic(atom)}", 1
            elif abs(factor) != 1:
                shown = f"{abs(factor)} * {self._atomic(atom)}"
            if not parts:
                parts.append(shown if factor > 0 else f"-{shown}")
            else:
                parts.append(f"{'+' if factor > 0 else '-'} {shown}")
        if node.const:
            parts.append(f"{'+' if node.const > 0 else '-'} {abs(node.const)}")
        return " ".join(parts)


@cache
def _tells(template: str) -> bool:
    """Whether an operator's text tells NumPy's numbers from Python's that it is given."""
    called = {name.partition("(")[0] for name in re.findall(r"\w+\(", template)}
    return " if " in template or any(name in VALUES or name in OPS for name in called)


COMPILED: Final = Printer(False)

source, text = COMPILED.source, COMPILED.text


def show(block: tuple[Line, ...]) -> str:
    """The text of some lines, for people and goldens."""
    lines: list[str] = []
    COMPILED._block(block, 0, lines)
    return "\n".join(lines)


def _constant(side: Expr) -> int:
    """What is added to a side of a comparison, or to all that it is the least or largest of."""
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
