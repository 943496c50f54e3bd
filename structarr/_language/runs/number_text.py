"""Numbers in the text of kernels: each a text and the kind of number that it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from structarr._language.runs.kinds import CONSTRUCTORS, joined, kind_of_dtype

SIGNS: Final[dict[type[ast.operator], str]] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"},
    **{ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"},
}
COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    **{ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="},
}
CASTS: Final = {"int": "int", "float": "float", "bool": "bool", "int64": "int", "float64": "float"}
FLOATS: Final = ("sqrt", "exp", "log", "sin", "cos", "tan", "log2", "log10")
EXTREMES: Final = {"minimum": "min", "maximum": "max"}
CONSTANTS: Final = {"inf": np.inf, "pi": np.pi, "e": np.e}
WHOLE: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)


@dataclass(frozen=True)
class Value:
    """The text of an expression, and the kind of number that it is; None for none."""

    text: str
    kind: str | None

    def cast(self, kind: str) -> str:
        """Its text as a number of a kind."""
        return self.text if self.kind == kind else f"{CONSTRUCTORS[kind]}({self.text})"

    @property
    def truth(self) -> str:
        """Its text as a condition."""
        return self.text if self.kind == "bool" else f"({self.text} != 0)"


def extreme_of_numpy(name: str, a: Value, b: Value) -> Value:
    """The less of two numbers, or the greater, as NumPy's functions have it: NaN wins."""
    kind = joined([a.kind or "bool", b.kind or "bool"])
    if kind == "bool":
        return Value(f"({a.text} {'&' if name == 'minimum' else '|'} {b.text})", kind)
    own = name if kind == "float" else EXTREMES[name]
    return Value(f"{own}({a.cast(kind)}, {b.cast(kind)})", kind)


def loaded(text: str, dtype: str) -> Value:
    """An element of a buffer as a number."""
    kind = kind_of_dtype(dtype)
    assert kind is not None
    own = dtype in ("int64", "float64", "bool")
    return Value(text if own else f"{CONSTRUCTORS[kind]}({text})", kind)


def chosen(test: str, a: Value, b: Value) -> Value:
    """One of two numbers."""
    kind = joined([a.kind or "bool", b.kind or "bool"])
    return Value(f"({a.cast(kind)} if {test} else {b.cast(kind)})", kind)


def extreme(name: str, args: Sequence[Value]) -> Value:
    """The first of some numbers that none is below, or above, as Python's functions have it."""
    best, *others = args
    for other in others:
        kind = joined([best.kind or "bool", other.kind or "bool"])
        a, b = best.cast(kind), other.cast(kind)
        sign = "<" if name == "min" else ">"
        text = f"{name}({a}, {b})" if kind == "int" else f"({b} if {b} {sign} {a} else {a})"
        best = Value(text, kind)
    return best
