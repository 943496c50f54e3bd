"""Terms of sums that are factors of products: what stands between plus signs, with its labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._scheduler.full_fibers import Filled, filled
from structarr._scheduler.other_fills import held_by, is_told, known_fill, other_fill
from structarr._scheduler.product_factors import Places, broadcast
from structarr._scheduler.product_loops import Labels
from structarr._scheduler.reorder_products import Product, is_widened
from structarr._scheduler.thin_terms import StoredTerm, is_full, opposed
from structarr._scheduler.unlike_terms import Scaled, Unlike

MOST_TERMS: Final = 8
TERMS: Final = ("add", "subtract", "negative")
BELOW: Final = ("multiply", "divide", "conjugate", "square")
"""Operators that make terms, and those below which terms are looked for."""

FILLED: Final = ("leaf", "convert", "map", "first")
"""What may be of one stored array, whose fill is a term."""


class Term(NamedTuple):
    """A product, with a label for each axis of its factors, and its sign."""

    negative: bool
    nodes: tuple[Node, ...]
    labels: tuple[Labels, ...]


def has_terms(node: Node) -> bool:
    """Whether a factor of a product may be a sum of terms: quick, and true too often."""
    if node.kind == "map" and node.data[0].name in TERMS:
        return True
    if node.kind in FILLED and other_fill(node) is not None:
        return True
    below = node.kind in ("convert", "reduce", "expand", "squeeze", "permute", "spread")
    below |= node.kind == "map" and node.data[0].name in BELOW
    return below and any(map(has_terms, node.args))


class Terms:
    """The terms of factors of a product, whose labels those of nested sums add to."""

    def __init__(self, whole: Product, whole_sums: frozenset[Node] = frozenset()) -> None:
        self._whole, self._whole_sums = whole, whole_sums
        self.stored: list[StoredTerm] = []  # as large as their sums
        self.filled: list[Filled] = []  # those beside vectors
        self.unlike: list[Unlike] = []  # those of one sum
        self.merged = 0  # entries of sums of matrices that are stored in one order, and of no more

    def __call__(self, node: Node, labels: Places) -> list[Term]:
        found = self.every(node, labels)
        if not 1 < len(found) <= MOST_TERMS:
            return [_alone(node, labels)]
        if node in self._whole_sums:
            return found
        told = tuple([label for label in labels if label is not None])
        own = {*told}
        scaled = [(id(term), _scaled(term, told)) for term in found]
        alike = {term: made for term, made in scaled if made is not None}
        stored = []
        for term in found:
            for one, mine in zip(term.nodes, term.labels, strict=True):
                if own != {*mine}:
                    continue
                held = held_by(one)
                if held is None or is_full(one):
                    return [_alone(node, labels)]
                others = [other for other in found if other is not term]
                if id(term) in alike:  # what such terms leave to each other says nothing
                    others = [other for other in others if id(other) not in alike]
                axes = opposed(held, mine, map(labels_of, others))
                stored.append(StoredTerm(held, axes))
                self._note(node, labels, term, stored[-1], others)
        self.stored += stored
        orders = {one.tensor.format.order if not one.turned else None for one in alike.values()}
        if len(alike) == len(found) and len(orders) == 1:
            self.merged += sum([one.tensor.counts[-1] for one in alike.values()])
        if len(alike) > 1 and self._whole.dtype.kind in "fc":
            self.unlike.append(tuple(alike.values()))
        return found

    def _note(
        self, node: Node, labels: Places, term: Term, held: StoredTerm, others: Sequence[Term]
    ) -> None:
        """Note a stored term beside terms that make a vector."""
        told = tuple([label for label in labels if label is not None])
        beside = {label for other in others for label in labels_of(other)}
        mine = next(mine for mine in term.labels if {*mine} == {*told})
        if len(told) != node.ndim or len(held.axes) != 1 or len(beside) > 1:
            return
        if not labels_of(term) | beside <= {*told}:  # a factor is summed over an axis of its own
            return
        along = mine[held.axes[0]]
        if along in beside:
            return
        rest = reduce(_sum, [_value(other, told) for other in others])
        found = filled(node, held, _value(term, told), rest, told.index(along))
        self.filled += [] if found is None else [found]

    def every(self, node: Node, labels: Places) -> list[Term]:
        """All terms that a factor is the sum of, whatever they store."""
        match node.kind:
            case "map" if {node.dtype, *map(np.dtype, node.data[1])} == {self._whole.dtype}:
                terms = self._of_operation(node, labels)
                alone = sum(len(term.nodes) for term in terms) < 2
                alone |= len(terms) > 1 and known_fill(node) == 0
                return _without_fill(node, labels) if alone else terms
            case "convert" if _is_widened(node):
                (arg,) = node.args
                wide = tuple([graph.astype(one, node.dtype) for one in arg.args])
                return self.every(graph.elementwise(arg.data[0].name, wide), labels)
            case "expand":
                kept = [label for k, label in enumerate(labels) if k not in node.data]
                return self.every(node.args[0], tuple(kept))
            case "permute":
                where = {axis: k for k, axis in enumerate(node.data)}
                (arg,) = node.args
                return self.every(arg, tuple(labels[where[k]] for k in range(arg.ndim)))
            case "reduce" if node.data[0].name == "add" and node.dtype == node.args[0].dtype:
                (arg,) = node.args
                left = iter(labels)
                fresh = [
                    self._whole.label(n) if k in node.data[1] else next(left)
                    for k, n in enumerate(arg.shape)
                ]
                found = self.every(arg, tuple(fresh))
                if len(found) == 1 and len(found[0].nodes) > 1:
                    return found
        if node.kind in FILLED and other_fill(node) is not None:  # truth values among them
            return _without_fill(graph.astype(node, self._whole.dtype), labels)
        return [_alone(node, labels)]

    def _of_operation(self, node: Node, labels: Places) -> list[Term]:
        converted = [graph.astype(arg, node.dtype) for arg in node.args]
        args = [self.every(arg, broadcast(arg, node, labels)) for arg in converted]
        match node.data[0].name:
            case "add":
                return args[0] + args[1]
            case "subtract":
                return args[0] + list(map(_negative, args[1]))
            case "negative":
                return list(map(_negative, args[0]))
            case "conjugate" if node.dtype.kind == "f":
                return args[0]
            case "multiply":
                return [_times(*pair) for pair in product(*args)]
            case "divide" if sum(len(term.nodes) for term in args[0]) > 1:
                by = _alone(node.args[1], broadcast(node.args[1], node, labels))
                inverse = graph.elementwise("reciprocal", by.nodes)
                return [_times(one, by._replace(nodes=(inverse,))) for one in args[0]]
        return [_alone(node, labels)]


def _is_widened(node: Node) -> bool:
    """Whether a node widens an operation on floats: its operands may be widened, and round less."""
    (arg,) = node.args
    if arg.kind != "map" or arg.data[0].name not in TERMS + BELOW:
        return False
    alike = {arg.dtype, *map(np.dtype, arg.data[1])} == {arg.dtype}
    return alike and is_widened(arg.dtype, node.dtype)


def _scaled(term: Term, axes: Labels) -> Scaled | None:
    """A term that is a stored matrix times numbers, in a sum of some axes; None of any other."""
    matrices = [
        (node, mine) for node, mine in zip(term.nodes, term.labels, strict=True) if node.ndim
    ]
    numbers = tuple([node for node in term.nodes if node.kind == "constant" and not node.ndim])
    if len(matrices) != 1 or len(numbers) + 1 < len(term.nodes) or len(axes) != 2:
        return None
    ((node, mine),) = matrices
    if node.kind != "leaf" or mine not in (axes, axes[::-1]) or node.data.fill != 0:
        return None
    turned = mine != axes
    return None if node.data.format.is_dense else Scaled(node.data, numbers, turned, term.negative)


def _value(term: Term, labels: Labels) -> Node:
    """The value of a term as an array of axes with labels, of length one where it has no such."""

    def placed(node: Node, mine: Labels) -> Node:
        order = sorted(range(node.ndim), key=lambda axis: labels.index(mine[axis]))
        missing = tuple([k for k, label in enumerate(labels) if label not in mine])
        return graph.expand_dims(graph.permute(node, tuple(order)), missing)

    factors = list(map(placed, term.nodes, term.labels))
    value = reduce(lambda one, other: graph.elementwise("multiply", (one, other)), factors)
    return graph.elementwise("negative", (value,)) if term.negative else value


def _sum(one: Node, other: Node) -> Node:
    return graph.elementwise("add", (one, other))


def labels_of(term: Term) -> set[int]:
    """The labels of all axes of a term's factors."""
    return {label for mine in term.labels for label in mine}


def _without_fill(node: Node, labels: Places) -> list[Term]:
    """An expression of one stored array as what it stores and a fill that is not zero.

    `exp(a)` is the sum of `exp(a) - 1`, which is sparse, and of ones.
    """
    if (fill := other_fill(node)) is None:
        return [_alone(node, labels)]
    every = graph.number(fill, node.dtype)
    sparse = graph.elementwise("subtract", (node, every))
    if not is_told(node):  # a kernel would not know that this stores little
        sparse = graph.first(sparse)
    return [_alone(sparse, labels), Term(False, (every,), ((),))]


def _alone(node: Node, labels: Places) -> Term:
    """A node as a term of its own, without the axes along which it is repeated."""
    gone = tuple(k for k, label in enumerate(labels) if label is None)
    kept = tuple([label for label in labels if label is not None])
    return Term(False, (graph.squeeze(node, gone),), (kept,))


def _negative(term: Term) -> Term:
    return term._replace(negative=not term.negative)


def _times(one: Term, other: Term) -> Term:
    return Term(one.negative != other.negative, one.nodes + other.nodes, one.labels + other.labels)
