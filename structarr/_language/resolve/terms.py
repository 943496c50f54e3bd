"""Typed values: what the expressions of a program are, by NumPy's promotion.

A whole number made of indices, lengths and whole scalars is both an index and a value; its position
decides which. Such numbers and Python's numbers are weak, as in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from structarr._compiler.ir.conditions import FALSE, TRUE, Not, eq, le, lt, negation
from structarr._compiler.ir.expr import (
    INDEX,
    Call,
    Cast,
    Expr,
    Index,
    Lit,
    maximum,
    minimum,
    multiply,
    scale,
)
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.ops import OPS, operator
from structarr._compiler.rules.constants import literal
from structarr._language.read.vocabulary import CASTS
from structarr._support import dtypes

Kind = Any  # a NumPy dtype, or the type of a Python number, which is weak


def is_weak(kind: Kind) -> bool:
    """Whether a kind is that of a Python number; a dtype equals its type, but is not weak."""
    return kind is bool or kind is int or kind is float or kind is complex


@dataclass(frozen=True)
class Term:
    """A value: its kind, what it is in a dtype, and the index that it is, if it is one."""

    kind: Kind
    cast: Callable[[str], Expr]
    index: Expr | None = None

    @property
    def dtype(self) -> str:
        """The dtype that it has alone."""
        return np.dtype(self.kind).name

    @property
    def expr(self) -> Expr:
        """The value, of its own dtype."""
        return self.cast(self.dtype)


def strong(expr: Expr) -> Term:
    """A value that has a dtype."""
    return Term(np.dtype(expr.dtype), lambda dtype: cast(expr, dtype))


def cast(expr: Expr, dtype: str) -> Expr:
    """A value in another dtype."""
    return expr if expr.dtype == dtype else Cast(dtype, expr)


def number(value: bool | int | float | complex) -> Term:
    """A literal."""

    def in_dtype(dtype: str) -> Expr:
        return literal(dtype, dtypes.scalar(value, np.dtype(dtype)).item())

    whole = Lit(INDEX, value) if type(value) is int and abs(value) < 2**62 else None
    return Term(type(value), in_dtype, whole)


def of_index(index: Expr) -> Term:
    """An index expression, which may be a value too."""
    return Term(int, lambda dtype: index if dtype == INDEX else Cast(dtype, index), index)


def condition(cond: Expr) -> Term:
    """A comparison of indices."""
    if cond is TRUE or cond is FALSE:
        return strong(Lit("bool", cond is TRUE))
    if isinstance(cond, Not):
        return strong(Call("bool", OPS["logical_not"], (cond.arg,)))
    return strong(cond)


_OF_INDICES: dict[str, Callable[..., Expr]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "window": lambda a, b, k: a + k,
    "multiply": multiply,
    "negative": lambda a: scale(a, -1),
    "positive": lambda a: a,
    "minimum": minimum,
    "maximum": maximum,
}
_COMPARED = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _compared(op: str, args: Sequence[Term], left: Expr, right: Expr) -> Expr:
    """A comparison of indices; 1 is added to them, and not to a value that it might overflow."""
    if op in ("greater", "greater_equal"):
        other = {"greater": "less", "greater_equal": "less_equal"}[op]
        return _compared(other, tuple(reversed(args)), right, left)
    if op == "less_equal":
        return le(left, right)
    if op == "less":
        return le(left, right - 1) if args[0].index is None else lt(left, right)
    return eq(left, right) if op == "equal" else negation(eq(left, right))


def apply(op: str, args: Sequence[Term]) -> Term:
    """An operator applied to terms.

    Raises
    ------
    TypeError
        If the operator does not take such operands.
    """
    if op in CASTS:
        return strong(cast(args[0].expr, CASTS[op]))
    if op == "coalesce":
        return _coalesced(args)
    indices = [term.index for term in args]
    if op in _OF_INDICES and None not in indices:
        return of_index(_OF_INDICES[op](*indices))
    if op in _COMPARED and any(index is not None and index.has(Index) for index in indices):
        left, right = (_as_index(term, op) for term in args)
        if left is not None and right is not None:
            return condition(_compared(op, args, left, right))
    ins, out = dtypes.resolve(op, tuple(term.kind for term in args))
    operands = tuple(term.cast(dtype) for term, dtype in zip(args, ins, strict=True))
    return strong(Call(out, operator(op), operands))


_FAR = Lit(INDEX, 2**62)  # larger than all indices


def _as_index(term: Term, op: str) -> Expr | None:
    """A term as a side of a comparison of indices: any whole number, to which 1 may be added."""
    if term.index is not None:
        return term.index
    kind = np.dtype(term.kind)
    if kind.kind not in "iu" or kind.name == "uint64":
        return None
    value = cast(term.expr, INDEX)
    ordered = kind.name == "int64" and op not in ("equal", "not_equal")
    return Call(INDEX, OPS["minimum"], (value, _FAR)) if ordered else value


def _coalesced(args: Sequence[Term]) -> Term:
    """The first of some values that is not missing."""
    dtype = dtypes.common([term.kind for term in args])
    values = [term.cast(dtype) for term in args]
    # A literal stands for a value that no array stores, as a fill does: it is structural.
    found = [Lit(one.dtype, one.value, True) if isinstance(one, Lit) else one for one in values]
    return strong(Coalesce(dtype, tuple(found)))
