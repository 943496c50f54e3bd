"""Weighted products of two dense matrices by BLAS, a stretch of rows at a time.

Of `a.T @ (w[:, None] * b)` the scaled matrix is never formed: some rows at a time are scaled, which
stay in the cache. A matrix with itself, under weights that are not negative, is scaled by their
roots, as BLAS takes half the time for a product with its own transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

import numpy as np

from structarr._lazy.graph import Node
from structarr._scheduler.blas import checked_size, may_be_dense
from structarr._scheduler.product_factors import array_of
from structarr._scheduler.reorder_products import Product
from structarr._storage.dense import dense_view, from_own
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

STRETCH: Final = 1 << 15
"""The elements of a matrix that are scaled at once: 256 KiB of doubles."""


class WeightedProduct:
    """The sum over k of `a[k, i] * w[k] * b[k, j]`, for any number of vectors `w`."""

    __slots__ = ("_axes", "_check", "_is_square", "shape")

    def __init__(self, node: Node, axes: Sequence[tuple[int, ...]], is_square: bool) -> None:
        self.shape = node.shape
        self._axes, self._is_square = axes, is_square
        self._check = checked_size(node)

    @classmethod
    def of(
        cls, node: Node, is_dense: Callable[[Node], bool]
    ) -> tuple[WeightedProduct, list[Node]] | None:
        """The product that a node stands for, and its factors; None for any other node.

        Raises
        ------
        DensificationError
            If the result would be larger than allowed, and than the factors announce.
        """
        if node.kind != "reduce" or node.ndim != 2 or node.dtype.kind != "f":
            return None
        found = Product.of(node, least=3, deep=False) if may_be_dense(node) else None
        if found is None or found.add != "add" or not all(map(is_dense, found.nodes)):
            return None
        pair = _matrices(found)
        if pair is None:
            return None
        weights = [one for k, one in enumerate(found.nodes) if k not in pair]
        one, other = (found.nodes[k] for k in pair)
        ends = zip(pair, found.result, strict=True)
        axes = [_axes(found.labels[k], end) for k, end in ends]
        made = cls(node, axes, array_of(one) is array_of(other) and axes[0] == axes[1])
        made._check()
        return made, [one, other, *weights]

    def __call__(self, left: Tensor, right: Tensor, *weights: Tensor) -> Tensor:
        """The value for factors in dense formats."""
        self._check()
        first, second = self._axes
        a, b = _view(left).transpose(first), _view(right).transpose(second)
        with np.errstate(all="ignore"):
            scale = reduce(np.multiply, map(_view, weights))
            if self._is_square and bool((scale >= 0).all()):
                return from_own(_squared(a, np.sqrt(scale)))
            return from_own(_added(a, b, scale))


def _matrices(whole: Product) -> tuple[int, int] | None:
    """The factors that have the result's two axes, if each shares the one axis of all others."""
    summed = {*whole.lengths} - {*whole.result}
    holders = [
        [k for k, labels in enumerate(whole.labels) if end in labels] for end in whole.result
    ]
    if len(summed) != 1 or any(len(some) != 1 for some in holders):
        return None
    (one,), (other,) = holders
    wanted = {k: summed | {end} for k, end in zip((one, other), whole.result, strict=True)}
    labels = enumerate(whole.labels)
    fits = one != other and all({*mine} == wanted.get(k, summed) for k, mine in labels)
    return (one, other) if fits else None


def _axes(labels: tuple[int, ...], end: int) -> tuple[int, int]:
    """The axes of a matrix, that which is summed over first."""
    place = labels.index(end)
    return 1 - place, place


def _view(tensor: Tensor) -> Array:
    view = dense_view(tensor)
    assert view is not None
    return view


def _stretches(matrix: Array) -> list[slice]:
    rows, columns = matrix.shape
    step = max(1, STRETCH // max(1, columns))
    return [slice(start, min(start + step, rows)) for start in range(0, rows, step)]


def _added(a: Array, b: Array, scale: Array) -> Array:
    made = np.zeros((a.shape[1], b.shape[1]), a.dtype)
    for rows in _stretches(b):
        made += a[rows].T @ (scale[rows, None] * b[rows])
    return made


def _squared(a: Array, root: Array) -> Array:
    made = np.zeros((a.shape[1], a.shape[1]), a.dtype)
    for rows in _stretches(a):
        scaled = root[rows, None] * a[rows]
        made += scaled.T @ scaled
    return made
