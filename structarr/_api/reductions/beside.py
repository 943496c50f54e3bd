"""Reductions of arrays side by side, part by part, along the axes that all parts share."""

from __future__ import annotations

from structarr._api.core.operands import borrow
from structarr._api.reductions.reductions import Axis, normalized
from structarr._array import Array
from structarr._lazy.rewrite.push_joins import Pushing, has_join


def parts_beside(array: Array, axis: Axis) -> tuple[list[Array], int] | None:
    """
    Return the parts of an array, and the axis along which they are, if that is not reduced.

    Of what is computed of arrays side by side, the parts are what is computed of each. None of
    anything else, and of an array whose value is known.
    """
    node = array._node
    if array._tensor is not None or axis is None or node.sums or not has_join(node):
        return None
    found = Pushing(lambda one: one)(node)
    if found.kind != "join" or found.data in normalized(axis, array.ndim):
        return None
    parts = [Array(part, array._cost) for part in found.args]
    return [borrow(part) if array._borrowed else part for part in parts], found.data
