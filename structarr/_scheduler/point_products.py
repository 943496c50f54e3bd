"""Products of a matrix of points with itself, which are diagonal by structure.

A row of a point matrix has one place at most, so `p[k, i] * w[k] * p[k, j]` is zero unless i is j,
whatever the values are. Its sum over k is a vector, on the diagonal of a matrix of zeros: of the
product of categories with themselves the weights are added up by category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.distributive import DISTRIBUTES
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._scheduler.product_factors import Places, broadcast
from structarr._storage.tensor import Tensor

Point: TypeAlias = tuple[Tensor, tuple[int | None, ...]]
"""An array whose last level is of points, with the axes above it, as places of a product."""


def applied(node: Node, on_diagonal: Callable[[Node], Tensor]) -> Node:
    """The node with matrices that `on_diagonal` makes of vectors in place of such sums."""
    if current().strict_ieee:  # where zero times infinity is no zero
        return node
    return _walked(node, on_diagonal, EachOnce())


def _walked(node: Node, on_diagonal: Callable[[Node], Tensor], once: EachOnce) -> Node:
    return once(node, lambda one: _without(one, on_diagonal, once)) if node.sums else node


def _without(node: Node, on_diagonal: Callable[[Node], Tensor], once: EachOnce) -> Node:
    vector = _diagonal_of(node)
    if vector is not None:
        return leaf(on_diagonal(vector))
    return node.of([_walked(arg, on_diagonal, once) for arg in node.args])


def _diagonal_of(node: Node) -> Node | None:
    """The diagonal of a sum that has nothing else; None of any other node."""
    if node.kind != "reduce" or node.ndim != 2 or node.data[0].name not in DISTRIBUTES:
        return None
    product, summed = node.args[0], node.data[1]
    one, other = (k for k in range(product.ndim) if k not in summed)
    if node.shape[0] != node.shape[1] or not _is_diagonal(product, one, other):
        return None
    places, count = [0] * product.ndim, 1
    for k in summed:
        places[k] = count
        count += 1
    axes = tuple(range(1, count))
    return graph.reduce(
        node.data[0].name, graph.diagonal(product, tuple(places)), axes, False, node.dtype
    )


def _is_diagonal(product: Node, one: int, other: int) -> bool:
    """Whether a product is zero wherever its places along two axes differ."""
    found: dict[Point, set[int | None]] = {}
    for point, place in _points(product, tuple(range(product.ndim))):
        mine = found.setdefault(point, set())
        mine.add(place)
        if {one, other} <= mine:
            return True
    return False


def _points(node: Node, labels: Places) -> Iterator[tuple[Point, int | None]]:
    """Arrays of points that are factors, and the axis along which each has its place."""
    arg = node.args[0] if node.args else node
    match node.kind:
        case "leaf":
            levels, order = node.data.format.levels, node.data.format.order
            if order and levels[len(order) - 1].kind.holds_one and not node.data.fill:
                *above, last = [labels[axis] for axis in order]
                if None not in above:
                    yield (node.data, tuple(above)), last
        case "map" if node.data[0].name in DISTRIBUTES.values():
            for one in node.args:
                yield from _points(one, broadcast(one, node, labels))
        case "convert" | "first":
            yield from _points(arg, labels)
        case "expand":
            yield from _points(arg, tuple(i for k, i in enumerate(labels) if k not in node.data))
        case "permute":
            where = {axis: k for k, axis in enumerate(node.data)}
            yield from _points(arg, tuple(labels[where[axis]] for axis in range(arg.ndim)))
        case "spread":
            yield from _points(arg, broadcast(arg, node, labels))
