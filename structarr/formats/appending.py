"""Levels and helpers that append children: bases of levels, and children that may stay empty.

A child that is written stays only if something was stored in it: if what lies below appends, its
count tells; else the child is a block of elements, which begins as fill.
"""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import INDEX, Do, Expr, Fiber, Helper, If, Line, Lit, Node, Var, lt
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.looplets import Context


class Appended(Level):
    """A level with pointers to its fibers, and an item a child in its one or two other buffers.

    An item written speculatively takes one slot more.
    """

    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    counters: ClassVar[tuple[str, ...]] = ("n",)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A pointer a fiber and one more; an item a child and one more."""
        return self.used(fibers, dim, (entries + 1,))[0]

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many items as children were appended."""
        ends, count = fibers + 1, counts[0]  # a call of a kernel waits for this
        return ((ends, count) if len(self.buffers) == 2 else (ends, count, count)), count

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """A child an item."""
        return len(buffers[1])


class Windowed(Level):
    """A level that stores every child of each region, as a dense one does."""

    appends: ClassVar[bool] = True
    counters: ClassVar[tuple[str, ...]] = ("n",)
    regions: ClassVar[bool] = True
    prefills: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    has_hulls: ClassVar[bool] = True
    is_injective: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index's distance from the region's start."""
        count, start = region
        return fiber.child(count + (lo - start))

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """Go on behind the region's children."""
        count = ctx.counter(fiber)
        ctx.set(count, count + (hi - lo))

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The last offset."""
        return int(buffers[self.buffers.index("ofs")][-1])

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One a fiber."""
        return fibers


def begin_child(child: Fiber, ctx: Context) -> None:
    """Prepare a child above the leaf for being written."""
    tally = _tally(child, ctx)
    if tally is None:
        _prefill(child, ctx)
    else:
        before, now = tally
        ctx.set(before, now)


def keep_child(child: Fiber, lines: tuple[Line, ...], wrote: bool, ctx: Context) -> None:
    """Emit the lines that record a child above the leaf, if something was stored in it."""
    if child.level.leaf or not wrote:
        return
    tally = _tally(child, ctx)
    if tally is None:
        ctx.emit(*lines)
    else:
        before, now = tally
        ctx.emit(If(((lt(before, now), lines),)))


def _tally(child: Fiber, ctx: Context) -> tuple[Var, Var] | None:
    """The counter of children appended below a child, before it was written and now.

    It is of the first level at or below that appends, and not always of children: PackBits counts
    its values at the kernel's end. A mark of one tally says nothing of another.
    """
    below = child
    while not below.level.appends:
        if below.level.leaf:
            return None
        below = below.child(below.pos)
    now = ctx.counter(below, below.level.counters[-1])
    return Var(INDEX, f"{now.name}_before"), now


def _prefill(child: Fiber, ctx: Context) -> None:
    """Set everything below a child to the fill, as it may be written in part."""
    size: Expr = Lit(INDEX, 1)
    fiber = child
    while not fiber.level.leaf:
        size = size * fiber.level.block(fiber)
        fiber = fiber.child(fiber.pos)
    if not fiber.level.buffers:
        return  # a leaf without values
    start = fiber.tensor.start if fiber.tensor.start is not None else fiber.fill
    buffer = fiber.buffer("val")
    args = (buffer, child.pos * size, (child.pos + 1) * size, start)
    ctx.emit(Do(Helper(INDEX, "fill_range", args)))
