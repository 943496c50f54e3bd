"""Columns that come one by one, each stored in its own way, as one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes as _dtypes
from structarr._support.records import record
from structarr.formats import (
    Dense,
    Element,
    Format,
    Level,
    Pattern,
    RunList,
    SparseList,
    SparsePoint,
    SparseVBL,
)
from structarr.formats.entries import Array, segments

_INT32 = np.iinfo(np.int32).max


@record(slots=True, eq=False)
class Column:
    """
    A column, or as many as there are categories.

    Parameters
    ----------
    values : Array
        What is stored; of categories, the place of each row's, or -1.
    starts, stops : Array, optional
        The rows of the values, or, with stops, of blocks of them; None where every row is there.
    fill : scalar
        The value of other rows.
    categories : int, optional
        How many columns of truth values there are, at most one of them true in a row.
    """

    values: Array
    starts: Array | None = None
    stops: Array | None = None
    fill: Any = 0
    categories: int | None = None

    def singles(self) -> list[Column]:
        """The column, or one for each category, with a list of the rows that are true."""
        if self.categories is None:
            return [self]
        order = np.argsort(self.values, kind="stable")
        ends = np.searchsorted(self.values[order], np.arange(self.categories + 1))
        rows = [order[begin:end] for begin, end in pairwise(ends)]
        return [Column(np.ones(len(places), bool), places, fill=False) for places in rows]

    def rows(self, length: int) -> Array:
        """The row of each value."""
        if self.starts is None:
            return np.arange(length)
        if self.stops is None:
            return self.starts
        return segments(self.starts, self.stops - self.starts)[2]

    def blocks(self, length: int) -> tuple[Array, Array]:
        """The bounds of the blocks of rows."""
        if self.starts is None:
            whole = min(length, 1)
            return np.zeros(whole, np.int64), np.full(whole, length)
        if self.stops is None:
            return self.starts, self.starts + 1
        return self.starts, self.stops


def joined(columns: Sequence[Column], length: int, *, alone: bool) -> Tensor:
    """Return the matrix of some columns; of one that is `alone`, the vector unless one-hot."""
    if alone and columns[0].categories is not None:
        return _point(columns[0], length)
    columns = [one for column in columns for one in column.singles()]
    dtypes = [column.values.dtype for column in columns] or [np.dtype(np.float64)]
    dtype = _dtypes.check(np.result_type(*dtypes))
    sparse = [column for column in columns if column.starts is not None]
    if not sparse:
        return _dense(columns, length, dtype, alone)
    fill = _dtypes.scalar(sparse[0].fill, dtype)
    if not all(_same(_dtypes.scalar(column.fill, dtype), fill) for column in sparse):
        return _runs(columns, length, dtype)
    if any(column.stops is None for column in sparse):
        return _lists(columns, length, dtype, fill, alone)
    return _blocks(columns, length, dtype, fill, alone)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) or bool(one != one and other != other)


def _dense(columns: Sequence[Column], length: int, dtype: np.dtype[Any], alone: bool) -> Tensor:
    if alone:
        return from_dense(columns[0].values)
    made = np.empty((len(columns), length), dtype)
    for row, column in zip(made, columns, strict=True):
        row[:] = column.values
    return from_dense(made.T)


def _lists(
    columns: Sequence[Column], length: int, dtype: np.dtype[Any], fill: Any, alone: bool
) -> Tensor:
    rows = [column.rows(length) for column in columns]
    buffers = _ends(rows), np.concatenate(rows)
    return _tensor(SparseList, columns, length, dtype, fill, buffers, alone)


def _blocks(
    columns: Sequence[Column], length: int, dtype: np.dtype[Any], fill: Any, alone: bool
) -> Tensor:
    starts, stops = zip(*(column.blocks(length) for column in columns), strict=True)
    stop = np.concatenate(stops)
    ofs = np.concatenate(([0], np.cumsum(stop - np.concatenate(starts))))
    return _tensor(SparseVBL, columns, length, dtype, fill, (_ends(stops), stop, ofs), alone)


def _tensor(
    level: type[Level],
    columns: Sequence[Column],
    length: int,
    dtype: np.dtype[Any],
    fill: Any,
    places: Sequence[Array],
    alone: bool,
) -> Tensor:
    """The tensor whose values are those of all columns, one after the other."""
    if alone:
        values = columns[0].values
    else:
        values = np.concatenate([column.values for column in columns]).astype(dtype, copy=False)
    index = "int32" if max(length, len(columns), len(values)) <= _INT32 else "int64"
    root = level(Element())
    format = Format(root, (0,), index) if alone else Format(Dense(root), (1, 0), index)
    shape = (length,) if alone else (length, len(columns))
    return Tensor.checked(format, shape, fill, (*places, values), dtype)


def _runs(columns: Sequence[Column], length: int, dtype: np.dtype[Any]) -> Tensor:
    """Each column's values, and the fill of the gaps between them, as runs."""
    stops, values = zip(*(_runs_of(column, length, dtype) for column in columns), strict=True)
    index = "int32" if max(length, sum(map(len, stops))) <= _INT32 else "int64"
    format = Format(Dense(RunList(Element())), (1, 0), index)
    buffers = _ends(stops), np.concatenate(stops), np.concatenate(values)
    return Tensor.checked(format, (length, len(columns)), 0, buffers, dtype)


def _runs_of(column: Column, length: int, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    rows = column.rows(length).astype(np.int64)
    # A gap ends where the next value begins, or at the end of the column.
    ends = np.append(rows, length)
    gaps = ends > np.append(0, rows + 1)
    stops = np.concatenate((ends[gaps], rows + 1))
    values = np.concatenate((np.full(np.count_nonzero(gaps), column.fill, dtype), column.values))
    order = np.argsort(stops, kind="stable")
    return stops[order], values[order].astype(dtype, copy=False)


def _ends(parts: Sequence[Array]) -> Array:
    return np.concatenate(([0], np.cumsum([len(part) for part in parts])))


def _point(column: Column, length: int) -> Tensor:
    """The tensor of categories alone: each row is true at its own."""
    assert column.categories is not None
    format = Format(Dense(SparsePoint(Pattern())), (0, 1), "int32")
    codes = settled(column.values.astype(np.int32, copy=False))
    return Tensor.checked(format, (length, column.categories), False, (codes,))
