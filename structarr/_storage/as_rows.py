"""Tiles, diagonals and lists of entries as lists of rows, and rows as entries, by one pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.entry_order import longest_counted
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed, relisted, rows_format
from structarr._support.buffer_pool import copied, empty
from structarr.formats import (
    Coordinate,
    Dense,
    Diagonals,
    Element,
    Format,
    Level,
    Singleton,
    SparseList,
    Tiles,
)

BY_ROWS: Final = "by rows"
"""The name of the derivation that steps ask for."""

BY_ENTRIES: Final = "by entries"
"""The same of rows as entries."""

_COO: Final = Coordinate(Singleton(Element()))
_LISTED: Final = SparseList(SparseList(Element()))
_INT32: Final = np.iinfo(np.int32).max


@derived("rows")
def in_rows(tensor: Tensor, detail: None) -> Tensor:
    """
    Return a matrix in tiles or of diagonals as lists of what it stores; any other tensor as it is.

    Examples
    --------
    >>> from structarr.formats import Format, parse
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> a = Tensor.checked(fmt, (2, 2), 0.0, ([0, 1], [1.0, 3.0, 0.0, 2.0]))
    >>> [one.tolist() for one in in_rows(a, None).buffers]
    [[0, 2, 3], [0, 1, 1], [1.0, 2.0, 3.0]]
    """
    outer, *inner = tensor.format.levels
    spread = _SPREAD.get(type(inner[0])) if len(inner) == 2 and type(outer) is Dense else None
    if spread is None or type(inner[1]) is not Element:
        return tensor
    if inner[0].details == (1, 1) and type(inner[0]) is Tiles:  # which are elements of rows
        fmt = rows_format(tensor.format.order, tensor.format.index)
        ptr, idx, values = tensor.buffers
        return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, (ptr, idx, copied(values)))
    name, inputs = spread(tensor)
    count = len(tensor.buffers[-1])
    index = tensor.format.index if count <= _INT32 else "int64"
    ptr = np.zeros(tensor.dims[0] + 1, index)
    idx, values = empty(count, np.dtype(index)), empty(count, tensor.dtype)
    call(name, inputs, (ptr, idx, values), count)
    fmt = rows_format(tensor.format.order, index)
    buffers = (ptr, idx[: ptr[-1]], values[: ptr[-1]])
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, buffers)


def rows_along(tensor: Tensor, axis: int) -> Tensor | None:
    """
    Return a matrix of lists as lists along an axis; None of others, or if rows are too many.

    Examples
    --------
    >>> from structarr.formats import parse
    >>> a = Tensor.checked(parse("csr", 2), (2, 3), 0.0, ([0, 1, 2], [2, 0], [5.0, 6.0]))
    >>> found = rows_along(a, 0)
    >>> [] if found is None else [one.tolist() for one in found.buffers]
    [[0, 1, 1, 2], [1, 0], [6.0, 5.0]]
    """
    if tensor.ndim != 2 or not is_listed(tensor):
        return None
    format = rows_format((1 - axis, axis), tensor.format.index)
    if tensor.format is format:
        return tensor
    if tensor.shape[1 - axis] > longest_counted(len(tensor.buffers[-1])):
        return None
    return relisted(tensor, format)


@derived(BY_ROWS)
def by_rows(tensor: Tensor, detail: None) -> Tensor:
    """A list of entries as rows, which share their columns and values."""
    return relisted(tensor, rows_format(tensor.format.order, tensor.format.index))


@derived(BY_ENTRIES)
def by_entries(tensor: Tensor, detail: None) -> Tensor:
    """Rows as a list of entries, which share their columns and values."""
    return relisted(tensor, Format(_COO, tensor.format.order, tensor.format.index))


@derived("listed rows")
def listed_rows(tensor: Tensor, detail: None) -> Tensor:
    """
    Rows as a list of those that store anything, which share their columns and values.

    Examples
    --------
    >>> from structarr.formats import parse
    >>> a = Tensor.checked(parse("csr", 2), (3, 2), 0.0, ([0, 1, 1, 2], [1, 0], [5.0, 6.0]))
    >>> [one.tolist() for one in listed_rows(a, None).buffers]
    [[0, 2], [0, 2], [0, 1, 2], [1, 0], [5.0, 6.0]]
    """
    ptr, idx, values = tensor.buffers
    kept = np.flatnonzero(ptr[1:] != ptr[:-1])
    ends = np.array([0, len(kept)], ptr.dtype)
    own = ends, kept.astype(ptr.dtype), np.append(ptr[kept], ptr[-1:])
    fmt = Format(_LISTED, tensor.format.order, tensor.format.index)
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, (*own, idx, values))


def _tiles(tensor: Tensor) -> tuple[str, tuple[Any, ...]]:
    return "spread_tiles", (*tensor.buffers, *tensor.format.levels[1].details)


def _diagonals(tensor: Tensor) -> tuple[str, tuple[Any, ...]]:
    return "spread_diagonals", (*tensor.buffers, tensor.dims[1])


_SPREAD: Final[dict[type[Level], Callable[[Tensor], tuple[str, tuple[Any, ...]]]]] = {
    Tiles: _tiles,
    Diagonals: _diagonals,
}
