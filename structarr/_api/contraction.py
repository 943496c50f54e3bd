"""Contractions: products of arrays whose axes have names, summed over some of them.

The compiler sees a single loop nest, with whatever the operands are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, reduce
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr import _dtypes, _graph
from structarr._api.expressions import derive, product
from structarr._api.semirings import Semiring
from structarr._array import Array

Axes: TypeAlias = tuple[int, ...]
DType: TypeAlias = np.dtype[Any]
# An axis of a product, by name: equal names are multiplied together.
Labels: TypeAlias = tuple[Hashable, ...]


def contract(
    arrays: tuple[Array, ...],
    labels: tuple[Labels, ...],
    result: Labels,
    numpys: Callable[..., Any],
    semiring: Semiring | None = None,
) -> Array:
    """
    Multiply where labels agree, and sum over those that are not in the result.

    Parameters
    ----------
    arrays : tuple of Array
        The operands; axes of one label are broadcast against each other.
    labels : tuple of tuples
        The names of each operand's axes; of axes that share a name the diagonal is meant.
    result : tuple
        The names of the result's axes.
    numpys : callable
        What NumPy computes the same with, from dense arrays.
    semiring : Semiring, optional
        What adds and multiplies instead; NumPy's functions do not serve then.
    """
    add, times, dtype = _operators(tuple([array.dtype for array in arrays]), semiring)
    moves, summed = _recipe(labels, result)

    def make(first: _graph.Node, *others: _graph.Node) -> _graph.Node:
        value = _spread(first, moves[0])
        for node, move in zip(others, moves[1:], strict=True):
            value = _graph.elementwise(times, (value, _spread(node, move)))
        return _graph.reduce(add, value, summed, False, dtype)

    if semiring is not None:
        return derive(make, *arrays)
    return product(make, numpys, *arrays)


@cache
def _operators(dtypes: tuple[DType, ...], semiring: Semiring | None) -> tuple[str, str, DType]:
    """What adds and multiplies, and the dtype of a product."""
    if semiring is not None:
        kind = reduce(semiring.dtype_of, dtypes)
        return semiring.add.name, semiring.multiply.name, kind
    kind = reduce(_promoted, dtypes)
    add, times = ("logical_or", "logical_and") if kind.kind == "b" else ("add", "multiply")
    return add, times, kind


def _promoted(left: DType, right: DType) -> DType:
    return np.dtype(_dtypes.resolve("multiply", (left, right))[1])


class _Move(NamedTuple):
    """How an operand's axes come to lie where they do in the product."""

    merged: Axes | None  # where axes share a name: the place of each axis's name
    order: Axes | None  # None where it is its own
    missing: Axes  # the product's axes that it has not


class _Recipe(NamedTuple):
    """How the operands' axes come to lie side by side, and which are summed then."""

    moves: tuple[_Move, ...]
    summed: Axes


@cache
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


def _spread(node: _graph.Node, move: _Move) -> _graph.Node:
    """Bring a node's axes into an order, with length one where it has none."""
    merged, order, missing = move
    if merged is not None:
        node = _graph.diagonal(node, merged)
    if order is not None:
        node = _graph.permute(node, order)
    return _graph.expand_dims(node, missing)
