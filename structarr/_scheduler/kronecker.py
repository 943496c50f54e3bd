"""Kronecker products in products with dense arrays: applied by their factors, and never formed.

An axis of a Kronecker product stands for two, of which the second is faster: `kron(a, b) @ x` is
`a @ x.reshape(...) @ b.T`, reshaped. What else is done with one forms it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from structarr._lazy import graph
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import DType
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._lazy.rewrite.flatten_dense import shaped
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.product_loops import Labels
from structarr._scheduler.reorder_products import Product
from structarr._storage.tensor import Tensor


class Formed(NamedTuple):
    """The way of forming a Kronecker product, and whether its products with dense arrays are."""

    make: Callable[[Tensor, Tensor], Tensor]
    keeps_dense: bool


def kron(left: Node, right: Node, formed: Formed, dtype: DType) -> Node:
    """The Kronecker product of two arrays that have as many axes."""
    shape = tuple([m * n for m, n in zip(left.shape, right.shape, strict=True)])
    return Node("kron", (left, right), formed, shape, dtype)


def applied(node: Node, value: Callable[[Node], Tensor]) -> Node:
    """The node without Kronecker products, unless it is one itself."""
    return _Applied(value).formed(node) if node.kind != "kron" and has_any(node) else node


def has_any(node: Node) -> bool:
    """Whether a Kronecker product is a part of a node."""
    return node.kind == "kron" or any(map(has_any, node.args))


class _Applied:
    def __init__(self, value: Callable[[Node], Tensor]) -> None:
        self._value = value
        self._once = EachOnce()

    def formed(self, node: Node) -> Node:
        """The node with Kronecker products applied where they can be, and formed elsewhere."""
        return self._once(node, self._without)

    def _without(self, node: Node) -> Node:
        if not has_any(node):
            return node
        if node.kind == "kron":
            return leaf(self._value(node))
        found = self._by_factors(node)
        return node.of([self.formed(arg) for arg in node.args]) if found is None else found

    def _by_factors(self, node: Node) -> Node | None:
        """A product with one Kronecker product and dense arrays; None of what is none."""
        whole = Product.of(node, mixed=True) if node.kind == "reduce" else None
        if whole is None or whole.add != "add":
            return None
        nodes = [one if one.kind == "kron" else self.formed(one) for one in whole.nodes]
        places = [k for k, one in enumerate(nodes) if one.kind == "kron"]
        if len(places) != 1 or not all(all_dense(one) for one in nodes if one.kind != "kron"):
            return None
        (place,) = places
        return self._multiplied(whole, nodes, place) if nodes[place].data.keeps_dense else None

    def _multiplied(self, whole: Product, nodes: list[Node], place: int) -> Node | None:
        factors = [graph.astype(one, whole.dtype) for one in nodes[place].args]
        made = Product(whole.dtype, whole.add)
        twice: dict[int, Labels] = {}
        for axis, label in enumerate(whole.labels[place]):
            twice[label] = tuple([made.label(one.shape[axis]) for one in factors])
        for label, length in whole.lengths.items():
            if label not in twice:
                twice[label] = (made.label(length),)
        for k, (one, labels) in enumerate(zip(nodes, whole.labels, strict=True)):
            if k == place:
                made.nodes += factors
                made.labels += [*zip(*[twice[label] for label in labels], strict=True)]
            else:
                made.labels.append(tuple([each for label in labels for each in twice[label]]))
                made.nodes.append(self._reshaped(one, [made.lengths[k] for k in made.labels[-1]]))
        made.result = tuple([each for label in whole.result for each in twice[label]])
        sums = self._value(made.node(made.plan().tree, made.result))
        shape = [whole.lengths[label] for label in whole.result]
        return self._reshaped(leaf(sums), shape) if sums.format.is_dense else None

    def _reshaped(self, node: Node, shape: list[int]) -> Node:
        return leaf(shaped(self._value(node), tuple(shape)))
