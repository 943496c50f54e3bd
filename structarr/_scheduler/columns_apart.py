"""Products with dense columns that lie apart in memory, by BLAS: some rows at a time.

Numbers of a frame of Arrow are arrays of their own, so a design has a part for each. A product for
each part, or each pair of two, takes far longer than the one of all of them. So a stretch of rows
is put side by side, in memory that stays in the cache, and multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Final, NamedTuple

import numpy as np

from structarr._lazy.graph import Node
from structarr._lazy.node import DType, Shape
from structarr._lazy.rewrite.dense_runs import has_run, held_by, is_run
from structarr._lazy.rewrite.push_joins import has_join
from structarr._scheduler.blas import checked_size
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.reorder_products import Product
from structarr._storage.dense import dense_view, from_own
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

STRETCH: Final = 1 << 16
"""The elements that are put side by side at once: 512 KiB of doubles."""


class _Factor(NamedTuple):
    """A factor: how many tensors it has, and which axis of them is that of the rows.

    There is none, -1, of what has no rows; a vector has its one axis, or one of length one beside.
    """

    parts: int
    rows: int


class ColumnsApart:
    """A sum of products in which a matrix or two have their columns apart.

    Where it `sums` over the rows, it is `a.T @ (v[:, None] * b)`, for matrices a and b and any
    number of vectors v; else `a @ (v[:, None] * b)`, of one matrix that is apart.
    """

    __slots__ = ("_check", "_dtype", "_matrices", "_shape", "_sums", "_swapped", "_vectors")

    def __init__(
        self,
        node: Node,
        sums: bool,
        matrices: Sequence[_Factor],
        vectors: Sequence[_Factor],
        swapped: bool,
    ) -> None:
        self._check = checked_size(node)
        self._dtype: DType = node.dtype
        self._shape: Shape = node.shape
        self._sums, self._swapped = sums, swapped
        self._matrices, self._vectors = tuple(matrices), tuple(vectors)

    def __call__(self, *tensors: Tensor) -> Tensor:
        """The value for the tensors of the matrices, then of the vectors."""
        self._check()
        left = iter(tensors)
        matrices = [_views(left, factor) for factor in self._matrices]
        vectors = [_views(left, factor)[0].reshape(-1) for factor in self._vectors]
        with np.errstate(all="ignore"):
            scale = reduce(np.multiply, vectors) if vectors else None
            made = self._summed(matrices, scale) if self._sums else self._by_rows(matrices, scale)
        made = made.T if self._swapped else made
        return from_own(np.ascontiguousarray(made, self._dtype).reshape(self._shape))

    def _by_rows(self, matrices: Sequence[list[Array]], scale: Array | None) -> Array:
        apart, *others = matrices
        other = None if not others else np.asarray(others[0][0], self._dtype)
        if scale is not None:
            other = scale if other is None else scale[:, None] * other
        assert other is not None
        block = _Block(apart, self._dtype)
        made = np.empty((len(apart[0]), *other.shape[1:]), self._dtype)
        for rows in block.stretches:
            np.matmul(block(rows).T, other, out=made[rows])
        return made

    def _summed(self, matrices: Sequence[list[Array]], scale: Array | None) -> Array:
        one, other = [_Block(parts, self._dtype) for parts in matrices]
        alike = len(one.parts) == len(other.parts) and all(
            [a is b for a, b in zip(one.parts, other.parts, strict=False)]
        )
        square = alike and (scale is None or bool((scale >= 0).all()))
        root = None if scale is None else np.sqrt(scale) if square else scale
        made = np.zeros((one.width, other.width), self._dtype)
        for rows in one.stretches if one.width > other.width else other.stretches:
            a = one(rows)
            b = a if square else other(rows)
            if root is not None:
                b *= root[rows]
            made += a @ b.T
        return made


class _Block:
    """A stretch of rows of a matrix, put side by side; its transpose, each column a row."""

    def __init__(self, parts: Sequence[Array], dtype: DType) -> None:
        self.parts = parts
        self.width = sum([part.shape[1] for part in parts])
        rows = len(parts[0])
        step = max(1, min(rows, STRETCH // max(1, self.width)))
        self.stretches = [slice(low, min(low + step, rows)) for low in range(0, rows, step)]
        self._room = np.empty((self.width, 2 * step), dtype)

    def __call__(self, rows: slice) -> Array:
        count = rows.stop - rows.start
        if count > self._room.shape[1]:  # those of a narrower matrix beside it
            self._room = np.empty((self.width, count), self._room.dtype)
        made = self._room[:, :count]
        start = 0
        for part in self.parts:
            stop = start + part.shape[1]
            made[start:stop] = part[rows].T
            start = stop
        return made


def product_of(
    node: Node, value: Callable[[Node], Tensor]
) -> tuple[ColumnsApart, tuple[Tensor, ...]] | None:
    """The product that a node stands for, and its tensors; None of any other node."""
    found = _found(node)
    if found is None:
        return None
    made, matrices, vectors = found
    tensors = [one for factor in (*matrices, *vectors) for one in _tensors(factor, value)]
    return (made, tuple(tensors)) if all([one.format.is_dense for one in tensors]) else None


def is_product(node: Node) -> bool:
    """Whether a node is such a product."""
    return _found(node) is not None


def _found(node: Node) -> tuple[ColumnsApart, list[Node], list[Node]] | None:
    if node.kind != "reduce" or node.dtype.kind != "f" or not has_run(node):
        return None
    whole = Product.of(node, deep=False, mixed=True)
    if whole is None or whole.add != "add" or node.ndim not in (1, 2):
        return None
    runs = [k for k, one in enumerate(whole.nodes) if is_run(one)]
    others = [k for k in range(len(whole.nodes)) if k not in runs]
    if any([has_join(whole.nodes[k]) or whole.nodes[k].sums for k in others]):
        return None
    if not all([all_dense(whole.nodes[k]) for k in others]):
        return None
    rows = {whole.labels[k][1 - whole.nodes[k].data] for k in runs}
    if len(rows) != 1:
        return None
    (row,) = rows
    if row in whole.result:
        return _of_rows(node, whole, runs[0], row)
    return _of_sums(node, whole, row)


def _of_rows(
    node: Node, whole: Product, run: int, row: int
) -> tuple[ColumnsApart, list[Node], list[Node]] | None:
    """A product whose result has the rows of the one matrix that is apart."""
    (column,) = {*whole.labels[run]} - {row}
    matrices: list[int] = [run]
    vectors: list[int] = []
    for k, labels in enumerate(whole.labels):
        if k == run:
            continue
        long = [label for label in labels if whole.lengths[label] != 1 or label in whole.result]
        if row in labels or column not in labels:
            return None
        (vectors if long == [column] else matrices).append(k)
    ends = [label for label in whole.result if label != row]
    if column in whole.result or len(ends) != len(matrices) - 1:
        return None
    if len(matrices) == 2 and {*whole.labels[matrices[1]]} != {column, *ends}:
        return None
    factors = [
        _Factor(_count(whole.nodes[k]), whole.labels[k].index(row if k == run else column))
        for k in matrices
    ]
    swapped = bool(ends) and whole.result[0] != row
    return _made(node, whole, False, matrices, factors, vectors, column, swapped)


def _of_sums(
    node: Node, whole: Product, row: int
) -> tuple[ColumnsApart, list[Node], list[Node]] | None:
    """A product that adds up the rows of two matrices; with a vector, each column is as fast."""
    matrices: list[int] = []
    vectors: list[int] = []
    held: list[int] = []
    every = sorted(range(len(whole.nodes)), key=lambda k: not is_run(whole.nodes[k]))
    for k in every:
        labels = whole.labels[k]
        ends = [label for label in labels if label != row]
        if row not in labels or len(ends) > 1:
            return None
        if not ends or (ends[0] in held and whole.lengths[ends[0]] == 1):
            vectors.append(k)
        elif ends[0] in held or ends[0] not in whole.result:
            return None
        else:
            matrices.append(k)
            held.append(ends[0])
    if {*held} != {*whole.result} or len(held) != 2:
        return None
    factors = [_Factor(_count(whole.nodes[k]), whole.labels[k].index(row)) for k in matrices]
    swapped = whole.result[0] != held[0]
    return _made(node, whole, True, matrices, factors, vectors, row, swapped)


def _made(
    node: Node,
    whole: Product,
    sums: bool,
    matrices: Sequence[int],
    factors: Sequence[_Factor],
    vectors: Sequence[int],
    along: int,
    swapped: bool,
) -> tuple[ColumnsApart, list[Node], list[Node]]:
    own = [_Factor(1, whole.labels[k].index(along)) for k in vectors]
    made = ColumnsApart(node, sums, factors, own, swapped)
    return made, [whole.nodes[k] for k in matrices], [whole.nodes[k] for k in vectors]


def _count(node: Node) -> int:
    return len(node.args) if is_run(node) else 1


def _tensors(node: Node, value: Callable[[Node], Tensor]) -> Iterator[Tensor]:
    """The tensors of a factor, those of columns as they are stored."""
    for part in node.args if is_run(node) else (node,):
        held = held_by(part)
        yield value(part) if held is None else held


def _views(left: Iterator[Tensor], factor: _Factor) -> list[Array]:
    """The arrays of a factor, rows first."""
    found = []
    for _ in range(factor.parts):
        view = dense_view(next(left))
        assert view is not None
        found.append(view.T if view.ndim == 2 and factor.rows == 1 else view)
    return found
