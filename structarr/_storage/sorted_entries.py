"""Entries in any order put in order by counting, and those at one place added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.buffers import conformed, sealed
from structarr._storage.coordinates import (
    checked_axis,
    checked_values,
    from_coordinates,
    in_order,
)
from structarr._storage.entry_order import are_in_order, entry_order, longest_counted
from structarr._storage.invariants import checked_fill
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import ENTRIES, ROWS, is_rows, kinds_of, relisted
from structarr._support import dtypes
from structarr._support.buffer_pool import copied, empty
from structarr.formats import Coordinate, Element, Format, Singleton, parse
from structarr.formats.entries import Array

FEW = 64  # fewer entries are sorted without counting


def from_entries(
    coords: Sequence[Array],
    given: Any,
    shape: tuple[int, ...],
    index: str,
    order: tuple[int, ...] | None = None,
) -> Tensor:
    """
    Make lists of entries whose coordinates are in any order; values at one place are added up.

    Returns
    -------
    Tensor
        With fill 0: rows of a matrix if its entries were counted into them, or columns if `order`
        has the last axis first; else "coo".

    Raises
    ------
    FormatError
        As `coordinates.from_coordinates` does.

    Examples
    --------
    >>> from_entries([np.array([1, 0]), np.array([2, 0])], np.ones(2), (2, 3), "int64")
    <Tensor coo of shape (2, 3), dtype float64, fill 0.0: 2 stored, 64 bytes>
    """
    values = checked_values(given)
    coo, count = parse("coo", len(shape), index), len(values)
    if count < FEW or len(coords) != len(shape) or len(shape) < 2:
        return from_coordinates(coords, values, shape, 0, coo)
    own = [sealed(conformed(one)) for one in coords]
    axes = [checked_axis(one, axis, shape, count) for axis, one in enumerate(own)]
    if are_in_order(axes, count):
        return in_order(axes, values, shape, 0, coo)
    if _are_counted(shape, count):
        format = Format(parse("csr", 2).root, order or (0, 1), index)
        return _rows(axes, values, shape, values.dtype.type(0), format)
    return entries_in(coo, axes, values, shape, 0)


def entries_in(
    format: Format, coords: Sequence[Array], values: Array, shape: tuple[int, ...], fill: Any
) -> Tensor:
    """
    Make a tensor as `coordinates.from_coordinates` does, sorted by counting.

    Coordinates may be shared, so nobody else may have them.

    Examples
    --------
    >>> coords = [np.array([1, 0]), np.array([2, 0])]
    >>> entries_in(parse("csc", 2), coords, np.ones(2), (2, 3), 0)
    <Tensor csc of shape (2, 3), dtype float64, fill 0.0: 2 stored, 64 bytes>
    """
    count = len(values)
    if count < FEW or len(coords) != len(shape):
        return from_coordinates(coords, values, shape, fill, format)
    checked = [checked_axis(one, axis, shape, count) for axis, one in enumerate(coords)]
    axes = [checked[axis] for axis in format.order]
    lengths = [shape[axis] for axis in format.order]
    fits = max(count, *shape) <= dtypes.largest(format.index)
    rises = are_in_order(axes, count)
    if not rises and fits and _are_counted(shape, count) and kinds_of(format) in (ROWS, ENTRIES):
        rows = Format(parse("csr", 2).root, format.order, format.index)
        found = _rows(checked, values, shape, checked_fill(fill, values.dtype), rows)
        return found if found.format == format else relisted(found, format)
    if not rises:
        order = entry_order(axes, count, lengths)
        axes, values = [axis[order] for axis in axes], values[order]
        rises = are_in_order(axes, count)
    if rises and fits and is_rows(format):
        index = np.dtype(format.index)
        own = [axis.astype(index, copy=False) for axis in axes]
        entries = Format(Coordinate(Singleton(Element())), format.order, format.index)
        value = checked_fill(fill, values.dtype)
        buffers = (np.array([0, count], index), *own, values)
        return relisted(Tensor(entries, shape, values.dtype, value, buffers), format)
    if rises:
        return in_order(axes, values, shape, fill, format)
    by_axis = dict(zip(format.order, axes, strict=True))
    return from_coordinates([by_axis[k] for k in range(len(shape))], values, shape, fill, format)


def _are_counted(shape: tuple[int, ...], count: int) -> bool:
    """Whether entries are counted into the rows of a matrix, not sorted axis by axis."""
    return len(shape) == 2 and max(shape) <= longest_counted(count)


def _rows(
    axes: list[Array], values: Array, shape: tuple[int, ...], fill: Any, format: Format
) -> Tensor:
    """Entries counted into the inner axis, and those into the outer one: each keeps its order."""
    outer, inner = format.order
    count, index = len(values), np.dtype(format.index)
    by_column, by_row = [
        (np.zeros(shape[axis] + 2, index), empty(count, index), empty(count, values.dtype))
        for axis in (inner, outer)
    ]
    call("transpose_entries", (axes[outer], axes[inner], values, fill), by_column, count)
    call("transpose_rows", (by_column[0][:-1], *by_column[1:], fill), by_row, count)
    ptr, idx, val = by_row[0][:-1], *by_row[1:]
    once = np.zeros(len(ptr), index), empty(count, index), empty(count, np.dtype(np.int64))
    places = call("first_of_places", (ptr, idx), once, count)
    if places < count:
        first = once[2][:places]
        ptr, idx = once[0], copied(once[1][:places])
        val = np.add.reduceat(val, first, out=empty(places, val.dtype))
    return Tensor(format, shape, val.dtype, fill, (np.ascontiguousarray(ptr), idx, val))
