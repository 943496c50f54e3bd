"""Scans: running results along an axis."""

from __future__ import annotations

from math import nan

from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.ops import operator
from structarr._compiler.rules.constants import literal
from structarr._lazy.graph import Node, start_of
from structarr._lazy.node import DType, dtype_name


def scan(op: str, arg: Node, axis: int, is_dense: bool) -> Node:
    """The running results of an argument along an axis, in its dtype.

    `is_dense` says that each of its elements is stored.
    """
    data = operator(op), axis, _first(op, arg.dtype, is_dense)
    return Node("scan", (arg,), data, arg.shape, arg.dtype)


def _first(op: str, dtype: DType, is_dense: bool) -> Lit:
    """The start of a scan that a first element replaces, to the bit: the sign of zeros, too."""
    if dtype.kind in "fc" and op in ("fmax", "fmin"):
        return literal(dtype_name(dtype), nan)
    if dtype.kind in "fc" and op == "add" and is_dense:
        return literal(dtype_name(dtype), -dtype.type(0))
    return start_of(op, dtype)[1]
