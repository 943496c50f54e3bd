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
from structarr._scheduler.machine import times
from structarr._scheduler.other_fills import held_by, structural_fill

VISIT: Final = 0.3  # nanoseconds to visit an element
STORE: Final = 2.0  # nanoseconds to write an entry, and to read it again


def settled(
    node: Node, is_dense: Callable[[Node], bool], is_alike: Callable[[Node, Node], bool]
) -> Node:
    """
    The node with such parts computed before, by kernels of their own.

    What is elementwise and of one stored array, or a sum of that, is computed at stored places as a
    whole. Where the value has the same format either way, it is done if it takes less time.

    Parameters
    ----------
    node : Node
        An expression.
    is_dense : callable
        Whether the value of an expression has a dense format.
    is_alike : callable
        Whether the values of two expressions have the same format.
    """
    body = node.args[0] if node.kind == "reduce" else node
    if node.kind not in ("map", "reduce") or held_by(body) is not None or not _has_numbers(node):
        return node
    if structural_fill(body) is not None or (node is body and not is_dense(node)):
        return node
    found = _Settling(is_dense)
    made = node.of([found.within(arg) for arg in node.args])
    return node if made is node or (not found.pays and is_alike(node, made)) else made


class _Settling:
    """Finds the largest parts that are stored at some places, as values of their own.

    Attributes
    ----------
    pays : bool
        Whether one of them takes less time than to visit all of its elements.
    """

    def __init__(self, is_dense: Callable[[Node], bool]) -> None:
        self.pays = False
        self._is_dense = is_dense

    def within(self, node: Node) -> Node:
        """A part of an expression, with what is decided so computed before."""
        if node.kind not in ("map", "convert", *MOVED) or structural_fill(node) is not None:
            return node
        if _is_decided(node) and not self._is_dense(node):
            entries, size = expected_entries(node), prod(node.shape)
            self.pays |= bool(size * VISIT > times().call + entries * STORE)
            return graph.first(node)
        return node.of([self.within(arg) for arg in node.args])


def _is_decided(node: Node) -> bool:
    """Whether an operation's fill is zero, and numbers decide that it is so.

    A product has more elements than its factors, which are computed before instead.
    """
    if node.kind != "map" or node.fill is None or node.fill or not _has_numbers(node):
        return False
    lists = [one.data for one in nodes_of(node) if one.kind == "leaf"]
    sizes = [prod(one.shape) for one in lists if not one.format.is_dense]
    return bool(sum(sizes) >= prod(node.shape))


def _has_numbers(node: Node) -> bool:
    """Whether an expression has numbers, which may be others at the next call."""
    return any(one.kind == "constant" for one in nodes_of(node))
