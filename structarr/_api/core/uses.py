"""Sums that are parts of expressions: those that become a part of a second one are computed."""

from __future__ import annotations

from contextvars import ContextVar
from math import prod
from typing import Final

from structarr._array import Array
from structarr._lazy import graph
from structarr._lazy.structure import NONE
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table
from structarr._value import USED

WITHIN: Final[ContextVar[bool]] = ContextVar("within", default=False)
"""Whether a function of arrays is called whose expression is one composite: no part is computed."""


def note_use(*arrays: Array) -> None:
    """Note of sums that they are a part of an expression: of a second one they will not be."""
    if WITHIN.get():
        return
    for array in arrays:
        if array._node.sums and array._cost < USED:
            array._cost += USED


def is_used(array: Array) -> bool:
    """Whether an array is a sum that is a part of an expression already."""
    return array._cost >= USED


def length_of(array: Array) -> int:
    """The operations of an array's expression."""
    return array._cost % USED


def is_short(node: graph.Node) -> bool:
    """Whether a value has no more elements than an operand of its expression stores.

    Expressions of one structure are treated alike.
    """
    found = _short.get(node.number)
    if found is None:
        size = prod(node.shape)
        stored = [one.nstored for one in node.given if isinstance(one, Tensor)]
        found = size <= max(stored, default=1)
        if node.number != NONE:
            room(_short)[node.number] = found
    return found


_short: dict[int, bool] = table()
