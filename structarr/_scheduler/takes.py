"""Elements read at places: accesses of kernels, products with a selection, or computed first.

In `a[rows] @ x` the kernel reads row `rows[i]` of `a`, whose rows are found by arithmetic: none is
copied. Places along an axis whose elements lie in lists move to the other factors of a sum of
products: `a[:, cols] @ x` is `a @ z`, where `z` adds up the elements of `x` by `cols`, and
`x @ a[:, cols]` is `(x @ a)[cols]`. What is left is computed first, by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf, prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.operands import Operands
from structarr._scheduler.reorder_products import Product
from structarr._scheduler.sum_terms import has_terms
from structarr._scheduler.thin_terms import StoredTerm
from structarr._scheduler.unlike_terms import Unlike
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr.formats import Dense, Element, Format, Level, Pattern, SparsePoint, Uniform
from structarr.formats.kinds import DENSE, LIST

Value: TypeAlias = Callable[[Node], Tensor]

LONG: Final = 1e-3
"""Seconds of a sum from which it is asked whether it reads elements over and over."""

AGAIN: Final = 1e-7
"""Seconds for each entry of the operands beyond which it does."""

GAIN: Final = 3.0
"""How many times longer than loops in any order over what is computed first it takes."""

SELECTION: Final = Format(Dense(SparsePoint(Uniform())), (0, 1), "int64")
"""The format of a matrix with a one in each row."""

PICKED: Final = 8.0
"""The products for each entry that take as long as to pick entries along an axis."""


def placed(node: Node, value: Value) -> Node:
    """The node without reads at places, but for those that a kernel finds by arithmetic.

    A root that is a read at places stays one if nothing else is computed with it.
    """
    if not _has_any(node):
        return node
    placing = _Placing(value, node)
    if node.kind != "take":
        return placing.walk(node)
    arg, places = node.args
    moved = _moved(arg, places, node.data)
    return node if moved is None or moved.kind == "take" else placing.walk(moved)


def is_read_again(node: Node, least: Callable[[Operands], float], given: Operands) -> bool:
    """
    Whether a sum would read the elements at some places over and over.

    Parameters
    ----------
    node : Node
        An expression.
    least : callable
        The expected seconds of its loops.
    given : Operands
        Its operands.
    """
    if node.kind != "reduce" or not _has_any(node) or all_dense(node):
        return False
    seconds = least(given)
    if seconds <= LONG:
        return False
    entries = sum([n for one in given.tensors for n in one.counts[-1:]])
    whole = None if current().strict_ieee else Product.of(node, mixed=True)
    best = inf if whole is None else GAIN * whole.plan().cost * 1e-9
    return seconds > max(LONG, min(AGAIN * entries, best))


def formed(node: Node, value: Value) -> Node:
    """The node with the elements at places computed before."""
    if node.kind == "take":
        return leaf(value(node))
    return node.of([formed(arg, value) for arg in node.args])


def _has_any(node: Node) -> bool:
    return node.kind == "take" or any(map(_has_any, node.args))


class _Placing:
    """A walk over a graph that meets each node once."""

    def __init__(self, value: Value, root: Node) -> None:
        self._value, self._root = value, root
        self._once = EachOnce()

    def walk(self, node: Node) -> Node:
        return self._once(node, self._placed)

    def _placed(self, node: Node) -> Node:
        if not _has_any(node):
            return node
        if node.kind == "take":
            return self._taken(node)
        if node.kind == "reduce" and node is not self._root and _selects(node):
            return leaf(self._value(node))  # a plan of its own makes the selection
        if node.kind == "slide" or _is_split(node):
            return node.of([self._formed(arg) for arg in node.args])
        if node.kind == "map" and any([arg.sums for arg in node.args]):
            # What asks for few terms of a sum is an array, not a part of one.
            args = [self._formed(arg) if arg.shape == node.shape else arg for arg in node.args]
            return node.of([self.walk(arg) for arg in args])
        return node.of([self.walk(arg) for arg in node.args])

    def _taken(self, node: Node) -> Node:
        arg, places = node.args
        moved = _moved(arg, places, node.data)
        if moved is not None:
            return moved if moved.kind == "take" else self.walk(moved)
        held = leaf(self._value(arg))
        taken = graph.take(held, places.data, node.data)
        return taken if _is_found(held.data.format, node.data.axis) else leaf(self._value(taken))

    def _formed(self, node: Node) -> Node:
        """The node without any read at places, except within sums, which come first."""
        if node.kind == "take":
            return leaf(self._value(node))
        if node.kind == "reduce":
            return self.walk(node)
        return node.of([self._formed(arg) for arg in node.args])


def _leaves(node: Node) -> list[Node]:
    return [node] if node.kind == "leaf" else [one for arg in node.args for one in _leaves(arg)]


def _is_split(node: Node) -> bool:
    """Whether a node may become a sum of products, whose terms are arrays."""
    product = node.kind == "reduce" or multiplies(node)
    return product and node.sums > 0 and has_terms(node)


def _moved(arg: Node, places: Node, taking: graph.Taking) -> Node | None:
    """A node read at places, which have moved down to arrays; None where not all are found so."""
    axis, count = taking.axis, places.shape[0]
    if arg.shape[axis] == 1:
        return None
    shape = (*arg.shape[:axis], count, *arg.shape[axis + 1 :])

    def below(one: Node, along: int) -> Node | None:
        return _moved(one, places, taking._replace(axis=along))

    inner = arg.args[0] if arg.args else arg
    match arg.kind:
        case "leaf":
            return (
                graph.take(arg, places.data, taking) if _is_found(arg.data.format, axis) else None
            )
        case "take" if inner.kind == "leaf":
            format = inner.data.format
            found = _is_found(format, axis) and _is_found(format, arg.data.axis)
            return graph.take(arg, places.data, taking) if found else None
        case "map" | "convert":
            skips = [axis - (arg.ndim - one.ndim) for one in arg.args]
            args = [
                below(one, own) if own >= 0 and one.shape[own] > 1 else one
                for one, own in zip(arg.args, skips, strict=True)
            ]
            kept = tuple([one for one in args if one is not None])
            fits = len(kept) == len(args)
            return Node(arg.kind, kept, arg.data, shape, arg.dtype) if fits else None
        case "join" if arg.data != axis:
            # A part that is not found so is read by itself, instead of with all others.
            args = [below(one, axis) or graph.take(one, places.data, taking) for one in arg.args]
            return Node("join", tuple(args), arg.data, shape, arg.dtype)
        case "permute":
            moved = below(inner, arg.data[axis])
            return moved and graph.permute(moved, arg.data)
        case "expand":
            moved = below(inner, axis - sum([k < axis for k in arg.data]))
            return moved and graph.expand_dims(moved, arg.data)
        case "squeeze":
            moved = below(inner, _left(inner.ndim, arg.data)[axis])
            return moved and graph.squeeze(moved, arg.data)
        case "reduce" if count < arg.shape[axis]:
            moved = below(inner, _left(inner.ndim, arg.data[1])[axis])
            return moved and Node("reduce", (moved,), arg.data, shape, arg.dtype)
        case "slice" if inner.shape[axis] == arg.shape[axis] and arg.data[1][axis] == 1:
            moved = below(inner, axis)
            starts, steps = arg.data
            return moved and graph.window(moved, starts, steps, shape)
    return None


def _left(ndim: int, gone: tuple[int, ...]) -> list[int]:
    """The axes that are left without some."""
    return [k for k in range(ndim) if k not in gone]


def _is_found(format: Format, axis: int) -> bool:
    """Whether a kernel finds the elements of an array along an axis by arithmetic.

    Innermost may be one level of another kind, whose children are counted by fiber before they are
    appended.
    """
    *levels, inner, last = format.levels
    depth = format.order.index(axis)
    if type(last) not in (Element, Pattern) or any(level.kind is not DENSE for level in levels):
        return False
    return inner.kind is DENSE or (depth < len(levels) and _is_counted(inner))


def _is_counted(level: Level) -> bool:
    """Whether a level's fibers are read and counted one by one, whatever fibers are beside them."""
    if level.kind.relates or level.prepares or level.square or not level.slicing:
        return False
    return level.kind is not LIST or level.slicing == "entries"


def is_copied(node: Node) -> bool:
    """Whether a stored array that is read at places is copied fiber by fiber, without a kernel.

    So are lists, whose segments are copied as they are, and dense arrays; what leaves other levels
    is merged with its neighbours, or found by position.
    """
    arg, axis = node.args[0], node.data.axis
    return arg.kind != "leaf" or _is_copied(arg.data.format, axis)


@lru_cache(MOST)
def _is_copied(format: Format, axis: int) -> bool:
    if not format.ndim or format.is_constant or not _is_found(format, axis):
        return True
    return format.is_dense or format.levels[-2].kind is LIST


class Selected(NamedTuple):
    """A sum of products with selections in place of reads at places.

    Of a sum along such an axis, elements that are not read are multiplied by a computed zero. So
    it is what it stands for where it is finite.
    """

    node: Node
    is_exact: bool
    sparse: tuple[StoredTerm, ...] = ()  # no terms that may cancel
    unlike: tuple[Unlike, ...] = ()


def selected(node: Node, is_dense: Callable[[Node], bool]) -> Selected | None:
    """The sum of products that is to take the place of a node; None where the node is better.

    `is_dense` says of a node whether its value is, as one has to be that may not be exact. A read
    moves to factors that are dense, so that the format of the sum stays what it is.
    """
    if not (node.kind == "reduce" or multiplies(node)) or not _has_any(node):
        return None
    whole = None if current().strict_ieee else Product.of(node, 1, mixed=True)
    if whole is None:
        return None
    number, summed, before = 0, False, len(whole.nodes)
    while number < len(whole.nodes):
        label = _selected_label(whole, number)
        if label is None:
            number += 1
            continue
        _select(whole, number)
        summed |= label not in whole.result
    if len(whole.nodes) == before:
        return None
    is_exact = not summed or whole.dtype.kind not in "fc"
    made = whole.node(whole.plan().tree, whole.result)
    return Selected(made, is_exact) if is_exact or is_dense(made) else None


def _selects(node: Node) -> bool:
    """Whether a sum of products may be one with selections."""
    whole = None if current().strict_ieee else Product.of(node, 1, mixed=True)
    every = range(len(whole.nodes)) if whole else ()
    return any(_selected_label(whole, k) is not None for k in every)  # type: ignore[arg-type]


def _selected_label(whole: Product, number: int) -> int | None:
    """The label along which a factor had better be selected than read at places."""
    one = whole.nodes[number]
    if one.kind != "take":
        return None
    (arg, places), axis = one.args, one.data.axis
    if places.shape[0] <= arg.shape[axis] and _moved(arg, places, one.data) is not None:
        return None
    if not all(leaf.data.format.root.kind is DENSE for leaf in _leaves(arg) if leaf.ndim):
        return None  # sums over it need not be dense
    label = whole.labels[number][axis]
    each = prod([n for one, n in whole.lengths.items() if one not in whole.labels[number]])
    if each * (1 - places.shape[0] / max(arg.shape[axis], 1)) > PICKED:
        return None  # few of many entries are multiplied
    others = [k for k in range(len(whole.nodes)) if k != number]
    if label not in whole.result:
        others = [k for k in others if label in whole.labels[k]]
    elif any(one in whole.result for one in whole.labels[number] if one != label):
        return None  # its elements are no sums
    return label if all(all_dense(whole.nodes[k]) for k in others) else None


def _select(whole: Product, number: int) -> None:
    """Replace a read at places by its array, times the matrix of what is selected."""
    one = whole.nodes[number]
    (arg, places), axis = one.args, one.data.axis
    labels = whole.labels[number]
    every = whole.label(arg.shape[axis])
    chosen = selection(places.data, (arg.shape[axis], whole.dtype))
    whole.nodes[number] = arg
    whole.labels[number] = (*labels[:axis], every, *labels[axis + 1 :])
    whole.nodes.append(leaf(chosen))
    whole.labels.append((labels[axis], every))
    whole.is_flat = False


@derived("selection")
def selection(places: Tensor, told: tuple[int, np.dtype[np.generic]]) -> Tensor:
    """The matrix whose row k is one at the k-th place and zero elsewhere."""
    length, dtype = told
    buffers = (places.buffers[-1], np.ones(1, dtype))
    return Tensor(SELECTION, (*places.shape, length), dtype, dtype.type(0), buffers)
