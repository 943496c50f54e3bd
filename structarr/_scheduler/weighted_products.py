"""Weighted products of two dense matrices by BLAS, a stretch of rows at a time.

Of `a.T @ (w[:, None] * b)` the scaled matrix is never formed: rows are scaled in a buffer that stays
in the cache. A matrix with itself, under weights that are not negative, is scaled by their roots,
as BLAS takes half the time for a product with its own transpose.
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
        summed = [label for label in found.lengths if label not in found.result]
        places = [_holder(found, label) for label in found.result]
        if len(summed) != 1 or None in places:
            return None
        (along,) = summed
        pair = [k for k in places if k is not None]
        weights = [k for k in range(len(found.nodes)) if k not in pair]
        if any({*found.labels[k]} != {along, end} for k, end in zip(pair, found.result)):
            return None
        if any(found.labels[k] != (along,) for k in weights):
            return None
        one, other = (found.nodes[k] for k in pair)
        axes = [(found.labels[k].index(along), found.labels[k].index(end))
                for k, end in zip(pair, found.result)]
        made = cls(node, axes, array_of(one) is array_of(other) and axes[0] == axes[1])
        made._check()
        return made, [one, other, *[found.nodes[k] for k in weights]]

    def __call__(self, left: Tensor, right: Tensor, *weights: Tensor) -> Tensor:
        """The value for factors in dense formats."""
        self._check()
        a, b = (_view(one).transpose(axes) for one, axes in zip((left, right), self._axes))
        with np.errstate(all="ignore"):
            scale = reduce(np.multiply, map(_view, weights))
            if self._is_square and bool((scale >= 0).all()):
                return from_own(_squared(a, np.sqrt(scale)))
            return from_own(_added(a, b, scale))


def _holder(whole: Product, label: int) -> int | None:
    """The only factor that has a label; None where there are none or several."""
    found = [k for k, labels in enumerate(whole.labels) if label in labels]
    return found[0] if len(found) == 1 else None


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
