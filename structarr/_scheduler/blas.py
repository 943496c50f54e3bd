"""Products of two dense arrays by NumPy, so by BLAS."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from structarr._compiler.options import current
from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.reorder_products import Product
from structarr._storage.dense import dense_view, from_dense
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

Labels = tuple[int, ...]


class DenseProduct:
    """The sum of a product of two dense arrays.

    Common axes of the factors that remain in the result are stacks of matrices.
    """

    __slots__ = ("_announced", "_axes", "_lengths", "_nbytes", "shape")

    def __init__(self, found: Product, axes: _Axes, node: Node) -> None:
        self.shape = node.shape
        self._axes, self._lengths = axes, found.lengths
        self._nbytes = _nbytes(node)
        self._announced = 4 * sum(_nbytes(one) for one in found.nodes)

    @classmethod
    def of(cls, node: Node) -> tuple[DenseProduct, list[Node]] | None:
        """The product that a node stands for, and its factors; None for any other node.

        For vectors by vectors, and stacks of matrices by vectors, a kernel is as fast.

        Raises
        ------
        DensificationError
            If the result would be larger than allowed, and than the factors announce.
        """
        if node.kind != "reduce" or not multiplies(node.args[0]) or not all_dense(node):
            return None
        found = Product.of(node)
        if found is None or not found.is_flat or len(found.nodes) != 2:
            return None
        axes = _Axes(found.labels[0], found.labels[1], found.result)
        if not (axes.rows or axes.columns) or (axes.stack and not (axes.rows and axes.columns)):
            return None
        made = cls(found, axes, node)
        made.check()
        return made, found.nodes

    def check(self) -> None:
        """Raise DensificationError where the result would be too large."""
        if self._nbytes > current().densify_limit:  # only then is the message needed
            instead = "reduce it or multiply it by a mask before it is looked at"
            what = f"the dense product of shape {self.shape}"
            check_size(self._nbytes, what, instead, self._announced)

    def __call__(self, left: Tensor, right: Tensor) -> Tensor:
        """The value for two factors in dense formats."""
        self.check()
        one, other = dense_view(left), dense_view(right)
        assert one is not None and other is not None
        with np.errstate(all="ignore"):
            product = _stacked(one, other, self._axes, self._lengths)
        return from_dense(np.asarray(product, order="C").reshape(self.shape))


class _Axes:
    """The labels of two factors by their roles in a product of matrices."""

    def __init__(self, left: Labels, right: Labels, result: Labels) -> None:
        both = [label for label in left if label in right]
        # Axes of length one that expanding adds belong to no factor.
        result = tuple(label for label in result if label in left or label in right)
        self.left, self.right, self.result = left, right, result
        self.stack = [label for label in both if label in result]
        self.summed = [label for label in both if label not in result]
        self.rows = [label for label in left if label not in both]
        self.columns = [label for label in right if label not in both]


def _stacked(left: Array, right: Array, axes: _Axes, lengths: dict[int, int]) -> Array:
    """The products of two stacks of matrices, or of two; what one alone has is summed first."""
    left, rows = _summed(left, axes.left, axes.rows, axes.result)
    right, columns = _summed(right, axes.right, axes.columns, axes.result)
    stack = [lengths[label] for label in axes.stack]

    def sized(labels: Sequence[int]) -> int:
        return prod(lengths[label] for label in labels)

    kept = [label for label in axes.left if label not in axes.rows or label in rows]
    one = _moved(left, kept, (*axes.stack, *rows, *axes.summed))
    kept = [label for label in axes.right if label not in axes.columns or label in columns]
    other = _moved(right, kept, (*axes.stack, *axes.summed, *columns))
    product = np.matmul(
        one.reshape(*stack, sized(rows), sized(axes.summed)),
        other.reshape(*stack, sized(axes.summed), sized(columns)),
    )
    order = (*axes.stack, *rows, *columns)
    return _moved(product.reshape([lengths[label] for label in order]), order, axes.result)


def _summed(
    array: Array, labels: Labels, own: Sequence[int], result: Labels
) -> tuple[Array, list[int]]:
    gone = tuple(k for k, label in enumerate(labels) if label in own and label not in result)
    kept = [label for label in own if label in result]
    if not gone:
        return array, kept
    if array.dtype == bool:
        return np.asarray(array.any(axis=gone)), kept
    return np.asarray(array.sum(axis=gone, dtype=array.dtype)), kept


def _moved(array: Array, labels: Sequence[int], order: Sequence[int]) -> Array:
    return array.transpose([labels.index(label) for label in order])


def _nbytes(node: Node) -> int:
    return prod(node.shape) * node.dtype.itemsize
