"""SparseVBL: blocks of contiguous stored children, of any widths (variable block list)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import TRUE, Not, both, eq, le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Var
from structarr._compiler.ir.kernel import If, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.jumper import Jumper
from structarr._compiler.looplets.let import Let
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.stepper import Stepper
from structarr._compiler.looplets.switch import Case, Switch
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, hulls_of, segments, wide
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import stretch_steps


class SparseVBL(Level):
    """Fiber p owns the blocks `[ptr[p], ptr[p + 1])`.

    Block b ends at `stop[b]` and holds the children `[ofs[b], ofs[b + 1])`.
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "stop", "ofs")
    kind: ClassVar[str] = "blocks"
    below_lists: ClassVar[bool] = True
    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    regions: ClassVar[bool] = True
    prefills: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("stop",)
    counters: ClassVar[tuple[str, ...]] = ("n", "blocks")
    has_hulls: ClassVar[bool] = True

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of fill and a block."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper: others skip to where the next block begins."""
        return self._steps(fiber, ctx, Jumper)

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Looplet:
        name = fiber.tensor.name.lower()
        ptr, stops, ofs = (fiber.buffer(one) for one in self.buffers)
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
        ptr, stops, ofs = (fiber.buffer(one) for one in self.buffers)
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Var(INDEX, "?at")
            place = ofs[at + 1] - (stops[at] - i)
            inside = both(lt(at, end), le(ofs[at], place))
            found = Switch((Case(inside, fiber.child(place)), Case(TRUE, fiber.fill)))
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), found)

        return Lookup(function("i", find))

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """Where the last block of the fiber ends, which a region that adjoins goes on from."""
        return (Set(self._last(fiber), Lit(INDEX, -1)),)

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """The fiber has no block."""
        ctx.set(self._last(fiber), Lit(INDEX, -1))

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """A region that adjoins the last block belongs to it; another begins one."""
        blocks, last = ctx.counter(fiber, "blocks"), self._last(fiber)
        ctx.emit(If(((Not(eq(last, lo)), (Set(blocks, blocks + 1),)),)))
        return (ctx.counter(fiber), lo)

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """As far into the region's children as the index is into the region."""
        count, start = region
        return fiber.child(count + (lo - start))

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """The block ends here, for now."""
        count, blocks = ctx.counter(fiber), ctx.counter(fiber, "blocks")
        ctx.set(count, count + (hi - lo))
        ctx.emit(Store(fiber.buffer("stop"), blocks - 1, hi))
        ctx.emit(Store(fiber.buffer("ofs"), blocks, count))
        ctx.set(self._last(fiber), hi)

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, ctx.counter(fiber, "blocks")))

    def _last(self, fiber: Fiber) -> Var:
        return Var(INDEX, f"{fiber.tensor.name}{fiber.depth}_last", True)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """As many blocks as entries at most."""
        return fibers + 1, entries + 1, entries + 2

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many blocks as were begun."""
        entries, blocks = counts
        return (fibers + 1, blocks, blocks + 1), entries

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Up to the last block's end."""
        return int(buffers[2][-1])

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The blocks."""
        return len(buffers[1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first block to the last."""
        ptr, stop, ofs = wide(buffers)
        return hulls_of(ptr, stop - np.diff(ofs), stop)

    def size_at(self, at: Placement) -> Size:
        """A block a stretch of elements."""
        return self.size_of(at, at.counts.elements, at.counts.blocks)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One each."""
        return 1

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the blocks."""
        ptr, stop, ofs = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, block = segments(begin, ptr[fibers.position + 1] - begin)
        width = ofs[block + 1] - ofs[block]
        which, place, child = segments(ofs[block], width)
        return Entries(fiber[which], (stop[block] - width)[which] + place, child)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Blocks are within the extent, not empty, and in order."""
        ptr, stop, ofs = buffers
        blocks = checks.pointers(ptr, "ptr", fibers)
        count = checks.pointers(ofs, "ofs", blocks)
        checks.length(stop, "stop", blocks)
        checks.within(stop, "stop", 1, dim + 1)
        checks.segments(ptr, stop - np.diff(ofs), stop, blocks, dim)
        return count
