"""Regions: the elements that an index selects, for who assigns to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Final, TypeAlias

import numpy as np

from structarr._api.core.entry_lists import flat
from structarr._api.indexing.keys import Key, Window
from structarr._array import NumPyArray
from structarr._storage.gather import separable

Axes: TypeAlias = list[NumPyArray]
"""The places of elements on each axis."""

_MOST: Final = np.iinfo(np.int64).max


def slices(windows: Sequence[Window]) -> tuple[slice, ...]:
    """Return the index of some windows, one of each axis."""
    return tuple([_slice(*one) for one in windows])


def _slice(start: int, step: int, length: int) -> slice:
    if not length:  # a start before the first element would be counted from the end
        return slice(0, 0)
    stop = start + step * length
    return slice(start, stop if stop >= 0 else None, step)


def _are_among(places: NumPyArray, known: NumPyArray) -> NumPyArray:
    """Whether places are among others, which rise: `isin` takes a table of them, or hashes all."""
    at = np.searchsorted(known, places)
    at[at == len(known)] = 0
    found: NumPyArray = known[at] == places if len(known) else np.zeros(len(places), bool)
    return found


class Region:
    """The elements that an index selects: their shape, and the place of each of them."""

    def __init__(self, shape: tuple[int, ...], key: Key) -> None:
        self._lengths, self.windows = shape, key.windows
        self.arrays = list(key.arrays.values())
        axes: list[int | None] = [n for n in range(len(shape)) if n not in key.dropped]
        for place in key.new:
            axes.insert(place, None)
        self.taken = [axes[axis] for axis in key.arrays]  # the axes that are indexed by arrays
        self.left = [axis for number, axis in enumerate(axes) if number not in key.arrays]
        self.around = self.arrays[0].shape if self.arrays else ()
        self.place = key.place
        lengths = [1 if axis is None else key.windows[axis].length for axis in self.left]
        self.shape = (*lengths[: self.place], *self.around, *lengths[self.place :])
        known = [(axis, one.reshape(-1)) for axis, one in zip(self.taken, self.arrays, strict=True)]
        self.known = [(axis, places) for axis, places in known if axis is not None]
        self.extents = tuple(shape[axis] for axis, _ in self.known)
        self.ranks: Axes = []  # the places on each axis, where they have no numbers all together
        if prod(self.extents) > _MOST:
            self.ranks = [np.unique(places) for _, places in self.known]
            self.extents = tuple(map(len, self.ranks))
        self.wanted = self._numbered([places for _, places in self.known])

    def _numbered(self, axes: Axes) -> NumPyArray:
        """The numbers of elements with coordinates on the axes that arrays index."""
        pairs = zip(self.ranks, axes, strict=True)
        ranked = [np.searchsorted(known, places) for known, places in pairs] if self.ranks else axes
        return flat(ranked, self.extents)

    @property
    def points(self) -> Axes | None:
        """The coordinates of all elements on each axis, where they are no more than the places."""
        count = len(self.wanted) if self.known else 1
        left = [self.windows[axis] for axis in self.left if axis is not None]
        if (len(self.arrays) and not self.known) or any(window.length != 1 for window in left):
            return None
        found = dict(self.known)
        return [
            found.get(axis, np.full(count, window.start))
            for axis, window in enumerate(self.windows)
        ]

    @property
    def is_product(self) -> bool:
        """Whether it is all combinations of some places on each axis."""
        known = {
            axis: one for axis, one in zip(self.taken, self.arrays, strict=True) if axis is not None
        }
        return len(known) < 2 or separable(known) is not None

    def marks(self, shape: tuple[int, ...]) -> list[NumPyArray]:
        """Masks of the places on each axis, if it is all combinations of them."""
        found = []
        known = dict(self.known)
        for axis, (length, (start, step, count)) in enumerate(
            zip(shape, self.windows, strict=True)
        ):
            mask = np.zeros(length, bool)
            mask[known.get(axis, start + step * np.arange(count))] = True
            found.append(mask)
        return found

    @property
    def index(self) -> tuple[slice | NumPyArray, ...]:
        """The index of an array, one part for each axis."""
        if not self.known:
            return slices(self.windows)
        ndim, parts = len(self.shape), {}
        for number, axis in enumerate(self.left):
            if axis is not None:
                start, step, n = self.windows[axis]
                at = number + (len(self.around) if number >= self.place else 0)
                lengths = [1] * ndim
                lengths[at] = n
                parts[axis] = (start + step * np.arange(n)).reshape(lengths)
        after = len(self.left) - self.place
        for axis, places in self.known:
            parts[axis] = places.reshape(self.around + (1,) * after)
        return tuple(parts[axis] for axis in range(len(self.windows)))

    def laid_out(self, values: NumPyArray) -> NumPyArray:
        """Values of the region's shape as `index` takes them, without the axes that it adds."""
        lengths = [part.shape for part in self.index if isinstance(part, np.ndarray)]
        if lengths:
            return values.reshape(np.broadcast_shapes(*lengths))
        return values.reshape([window.length for window in self.windows])

    def holds(self, axes: tuple[NumPyArray, ...]) -> NumPyArray:
        """Whether entries are in the region."""
        inside = np.ones(len(axes[0]), bool)
        taken = [axis for axis, _ in self.known]
        for length, places, (start, step, n) in zip(self._lengths, axes, self.windows, strict=True):
            if step == 1 and n == 1:
                inside &= places == start
            elif step == 1 and n < length:
                inside &= (places >= start) & (places < start + n)
            elif step != 1:
                number, rest = np.divmod(places.astype(np.int64) - start, step)
                inside &= (rest == 0) & (number >= 0) & (number < n)
        if taken:
            found = [axes[axis] for axis in taken]
            for known, places in zip(self.ranks, found, strict=False):
                inside &= _are_among(places, known)
            wanted = self.wanted if self._rises else np.unique(self.wanted)
            inside &= _are_among(self._numbered(found), wanted)
        return inside

    @cached_property
    def _rises(self) -> bool:
        """Whether each place that arrays tell is after the one before, so that none is twice."""
        return bool((self.wanted[1:] > self.wanted[:-1]).all())

    def targets(self, axes: Axes, count: int) -> tuple[NumPyArray, Axes]:
        """The numbers of the entries that no later one overwrites, and their coordinates."""
        first, last = self.place, self.place + len(self.around)
        number = flat(axes[first:last], self.around) if self.around else np.zeros(count, np.int64)
        stands = np.arange(count)
        if self.known and not self._rises:
            _, final = np.unique(self.wanted[::-1], return_index=True)
            is_final = np.zeros(len(self.wanted), bool)
            is_final[len(self.wanted) - 1 - final] = True
            stands = np.flatnonzero(is_final[number])
            number = number[stands]
        found: dict[int, NumPyArray] = {axis: places[number] for axis, places in self.known}
        left = [*axes[:first], *axes[last:]]
        for axis, place in zip(self.left, left, strict=True):
            if axis is not None:
                start, step, _ = self.windows[axis]
                found[axis] = start + step * place[stands]
        for axis, (start, _, _) in enumerate(self.windows):
            found.setdefault(axis, np.full(len(stands), start))
        return stands, [found[axis] for axis in range(len(self.windows))]
