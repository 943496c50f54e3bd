"""Entries in any order put in order by counting, and those at one place added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage import entry_ranges
from structarr._storage.buffers import conformed, settled, writable
from structarr._storage.coordinates import (
    checked_axis,
    checked_values,
    from_coordinates,
    in_order,
)
from structarr._storage.density import check_pointers
from structarr._storage.entry_order import LONG, are_in_order, entry_order, longest_counted
from structarr._storage.invariants import checked_fill, checked_shape
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import ENTRIES, ROWS, kinds_of, relisted, rows_format
from structarr._support import dtypes
from structarr._support.buffer_pool import empty
from structarr.errors import FormatError
from structarr.formats import Coordinate, Element, Format, Singleton, parse
from structarr.formats.entries import Array

FEW = 64  # fewer entries are sorted without counting
MANY = 1 << 20  # entries from which on copies take much of the memory


def from_entries(
    coords: Sequence[Array],
    given: Any,
    shape: tuple[int, ...],
    index: str,
    order: tuple[int, ...] | None = None,
) -> Tensor:
    """
    Make lists of entries whose coordinates are in any order; values at one place are added up.

    Parameters
    ----------
    coords : sequence of array
        Of integers, which others may have.
    given : array_like
        The values.
    shape : tuple of int
        In the order of the axes.
    index : str
        The dtype of coordinates.
    order : tuple of int, optional
        That of the axes in which rows, or columns, of a matrix are asked for; None asks for a list
        of entries.

    Returns
    -------
    Tensor
        With fill 0: lists of a matrix along the axes in the `order`, if these are not too long to
        count along; else "coo".

    Raises
    ------
    FormatError
        As `coordinates.from_coordinates` does.

    Examples
    --------
    >>> from_entries([np.array([1, 0]), np.array([2, 0])], np.ones(2), (2, 3), "int64")
    <Tensor coo of shape (2, 3), dtype float64, fill 0.0: 2 stored, 64 bytes>
    """
    values, asked = checked_values(given), None
    if order is not None and len(coords) == len(shape) == 2:
        few = max(shape) <= longest_counted(len(values))
        asked = rows_format(order, index) if few else None
    if asked is None:
        asked = parse("coo", len(shape), index)
    return entries_in(asked, coords, values, shape, 0, lent=True)


def entries_in(
    format: Format,
    coords: Sequence[Array],
    values: Array,
    shape: tuple[int, ...],
    fill: Any,
    lent: bool = False,
) -> Tensor:
    """
    Make a tensor as `coordinates.from_coordinates` does, sorted by counting.

    Coordinates may be shared, and nobody else may have them, unless they are `lent`.

    Examples
    --------
    >>> coords = [np.array([1, 0]), np.array([2, 0])]
    >>> entries_in(parse("csc", 2), coords, np.ones(2), (2, 3), 0)
    <Tensor csc of shape (2, 3), dtype float64, fill 0.0: 2 stored, 64 bytes>
    """
    count = len(values)
    if count < FEW or len(coords) != len(shape) or len(shape) < 2:
        return from_coordinates(coords, values, shape, fill, format)
    if len(shape) == 2:
        axes, found = _matrix(coords, values, shape, format.order, lent)
        return _of_ordered(format, axes, found, shape, fill, found is not values)
    own = [settled(conformed(one)) if lent else one for one in coords]
    checked = [checked_axis(one, axis, shape, count) for axis, one in enumerate(own)]
    axes = [checked[axis] for axis in format.order]
    if not are_in_order(axes, count):
        order = entry_order(axes, count, [shape[axis] for axis in format.order])
        axes, values = [axis[order] for axis in axes], values[order]
    if are_in_order(axes, count):
        return in_order(axes, values, shape, fill, format)
    by_axis = dict(zip(format.order, axes, strict=True))
    return from_coordinates([by_axis[k] for k in range(len(shape))], values, shape, fill, format)


def _matrix(
    coords: Sequence[Array],
    values: Array,
    shape: tuple[int, ...],
    order: tuple[int, ...],
    lent: bool,
) -> tuple[list[Array], Array]:
    """The coordinates of a matrix in an order of the axes, checked, and the values beside them.

    Rows are copied, if others have them, before they are checked and read to tell where an entry
    goes; columns are only when they are in their places, and none of them is copied before.
    """
    (outer, inner), count = order, len(values)
    given, lengths = (coords[outer], coords[inner]), (shape[outer], shape[inner])
    ordered = _copied(given, lengths, count) if lent else None
    if ordered is not None:
        return ordered, values
    rows = checked_axis(_own(conformed(coords[outer]), lent), outer, shape, count)
    columns = conformed(coords[inner])
    if columns.dtype not in (np.int32, np.int64) or columns.shape != (count,):
        columns = checked_axis(columns, inner, shape, count)
    if are_in_order((rows, columns), count):
        held = checked_axis(_own(columns, lent), inner, shape, count)
        if held is columns or are_in_order((rows, held), count):
            return [rows, held], values
        columns = held
    ranges = entry_ranges.split(rows, columns, values)
    del rows
    try:
        checked_axis(ranges.columns, inner, shape, count)
    except FormatError:
        checked_axis(columns, inner, shape, count)  # tells which one was given so
        raise
    entry_ranges.sort(ranges)
    entries = [ranges.rows, ranges.columns, ranges.values]
    del ranges
    entry_ranges.unite(entries)
    return entries[:2], entries[2]


def _copied(given: tuple[Array, Array], lengths: tuple[int, int], count: int) -> list[Array] | None:
    """Copies of coordinates that others may write, where they are in order, and inside."""
    rows, columns = given
    kind = rows.dtype
    if count < LONG or kind not in (np.int32, np.int64) or columns.dtype != kind:
        return None
    if any(type(one) is not np.ndarray or one.shape != (count,) for one in given):
        return None
    if not (writable(rows) and are_in_order((rows[:LONG], columns[:LONG]), LONG)):
        return None
    own = [empty(count, kind), empty(count, kind)]
    falls = call("copy_entries", (*given, *lengths), tuple(own), count)
    return own if falls == 0 else None


def _own(coordinates: Array, lent: bool) -> Array:
    """Coordinates that nobody else can write; many are copied beside the pool: for a short time."""
    if not lent:
        return coordinates
    many = coordinates.size >= MANY and writable(coordinates)
    return coordinates.copy() if many else settled(coordinates)


def _of_ordered(
    format: Format,
    axes: list[Array],
    values: Array,
    shape: tuple[int, ...],
    fill: Any,
    moved: bool,
) -> Tensor:
    """A tensor of the entries of a matrix in order; whether its values were moved there."""
    count, index = len(values), np.dtype(format.index)
    fits = max(count, *shape) <= dtypes.largest(format.index)
    if not fits or kinds_of(format) not in (ROWS, ENTRIES):
        return in_order(axes, values, shape, fill, format)
    if kinds_of(format) == ROWS:
        check_pointers(shape[format.order[0]], shape)
    own = [axis.astype(index, copy=False) for axis in axes]
    entries = Format(Coordinate(Singleton(Element())), format.order, format.index)
    extents, value = checked_shape(shape, entries), checked_fill(fill, values.dtype)
    buffers = (np.array([0, count], index), *own, values)
    made = Tensor(entries, extents, values.dtype, value, buffers, {OWN: True} if moved else None)
    return made if format == entries else relisted(made, format)
