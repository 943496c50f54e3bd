"""Order statistics of fibers: stored runs are sorted, the fill is only counted."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from structarr._api.core.entry_lists import converted, flat, listed, unflat
from structarr._api.core.fibers import each_of, runs_of
from structarr._api.core.gathering import lists_below
from structarr._array import NumPyArray
from structarr._storage.dense import from_dense
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.sorted_fibers import sorted_fibers
from structarr._storage.tensor import Tensor
from structarr._support.uninterrupted import heard

_MANY = 2.0**62  # elements that int64 no longer counts


class Fibers(NamedTuple):
    """
    The stored elements of all fibers along some axes that store any, each fiber's in order.

    The last entry stands for all fibers that store nothing.
    """

    places: NumPyArray  # of the fibers but the last, in C order of the axes that are kept
    values: NumPyArray  # one fiber's after another's, NaN at the end of each
    ends: NumPyArray  # of the elements that each value stands for, counted over all fibers
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
        if len(self.ends) and self.ends[-1] == len(self.ends):
            return self.values[number]  # one each
        return self.values[np.searchsorted(self.ends, number, "right")]


def fibers_of(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool) -> Fibers:
    """Sort the stored runs of a real tensor along axes; `skip_nan` leaves out each NaN."""
    kept, lengths = _kept(tensor, axes)
    order = tensor.format.order
    runs = runs_of(tensor, order)
    if order[-1] in kept or (runs.stop - runs.start).sum(dtype=np.float64) > _MANY:
        runs = each_of(runs)
    by_axis = dict(zip(order, (*runs.outer, runs.start), strict=True))
    number = flat([by_axis[axis] for axis in kept], lengths) if kept else runs.start * 0
    values, count = runs.values, runs.stop - runs.start
    if (number[1:] < number[:-1]).any():
        rows = prod(lengths)
        moved = entry_order([number], len(number), [rows] if rows < _MANY else None)
        values, number, count = values[moved], number[moved], count[moved]
    ptr = np.append(np.flatnonzero(changes([number], len(number))), len(number))
    plain = bool((count == 1).all())
    found = heard(lambda: sorted_fibers(values, ptr, None if plain else count), len(values))
    times = count if found.beside is None else found.beside
    return _fibers(tensor, axes, skip_nan, number[ptr[:-1]], ptr, found.values, times)


def unstored(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool) -> Fibers:
    """The fibers along axes that store nothing, alone."""
    none = np.zeros(0, np.int64)
    nothing = none.astype(tensor.dtype)
    return _fibers(tensor, axes, skip_nan, none, np.zeros(1, np.int64), nothing, none)


def _fibers(
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
        total = np.append(0, np.cumsum(np.where(which, times, 0)))
        return np.append(np.diff(total[ptr]), 0)

    length = prod(tensor.shape[axis] for axis in axes)
    full = np.full(len(places) + 1, length, np.int64 if length < 2**62 else object)
    ends = np.cumsum(times)
    every = counted(np.ones(len(values), bool))
    missing = np.isnan(values)
    stored = every - counted(missing)
    fill_missing = bool(np.isnan(tensor.fill))
    before = ~missing if fill_missing else values < tensor.fill
    if not skip_nan:
        count, nan = full, (stored < every) | (every < full) & fill_missing
    else:
        count = stored if fill_missing else full - (every - stored)
        nan = count == 0
    return Fibers(
        places,
        values,
        ends,
        np.cumsum(every) - every,
        stored,
        counted(before),
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
