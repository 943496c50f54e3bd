"""The part of a level that works on its buffers by NumPy: lengths, lists of entries, checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from structarr._support.buffer_pool import empty
from structarr.formats.entries import Array, Caller, Entries, Fibers, Rows, Whereabouts, Written
from structarr.formats.sizes import Orders, Placement, Size, each_order


class HostSide:
    """The part of `Level` that works on buffers."""

    __slots__ = ()

    buffers: ClassVar[tuple[str, ...]] = ()  # in the order in which a tensor keeps them
    # Of booleans, which say of places whether they are taken; a leaf's buffers hold values, and all
    # others coordinates or positions.
    flags: ClassVar[tuple[str, ...]] = ()
    octets: ClassVar[tuple[str, ...]] = ()  # of unsigned bytes, whose bits mean something
    layout: ClassVar[int] = 1  # of its children; files tell it where it is not the first
    told: ClassVar[bool] = False  # whether the format tells what the buffers hold
    uninitialized: ClassVar[tuple[str, ...]] = ()  # buffers of which only written items are read
    items: ClassVar[int | None] = None  # which buffer has an item a child: `stored` says so
    has_hulls: ClassVar[bool] = False  # found by whether `hulls` is defined
    is_injective: ClassVar[bool] = False  # each child stands for one element of its fiber
    is_single: ClassVar[bool] = False  # each fiber has one child
    leaf: ClassVar[bool] = False
    square: ClassVar[bool] = False  # its extent is that of the level above
    is_partial: ClassVar[bool] = False  # cannot store every array: entries are checked first
    # Has its buffers before a kernel writes its children; found by whether `prepare` is defined.
    prepares: ClassVar[bool] = False
    # How a range of fibers is cut out of the buffers: "places" where each has a place for every
    # child, in all buffers; "entries" where the first buffer bounds them in the others; "own" where
    # methods `before` and `cut` say so.
    slicing: ClassVar[str] = ""
    # The buffers that count from zero on what is stored up to each fiber or item: to join ranges of
    # fibers that are stored apart, what was counted before is added. Where entries are sliced, that
    # is the first buffer.
    cumulative: ClassVar[tuple[str, ...]] = ()
    # Those that hold positions of children, or -1: they count from zero on in each such range.
    positions: ClassVar[tuple[str, ...]] = ()
    # Whether each element has a place that no other one shares, whatever is stored, though those of
    # a fiber are no stretch: kernels may write several fibers at once.
    is_spread: ClassVar[bool] = False
    # Whether neighbours among a fiber's children, cut out as its only ones, are its elements there.
    has_windows: ClassVar[bool] = False
    orders: ClassVar[Orders] = staticmethod(each_order)  # in which `auto` tries it
    below_lists: ClassVar[bool] = False  # `auto` tries it below lists of the fibers, too
    has_parts: ClassVar[bool] = False  # found by whether `continued` is defined

    def __init_subclass__(cls) -> None:
        cls.has_hulls = cls.hulls is not HostSide.hulls
        cls.prepares = cls.prepare is not HostSide.prepare
        cls.has_parts = cls.continued is not HostSide.continued
        if cls.slicing == "entries":
            cls.cumulative = cls.cumulative or cls.buffers[:1]

    @property
    def has_places(self) -> bool:
        """Whether any of the buffers holds coordinates or positions."""
        return not self.leaf and len(self.buffers) > len(self.flags) + len(self.octets)

    def kept_as(self, name: str, index: str) -> str:
        """The dtype of a buffer of a level above the leaf."""
        return "bool" if name in self.flags else "uint8" if name in self.octets else index

    def size_at(self, at: Placement) -> Size | str | None:
        """Lengths of the buffers for a measured array; a text says why it cannot be stored.

        None where the measures do not tell: `auto` does not take such a level.
        """
        return None

    def size_of(self, at: Placement, *counters: int) -> Size:
        """Lengths of the buffers, by the counters of a kernel that has written the array."""
        lengths, children = self.used(at.fibers, at.dim, counters)
        named = dict(zip(self.buffers, lengths, strict=True))
        flags = sum(named.pop(name) for name in (*self.flags, *self.octets))
        return Size(sum(named.values()), children, flags)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """Lengths of the buffers for a number of fibers and an upper bound of stored children."""
        if self.buffers:
            raise NotImplementedError
        return ()

    def children(self, fibers: int, dim: int) -> int:
        """The number of children of a level that does not append; 0 of a leaf."""
        return 0 if self.leaf else fibers * dim

    def blank(self, name: str, size: int, dtype: np.dtype[Any]) -> Array:
        """A buffer for a kernel to write into, as it is where nothing is written."""
        return np.empty(size, dtype) if name in self.uninitialized else np.zeros(size, dtype)

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Lengths of the buffers by a kernel's counters, and the number of children."""
        return self.sizes(fibers, dim, 0), self.children(fibers, dim)

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The number of children in the buffers."""
        return self.children(fibers, dim)

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The number of stretches of neighbours that hold the children, or an upper bound."""
        return self.stored(fibers, dim, buffers)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """All entries of some fibers, listed without the compiler."""
        raise NotImplementedError

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts | None:
        """Where some children are; None if only `expand` tells."""
        return None

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The bounds of the stored indices of each fiber; asked if `has_hulls`."""
        raise NotImplementedError

    def continued(self, parts: Sequence[Sequence[Array]]) -> list[Array]:
        """The buffers of a fiber and of its leaf, of those of its parts along the axis.

        Asked if `has_parts`, of parts that store something. What a part ends within is put
        together with where the next part goes on with it.
        """
        raise NotImplementedError

    def covered(self, buffers: tuple[Array, ...]) -> int:
        """The number of indices that the children cover; asked of intervals."""
        return int(np.sum(self.multiplicity(0, 0, buffers)))  # type: ignore[arg-type]

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int | Array | None:
        """The number of elements that each child stands for; None if only `expand` tells."""
        return 1 if self.is_injective else None

    def evaluate(self, fibers: Fibers, entries: Entries, values: Callable[[Array], Array]) -> Array:
        """The elements at some entries, by the values of children."""
        return values(entries.child)

    def values(self, positions: Array, buffers: tuple[Array, ...]) -> Array:
        """Of a leaf: the values at some positions."""
        raise NotImplementedError

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Places of the entries (none equal to the fill) that cannot be stored here, and why."""
        return np.zeros(0, np.int64), ""

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The number of children before some fibers, the one past the last included."""
        if self.slicing == "entries":
            return buffers[0][fibers]
        return fibers if self.leaf else fibers * dim

    def between(self, lo: int, hi: int, dim: int, buffers: tuple[Array, ...]) -> tuple[int, int]:
        """The children of a range of fibers: the first, and the one behind the last."""
        if self.slicing == "entries":
            ptr = buffers[0]
            return int(ptr[lo]), int(ptr[hi])
        if self.slicing == "places" or (self.leaf and not self.slicing):
            return (lo, hi) if self.leaf else (lo * dim, hi * dim)
        begin, end = self.before(np.array([lo, hi]), dim, buffers).tolist()
        return begin, end

    def cut(
        self, fibers: tuple[int, int], children: tuple[int, int], buffers: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """The buffers of a range of fibers, by the range of their children.

        Where the level has windows, the children may be fewer than all of those.
        """
        (lo, hi), (begin, end) = fibers, children
        if self.slicing != "entries":
            return tuple([buffer[begin:end] for buffer in buffers])
        ptr, *others = buffers
        bounds = ptr[lo : hi + 1]
        if begin > bounds[0] or end < bounds[-1]:
            bounds = np.clip(bounds, begin, end)
        if begin:
            shifted = empty(len(bounds), ptr.dtype)
            bounds = np.subtract(bounds, begin, out=shifted)
        return (bounds, *[buffer[begin:end] for buffer in others])

    def prepare(self, rows: Rows, call: Caller) -> tuple[Array, ...]:
        """The buffers for a matrix of lists whose values are still to be written."""
        raise NotImplementedError

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Check the buffers' invariants; return the number of children.

        Raises
        ------
        FormatError
            With the buffer's name, the first offending place and what is wrong with it.
        """
        return self.children(fibers, dim)
