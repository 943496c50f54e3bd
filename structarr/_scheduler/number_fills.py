"""Parts of which a number decides whether they store anything: computed before, at stored places.

In `(a > t) @ v` a kernel cannot know that `0 > t` is false, as `t` may be another number at each
call, so its loops would go over all elements. What `a > t` stores is at the places of `a`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from structarr._lazy import graph
from structarr._lazy.distributive import MOVED
from structarr._lazy.graph import Node
from structarr._lazy.node import nodes_of
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.hoist import STORE
from structarr._scheduler.machine import times
from structarr._scheduler.other_fills import held_by, structural_fill
from structarr._storage.tensor import Tensor

VISIT: Final = 0.3  # nanoseconds to visit an element


def settled(
    node: Node,
    stand_in: Callable[[Node], Tensor | None],
    is_alike: Callable[[Node, Node], bool],
) -> Node:
    """
    The node with such parts computed before, by kernels of their own.

    What is elementwise and of one stored array, or a sum of that, is computed at stored places as a
    whole. Where the value has the same format either way, it is done if it takes less time.

    Parameters
    ----------
    node : Node
        An expression.
    stand_in : callable
        What stands for the value of an expression; None where its format is not clear.
    is_alike : callable
        Whether the values of two expressions have the same format.
    """
    body = node.args[0] if node.kind == "reduce" else node
    if node.kind not in ("map", "reduce") or held_by(body) is not None or not _has_numbers(node):
        return node
    if structural_fill(body) is not None:
        return node
    whole = stand_in(node) if node is body else None
    if whole is not None and not whole.format.is_dense:
        return node
    found = _Settling(stand_in, lambda fill: not fill)
    made = node.of([found.within(arg) for arg in node.args])
    return node if made is node or (not found.pays and is_alike(node, made)) else made


def with_fills(node: Node, stand_in: Callable[[Node], Tensor | None]) -> Node:
    """
    The sum with such parts computed before whose fill is another than zero.

    A product with one of them is split from its fill (`sum_terms`), which has to be known there:
    `(a <= t) @ v` is `v.sum()` and what is stored of `a > t`.

    Parameters
    ----------
    node : Node
        An expression.
    stand_in : callable
        What stands for the value of an expression; None where its format is not clear.
    """
    if node.kind != "reduce" or node.data[0].name != "add" or not _has_numbers(node):
        return node
    if node.dtype.kind not in "iufc" or held_by(node.args[0]) is not None:
        return node
    found = _Settling(stand_in, lambda fill: fill and np.isfinite(fill))
    made = node.of([found.within(arg) for arg in node.args])
    return made if found.pays else node


class _Settling:
    """Finds the largest parts that are stored at some places, as values of their own.

    Attributes
    ----------
    pays : bool
        Whether one of them takes less time than to visit all of its elements.
    """

    def __init__(
        self, stand_in: Callable[[Node], Tensor | None], has_fill: Callable[[Any], bool]
    ) -> None:
        self.pays = False
        self._stand_in, self._has_fill = stand_in, has_fill

    def within(self, node: Node) -> Node:
        """A part of an expression, with what is decided so computed before."""
        if node.kind not in ("map", "convert", *MOVED) or structural_fill(node) is not None:
            return node
        decided = _is_decided(node) and self._has_fill(node.fill)
        made = self._stand_in(node) if decided else None
        if made is not None and not made.format.is_dense:
            entries, size = expected_entries(node), prod(node.shape)
            self.pays |= bool(size * VISIT > times().call + entries * STORE)
            return graph.first(node)
        return node.of([self.within(arg) for arg in node.args])


def _is_decided(node: Node) -> bool:
    """Whether numbers decide what the fill of an operation is.

    A product has more elements than its factors, which are computed before instead.
    """
    if node.kind != "map" or not _has_numbers(node):
        return False
    return not _repeats(node)


def _repeats(node: Node) -> bool:
    """Whether an array that is not dense is broadcast in an expression."""
    if node.kind not in ("map", "convert"):
        return False
    lists = [arg for arg in node.args if _has_lists(arg)]
    return any(prod(arg.shape) < prod(node.shape) or _repeats(arg) for arg in lists)


def _has_lists(node: Node) -> bool:
    leaves = [one for one in nodes_of(node) if one.kind == "leaf"]
    return any(not one.data.format.is_dense for one in leaves)


def _has_numbers(node: Node) -> bool:
    """Whether an expression has numbers, which may be others at the next call."""
    return any(one.kind == "constant" for one in nodes_of(node))
