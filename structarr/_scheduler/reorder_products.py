"""Products that are summed: which are multiplied first, and which are never formed.

`a @ b @ x`, `(a @ b) * mask` and `(a @ b).sum()` are sums of a product of several factors over the
axes that the result has not. Multiplication distributes over addition, so the factors may be
multiplied in any order, in one loop nest or in several; the counts of the operands decide
(`_order`). Rounding may differ from that of the order in which the user wrote them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.contraction import summed_product
from structarr._lazy.distributive import DISTRIBUTES, MOVED, multiplies
from structarr._lazy.graph import Node
from structarr._scheduler.diagonal_chains import paired, stored_in
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.product_factors import Places, array_of, broadcast, measured
from structarr._scheduler.product_loops import Labels
from structarr._scheduler.product_order import LONGEST, Plan, Tree, form_of, numbers_of, ranked
from structarr._scheduler.seen_counts import expect
from structarr._storage.statistics import skews
from structarr._storage.views import has_main_diagonal_alone, main_diagonal


def reordered(node: Node) -> Node:
    """The node with its factors multiplied in the order that is expected to be fastest."""
    if not _may_gain(node) or current().strict_ieee:
        return node
    found = Product.of(node, mixed=True)
    if found is None:
        return node
    found.without_diagonals()
    tree = paired(found.plan().tree, found.nodes, found.labels, found.result)
    if found.is_flat and all(isinstance(part, int) for part in tree):
        return node
    return found.node(tree, found.result)


def _may_gain(node: Node) -> bool:
    """Whether a node is a sum of products of which some are sums, or not all have every axis."""
    if node.kind != "reduce":
        return bool(node.sums) and multiplies(node) and any(_sums(arg) for arg in node.args)
    arg = node.args[0]
    if not multiplies(arg):
        return bool(arg.kind == "reduce")
    one, *others = arg.args
    if len(others) > 1 or one.ndim != others[0].ndim:
        return True
    # Two stored operands with every summed axis have one order.
    shared = all(one.shape[k] == others[0].shape[k] for k in node.data[1])
    stored = [stored_in(arg) for arg in arg.args]
    return not (shared and all(stored)) or any(map(_is_diagonal, stored))


def _is_diagonal(node: Node | None) -> bool:
    is_leaf = node is not None and node.kind == "leaf"
    return is_leaf and has_main_diagonal_alone(node.data)  # type: ignore[union-attr]


def _sums(node: Node) -> bool:
    while node.kind in MOVED:
        node = node.args[0]
    return node.kind == "reduce" or (multiplies(node) and any(_sums(arg) for arg in node.args))


class Product:
    """Factors with a label for each axis; what is not in the result is summed over."""

    def __init__(
        self,
        dtype: np.dtype[Any],
        add: str,
        squares: bool = False,
        deep: bool = True,
        mixed: bool = False,
    ) -> None:
        self._squares, self._deep = squares, deep  # whether squares and sums have factors
        self._mixed = mixed  # whether factors may be of other dtypes
        self._own = dtype  # that of the products that are walked
        self.dtype, self.add, self.times = dtype, add, DISTRIBUTES[add]
        self.nodes: list[Node] = []
        self.labels: list[tuple[int, ...]] = []
        self.result: tuple[int, ...] = ()
        self.lengths: dict[int, int] = {}
        self.is_flat = True  # a single product as the user wrote it
        self._written: list[int | Tree] = []  # the factors, and sums of some, as they are written
        self._fresh = count()
        self._made: dict[Hashable, Node] = {}
        self._orders: Mapping[Tree, Labels] = {}  # of branches that are sparse
        self._expected: Mapping[Tree, tuple[Hashable, float]] = {}

    @classmethod
    def of(
        cls,
        node: Node,
        least: int = 2,
        squares: bool = False,
        deep: bool = True,
        mixed: bool = False,
    ) -> Product | None:
        """The product of at least so many factors that a node is, or None.

        Squares may count as products: their factors are computed twice. Sums among the factors are
        products of their own, unless the product is `deep`. Factors of a `mixed` one may be of
        other dtypes, and are converted as they are multiplied; so are those of its sums of floats
        of fewer bits, which are rounded no more than in the user's order.
        """
        add = _added(node)
        if add is None:
            return None
        found = cls(node.dtype, add, squares, deep, mixed)
        found.result = tuple(map(found.label, node.shape))
        found._walk(node, found.result, node.kind == "reduce")
        told = {label for mine in found.labels for label in mine}
        whole = all(label in told or length == 1 for label, length in found.lengths.items())
        return found if whole and least <= len(found.nodes) <= LONGEST else None

    def without_diagonals(self) -> None:
        """Make vectors of factors that store their main diagonal alone: one of two axes is left.

        The other one is summed over, and another factor has it. It is renamed there.
        """
        for number, node in enumerate(self.nodes):
            own = {*self.labels[number]}
            others = [own & {*labels} for k, labels in enumerate(self.labels) if k != number]
            gone = next((one for one in own if one not in self.result and {one} in others), None)
            leaf = node.args[0] if node.kind == "convert" else node
            if self.add != "add" or gone is None or own in others or not _is_diagonal(leaf):
                continue
            (left,) = own - {gone}
            line = graph.leaf(main_diagonal(leaf.data, None))
            self.nodes[number] = graph.astype(line, node.dtype)
            self.labels[number] = (left,)
            self.labels = [
                tuple([left if one == gone else one for one in mine]) for mine in self.labels
            ]
            self.is_flat = False
            del self.lengths[gone]

    def plan(self) -> Plan:
        """The order of the factors that is expected to be fastest."""
        return self.plans()[0]

    def plans(self) -> tuple[Plan, ...]:
        """The orders of the factors by what is multiplied last, the fastest first."""
        names = self._names()
        factors = map(measured, self.nodes, self.labels)
        named = [
            one._replace(name=name, number=node.number)
            for one, name, node in zip(factors, names, self.nodes, strict=True)
        ]
        found = ranked(named, self.result, self.lengths, self.written)
        # What is uneven only adds terms, so what meets itself nowhere in the best order need not be
        # counted; nor need what takes longer to count, a nanosecond an entry, than to multiply.
        met = self._met(found[0].tree, names)
        uneven = [k for k, name in enumerate(names) if name in met]
        if uneven and found[0].cost > sum(named[k].stored for k in met):
            for k in uneven:
                named[k] = named[k]._replace(skews=skews(self.nodes[k].data))
            found = ranked(named, self.result, self.lengths, self.written)
        self._orders, self._expected = found[0].orders, found[0].expected
        return found

    @property
    def written(self) -> Tree:
        """The factors in their order, of which those of sums among them are branches.

        Empty where there are others by now than those that were written.
        """
        tree = tuple(self._written)
        return tree if len(numbers_of(tree)) == len(self.nodes) else ()

    def _met(self, tree: Tree, names: Sequence[int]) -> set[int]:
        """The names of stored matrices that a loop nest of an order multiplies with themselves."""
        found = {k for part in tree if not isinstance(part, int) for k in self._met(part, names)}
        own = [names[part] for part in tree if isinstance(part, int)]
        for name in own if len(names) > 2 else ():  # a product of two has one order
            node = self.nodes[name]
            if own.count(name) > 1 and node.kind == "leaf" and node.ndim == 2:
                found |= set() if node.data.format.is_dense else {name}
        return found

    def _names(self) -> list[int]:
        """The place of the first factor that is the same array, for each."""
        first: dict[Hashable, int] = {}
        return [first.setdefault(array_of(node), k) for k, node in enumerate(self.nodes)]

    def node(self, tree: Tree, result: Sequence[int]) -> Node:
        """The value of some factors, with the axes of some labels."""
        parts, labels = [], []
        for number, part in enumerate(tree):
            if isinstance(part, int):
                parts.append(self.nodes[part])
                labels.append(self.labels[part])
            else:
                others = [other for k, other in enumerate(tree) if k != number]
                wanted = {*result, *(label for one in others for label in self._mine(one))}
                kept = tuple([label for label in self._laid_out(part) if label in wanted])
                form = form_of(part, [*zip(self._names(), self.labels, strict=True)], kept)
                parts.append(self._made.get(form) or self.node(part, kept))
                self._made[form] = parts[-1]
                if part in self._expected:
                    expect(parts[-1].number, *self._expected[part])
                labels.append(kept)
        operators = (self.add, self.times)
        return summed_product(parts, tuple(labels), tuple(result), operators, self.dtype)

    def _laid_out(self, tree: Tree) -> list[int]:
        """The labels of a branch: those that lists lead come before those of dense factors alone.

        So what is multiplied by a dense array follows in memory what the array has in a row.
        """
        if tree in self._orders:
            return list(self._orders[tree])
        found = list(dict.fromkeys(self._mine(tree)))
        led = {
            label
            for k in numbers_of(tree)
            if not all_dense(self.nodes[k])
            for label in self.labels[k]
        }
        return sorted(found, key=lambda label: label not in led)

    def _mine(self, tree: Tree | int) -> list[int]:
        return [label for k in numbers_of(tree) for label in self.labels[k]]

    def label(self, length: int) -> int:
        """A label that no other axis has, of a length."""
        label = next(self._fresh)
        self.lengths[label] = length
        return label

    def _walk(self, node: Node, labels: Places, root: bool = False) -> None:
        if len(self.nodes) > LONGEST:  # too many to be put in order, however many follow
            return
        arg = node.args[0] if node.args else node
        match node.kind:
            case "reduce" if (root or self._deep) and self._is_sum(node):
                self.is_flat &= root
                left = iter(labels)
                axes = node.data[1]
                inner = [
                    self.label(n) if k in axes else next(left) for k, n in enumerate(arg.shape)
                ]
                around, self._own = self._own, node.dtype
                beside, self._written = self._written, []
                self._walk(arg, tuple(inner))
                branch = self._written
                self._written = [*beside, *(branch if root or len(branch) < 2 else [tuple(branch)])]
                self._own = around
            case "map" if self._is_product(node):
                for one in node.args:
                    self._walk(one, broadcast(one, node, labels))
            case "map" if self._is_square(node):
                for _ in range(2):
                    self._walk(arg, labels)
            case "expand":
                self._walk(arg, tuple(i for k, i in enumerate(labels) if k not in node.data))
            case "squeeze":
                left = iter(labels)
                self._walk(
                    arg, tuple(None if k in node.data else next(left) for k in range(arg.ndim))
                )
            case "permute":
                where = {axis: k for k, axis in enumerate(node.data)}
                self._walk(arg, tuple(labels[where[axis]] for axis in range(arg.ndim)))
            case "spread":
                self._walk(arg, broadcast(arg, node, labels))
            case "diagonal":
                self._walk(arg, tuple(labels[place] for place in node.data))
            case _:
                self._factor(node, labels)

    def _factor(self, node: Node, labels: Places) -> None:
        gone = tuple(k for k, label in enumerate(labels) if label is None)
        kept = [label for label in labels if label is not None]
        own = tuple(dict.fromkeys(kept))
        node = graph.squeeze(node, gone)
        if len(own) < len(kept):
            node = graph.diagonal(node, tuple(map(own.index, kept)))
        self._written.append(len(self.nodes))
        self.nodes.append(graph.astype(node, self.dtype))
        self.labels.append(own)

    def _is_sum(self, node: Node) -> bool:
        op, same = node.data[0], node.dtype == node.args[0].dtype
        fits = node.dtype == self._own or (self._mixed and is_widened(node.dtype, self._own))
        return bool(op.name == self.add and same and fits)

    def _is_square(self, node: Node) -> bool:
        alike = node.dtype == node.args[0].dtype == self.dtype
        return self._squares and alike and bool(node.data[0].name == "square")

    def _is_product(self, node: Node) -> bool:
        op, ins = node.data
        kinds = {node.dtype, *map(np.dtype, ins)}
        kinds |= set() if self._mixed else {arg.dtype for arg in node.args}
        return bool(op.name == self.times and kinds == {self._own})


def is_widened(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether floats are converted to ones that hold them all; halves overflow too soon."""
    return one.kind in "fc" and one.itemsize > 2 and one != other and np.can_cast(one, other)


def _added(node: Node) -> str | None:
    """The operator that adds in a node, if it is a sum, or a product of sums."""
    if node.kind == "reduce":
        name: str = node.data[0].name
        return name if name in DISTRIBUTES else None
    if not multiplies(node):
        return None
    return next(add for add, times in DISTRIBUTES.items() if node.data[0].name == times)
