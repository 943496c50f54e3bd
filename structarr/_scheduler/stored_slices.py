"""Slices that are terms of sums: stored first, so that a product of the sums can be split.

`(a[:, :k] - mu) @ x` is a sum of products by what is stored, which a slice tells only when it is
stored itself. The sum is full where the slice is not: storing it takes less than a loop over that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeAlias

from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._scheduler.split_sums import TERMS, has_terms
from structarr._scheduler.thin_terms import is_full
from structarr._storage.tensor import Tensor

Value: TypeAlias = Callable[[Node], Tensor]

VIEWS: Final = ("permute", "expand", "squeeze", "convert")
"""The kinds of nodes between a slice and the sum that it is a term of."""


def applied(node: Node, value: Value) -> Node:
    """The node with such slices computed, each once."""
    return _Storing(value).walk(node) if _has_any(node) else node


def _has_any(node: Node) -> bool:
    return bool(node.sums) and any(map(_is_slice, _parts(node)))


def _parts(node: Node) -> list[Node]:
    return [node, *[one for arg in node.args for one in _parts(arg)]]


def _is_slice(node: Node) -> bool:
    """Whether a node is a slice of a stored array that leaves elements out."""
    return (
        node.kind == "slice"
        and node.args[0].kind == "leaf"
        and not node.args[0].data.format.is_dense
    )


class _Storing:
    """A walk over a graph that meets each node once."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._once = EachOnce()
        self._in_products = EachOnce()
        self._stored: dict[Hashable, Node] = {}

    def walk(self, node: Node) -> Node:
        """The node with the slices in its products stored."""
        return self._once(node, self._walked)

    def _walked(self, node: Node) -> Node:
        product = (node.kind == "reduce" or multiplies(node)) and node.sums and has_terms(node)
        below = self._in_product if product else self.walk
        return node.of([below(arg) for arg in node.args])

    def _in_product(self, node: Node) -> Node:
        return self._in_products(node, self._with_terms)

    def _with_terms(self, node: Node) -> Node:
        is_sum = node.kind == "map" and node.data[0].name in TERMS and is_full(node)
        args = [self._in_product(arg) for arg in node.args]
        return node.of([self._as_stored(arg) for arg in args] if is_sum else args)

    def _as_stored(self, node: Node) -> Node:
        """A term that is a view of a slice as one of an array, unless that has all elements."""
        if node.kind in VIEWS:
            return node.of([self._as_stored(arg) for arg in node.args])
        if not _is_slice(node) or is_full(node):
            return node
        key = node.args[0].data, node.data, node.shape
        if key not in self._stored:
            self._stored[key] = leaf(self._value(node))
        return self._stored[key]
