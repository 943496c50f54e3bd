"""Indices of slices."""

from __future__ import annotations

from structarr._compiler.ir import given
from structarr._compiler.ir.cin import Offset, Permit, Protocol
from structarr._compiler.ir.expr import Expr, add, scale


def window(index: Expr, start: Expr, step: int, length: int | None) -> Expr:
    """The index `start + step * index`; a permit holds for the window."""
    match index:
        case Protocol(arg, name):
            return Protocol(window(arg, start, step, length), name)
        case Permit() | Offset():
            assert step == 1 and length is not None
            return Offset(_permitted(index, given.size(length)), scale(start, -1))
    return add(start, scale(index, step))


def _permitted(index: Expr, dim: Expr) -> Expr:
    """An index whose permits that have no extent yet have this one."""
    match index:
        case Permit(arg, None):
            return Permit(_permitted(arg, dim), dim)
        case Offset(arg, delta):
            return Offset(_permitted(arg, dim), delta)
    return index
