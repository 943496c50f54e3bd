"""Slices that are stored first, since an expression reads them more often than it takes to store.

`(a[:, :k] - mu) @ x` is a sum of products by what is stored, which a slice tells only when it is
stored itself. The sum is full where the slice is not: storing it takes less than a loop over that.
And `a @ b[:, :k]` would search the ends of a row of `b` for each entry of `a`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from math import prod
from typing import Final, TypeAlias

from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._scheduler.expected_entries import all_dense, expected_entries
from structarr._scheduler.sum_terms import TERMS
from structarr._scheduler.thin_terms import is_full
from structarr._storage.tensor import Tensor

Value: TypeAlias = Callable[[Node], Tensor]

VIEWS: Final = ("permute", "expand", "squeeze", "convert")
"""The kinds of nodes between a slice and the operation that reads it."""


def applied(node: Node, value: Value) -> Node:
    """The node with such slices computed, each once."""
    slices = [one for one in nodes_of(node) if _is_slice(one)] if node.sums else []
    if not slices:
        return node
    often = frozenset(_searched_often(node)) if any(map(_is_searched, slices)) else frozenset()
    return _Storing(value, often).walk(node)


def _is_slice(node: Node) -> bool:
    """Whether a node is a slice of a stored array that leaves elements out, or of its transpose."""
    if node.kind != "slice":
        return False
    base = _base(node)
    return base.kind == "leaf" and not base.data.format.is_dense


def _base(node: Node) -> Node:
    """What a slice is of, with its axes as they are stored."""
    (arg,) = node.args
    base: Node = arg.args[0] if arg.kind == "permute" else arg
    return base


def _is_searched(node: Node) -> bool:
    """Whether a slice is cut along an axis whose elements are found by a search."""
    return any(axis not in _found(node) for axis in _cut(node))


def _cut(node: Node) -> list[int]:
    (arg,), (_, steps) = node.args, node.data
    return [
        axis
        for axis, (n, own, step) in enumerate(zip(arg.shape, node.shape, steps, strict=True))
        if own != n or step != 1
    ]


def _found(node: Node) -> list[int]:
    """The axes of a slice whose fibers are found by arithmetic."""
    (arg,), format = node.args, _base(node).data.format
    levels = zip(format.order, format.levels, strict=False)
    found = [axis for axis, level in levels if level.kind.arithmetic]
    return [arg.data.index(axis) for axis in found] if arg.kind == "permute" else found


def _searched_often(node: Node) -> Iterator[Node]:
    """The slices that products of sparse arrays would search more often than they have fibers."""
    if not _has_product_of_lists(node):
        return
    factors = [one for one in nodes_of(node) if one.kind == "leaf" or _is_slice(one)]
    for one in factors:
        if _is_slice(one) and _is_searched(one):
            others = [other for other in factors if other not in (one, _base(one))]
            fibers = prod([one.shape[axis] for axis in _found(one)])
            if fibers <= max(map(expected_entries, others or [one])):
                yield one


def _has_product_of_lists(node: Node) -> bool:
    """Whether an expression has a sum of products of arrays that leave elements out."""
    return any(one.kind == "reduce" and _is_product_of_lists(one.args[0]) for one in nodes_of(node))


def _is_product_of_lists(node: Node) -> bool:
    if node.kind != "map" or node.data[0].name != "multiply":
        return False
    repeated = any(n != m for arg in node.args for n, m in _lengths(arg, node))
    return repeated and not any(all_dense(arg) or is_full(arg) for arg in node.args)


def _lengths(arg: Node, node: Node) -> Iterator[tuple[int, int]]:
    """The lengths of an argument's axes beside those of the result."""
    own = (1,) * (node.ndim - arg.ndim) + arg.shape
    return zip(own, node.shape, strict=True)


class _Storing:
    """A walk over a graph that meets each node once; `often` are slices that are stored."""

    def __init__(self, value: Value, often: frozenset[Node]) -> None:
        self._value, self._often = value, often
        self._once = EachOnce()
        self._in_sums = EachOnce()
        self._stored: dict[Hashable, Node] = {}

    def walk(self, node: Node) -> Node:
        """The node with the slices in its sums stored."""
        return self._once(node, self._walked)

    def _walked(self, node: Node) -> Node:
        if node in self._often:
            return self._kept(node)
        summed = node.sums and (node.kind == "reduce" or multiplies(node))
        below = self._in_sum if summed else self.walk
        return node.of([below(arg) for arg in node.args])

    def _in_sum(self, node: Node) -> Node:
        return self._in_sums(node, self._with_terms)

    def _with_terms(self, node: Node) -> Node:
        if node in self._often:
            return self._kept(node)
        is_sum = node.kind == "map" and node.data[0].name in TERMS and is_full(node)
        args = [self._in_sum(arg) for arg in node.args]
        return node.of([self._term(arg) for arg in args] if is_sum else args)

    def _term(self, node: Node) -> Node:
        """A term that is a view of a slice as one of an array, unless that has all elements."""
        if node.kind in VIEWS:
            return node.of([self._term(arg) for arg in node.args])
        return self._kept(node) if _is_slice(node) and not is_full(node) else node

    def _kept(self, node: Node) -> Node:
        """A slice as an array, which is one for all that are equal."""
        (arg,) = node.args
        key = _base(node).data, arg.data if arg.kind == "permute" else None, node.data, node.shape
        if key not in self._stored:
            self._stored[key] = leaf(self._value(node))
        return self._stored[key]
