"""Products of two dense arrays by NumPy, so by BLAS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple

import numpy as np

from structarr._compiler.kernel_passes.vector_calls import VECTORS
from structarr._compiler.options import current
from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node, Shape
from structarr._lazy.told import told
from structarr._scheduler.reorder_products import Product
from structarr._storage.dense import elements, from_flat
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr._support import pooled_products
from structarr.formats.entries import Array

Labels = tuple[int, ...]

NATURAL: Final = tuple(range(64))
"""The axes of an array as NumPy's elements lie, those of the widest stride first."""


class DenseProduct:
    """The sum of a product of two dense arrays.

    Common axes of the factors that remain in the result are stacks of matrices. The arrays may be
    of any lengths; the layout for the last ones is kept.
    """

    __slots__ = ("_axes", "_bytes", "_order", "_result", "_text", "layout")

    def __init__(self, found: Product, axes: _Axes, node: Node) -> None:
        made = axes.made
        self._axes, self._result = axes, found.result
        self._order = tuple([made.index(label) for label in axes.result])
        self._bytes = node.dtype.itemsize, [one.dtype.itemsize for one in found.nodes]
        self._text = told(node)
        self.layout = self._layout(found.nodes[0].shape, found.nodes[1].shape)

    @classmethod
    def of(
        cls, node: Node, is_dense: Callable[[Node], bool]
    ) -> tuple[DenseProduct, list[Node]] | None:
        """The product that a node stands for, and its factors; None for any other node.

        For vectors by vectors, and stacks of matrices by vectors, a kernel is as fast, and faster
        for a matrix that had to be computed first and meets a vector: each element is read once.
        `is_dense` says of a sum whether its value is.

        Raises
        ------
        DensificationError
            If the result would be larger than allowed, and than the factors announce.
        """
        if node.kind != "reduce" or not multiplies(node.args[0]) or not may_be_dense(node):
            return None
        found = Product.of(node, deep=False)
        if found is None or len(found.nodes) != 2 or not all(map(is_dense, found.nodes)):
            return None
        if not all(found.labels):  # a number is no factor of BLAS's
            return None
        axes = _Axes(found.labels[0], found.labels[1], found.result)
        rows, columns = (any(k in axes.result for k in one) for one in (axes.rows, axes.columns))
        if not (rows or columns) or (axes.stack and not (rows and columns)):
            return None
        if not (rows and columns) and any(map(_is_computed_in_passing, found.nodes)):
            return None
        made = cls(found, axes, node)
        made.check(made.layout)
        return made, found.nodes

    def check(self, layout: _Layout) -> None:
        """Raise DensificationError where the result would be too large."""
        if layout.nbytes > current().densify_limit:  # only then is the message needed
            instead = "reduce it or multiply it by a mask before it is looked at"
            what = f"{self._text}: the dense product of shape {layout.shape}"
            check_size(layout.nbytes, what, instead, layout.announced)

    def __call__(self, left: Tensor, right: Tensor) -> Tensor:
        """The value for two factors in dense formats."""
        layout = self.layout
        if layout.given != (left.shape, right.shape):
            layout = self.layout = self._layout(left.shape, right.shape)
        if layout.nbytes > current().densify_limit:
            self.check(layout)
        product = pooled_products.matmul(_laid(left, layout.left), _laid(right, layout.right))
        if self._order != NATURAL[: len(self._order)]:
            product = product.reshape(layout.sizes).transpose(self._order)
        return from_flat(np.asarray(product, order="C").reshape(-1), layout.shape)

    def _layout(self, left: Shape, right: Shape) -> _Layout:
        """The layout of factors of some shapes, whose axes of one label are equally long."""
        axes = self._axes
        lengths = dict(zip((*axes.left, *axes.right), (*left, *right), strict=True))
        rows, columns = axes.of_result(axes.rows), axes.of_result(axes.columns)
        own, factors = self._bytes
        shape = tuple([lengths.get(label, 1) for label in self._result])
        return _Layout(
            (left, right),
            _side(axes.left, (axes.stack, rows, axes.summed), axes.summed, lengths),
            _side(axes.right, (axes.stack, axes.summed, columns), axes.summed, lengths),
            tuple([lengths[label] for label in axes.made]),
            shape,
            prod(shape) * own,
            4 * (prod(left) * factors[0] + prod(right) * factors[1]),
        )


def may_be_dense(node: Node) -> bool:
    """Whether an expression has nothing but dense operands and sums."""
    if node.kind == "leaf":
        return bool(node.data.format.is_dense)
    inner = node.args[0].args if node.kind == "reduce" else node.args
    return all([arg.kind == "reduce" or may_be_dense(arg) for arg in inner])


def _is_computed_in_passing(node: Node) -> bool:
    """Whether the elements of a matrix take some operations each, none of them by vectors."""
    return node.ndim > 1 and node.kind == "map" and not node.sums and _is_plain(node)


def _is_plain(node: Node) -> bool:
    if node.kind == "map" and node.data[0].name in VECTORS:
        return False
    return all(map(_is_plain, node.args))


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
        self.made = (*self.stack, *self.of_result(self.rows), *self.of_result(self.columns))

    def of_result(self, labels: Sequence[int]) -> list[int]:
        """Those of some labels that the result has."""
        return [label for label in labels if label in self.result]


class _Layout(NamedTuple):
    """The layout of a product of factors of some shapes.

    `sizes` are the lengths of the product of matrices before its axes are put in order; a result
    of `nbytes` is `announced` by factors that take a quarter of that or more.
    """

    given: tuple[Shape, Shape]
    left: _Side
    right: _Side
    sizes: Shape
    shape: Shape
    nbytes: int
    announced: int


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
    array = elements(tensor)
    if side.gone:
        if array.dtype == bool:
            array = np.asarray(array.any(axis=side.gone))
        else:
            array = np.asarray(array.sum(axis=side.gone, dtype=array.dtype))
    return array.transpose(side.order).reshape(side.shape)


def checked_size(node: Node) -> Callable[[], None]:
    """A check that raises DensificationError where the dense value of a node would be too large."""
    nbytes, text, shape = _nbytes(node), told(node), node.shape

    def check() -> None:
        if nbytes > current().densify_limit:
            check_size(nbytes, f"{text}: the dense product of shape {shape}", "reduce it first")

    return check


def _nbytes(node: Node) -> int:
    return prod(node.shape) * node.dtype.itemsize
