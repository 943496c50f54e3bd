"""Lists with other values at some points, in one pass over their entries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.change import Change, Patch, Renewal
from structarr._storage.coordinates import with_room
from structarr._storage.entry_order import (
    are_in_order,
    changes,
    entry_order,
    longest_counted,
)
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import ENTRIES, ROWS, kinds_of, relisted, rows_format
from structarr._support.buffer_pool import copied, empty
from structarr.formats import Element, Format, SparseList
from structarr.formats.entries import Array

VECTOR = (SparseList, Element)


def takes_points(tensor: Tensor) -> bool:
    """Whether a tensor is a matrix or vector of lists, whose rows are not far more than entries."""
    kinds = kinds_of(tensor.format)
    few = kinds == ENTRIES and tensor.dims[0] <= longest_counted(len(tensor.buffers[-1]))
    return kinds in (ROWS, VECTOR) or few


def without(tensor: Tensor, dropped: Sequence[Array]) -> Tensor:
    """
    Return lists without the entries that masks of the indices mark, one for each axis.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> marks = np.array([True, False]), np.array([False, True, True])
    >>> [one.tolist() for one in without(a, marks).buffers]
    [[0, 1, 2], [0, 2], [1.0, 3.0]]
    """
    marks = [dropped[axis] for axis in tensor.format.order]
    if kinds_of(tensor.format) == ENTRIES:
        return _listed_without(tensor, marks)
    rows = _as_rows(tensor)
    marks = [np.ones(1, bool), *marks] if tensor.ndim == 1 else marks
    ptr, idx, val = rows.buffers
    made = tuple(empty(len(one), one.dtype) for one in rows.buffers)
    count = call("drop_entries", (ptr, idx, val, *marks), made, len(idx))
    return _finished(rows, made, count, tensor.format)


def _listed_without(tensor: Tensor, marks: Sequence[Array]) -> Tensor:
    """The same of a list of entries."""
    ends, *given = tensor.buffers
    made = [empty(len(one), one.dtype) for one in given]
    count = call("drop_listed", (*given, *marks), tuple(made), len(given[0]))
    kept = [_cut(one, count) for one in made]
    buffers = (np.array([0, count], ends.dtype), *kept)
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers)


def put(tensor: Tensor, places: Sequence[Array], values: Array) -> Change:
    """
    Return the change of lists that get other values at points; what equals the fill is left out.

    Parameters
    ----------
    tensor : Tensor
        As `takes_points` asks.
    places : sequence of array
        The coordinates of the points on each axis, in any order; of points that are there more
        than once the last one counts.
    values : array
        A value for each point, of the tensor's dtype.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> there = np.array([0, 1, 1]), np.array([0, 0, 2])
    >>> [one.tolist() for one in put(a, there, np.array([0.0, 8.0, 9.0])).made().buffers]
    [[0, 1, 3], [2, 0, 2], [2.0, 8.0, 9.0]]
    """
    if not len(values):
        return Renewal(tensor, tensor)
    rows = _as_rows(tensor)
    axes, values = _in_order([places[axis] for axis in tensor.format.order], values, tensor.dims)
    axes = [np.zeros_like(axes[0]), *axes] if tensor.ndim == 1 else axes
    ptr, idx, val = rows.buffers
    stored = np.empty(len(values), np.int64)
    inputs = ptr, idx, *axes, values, tensor.fill
    if call("place_points", inputs, (stored,), 8 * len(values)) == len(values):
        return Patch(tensor, stored, values)
    room = len(idx) + len(values)
    wide = with_room(rows.format, rows.shape, room).index
    index = np.dtype(wide)
    made = empty(len(ptr), index), empty(room, index), empty(room, val.dtype)
    inputs = ptr, idx, val, tensor.fill, *axes, values
    count = call("put_points", inputs, made, room)
    return Renewal(tensor, _finished(rows, made, count, tensor.format))


def _in_order(
    axes: list[Array], values: Array, lengths: tuple[int, ...]
) -> tuple[list[Array], Array]:
    """Points in order, the last one of those at the same place."""
    axes = [axis.astype(np.int64, copy=False) for axis in axes]
    if are_in_order(axes, len(values)):
        return axes, values
    order = entry_order(axes, len(values), lengths)
    axes, values = [axis[order] for axis in axes], values[order]
    last = np.append(changes(axes, len(values))[1:], True)
    return [axis[last] for axis in axes], values[last]


def _as_rows(tensor: Tensor) -> Tensor:
    if kinds_of(tensor.format) != ENTRIES:
        return tensor
    return relisted(tensor, rows_format(tensor.format.order, tensor.format.index))


def _finished(rows: Tensor, made: tuple[Array, ...], count: int, format: Format) -> Tensor:
    ptr, idx, val = made
    idx, val = _cut(idx, count), _cut(val, count)
    own = Format(rows.format.root, rows.format.order, ptr.dtype.name)
    found = Tensor(own, rows.shape, rows.dtype, rows.fill, (ptr, idx, val))
    asked = Format(format.root, format.order, own.index)
    return found if own == asked else relisted(found, asked)


def _cut(buffer: Array, count: int) -> Array:
    """The first elements of a buffer; a copy where much memory beside them is released."""
    kept = buffer[:count]
    return copied(kept) if 4 * count < 3 * len(buffer) else kept
