"""SparseBand: one block of contiguous stored children in each fiber, of any width."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import TRUE, both, eq, le, lt
from structarr._compiler.ir.expr import Expr, Lit
from structarr._compiler.ir.kernel import If, Line, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.switch import Case, Switch
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, segments, wide
from structarr.formats.sizes import Placement, Size


class SparseBand(Level):
    """Fiber p stores the children of `[start[p], start[p] + ofs[p + 1] - ofs[p])`."""

    buffers: ClassVar[tuple[str, ...]] = ("ofs", "start")
    kind: ClassVar[str] = "band"
    below_lists: ClassVar[bool] = True
    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ofs"
    regions: ClassVar[bool] = True
    counters: ClassVar[tuple[str, ...]] = ("n",)
    has_hulls: ClassVar[bool] = True
    prefills: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Fill, the band by random access, fill."""
        first, start, stop = self._band(fiber, ctx)
        band = Lookup(function("i", lambda i: fiber.child(first + (i - start))))
        outside = Run(fiber.fill)
        return Pipeline((Phase(start, outside), Phase(stop, band), Phase(None, outside)))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A test whether the index is inside."""
        first, start, stop = self._band(fiber, ctx)

        def find(i: Expr) -> Node:
            inside = Case(both(le(start, i), lt(i, stop)), fiber.child(first + (i - start)))
            return Switch((inside, Case(TRUE, fiber.fill)))

        return Lookup(function("i", find))

    def _band(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr]:
        name, ofs = fiber.tensor.name.lower(), fiber.buffer("ofs")
        first = ctx.let(f"{name}_first", ofs[fiber.pos])
        start = ctx.let(f"{name}_start", fiber.buffer("start")[fiber.pos])
        stop = ctx.let(f"{name}_stop", start + (ofs[fiber.pos + 1] - first))
        ctx.facts.assume(le(0, start))
        ctx.facts.assume(le(start, stop))
        ctx.facts.assume(le(stop, fiber.dim))
        return first, start, stop

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """A band that is never written starts at 0; fibers skipped before it are empty."""
        ctx.emit(Store(fiber.buffer("start"), fiber.pos, Lit("int64", 0)))
        ctx.emit(Store(fiber.buffer("ofs"), fiber.pos, ctx.counter(fiber)))

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """The first region says where the band starts; a gap before a later one is stored fill."""
        if not fiber.level.child.leaf:
            ctx.skipped.add(fiber.tensor)  # the children in a gap are never opened
        count, start = ctx.counter(fiber), fiber.buffer("start")
        first = fiber.buffer("ofs")[fiber.pos]
        begins: tuple[Line, ...] = (Store(start, fiber.pos, lo),)
        width = lo - start[fiber.pos]
        skips: tuple[Line, ...] = (Set(count, first + width),)
        ctx.emit(If(((eq(count, first), begins), (TRUE, skips))))
        return (count, lo)

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """As far into the region's children as the index is into the region."""
        count, start = region
        return fiber.child(count + (lo - start))

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """The next child comes after the region."""
        count = ctx.counter(fiber)
        ctx.set(count, count + (hi - lo))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends."""
        ctx.emit(Store(fiber.buffer("ofs"), fiber.pos + 1, ctx.counter(fiber)))

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """An offset and a start a fiber."""
        return fibers + 1, fibers

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """All of it."""
        return (fibers + 1, fibers), counts[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Up to the last offset."""
        return int(buffers[0][-1])

    def stretches(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """A band a fiber."""
        return fibers

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The bands themselves."""
        ofs, start = wide(buffers)
        width = np.diff(ofs)
        return np.where(width > 0, start, np.iinfo(np.int64).max), np.where(
            width > 0, start + width, 0
        )

    def size_at(self, at: Placement) -> Size:
        """The bands from the first element to the last."""
        return self.size_of(at, at.counts.hull)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One each."""
        return 1

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the bands."""
        ofs, start = wide(buffers)
        begin = ofs[fibers.position]
        fiber, place, child = segments(begin, ofs[fibers.position + 1] - begin)
        return Entries(fiber, start[fibers.position][fiber] + place, child)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Offsets ascend, and every band lies within the extent."""
        ofs, start = buffers
        count = checks.pointers(ofs, "ofs", fibers)
        checks.length(start, "start", fibers)
        beyond = (start < 0) | (np.diff(ofs) > dim - start)  # no sum: it may overflow
        if beyond.any():
            place = int(np.flatnonzero(beyond)[0])
            raise FormatError(
                f"buffer 'start': the band of fiber {place} starts at {start[place]} and is "
                f"{ofs[place + 1] - ofs[place]} wide: outside [0, {dim})"
            )
        return count
