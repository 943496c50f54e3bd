"""Products of arrays whose axes have labels, as nodes: equal labels are multiplied together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr._lazy import graph
from structarr._support.caches import MOST, cleared, room

Axes: TypeAlias = tuple[int, ...]
Labels: TypeAlias = tuple[Hashable, ...]
_Outline: TypeAlias = tuple[graph.Shape, np.dtype[Any], int]

MOST_SHAPES = 1024  # the most shapes remembered of a contraction; beyond, all are forgotten


def summed_product(
    nodes: Sequence[graph.Node],
    labels: tuple[Labels, ...],
    result: Labels,
    operators: tuple[str, str],
    dtype: np.dtype[Any],
) -> graph.Node:
    """The product of some arrays, added up over the labels that are not in the result.

    `operators` are the addition and the multiplication. Where axes of one array share a label, its
    diagonal is taken.
    """
    add, times = operators
    moves, summed = _recipe(labels, result)
    value = _spread(nodes[0], moves[0])
    for node, move in zip(nodes[1:], moves[1:], strict=True):
        value = graph.elementwise(times, (value, _spread(node, move)))
    return graph.reduce(add, value, summed, False, dtype)


class Contraction:
    """A sum of products, whose operations are made when something asks for them."""

    def __init__(
        self,
        labels: tuple[Labels, ...],
        result: Labels,
        operators: tuple[str, str],
        dtype: np.dtype[Any],
    ) -> None:
        self._meaning = labels, result, operators, dtype
        self._make = self._made  # one bound method, by whose identity the definition is known
        self._outlines: dict[tuple[graph.Shape, ...], _Outline] = {}

    def __call__(self, *nodes: graph.Node) -> graph.Node:
        """The sum of the products of some arrays."""
        known = graph.again(self, *nodes)
        if known is not None:
            return known
        shapes = tuple([node.shape for node in nodes])
        outline = self._outlines.get(shapes)
        if outline is None:
            outline = room(self._outlines, MOST_SHAPES)[shapes] = self._outline(nodes)
        shape, dtype, sums = outline
        if not sums:
            return self._made(*nodes)
        for node in nodes:
            sums += node.sums
        made = graph.defined((self._make, nodes), shape, dtype, sums)
        graph.note(self, made, *nodes)
        return made

    def _made(self, *nodes: graph.Node) -> graph.Node:
        return summed_product(nodes, *self._meaning)

    def _outline(self, nodes: Sequence[graph.Node]) -> _Outline:
        """The shape, dtype and number of sums of a product itself."""
        made = self._made(*nodes)
        return made.shape, made.dtype, made.sums - sum([node.sums for node in nodes])


class _Move(NamedTuple):
    """The axes of an operand as they lie in the product."""

    merged: Axes | None  # the place of each axis's label, where axes share labels
    order: Axes | None  # None where the axes are in order
    missing: Axes  # the product's axes that the operand lacks


class _Recipe(NamedTuple):
    """The axes of all operands as they lie in the product, and those that are summed."""

    moves: tuple[_Move, ...]
    summed: Axes


@cleared
@lru_cache(MOST)
def _recipe(labels: tuple[Labels, ...], result: Labels) -> _Recipe:
    every = [name for mine in labels for name in mine]
    order = tuple(dict.fromkeys((*result, *every)))
    moves = tuple(_move(mine, order) for mine in labels)
    return _Recipe(moves, tuple(range(len(result), len(order))))


def _move(labels: Labels, order: Labels) -> _Move:
    own = tuple(dict.fromkeys(labels))
    merged = None if len(own) == len(labels) else tuple(own.index(name) for name in labels)
    kept = [name for name in order if name in own]
    there = tuple(own.index(name) for name in kept) if kept != list(own) else None
    missing = tuple(place for place, name in enumerate(order) if name not in own)
    return _Move(merged, there, missing)


def _spread(node: graph.Node, move: _Move) -> graph.Node:
    """Bring a node's axes into an order, with length one where it has none."""
    merged, order, missing = move
    if merged is not None:
        node = graph.diagonal(node, merged)
    if order is not None:
        node = graph.permute(node, order)
    return graph.expand_dims(node, missing)
