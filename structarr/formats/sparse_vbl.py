"""SparseVBL: blocks of contiguous stored children, of any widths (variable block list)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    Expr,
    Fiber,
    Helper,
    If,
    Lit,
    Node,
    Not,
    Opaque,
    Set,
    Store,
    Var,
    both,
    eq,
    le,
    lt,
)
from structarr.formats import checks
from structarr.formats.appending import AppendingRegions
from structarr.formats.counted import Blocked, Windowed
from structarr.formats.entries import (
    Array,
    Entries,
    Fibers,
    Whereabouts,
    hulls_of,
    owners,
    segments,
    wide,
)
from structarr.formats.kinds import BLOCKS, Kind
from structarr.formats.reading import stored_if
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import Stepping, stretch_steps
from structarr.looplets import Context, Let, Lookup, Looplet, Steps, function


class _Reading(Stepping):
    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Fill and a block."""
        name = fiber.tensor.name.lower()
        ptr, stops, ofs = (fiber.buffer(one) for one in fiber.level.buffers)
        begin, end = ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
        cursor = ctx.fresh(f"{name}_q")
        start, stop, first = (ctx.fresh(f"{name}_{one}") for one in ("start", "stop", "first"))
        ctx.set(cursor, begin)

        def back(i: Expr) -> Expr:
            at = Helper(INDEX, "search_back", (stops, i + 1, begin, cursor + 1))
            return Helper(INDEX, "block_by", (stops, ofs, i, at, cursor + 1))

        width = ofs[cursor + 1] - first
        loads = (Set(stop, stops[cursor]), Set(first, ofs[cursor]), Set(start, stop - width))
        block = Lookup(function("i", lambda i: fiber.child(first + (i - start))))
        inside = (block, Set(first, Lit(INDEX, 0)))
        return stretch_steps(kind, fiber, cursor, (begin, end), loads, (start, stop), inside, back)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the block."""
        ptr, stops, ofs = (fiber.buffer(one) for one in fiber.level.buffers)
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            place = ofs[at + 1] - (stops[at] - i)
            found = stored_if(both(lt(at, end), le(ofs[at], place)), fiber.child(place))
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), found)

        return Lookup(function("i", find))


class _Writing(AppendingRegions):
    ends: ClassVar[str] = "ptr"
    counters: ClassVar[tuple[str, ...]] = ("n", "blocks")

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The end of the fiber's last block, which an adjoining region continues."""
        return (Set(self._last(fiber), Lit(INDEX, -1)),)

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin a fiber without blocks."""
        ctx.set(self._last(fiber), Lit(INDEX, -1))

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Continue the last block with an adjoining region, or begin another."""
        blocks, last = ctx.counter(fiber, "blocks"), self._last(fiber)
        ctx.emit(If(((Not(eq(last, lo)), (Set(blocks, blocks + 1),)),)))
        return (ctx.counter(fiber), lo)

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """End the block here, unless another region adjoins."""
        count, blocks = ctx.counter(fiber), ctx.counter(fiber, "blocks")
        ctx.set(count, count + (hi - lo))
        ctx.emit(Store(fiber.buffer("stop"), blocks - 1, hi))
        ctx.emit(Store(fiber.buffer("ofs"), blocks, count))
        ctx.set(self._last(fiber), hi)

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, ctx.counter(fiber, "blocks")))

    def _last(self, fiber: Fiber) -> Var:
        return fiber.variable("last")


@BLOCKS.holds
class SparseVBL(Blocked, Windowed):
    """
    Level with blocks of neighbouring children, of any widths.

    Fiber `p` has the blocks ``[ptr[p], ptr[p + 1])``. Block `b` ends before index ``stop[b]`` and
    holds the children ``[ofs[b], ofs[b + 1])``.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    SparseBand : One block a fiber.
    Tiles : Blocks of one height and width.
    SparseRunList : Blocks of equal values.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 1, 2, 0, 0, 3], format=sa.formats.SparseVBL())
    >>> str(a.format), a.nstored
    ('vbl', 3)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "stop", "ofs")
    cumulative: ClassVar[tuple[str, ...]] = ("ptr", "ofs")
    kind: ClassVar[Kind] = BLOCKS
    below_lists: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("stop",)
    reading = _Reading()
    writing = _Writing()

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many blocks as were begun."""
        entries, blocks = counts
        return (fibers + 1, blocks, blocks + 1), entries

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The blocks."""
        return len(buffers[1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first block to the last."""
        ptr, stop, ofs = wide(buffers)
        return hulls_of(ptr, stop - np.diff(ofs), stop)

    def continued(self, parts: Sequence[Sequence[Array]]) -> list[Array]:
        """Blocks behind blocks; neighbours on both sides of a bound are one."""
        ptr, stop, _, val = map(np.concatenate, zip(*parts, strict=True))
        index = ptr.dtype
        width = np.concatenate([np.diff(ofs) for _, _, ofs, _ in parts])
        ofs = np.concatenate([[0], np.cumsum(width)]).astype(index)
        bound = np.cumsum([len(one) for _, one, *_ in parts[:-1]], dtype=np.int64)
        whole = bound[stop[bound] - width[bound] == stop[bound - 1]]
        stop = np.delete(stop, whole - 1)
        return [np.array([0, len(stop)], index), stop, np.delete(ofs, whole), val]

    def size_at(self, at: Placement) -> Size:
        """A block a stretch of elements."""
        return self.size_of(at, at.counts.elements, at.counts.blocks)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the blocks."""
        ptr, stop, ofs = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, block = segments(begin, ptr[fibers.position + 1] - begin)
        width = ofs[block + 1] - ofs[block]
        which, place, child = segments(ofs[block], width)
        return Entries(fiber[which], (stop[block] - width)[which] + place, child)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, counted from the end of the block."""
        ptr, stop, ofs = buffers
        block = owners(ofs, children)
        at = stop[block] - (ofs[block + 1] - children)
        return Whereabouts(owners(ptr, block), at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Blocks are within the extent, not empty, and in order."""
        ptr, stop, ofs = buffers
        blocks = checks.pointers(ptr, "ptr", fibers)
        count = checks.pointers(ofs, "ofs", blocks)
        checks.length(stop, "stop", blocks)
        checks.within(stop, "stop", 1, dim + 1)
        checks.segments(ptr, stop - np.diff(ofs), stop, blocks, dim)
        return count
