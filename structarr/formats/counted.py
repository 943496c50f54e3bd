"""Levels by how many children they have: one a fiber, or as many as a kernel has counted."""

from __future__ import annotations

from typing import ClassVar

from structarr.formats.base import Level
from structarr.formats.entries import Array


class Single(Level):
    """A level with one child a fiber, the fill where nothing is stored."""

    slicing: ClassVar[str] = "own"
    is_single: ClassVar[bool] = True

    def children(self, fibers: int, dim: int) -> int:
        """One a fiber."""
        return fibers

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """As many as fibers."""
        return fibers

    def between(self, lo: int, hi: int, dim: int, buffers: tuple[Array, ...]) -> tuple[int, int]:
        """Those of the fibers."""
        return lo, hi


class Counted(Level):
    """A level whose buffers are as long as the counters of a kernel say, in `used`.

    An item written speculatively takes one slot more.
    """

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """Lengths as of one entry more."""
        return self.used(fibers, dim, (entries + 1,) * len(self.writing.counters))[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The last offset."""
        return int(buffers[self.buffers.index("ofs")][-1])


class Itemized(Counted):
    """A level with pointers to its fibers, and an item a child in its one or two other buffers."""

    items: ClassVar[int | None] = 1

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many items as children were appended."""
        ends, count = fibers + 1, counts[0]  # a call of a kernel waits for this
        return ((ends, count) if len(self.buffers) == 2 else (ends, count, count)), count

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """A child an item."""
        return len(buffers[1])


class Blocked:
    """A part of levels whose fibers own blocks by `ptr`, which own children by `ofs`."""

    __slots__ = ()

    slicing: ClassVar[str] = "own"

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The elements before the fiber's first block."""
        ptr, _, ofs = buffers
        return ofs[ptr[fibers]]

    def cut(
        self, fibers: tuple[int, int], children: tuple[int, int], buffers: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """Their blocks."""
        ptr, stop, ofs = buffers
        lo, hi = fibers
        first, last = int(ptr[lo]), int(ptr[hi])
        return ptr[lo : hi + 1] - ptr[lo], stop[first:last], ofs[first : last + 1] - ofs[first]


class Windowed(Counted):
    """A level that stores every child of some regions, as a dense one does."""

    is_partial: ClassVar[bool] = True
    is_injective: ClassVar[bool] = True

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One a fiber."""
        return fibers
