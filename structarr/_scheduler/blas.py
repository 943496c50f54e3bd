"""Products of two dense arrays by NumPy, so by BLAS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple

import numpy as np

from structarr._compiler.options import current
from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node
from structarr._lazy.told import told
from structarr._scheduler.reorder_products import Product
from structarr._storage.dense import dense_view, from_own
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

Labels = tuple[int, ...]

NATURAL: Final = tuple(range(64))
"""The axes of an array as NumPy's elements lie, those of the widest stride first."""


class DenseProduct:
    """The sum of a product of two dense arrays.

    Common axes of the factors that remain in the result are stacks of matrices.
    """

    __slots__ = (
        "_announced",
        "_is_plain",
        "_left",
        "_nbytes",
        "_order",
        "_right",
        "_sizes",
        "_text",
        "shape",
    )

    def __init__(self, found: Product, axes: _Axes, node: Node) -> None:
        self.shape = node.shape
        lengths = found.lengths
        rows, columns = ([k for k in one if k in axes.result] for one in (axes.rows, axes.columns))
        self._left = _side(axes.left, (axes.stack, rows, axes.summed), axes.summed, lengths)
        self._right = _side(axes.right, (axes.stack, axes.summed, columns), axes.summed, lengths)
        made = (*axes.stack, *rows, *columns)
        self._sizes = tuple([lengths[label] for label in made])
        self._order = tuple([made.index(label) for label in axes.result])
        self._is_plain = self._order == tuple(range(len(made)))
        self._nbytes = _nbytes(node)
        self._text = told(node)
        self._announced = 4 * sum(_nbytes(one) for one in found.nodes)

    @classmethod
    def of(
        cls, node: Node, is_dense: Callable[[Node], bool]
    ) -> tuple[DenseProduct, list[Node]] | None:
        """The product that a node stands for, and its factors; None for any other node.

        For vectors by vectors, and stacks of matrices by vectors, a kernel is as fast. `is_dense`
        says of a sum whether its value is.

        Raises
        ------
        DensificationError
            If the result would be larger than allowed, and than the factors announce.
        """
        if node.kind != "reduce" or not multiplies(node.args[0]) or not _may_be_dense(node):
            return None
        found = Product.of(node, deep=False)
        if found is None or len(found.nodes) != 2 or not all(map(is_dense, found.nodes)):
            return None
        axes = _Axes(found.labels[0], found.labels[1], found.result)
        rows, columns = (any(k in axes.result for k in one) for one in (axes.rows, axes.columns))
        if not (rows or columns) or (axes.stack and not (rows and columns)):
            return None
        made = cls(found, axes, node)
        made.check()
        return made, found.nodes

    def check(self) -> None:
        """Raise DensificationError where the result would be too large."""
        if self._nbytes > current().densify_limit:  # only then is the message needed
            instead = "reduce it or multiply it by a mask before it is looked at"
            what = f"{self._text}: the dense product of shape {self.shape}"
            check_size(self._nbytes, what, instead, self._announced)

    def __call__(self, left: Tensor, right: Tensor) -> Tensor:
        """The value for two factors in dense formats."""
        self.check()
        with np.errstate(all="ignore"):
            product = np.matmul(_laid(left, self._left), _laid(right, self._right))
        if not self._is_plain:
            product = product.reshape(self._sizes).transpose(self._order)
        return from_own(np.asarray(product, order="C").reshape(self.shape))


def _may_be_dense(node: Node) -> bool:
    """Whether an expression has nothing but dense operands and sums."""
    if node.kind == "leaf":
        return bool(node.data.format.is_dense)
    inner = node.args[0].args if node.kind == "reduce" else node.args
    return all([arg.kind == "reduce" or _may_be_dense(arg) for arg in inner])


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


class _Side(NamedTuple):
    """The layout of a factor as a matrix, or a stack of them: axes summed, the others in order."""

    gone: tuple[int, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]


def _side(
    labels: Labels,
    groups: Sequence[Sequence[int]],
    summed: Sequence[int],
    lengths: dict[int, int],
) -> _Side:
    """The layout of a factor: groups of labels become an axis each, no rows or columns none."""
    order = [label for group in groups for label in group]
    kept = [label for label in labels if label in order]
    gone = tuple([k for k, label in enumerate(labels) if label not in order])
    stack, *matrix = groups
    sizes = [
        prod(lengths[label] for label in group)
        for group in matrix
        if group or stack or group is summed
    ]
    shape = (*[lengths[label] for label in stack], *sizes)
    return _Side(gone, tuple([kept.index(label) for label in order]), shape)


def _laid(tensor: Tensor, side: _Side) -> Array:
    """A factor as a matrix, with what it alone has and the result lacks added up."""
    order = tensor.format.order
    if order == side.order == NATURAL[: len(order)] and not side.gone:
        return tensor.buffers[0].reshape(side.shape)
    array = dense_view(tensor)
    assert array is not None
    if side.gone:
        if array.dtype == bool:
            array = np.asarray(array.any(axis=side.gone))
        else:
            array = np.asarray(array.sum(axis=side.gone, dtype=array.dtype))
    return array.transpose(side.order).reshape(side.shape)


def _nbytes(node: Node) -> int:
    return prod(node.shape) * node.dtype.itemsize
