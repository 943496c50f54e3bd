"""Order statistics of fibers: stored elements are sorted, the fill is only counted."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from structarr._api.core.entry_lists import flat, listed, unflat
from structarr._api.core.gathering import lists_below
from structarr._array import NumPyArray
from structarr._storage.coordinates import coordinates
from structarr._storage.entry_order import changes
from structarr._storage.tensor import Tensor
from structarr._support.uninterrupted import heard


class Fibers(NamedTuple):
    """
    The stored elements of all fibers along some axes that store any, each fiber's in order.

    The last entry stands for all fibers that store nothing.
    """

    places: NumPyArray  # of the fibers but the last, in C order of the axes that are kept
    values: NumPyArray  # one fiber's after another's, NaN at the end of each
    start: NumPyArray  # of each fiber in the values
    stored: NumPyArray  # how many values each fiber has
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
        last = self.start[high] + self.stored[high]
        found[low] = self.values[self.start[low] + places[low].astype(np.int64)]
        found[high] = self.values[last - left[high].astype(np.int64)]
        return found


def fibers_of(tensor: Tensor, axes: tuple[int, ...], skip_nan: bool) -> Fibers:
    """Sort the stored elements of a real tensor along axes; `skip_nan` leaves out each NaN."""
    kept, lengths = _kept(tensor, axes)
    found, values = coordinates(tensor)
    number = flat([found[axis] for axis in kept], lengths) if kept else np.zeros_like(values, int)
    values, number = heard(lambda: _sorted(values, number), len(values))
    begins = changes([number], len(number))  # of a fiber that stores something
    places, number = number[begins], np.cumsum(begins) - 1
    size = len(places) + 1
    length = prod(tensor.shape[axis] for axis in axes)
    full = np.full(size, length, np.int64 if length < 2**62 else object)
    every = np.bincount(number, minlength=size)
    missing = np.isnan(values)
    stored = every - np.bincount(number[missing], minlength=size)
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
        np.cumsum(every) - every,
        stored,
        np.bincount(number[before], minlength=size),
        count.astype(full.dtype),
        tensor.fill,
        nan.astype(bool),
    )


def _sorted(values: NumPyArray, number: NumPyArray) -> tuple[NumPyArray, NumPyArray]:
    """Values of fibers in order, fiber after fiber, with the fibers' numbers.

    The second sort is of plain integers, which takes a fraction of the time of the first.
    """
    bits = len(values).bit_length()
    if not len(values) or int(number.max()) >> 63 - bits:
        order = np.lexsort((values, number))
        return values[order], number[order]
    order = np.argsort(values, kind="stable")
    keys = (number[order].astype(np.int64) << bits) | np.arange(len(values))
    keys.sort()
    return values[order][keys & (1 << bits) - 1], keys >> bits


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


def _kept(tensor: Tensor, axes: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
    kept = [axis for axis in range(tensor.ndim) if axis not in axes]
    return kept, tuple(tensor.shape[axis] for axis in kept)
