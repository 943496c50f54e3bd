"""Pieces: where stored values are, found from their numbers and without listing the others.

A piece is one stored value with the box of indices that it stands for: one index on each axis, or
many where a run, or an axis of equal elements, is stored once.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final, NamedTuple

import numpy as np

from structarr._storage.coordinates import coordinates, levels_above_leaf
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats.entries import Array, Entries, Fibers

LISTED: Final = 2**22
"""The most entries that are listed of a level that does not tell where its children are."""

WINDOW: Final = 64
"""How many are looked at first, from an end on, until enough of them stand somewhere."""


class Pieces(NamedTuple):
    """
    Some of the stored values of a tensor, in storage order.

    Attributes
    ----------
    start, stop : tuple of array
        The bounds of their indices, an array for each of the tensor's axes.
    values : array
        A value each.
    """

    start: tuple[Array, ...]
    stop: tuple[Array, ...]
    values: Array

    def where(self, chosen: Array | slice) -> Pieces:
        """The pieces that a mask, places or a slice choose."""
        start, stop = (tuple(one[chosen] for one in bounds) for bounds in self[:2])
        return Pieces(start, stop, self.values[chosen])

    def joined(self, other: Pieces) -> Pieces:
        """These and others after them."""
        start, stop = (
            tuple(map(np.append, ours, theirs))
            for ours, theirs in zip(self[:2], other[:2], strict=True)
        )
        return Pieces(start, stop, np.append(self.values, other.values))

    @property
    def starts(self) -> Array:
        """The first index of each piece, an axis a column."""
        return np.stack(self.start, axis=-1)

    @property
    def stops(self) -> Array:
        """The index after each piece, an axis a column."""
        return np.stack(self.stop, axis=-1)


class Finder:
    """
    The pieces of a tensor by their numbers, which count what is stored in storage order.

    Attributes
    ----------
    count : int
        How many numbers there are; some may stand for nothing, such as that of an unmarked bit.
    knows : bool
        Whether the pieces are known: levels from outside that do not tell where their children
        are would have to be listed, which may take too long.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> tensor = Tensor.checked(csr, (3, 9), 0, ([0, 0, 1, 2], [4, 7], [5, 6]))
    >>> Finder(tensor).at(np.array([1])).start
    (array([2]), array([7]))
    """

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._levels = levels_above_leaf(tensor)
        self._fibers = (1, *tensor.counts[:-1])
        self._rule = any(level.is_rule for level, _, _ in self._levels)
        self._listed: Pieces | None = None
        self.knows = all(
            level.is_rule or level.whereabouts(_NONE, fibers, dim, buffers) is not None
            for (level, dim, buffers), fibers in zip(self._levels, self._fibers, strict=True)
        )
        if not self.knows:
            self._listed = _listed(tensor)
            self.knows = self._listed is not None
        if self._listed is not None or not self.knows:
            self.count = 0 if self._listed is None else len(self._listed.values)
        elif self._rule:
            self.count = self._fibers[-1] * tensor.dims[-1]
        else:
            self.count = tensor.counts[-1] if tensor.ndim else 1

    def at(self, numbers: Array) -> Pieces:
        """The pieces of some numbers, without those that stand for nothing."""
        found = self._found(numbers) if self._listed is None else self._listed.where(numbers)
        there = np.ones(len(found.values), bool)
        for start, stop in zip(found.start, found.stop, strict=True):
            there &= stop > start
        return found if there.all() else found.where(there)

    def spread(self, most: int) -> Pieces:
        """All pieces, or so many of them at even distances."""
        if self.count <= most:
            return self.at(np.arange(self.count))
        return self.at(np.linspace(0, self.count - 1, most).astype(np.int64))

    def each(self, chunk: int) -> Iterator[Pieces]:
        """All pieces, so many at a time."""
        for begin in range(0, self.count, chunk):
            yield self.at(np.arange(begin, min(begin + chunk, self.count)))

    def ends(self, most: int) -> tuple[Pieces, bool]:
        """All pieces if there are at most twice as many, else the first and last; and which."""
        first = self._window(2 * most + 1, last=False)
        if len(first.values) <= 2 * most:
            return first, True
        last = self._window(most, last=True)
        return first.where(slice(most)).joined(last.where(slice(-most, None))), False

    def _window(self, most: int, last: bool) -> Pieces:
        """The pieces of a window at an end, which is wide enough if there are enough."""
        width = WINDOW
        while True:
            begin = max(self.count - width, 0) if last else 0
            found = self.at(np.arange(begin, min(begin + width, self.count)))
            if len(found.values) >= most or width >= min(self.count, LISTED):
                return found
            width *= 8

    def _found(self, numbers: Array) -> Pieces:
        values = self._values(numbers)
        by_level: list[tuple[Array, Array]] = []
        for (level, dim, buffers), fibers in zip(
            reversed(self._levels), reversed(self._fibers), strict=True
        ):
            if level.is_rule:
                numbers, at = np.divmod(numbers, dim)
                by_level.append((at, at + 1))
                continue
            told = level.whereabouts(numbers, fibers, dim, buffers)
            assert told is not None
            numbers, *bounds = [np.asarray(one, np.int64) for one in told]
            by_level.append((bounds[0], bounds[1]))
        found = dict(zip(self._tensor.format.order, reversed(by_level), strict=True))
        each = [found[axis] for axis in range(self._tensor.ndim)]
        return Pieces(tuple(one for one, _ in each), tuple(one for _, one in each), values)

    def _values(self, numbers: Array) -> Array:
        if not self._rule:
            return self._tensor.values_at(numbers)
        level, dim, _ = self._levels[-1]
        fiber, at = np.divmod(numbers, dim)
        fibers = Fibers(fiber, fiber, fiber * 0, dim)
        return level.evaluate(
            fibers, Entries(np.arange(len(at)), at, fiber), self._tensor.values_at
        )


_NONE: Final = np.zeros(0, np.int64)


def _listed(tensor: Tensor) -> Pieces | None:
    """All entries of a tensor, if it takes little time and memory to list them."""
    if prod(tensor.shape) > LISTED and not _is_short(tensor):
        return None
    try:
        coords, values = coordinates(tensor)
    except FormatError:
        return None
    return Pieces(coords, tuple(one + 1 for one in coords), values)


def _is_short(tensor: Tensor) -> bool:
    """Whether a tensor stores few entries, none of which stands for several elements."""
    levels = tensor.format.levels[:-1]
    many = any(one.writing.accepts_runs or one.kind.is_rule for one in levels)
    return not many and max(tensor.counts, default=0) <= LISTED
