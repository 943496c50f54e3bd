"""Arrays side by side as they are stored: what is computed of them needs no whole."""

from __future__ import annotations

from typing import Final

from structarr._lazy.node import Node, nodes_of
from structarr._lazy.structure import NONE
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table

BETWEEN: Final = frozenset({"join", "convert", "expand", "permute", "slice", "squeeze"})
"""The kinds of nodes between a join and the arrays that it joins."""

_joined: dict[int, bool] = table()
"""Whether expressions of a structure are joins: each look at an array asks."""

MOST: Final = 2
"""Times the bytes of its parts that a whole may take in their place."""


def is_joined(node: Node) -> bool:
    """Whether a node is a join of arrays as they are stored, or of parts of them."""
    if node.sums:
        return False
    found = _joined.get(node.number)
    if found is None:
        found = _has_joins(node)
        if node.number != NONE:
            room(_joined, light=True)[node.number] = found
    return found


def _has_joins(node: Node) -> bool:
    inner = [one.kind for one in nodes_of(node) if one.kind != "leaf"]
    return "join" in inner and BETWEEN.issuperset(inner)


def is_spread(node: Node, whole: Tensor) -> bool:
    """Whether the value of a node takes far more memory than the arrays that it joins."""
    if not is_joined(node):
        return False
    # What a node is given is known without looking at its parts, unless nothing tells it.
    given = node.given if node.number != NONE else [one.data for one in nodes_of(node)]
    parts = {id(one): one.nbytes for one in given if isinstance(one, Tensor)}
    return bool(whole.nbytes > MOST * sum(parts.values()))
