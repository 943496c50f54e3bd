"""Parts of which a number decides whether they store anything: computed before, at stored places.

In `(a > t) @ v` a kernel cannot know that `0 > t` is false, as `t` may be another number at each
call, so its loops would go over all elements. What `a > t` stores is at the places of `a`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

from structarr._lazy import graph
from structarr._lazy.distributive import MOVED
from structarr._lazy.graph import Node
from structarr._lazy.node import nodes_of
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.other_fills import held_by, structural_fill

MANY: Final = 2
"""How many times as many elements as entries there have to be."""


def settled(node: Node, is_dense: Callable[[Node], bool]) -> Node:
    """
    The node with such parts computed before, by kernels of their own.

    What is elementwise and of one stored array, or a sum of that, is computed at stored places as a
    whole.

    Parameters
    ----------
    node : Node
        An expression.
    is_dense : callable
        Whether the value of an expression has a dense format.
    """
    body = node.args[0] if node.kind == "reduce" else node
    if node.kind not in ("map", "reduce") or held_by(body) is not None:
        return node
    found = _Settling(is_dense)
    if structural_fill(body) is not None or (node is body and not found.may_gain(node)):
        return node
    return node.of([found.within(arg) for arg in node.args])


class _Settling:
    """Finds the largest parts that are stored at some places, as values of their own."""

    def __init__(self, is_dense: Callable[[Node], bool]) -> None:
        self._is_dense = is_dense

    def within(self, node: Node) -> Node:
        """A part of an expression, with what is decided so computed before."""
        if node.kind not in ("map", "convert", *MOVED) or structural_fill(node) is not None:
            return node
        if _is_decided(node) and not self._is_dense(node):
            return graph.first(node)
        return node.of([self.within(arg) for arg in node.args])

    def may_gain(self, node: Node) -> bool:
        """Whether an operation that is computed as it is would be dense, but for a part."""
        return _has_numbers(node) and self._is_dense(node)


def _is_decided(node: Node) -> bool:
    """Whether few elements of an operation are not zero, and numbers decide that it is so.

    A product has more elements than its factors, which are computed before instead.
    """
    if node.kind != "map" or node.fill is None or node.fill or not _has_numbers(node):
        return False
    lists = [one.data for one in nodes_of(node) if one.kind == "leaf"]
    size = prod(node.shape)
    whole = sum([prod(one.shape) for one in lists if not one.format.is_dense]) >= size
    return whole and size > MANY * expected_entries(node)


def _has_numbers(node: Node) -> bool:
    """Whether an expression has numbers, which may be others at the next call."""
    return any(one.kind == "constant" for one in nodes_of(node))
