"""Coordinate and Singleton: an array of coordinates for each mode (COO).

The first of the modes is a Coordinate level, the others are Singletons. Entries are sorted, the
first mode slowest; a fiber below the first mode is the group of entries that are equal so far.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    Expr,
    Fiber,
    Helper,
    Line,
    Lines,
    Lit,
    Node,
    Opaque,
    Set,
    Store,
    lt,
)
from structarr.formats import checks
from structarr.formats.appending import Appending
from structarr.formats.base import Level
from structarr.formats.counted import Itemized
from structarr.formats.entries import Array, Entries, Fibers, Whereabouts, owners, segments, wide
from structarr.formats.kinds import LIST, Kind
from structarr.formats.reading import stored_if
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.formats.steps import Stepping, sorted_steps
from structarr.formats.writing import Writing
from structarr.looplets import (
    Context,
    Let,
    Lookup,
    Looplet,
    Motion,
    Run,
    Spike,
    Steps,
    function,
)


class _ModeReading(Stepping):
    def _span(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        raise NotImplementedError

    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Spikes, one a group of equal coordinates."""
        begin, end = self._span(fiber, ctx)
        if fiber.level.child.leaf:
            return sorted_steps(kind, fiber, begin, end, lambda cursor, at: cursor, ctx)
        name, idx = fiber.tensor.name.lower(), fiber.buffer("idx")
        cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_i")
        following = ctx.fresh(f"{name}_next")
        ctx.set(cursor, begin)

        def reach(i: Expr) -> Expr:
            return Helper(INDEX, "search", (idx, i, cursor, end))

        def back(i: Expr) -> Expr:
            return Helper(INDEX, "search_back", (idx, i + 1, begin, cursor + 1)) - 1

        group = fiber.child(cursor, path=(cursor, following))
        return kind(
            cursor=cursor,
            end=end,
            loads=(
                Set(at, idx[cursor]),
                Set(following, Helper(INDEX, "search", (idx, at + 1, cursor, end))),
            ),
            stop=at + 1,
            body=Spike(fiber.fill, group),
            rest=Run(fiber.fill),
            seek=function("i", reach),
            clamp=function("i", reach),
            past=function("hi", lambda hi: Lines((Set(at, hi), Set(following, end)))),
            first=Lit(INDEX, 0),
            last=fiber.dim,
            weight=fiber.tensor.weight,
            motion=Motion(next=following, origin=begin, back=function("i", back)),
        )

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the group."""
        begin, end = self._span(fiber, ctx)
        idx = fiber.buffer("idx")

        def find(i: Expr) -> Node:
            at, following = Opaque(INDEX, "at"), Opaque(INDEX, "next")
            group = fiber.child(at, path=(at, following))
            found = stored_if(lt(at, following), group)
            after = Helper(INDEX, "search", (idx, i + 1, at, end))
            return Let(
                at, Helper(INDEX, "bisect", (idx, i, begin, end)), Let(following, after, found)
            )

        return Lookup(function("i", find))


def _place(fiber: Fiber, coordinates: tuple[Expr, ...], ctx: Context) -> Fiber:
    """Above the last mode, a fiber that knows the coordinates so far; there, an entry."""
    if not fiber.level.child.leaf:
        return fiber.child(fiber.pos, path=coordinates)
    modes = _modes(fiber, len(coordinates))
    count = ctx.counter(modes[0])
    stores: list[Line] = [
        Store(mode.buffer("idx"), count, at) for mode, at in zip(modes, coordinates, strict=True)
    ]
    return fiber.child(count, (*stores, Set(count, count + 1)))


def _modes(last: Fiber, count: int) -> list[Fiber]:
    """The fibers of the modes up to the last, for their buffers."""
    found = last.tensor.root()
    chain = [found]
    while found.depth < last.depth:
        found = found.child(found.pos)
        chain.append(found)
    return chain[-count:]


class _CoordinateReading(_ModeReading):
    def _span(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        ptr, name = fiber.buffer("ptr"), fiber.tensor.name.lower()
        return ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])


class _CoordinateWriting(Appending):
    optional_children: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """A group of entries, or an entry."""
        return _place(fiber, (lo,), ctx)


class Coordinate(Itemized):
    """
    First axis of a list of entries, as in COO: sorted coordinates, of which several may be equal.

    Fiber `p` has the entries ``[ptr[p], ptr[p + 1])``, with the coordinates `idx`. The coordinates
    of the other axes are `Singleton` levels below.

    Parameters
    ----------
    child : Level, optional
        The level below: a `Singleton`, or a leaf if there is one axis; `Element` by default.

    See Also
    --------
    Singleton : The other axes.
    SparseList : The form in which each coordinate occurs once a fiber.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr.formats import Coordinate, Singleton
    >>> a = sa.asarray([[0, 3], [5, 7]], format=Coordinate(Singleton()))
    >>> str(a.format)
    'coo'
    >>> _, rows, columns, values = sa.protocols.stored(a).buffers
    >>> rows.tolist(), columns.tolist(), values.tolist()
    ([0, 1, 1], [1, 0, 1], [3, 5, 7])
    """

    slicing: ClassVar[str] = "own"
    has_windows: ClassVar[bool] = True
    kind: ClassVar[Kind] = LIST
    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx")
    is_injective: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("idx",)
    starts_group: ClassVar[bool] = True
    orders: ClassVar[Orders] = staticmethod(own_order)
    stores_nonfill_only: ClassVar[bool] = True
    reading = _CoordinateReading()
    writing = _CoordinateWriting()

    def size_at(self, at: Placement) -> Size:
        """An entry an element."""
        return self.size_of(at, at.counts.elements)

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The entries."""
        return buffers[0][fibers]

    def cut(
        self, fibers: tuple[int, int], children: tuple[int, int], buffers: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """The entries of a range."""
        (lo, hi), (begin, end), (ptr, idx) = fibers, children, buffers
        return np.clip(ptr[lo : hi + 1], begin, end) - ptr.dtype.type(begin), idx[begin:end]

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The entries."""
        ptr, idx = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, child = segments(begin, ptr[fibers.position + 1] - begin)
        return Entries(fiber, idx[child], child)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """The entries."""
        at = buffers[1][children].astype(np.int64)
        return Whereabouts(owners(buffers[0], children), at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Pointers ascend, and coordinates are in range; their order is the tensor's to check."""
        ptr, idx = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.length(idx, "idx", count)
        checks.within(idx, "idx", 0, dim)
        return count


class _SingletonReading(_ModeReading):
    def _span(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        begin, end = fiber.path
        return begin, end


class _SingletonWriting(Writing):
    optional_children: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """A group of entries, or an entry."""
        return _place(fiber, (*fiber.path, lo), ctx)


class Singleton(Level):
    """
    Further axis of a list of entries, as in COO: entry `q` has the coordinate ``idx[q]``.

    Parameters
    ----------
    child : Level, optional
        The level below: another `Singleton`, or a leaf; `Element` by default.

    See Also
    --------
    Coordinate : The first axis, with an example.

    Examples
    --------
    >>> from structarr.formats import Coordinate, Layout, Singleton, parse
    >>> print(Layout(parse(Coordinate(Singleton(Singleton())), ndim=3)))
    coo
    """

    slicing: ClassVar[str] = "own"
    kind: ClassVar[Kind] = LIST
    buffers: ClassVar[tuple[str, ...]] = ("idx",)
    below: ClassVar[tuple[str, ...]] = ("Coordinate", "Singleton")
    uninitialized: ClassVar[tuple[str, ...]] = ("idx",)
    continues_group: ClassVar[bool] = True
    orders: ClassVar[Orders] = staticmethod(own_order)
    stores_nonfill_only: ClassVar[bool] = True
    reading = _SingletonReading()
    writing = _SingletonWriting()

    def size_at(self, at: Placement) -> Size:
        """A coordinate an element."""
        return self.size_of(at)

    def children(self, fibers: int, dim: int) -> int:
        """One an entry."""
        return fibers

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """One an entry."""
        return fibers

    def cut(
        self, fibers: tuple[int, int], children: tuple[int, int], buffers: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """The coordinates of a range."""
        return (buffers[0][slice(*children)],)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A coordinate an entry."""
        return (fibers,)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """One entry each."""
        places = np.arange(len(fibers.position))
        at = buffers[0][fibers.position].astype(np.int64)
        return Entries(places, at, fibers.position)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One entry each."""
        at = buffers[0][children].astype(np.int64)
        return Whereabouts(children, at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Coordinates are in range."""
        checks.length(buffers[0], "idx", fibers)
        checks.within(buffers[0], "idx", 0, dim)
        return fibers
