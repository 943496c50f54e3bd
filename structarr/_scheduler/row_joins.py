"""Joins of stored arrays along their outermost levels: of more than two, buffers are copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from structarr._lazy.graph import Node, leaf
from structarr._lazy.joining import concatenate
from structarr._storage.joined_rows import are_joined
from structarr._storage.tensor import Tensor
from structarr._support import dtypes

FEW: Final = 2
"""So many arrays a kernel joins as fast."""


def rows_of(node: Node, is_alike: Callable[[Node, Node], bool]) -> Sequence[Tensor] | None:
    """
    The stored arrays whose rows a join has one after the other; None of any other node.

    Parameters
    ----------
    node : Node
        An expression.
    is_alike : callable
        Whether the values of two expressions have the same format: rows of some formats are no
        longer of these where they are joined.
    """
    if node.kind != "join":
        return None
    found: list[Tensor] = []
    if not _place(node, node.data, found) or found[0].format.order[0] != node.data:
        return None
    if len(found) <= FEW or not are_joined(found):
        return None
    if sum([max(one.counts) for one in found]) > dtypes.largest(found[0].format.index):
        return None
    pair = [leaf(one) for one in found[:2]]
    return found if is_alike(concatenate(pair, node.data, node.dtype), pair[0]) else None


def _place(node: Node, axis: int, found: list[Tensor]) -> bool:
    """Append the arrays of a node; False if it is not one of stored arrays along an axis."""
    if node.kind == "join" and node.data == axis:
        return all([_place(part, axis, found) for part in node.args])
    if node.kind != "leaf":
        return False
    found.append(node.data)
    return True
