"""Expressions of kernels as Python source, which both targets of text share."""

from __future__ import annotations

from structarr._compiler.backend.literals import is_signed, literal
from structarr._compiler.backend.names import Names
from structarr._compiler.backend.operator_table import VALUES, WHOLE_POWER, Precedence, Spelling
from structarr._compiler.backend.spelling import spelled
from structarr._compiler.ir.conditions import All, Eq, Le, Not
from structarr._compiler.ir.dtypes import COMPLEX, INEXACT
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
    affine,
    is_whole_power,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var

# What whole numbers of fewer bits are made of floats by: LLVM leaves open what a float beyond the
# bounds becomes, so that it would depend on the loop around it; NumPy goes these ways.
_BY_WIDER = {name: "int32" for name in ("int8", "int16", "uint8", "uint16")} | {"uint32": "int64"}


class Expressions:
    """
    Printer of expressions, as Python.

    Targets differ in methods: `subscript`, `argument`, `factor` and `term`. Brackets go by the
    precedence of nodes. Operands of values get them whatever they are, unless they are atoms: the
    order of roundings is told, not left to a table of precedences.

    Parameters
    ----------
    names : Names, optional
        The names of the kernel's variables and buffers, for more than its expressions.
    """

    def __init__(self, names: Names | None = None) -> None:
        self.names = Names() if names is None else names

    def text(self, node: Node) -> str:
        """The text of an expression."""
        match node:
            case Var() | Buffer():
                return self.names[node]
            case Lit(dtype, value, _):
                return literal(dtype, value)
            case Load(buffer, index):
                return f"{self.names[buffer]}[{self.subscript(index)}]"
            case Cast(dtype, arg):
                return self._cast(dtype, arg)
            case Call(_, _, args):
                spelling = spelling_of(node)
                shown = self.number if spelling.tells else self.factor
                return spelling.template.format(*map(shown, args))
            case Helper(_, name, args):
                shown = self.argument if name in VALUES else self.text
                return f"{name}({', '.join(map(shown, args))})"
            case Sum():
                return self._sum(node)
            case Product(left, right):
                return f"{self.factor(left)} * {self.factor(right)}"
            case FloorDiv(arg, by):
                return f"{self.atom(arg)} // {by}"
            case Min(args):
                return f"min({', '.join(map(self.text, args))})"
            case Max(args):
                return f"max({', '.join(map(self.text, args))})"
        return self._condition(node)

    def operand(self, node: Node, least: Precedence) -> str:
        """The text of an expression, in brackets if it binds less tightly than is asked."""
        shown = self.text(node)
        return shown if precedence(node) >= least else f"({shown})"

    def atom(self, node: Node) -> str:
        """The text of an expression as an operand of anything."""
        return self.operand(node, Precedence.ATOM)

    def subscript(self, index: Expr) -> str:
        """The text of a subscript, which is no negative number."""
        return self.text(index)

    def argument(self, node: Node) -> str:
        """A value that a function is given, or a variable."""
        return self.text(node)

    def number(self, node: Node) -> str:
        """The same as an operand."""
        return self.atom(node)

    def factor(self, node: Node) -> str:
        """An operand that may be multiplied."""
        return self.atom(node)

    def term(self, atom: Expr, factor: int) -> str:
        """A positive multiple of an atom."""
        if factor == 1:
            return self.operand(atom, Precedence.PRODUCT)
        return f"{factor} * {self.atom(atom)}"

    def _cast(self, dtype: str, arg: Expr) -> str:
        """A conversion to another dtype."""
        shown, inexact = self.text(arg), arg.dtype in INEXACT
        if dtype == "bool":
            return f"bool_({shown})"
        if arg.dtype in COMPLEX and dtype not in COMPLEX:
            shown = f"{self.atom(arg)}.real"
        if inexact and dtype in _BY_WIDER:
            shown = f"{_BY_WIDER[dtype]}({shown})"
        return f"unsigned({shown})" if inexact and dtype == "uint64" else f"{dtype}({shown})"

    def _condition(self, node: Node) -> str:
        match node:
            case Le(left, right):
                return self._ordered(left, right)
            case Eq(left, right):
                return self._compared(left, "==", right)
            case All(()):
                return "True"
            case All(args):
                return " and ".join([self.operand(arg, Precedence.NOT) for arg in args])
            case Not(All(())):
                return "False"
            case Not(Le(left, right)):
                return self._ordered(right + 1, left)
            case Not(Eq(left, right)):
                return self._compared(left, "!=", right)
            case Not(arg):
                return f"not ({self.text(arg)})"
        raise TypeError(f"{node!r} cannot stand in a kernel")

    def _compared(self, left: Expr, sign: str, right: Expr) -> str:
        """A comparison; Python would chain one of comparisons."""
        shown = [self.operand(side, Precedence.BIT_OR) for side in (left, right)]
        return f"{shown[0]} {sign} {shown[1]}"

    def _ordered(self, left: Expr, right: Expr) -> str:
        """`left <= right` with constants moved to one side: `a + 1 <= b` reads `a < b`."""
        small, large = _constant(left), _constant(right)
        left, right, gap = left - small, right - large, large - small
        if isinstance(left, Lit) or isinstance(right, Lit):  # keep the constant where it stands
            left, right, gap = left + small, right + large, 0
            if isinstance(left, Lit) and left.value > 0:
                return self._compared(left - 1, "<", right)
        if gap == -1:
            return self._compared(left, "<", right)
        if gap < 0:
            return self._compared(left - gap - 1, "<", right)
        return self._compared(left, "<=", right + gap)

    def _sum(self, node: Sum) -> str:
        text = ""
        terms = sorted(zip(node.atoms, node.factors, strict=True), key=lambda term: term[1] < 0)
        for atom, factor in terms:
            if text:
                text += f" {'+' if factor > 0 else '-'} {self.term(atom, abs(factor))}"
            elif factor == -1:
                text = f"-{self.operand(atom, Precedence.SIGN)}"
            else:
                text = f"{'' if factor > 0 else '-'}{self.term(atom, abs(factor))}"
        return text + (f" {'+' if node.const > 0 else '-'} {abs(node.const)}" if node.const else "")


def spelling_of(call: Call) -> Spelling:
    """How the operator of a call is written."""
    if is_whole_power(call):
        return WHOLE_POWER
    return spelled(call.op, tuple([arg.dtype for arg in call.args]), call.dtype)


def precedence(node: Node) -> Precedence:
    """The precedence of an expression's outermost operator."""
    match node:
        case Lit(dtype, value):
            return Precedence.SIGN if is_signed(dtype, value) else Precedence.ATOM
        case Call():
            return spelling_of(node).precedence
        case Sum():
            return Precedence.SUM
        case Product() | FloorDiv():
            return Precedence.PRODUCT
        case Le() | Eq():
            return Precedence.COMPARISON
        case All():
            return Precedence.AND
        case Not():
            return Precedence.NOT
    return Precedence.ATOM


def _constant(side: Expr) -> int:
    """The constant term of a side of a comparison; of a minimum or maximum, the least one."""
    parts = side.args if isinstance(side, Min | Max) else (side,)
    return min([affine(part)[1] for part in parts])
