"""Products with arrays side by side: block by block, each by the structure of its part.

`concatenate((a, b), axis=1) @ x` is `a @ x[:m] + b @ x[m:]`, and `x.T @ (w * x)` of an array of
parts has a block for each pair of them, of which those that mirror one another are computed once.
What is not multiplied or summed is joined by one kernel, as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from structarr._lazy import graph, joining
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.dense_runs import has_run
from structarr._lazy.rewrite.push_joins import (
    Onto,
    Pushing,
    has_joined_sum,
    has_long_sum,
    is_one_loop,
)
from structarr._lazy.structure import NONE
from structarr._scheduler.columns_apart import is_product as is_apart
from structarr._scheduler.dense_blocks import blocks_of
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.once_for_parts import with_vectors
from structarr._scheduler.reorder_products import Product, reordered
from structarr._scheduler.split_joined_sums import Apart, apart
from structarr._storage.tensor import Tensor

Value: TypeAlias = Callable[[Node], Tensor]
Whole: TypeAlias = Callable[[Apart, Node], Tensor]
"""The value of a sum of products in the place of a node, where that is finite."""


def applied(
    node: Node,
    value: Value,
    as_dense: Value,
    wanted: bool,
    onto: Onto | None = None,
    whole: Whole | None = None,
) -> Node:
    """The node without sums over joined arrays, whose values are found part by part.

    `as_dense` gives the value of a block as a dense array, as it is computed where the whole is
    `wanted` so, or has dense blocks beside it. `onto` adds the sum of a part to those of others,
    and `whole` checks what products with sums come to, which are split if it is given.
    """
    if not has_joined_sum(node):
        return node
    block = as_dense if wanted or _has_dense_part(node) else value
    found = _Applied(value, block, onto)
    if whole is None:
        return found.walk(node)
    return found.walk(node, _Apart(whole, _Applied(value, as_dense, onto), value))


def _has_dense_part(node: Node) -> bool:
    if node.kind == "join":
        return any(all_dense(part) or _has_dense_part(part) for part in node.args)
    return any(map(_has_dense_part, node.args))


class _Applied:
    def __init__(self, value: Value, block: Value, onto: Onto | None) -> None:
        self._value, self._block = value, block
        self._blocks: dict[Hashable, Node] = {}  # by what they are products of
        self.pushed = Pushing(self._valued, onto)
        self._together = Pushing(self._alone, onto, together=True, dense=True)
        self._apart = Pushing(self._summed, onto, dense=True)

    def walk(self, node: Node, split: _Apart | None = None) -> Node:
        """The node with the sums in it replaced by their values."""
        if not has_joined_sum(node):
            return node
        if node.kind == "reduce" and has_long_sum(node):
            node = with_vectors(node, self._value)
        found = None if split is None else split(node)
        if found is not None:
            return found
        if node.kind != "reduce":
            return node.of([self.walk(arg, split) for arg in node.args])
        if not has_long_sum(node):
            return node
        if is_apart(node):
            return self._alone(node)
        pushed = self._together if is_one_loop(node) else self._apart
        return self._whole(pushed(reordered(node)))

    def _whole(self, node: Node) -> Node:
        """A join of values as one value."""
        if node.kind != "join":
            return node
        if blocks_of(node) is not None:
            return leaf(self._value(node))
        parts = [self._whole(part) for part in node.args]
        return leaf(self._value(joining.concatenate(parts, node.data, node.dtype)))

    def _alone(self, node: Node) -> Node:
        """The value of a sum without joins, of which no other has anything; others stay."""
        return self.pushed(node) if self._has_run(node) else self._computed(node)

    def _computed(self, node: Node) -> Node:
        """The value of a sum without joins, or with some that stay within it."""
        if has_long_sum(node) and not is_apart(node):
            return node
        return leaf((self._block if node.ndim == 2 else self._value)(node))

    def _has_run(self, node: Node) -> bool:
        """Whether dense parts are together in a sum that is none for them all."""
        return node.kind == "reduce" and has_run(node) and not is_apart(node)

    def _summed(self, node: Node) -> Node:
        """The value of a sum without joins, or of one that mirrors it; others stay as they are."""
        return self.pushed(node) if self._has_run(node) else self._valued(node)

    def _valued(self, node: Node) -> Node:
        """The same where no dense parts are together but those that stay within a sum."""
        if has_long_sum(node) and not is_apart(node):
            return node
        is_block = node.kind == "reduce" and node.ndim == 2
        whole = Product.of(node, mixed=True) if is_block else None
        if whole is None:
            return self._computed(node)
        rows, columns = whole.result
        key, mirrored = (_key(whole, result) for result in ((rows, columns), (columns, rows)))
        other = self._blocks.get(mirrored)  # nothing is kept for None
        if other is not None:
            return graph.permute(other, (1, 0))
        made = leaf(self._block(node))
        if key is not None:
            self._blocks[key] = made
        return made


class _Apart:
    """Products with sums of which a term is a join, taken apart."""

    def __init__(self, whole: Whole, parts: _Applied, value: Value) -> None:
        self._whole, self._parts, self._value = whole, parts, value

    def __call__(self, node: Node) -> Node | None:
        """The value of a product, as a leaf; None where it is no such product."""
        found = apart(node, self._parts.pushed, self._settled, self._formed)
        if found is None:
            return None
        total = self._parts.walk(found.node)
        return leaf(self._whole(found._replace(node=total), node))

    def _settled(self, node: Node) -> Node:
        """A vector or number as its value; anything else, and what is stored, as it is."""
        if node.ndim > 1 or node.kind in ("leaf", "constant"):
            return node
        return leaf(self._value(node))

    def _formed(self, node: Node) -> Node:
        return leaf(self._value(node))


def _key(whole: Product, result: tuple[int, int]) -> Hashable:
    """What a product is, but for the order of its factors; None where that is not known.

    Axes of length one tell nothing: weights may have that of a block of one column, or none.
    """
    nodes = list(map(_without_ones, whole.nodes))
    if any(node.number == NONE for node in nodes):
        return None
    names = [(node.number, *map(id, node.given)) for node in nodes]
    long = [tuple([k for k in own if whole.lengths[k] != 1]) for own in whole.labels]
    every = sorted(
        zip(names, long, strict=True),
        key=lambda one: (one[0], [result.index(k) if k in result else 2 for k in one[1]]),
    )
    numbers = {label: k for k, label in enumerate(result)}
    factors = [
        (name, tuple([numbers.setdefault(label, len(numbers)) for label in labels]))
        for name, labels in every
    ]
    return whole.dtype, whole.add, tuple(factors)


def _without_ones(node: Node) -> Node:
    """What a node is that has only more or fewer axes of length one."""
    while node.kind in ("expand", "squeeze"):
        (node,) = node.args
    return node
