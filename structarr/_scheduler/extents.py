"""Extents of loops and lengths of modes, as variables that a call gives."""

from __future__ import annotations

from structarr._compiler.ir import given
from structarr._compiler.ir.arrays import (
    ArrayExpr,
    Convert,
    Input,
    Join,
    Lead,
    Map,
    Pad,
    Permute,
    Slice,
    Spread,
)
from structarr._compiler.ir.expr import INDEX, Expr, Index, Lit
from structarr._compiler.ir.variables import Var
from structarr._scheduler.accesses import ZERO


def extent(node: ArrayExpr, axis: int, index: Index) -> Expr:
    """The extent of a loop over a mode; that of a joined mode is the sum of its parts'."""
    match node:
        case Input(format=fmt):
            level = fmt.levels[fmt.order.index(axis)]
            return Lit(INDEX, level.length) if level.tells_length else given.extent(index)
        case Join(args=args, axis=joined) if joined == axis:
            total: Expr = ZERO
            for arg in args:
                total = total + length(arg, axis)
            return total
        case Join(args=args) | Map(args=args):
            below = [
                extent(arg, own, index)
                for arg in args
                if (own := axis - (node.ndim - arg.ndim)) >= 0 and arg.ones[own] == node.ones[axis]
            ]
            return next((one for one in below if not isinstance(one, Var)), given.extent(index))
        case Convert(arg=arg) | Lead(arg=arg):
            return extent(arg, axis, index)
        case Permute(arg=arg, axes=axes):
            return extent(arg, axes[axis], index)
        case Slice(arg=arg, starts=starts) if starts[axis] is None:
            return extent(arg, axis, index)
        case Pad(arg=arg, before=before) if before[axis] is None:
            return extent(arg, axis, index)
    return given.extent(index)


def length(node: ArrayExpr, axis: int) -> Expr:
    """The length of a mode, taken from an operand that has it."""
    match node:
        case Input():
            return given.dim(node.number, axis)
        case Map(args=args):
            places = ((arg, axis - (node.ndim - arg.ndim)) for arg in args)
            return next(
                length(arg, own)
                for arg, own in places
                if own >= 0 and arg.ones[own] == node.ones[axis] and not isinstance(arg, Spread)
            )
        case Slice(lengths=lengths) if (known := lengths[axis]) is not None:
            return given.size(known)
    assert isinstance(node, Convert | Lead | Pad | Slice)  # what else may stand in a concatenation
    return length(node.arg, axis)
