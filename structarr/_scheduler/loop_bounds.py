"""Bounds of loops as numbers, by the operands of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from structarr._compiler.ir.expr import Expr, Index, Lit, Sum
from structarr._compiler.ir.given import (
    BoundArg,
    DimArg,
    ExtentArg,
    Given,
    LengthArg,
    SizeArg,
    WholeArg,
)
from structarr._scheduler.operands import Operands


def number(
    expr: Expr, given: Operands, lengths: Sequence[Given], middle: Mapping[Index, float]
) -> float:
    """A bound of a loop; where it depends on the loops around, in the middle of them."""
    match expr:
        case Lit(_, value):
            return float(value)
        case Index():
            return middle.get(expr, 0.0)
        case Sum(atoms, factors, const):
            terms = zip(atoms, factors, strict=True)
            return const + sum(number(one, given, lengths, middle) * k for one, k in terms)
        case ExtentArg() | LengthArg() | BoundArg():
            return float(given.extents[lengths.index(expr)])
        case SizeArg(number=place) | WholeArg(number=place):
            return float(given.sizes[place])
        case DimArg(number=place, axis=axis):
            return float(given.tensors[place].shape[axis])
    return 0.0
