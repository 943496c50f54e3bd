"""Reshaped arrays in expressions: what can be is computed in the shape that they had before.

An elementwise expression of arrays reshaped alike is one of them, reshaped; sums over axes that
stand for whole axes of the array are sums over these. What else is done with a reshaped array has
it computed first.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from math import prod
from operator import mul

from structarr._lazy.graph import Node, Shape, leaf, reshape
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._storage.tensor import Tensor


def applied(node: Node, value: Callable[[Node], Tensor]) -> Node:
    """The node without reshaped arrays in it; it may be one itself."""
    return _Applied(value).moved(node) if _has_any(node) else node


def _has_any(node: Node) -> bool:
    return node.kind == "reshape" or any(map(_has_any, node.args))


class _Applied:
    """A walk over a graph that meets each node once."""

    def __init__(self, value: Callable[[Node], Tensor]) -> None:
        self._value = value
        self._once = EachOnce()

    def moved(self, node: Node) -> Node:
        """The node with the only reshaping, if any, at its root."""
        return self._once(node, self._moved)

    def _moved(self, node: Node) -> Node:
        if not _has_any(node):
            return node
        args = [self.moved(arg) for arg in node.args]
        if node.kind == "reshape":
            return reshape(args[0], node.shape)
        found = None
        if node.kind in ("map", "convert"):
            found = _elementwise(node, args)
        elif node.kind == "reduce":
            found = _sum(node, args[0])
        return found or node.of([self._formed(arg) for arg in args])

    def _formed(self, node: Node) -> Node:
        return leaf(self._value(node)) if node.kind == "reshape" else node


def _elementwise(node: Node, args: list[Node]) -> Node | None:
    """An operation on arrays that are all reshaped alike, and numbers; None of any other."""
    arrays = [arg for arg in args if arg.ndim]
    shape = arrays[0].args[0].shape if arrays and arrays[0].kind == "reshape" else None
    for arg in arrays:
        if arg.kind != "reshape" or arg.shape != node.shape or arg.args[0].shape != shape:
            return None
    if shape is None:
        return None
    inner = tuple([arg.args[0] if arg.ndim else arg for arg in args])
    return reshape(Node(node.kind, inner, node.data, shape, node.dtype), node.shape)


def _sum(node: Node, arg: Node) -> Node | None:
    """A sum over axes that stand for whole axes of a reshaped array; None of any other."""
    op, axes, start = node.data
    own = _axes(arg.args[0].shape, arg.shape, axes) if arg.kind == "reshape" else None
    if own is None:
        return None
    inner = arg.args[0]
    left = tuple([n for k, n in enumerate(inner.shape) if k not in own])
    return reshape(Node("reduce", (inner,), (op, own, start), left, node.dtype), node.shape)


def _axes(before: Shape, after: Shape, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes of an array that some axes of it in another shape stand for."""
    if not prod(before):
        return None
    ends = [list(accumulate(lengths, mul, initial=1)) for lengths in (before, after)]
    bounds = sorted(set(ends[0]) & set(ends[1]))
    found: list[int] = []
    for low, high in pairwise(bounds):
        mine, theirs = [[k for k, end in enumerate(each[1:]) if low < end <= high] for each in ends]
        if all(k in axes for k in theirs):
            found += mine
        elif any(k in axes for k in theirs):
            return None
    # Axes of length one belong to none of these groups: summed, they leave the elements alone.
    return tuple(found) if found else None
