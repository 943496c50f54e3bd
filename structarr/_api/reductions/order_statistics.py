"""Order statistics of fibers: stored runs are sorted, the fill is only counted."""

from __future__ import annotations

from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.core.entry_lists import converted, flat, listed, unflat
from structarr._api.core.fibers import each_of, runs_of
from structarr._api.core.gathering import lists_below
from structarr._array import NumPyArray
from structarr._compiler.backend.call import call
from structarr._storage.as_rows import rows_along
from structarr._storage.dense import from_dense
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.sorted_fibers import sorted_fibers
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed as is_plain
from structarr._support.uninterrupted import heard

LONG: Final = 512
"""The elements of a fiber from which on NumPy sorts it in less time than a kernel."""

_MANY = 2.0**62  # elements that int64 no longer counts


class Fibers(NamedTuple):
    """
    The stored elements of all fibers along some axes that store any, each fiber's in order.

    The last entry stands for all fibers that store nothing.
    """

    places: NumPyArray  # of the fibers but the last, in C order of the axes that are kept
    values: NumPyArray  # one fiber's after another's, NaN at the end of each
    ends: NumPyArray | None  # of the elements that each stands for, over all fibers; of one: None
    start: NumPyArray  # of each fiber in the same count
    stored: NumPyArray  # how many elements each fiber has in its values
    below: NumPyArray  # how many of them stand before the fill
    length: NumPyArray  # how many elements each fiber has, of Python's integers if need be
    fill: Any
    nan: NumPyArray  # whether NaN is among a fiber's elements, or there are none

    def at(self, places: NumPyArray) -> NumPyArray:
        """The element that stands at a place in the order of each fiber."""
        left = self.length - places  # from the end
        low = places < self.below
        high = ~low & (left <= self.stored - self.below) & (left > 0)
        found = np.full(len(places), self.fill, self.values.dtype)
        found[low] = self._values(self.start[low] + places[low].astype(np.int64))
        last = self.start[high] + self.stored[high]
        found[high] = self._values(last - left[high].astype(np.int64))
        return found

    def _values(self, number: NumPyArray) -> NumPyArray:
        """The values that stand for elements, which are counted over all fibers."""
        if self.ends is None:
            return self.values[number]
        return self.values[np.searchsorted(self.ends, number, "right")]


def fibers_of(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool) -> Fibers:
    """Sort the stored runs of a real tensor along axes; `skip_nan` leaves out each NaN."""
    rows = _rows_of(tensor, axes)
    if rows is not None:
        return _of_rows(tensor, axes, skip_nan, rows)
    kept, lengths = _kept(tensor, axes)
    order = tensor.format.order
    runs = runs_of(tensor, order)
    if order[-1] in kept or (runs.stop - runs.start).sum(dtype=np.float64) > _MANY:
        runs = each_of(runs)
    by_axis = dict(zip(order, (*runs.outer, runs.start), strict=True))
    number = flat([by_axis[axis] for axis in kept], lengths) if kept else runs.start * 0
    values, count = runs.values, runs.stop - runs.start
    if (number[1:] < number[:-1]).any():
        most = prod(lengths)
        moved = entry_order([number], len(number), [most] if most < _MANY else None)
        values, number, count = values[moved], number[moved], count[moved]
    ptr = np.append(np.flatnonzero(changes([number], len(number))), len(number))
    places = number[ptr[:-1]]
    if bool((count == 1).all()):
        return _of_rows(tensor, axes, skip_nan, _Rows(places, ptr, values))
    found = heard(lambda: sorted_fibers(values, ptr, count), len(values))
    assert found.beside is not None
    return _of_runs(tensor, axes, skip_nan, places, ptr, found.values, found.beside)


def unstored(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool) -> Fibers:
    """The fibers along axes that store nothing, alone."""
    none = np.zeros(0, np.int64)
    rows = _Rows(none, np.zeros(1, np.int64), none.astype(tensor.dtype))
    return _of_rows(tensor, axes, skip_nan, rows)


class _Rows(NamedTuple):
    """The stored values of the fibers that have any."""

    places: NumPyArray
    ptr: NumPyArray  # where the values of each begin, and the last end
    values: NumPyArray


def _rows_of(tensor: Tensor, axes: tuple[int, ...]) -> _Rows | None:
    """The fibers of lists along all axes, or along one of two; None of others."""
    if not is_plain(tensor):
        return None
    values = tensor.buffers[-1]
    if len(axes) == tensor.ndim:
        some = min(len(values), 1)
        return _Rows(np.zeros(some, np.int64), np.array([0, len(values)])[: some + 1], values)
    rows = rows_along(tensor, axes[0])
    if rows is None:
        return None
    ptr, _, values = rows.buffers
    places = np.flatnonzero(ptr[1:] > ptr[:-1])
    return _Rows(places, np.append(ptr[places], ptr[-1:]), values)


def _of_rows(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool, rows: _Rows) -> Fibers:
    """Fibers of values each of which stands for one element."""
    places, ptr, values = rows
    every = np.diff(ptr)
    if len(every) and every.max() > LONG:
        values = heard(lambda: sorted_fibers(values, ptr).values, len(values))
    else:
        made = np.empty_like(values)
        call("sort_each", (ptr, values), (made, np.empty_like(values)), 8 * len(values))
        values = made
    counts = np.zeros((2, len(places)), np.int64)
    call("count_around", (ptr, values, tensor.fill), tuple(counts), len(places))
    return _fibers(tensor, axes, skip_nan, places, values, None, every, *counts)


def _of_runs(
    tensor: Tensor,
    axes: tuple[int, ...],
    skip_nan: bool,
    places: NumPyArray,
    ptr: NumPyArray,
    values: NumPyArray,
    times: NumPyArray,
) -> Fibers:
    """Fibers of sorted values, each of which is there some times; `ptr` bounds each fiber's."""

    def counted(which: NumPyArray) -> NumPyArray:
        return np.diff(np.append(0, np.cumsum(np.where(which, times, 0)))[ptr])

    missing = np.isnan(values)
    below = ~missing if np.isnan(tensor.fill) else values < tensor.fill
    every = counted(np.ones(len(values), bool))
    ends = np.cumsum(times)
    return _fibers(
        tensor, axes, skip_nan, places, values, ends, every, counted(below), counted(missing)
    )


def _fibers(
    tensor: Tensor,
    axes: tuple[int, ...],
    skip_nan: bool,
    places: NumPyArray,
    values: NumPyArray,
    ends: NumPyArray | None,
    every: NumPyArray,
    below: NumPyArray,
    missing: NumPyArray,
) -> Fibers:
    """Fibers of sorted values, of which some of each are below the fill, and some NaN."""
    every, below, missing = (np.append(one, 0) for one in (every, below, missing))
    length = prod(tensor.shape[axis] for axis in axes)
    full = np.full(len(every), length, np.int64 if length < 2**62 else object)
    stored = every - missing
    fill_missing = bool(np.isnan(tensor.fill))
    if not skip_nan:
        count, nan = full, (missing > 0) | (every < full) & fill_missing
    else:
        count = stored if fill_missing else full - missing
        nan = count == 0
    return Fibers(
        places,
        values,
        ends,
        np.cumsum(every) - every,
        stored,
        below,
        count.astype(full.dtype),
        tensor.fill,
        nan.astype(bool),
    )


def spread(
    tensor: Tensor, axes: tuple[int, ...], places: NumPyArray, rows: NumPyArray, outer: Any
) -> Tensor:
    """
    Make a tensor of the results of fibers; the last is that of all fibers that store nothing.

    The kept axes are lists below the first ones that store every element. The axes `outer`, with
    one element for each row, stand before them.
    """
    kept, lengths = _kept(tensor, axes)
    shape = (*outer, *lengths)
    count, width = rows.shape[0], len(places)
    row = np.repeat(np.arange(count), width)
    coords = [*unflat(row, outer), *unflat(np.tile(places, count), lengths)]
    format = lists_below(tensor.format, tuple(kept), len(outer))
    fill = rows[0, -1] if count else rows.dtype.type(0)
    return listed(coords, rows[:, :-1].reshape(-1), shape, fill, format)


def in_lists_of(
    tensor: Tensor, axes: tuple[int, ...], found: NumPyArray, fill: Any, outer: int
) -> Tensor:
    """Store the results of all fibers, from a dense array, in the format that `spread` gives."""
    kept, _ = _kept(tensor, axes)
    return converted(from_dense(found, fill), lists_below(tensor.format, tuple(kept), outer))


def _kept(tensor: Tensor, axes: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
    kept = [axis for axis in range(tensor.ndim) if axis not in axes]
    return kept, tuple(tensor.shape[axis] for axis in kept)
