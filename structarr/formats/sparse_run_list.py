"""SparseRunList: runs of equal children with fill between them."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import TRUE, Not, both, eq, le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Var
from structarr._compiler.ir.kernel import If, Line, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.jumper import Jumper
from structarr._compiler.looplets.let import Let
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.stepper import Stepper
from structarr._compiler.looplets.switch import Case, Switch
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, hulls_of, segments, wide
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import stretch_steps


class SparseRunList(Level):
    """Fiber p owns the runs `[ptr[p], ptr[p + 1])`, of the indices `[start[q], stop[q])`."""

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "start", "stop")
    kind: ClassVar[str] = "intervals"
    slicing: ClassVar[str] = "entries"
    below_lists: ClassVar[bool] = True
    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    ascends: ClassVar[bool] = True
    accepts_runs: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("start", "stop")
    counters: ClassVar[tuple[str, ...]] = ("n",)
    has_hulls: ClassVar[bool] = True

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of fill and a run."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper: others skip to where the next run begins."""
        return self._steps(fiber, ctx, Jumper)

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Looplet:
        name, ptr = fiber.tensor.name.lower(), fiber.buffer("ptr")
        starts, stops = fiber.buffer("start"), fiber.buffer("stop")
        begin, end = ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
        cursor = ctx.fresh(f"{name}_q")
        start, stop = ctx.fresh(f"{name}_start"), ctx.fresh(f"{name}_stop")
        value = ctx.fresh(f"{name}_v", fiber.tensor.dtype)
        ctx.set(cursor, begin)

        def back(i: Expr) -> Expr:
            return Helper(INDEX, "search_back", (starts, i + 1, begin, cursor + 1)) - 1

        read = fiber.level.child.read(fiber.child(cursor))
        loads = (Set(start, starts[cursor]), Set(stop, stops[cursor]), Set(value, read))
        inside = (Run(value), Set(value, fiber.fill))
        return stretch_steps(kind, fiber, cursor, (begin, end), loads, (start, stop), inside, back)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the run."""
        ptr, starts, stops = (fiber.buffer(name) for name in self.buffers)
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Var(INDEX, "?at")
            inside = both(lt(at, end), le(starts[at], i))
            found = Switch((Case(inside, fiber.child(at)), Case(TRUE, fiber.fill)))
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), found)

        return Lookup(function("i", find))

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """Where the last run of the fiber ends, which a run that adjoins goes on from."""
        return (Set(self._last(fiber), Lit(INDEX, -1)),)

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """The fiber has no run."""
        ctx.set(self._last(fiber), Lit(INDEX, -1))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The next free child, which is kept if it does not continue the one before."""
        count, last = ctx.counter(fiber), self._last(fiber)
        starts, stops = fiber.buffer("start"), fiber.buffer("stop")
        same: Expr = TRUE
        if not self.child.uniform:
            val = fiber.child(fiber.pos).buffer("val")
            same = Not(ctx.differ(val[count], val[count - 1]))
        goes_on: tuple[Line, ...] = (Store(stops, count - 1, hi),)
        new = (Store(starts, count, lo), Store(stops, count, hi), Set(count, count + 1))
        merge = If(((both(eq(last, lo), same), goes_on), (TRUE, new)))
        return fiber.child(count, (merge, Set(last, hi)))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, ctx.counter(fiber)))

    def _last(self, fiber: Fiber) -> Var:
        return Var(INDEX, f"{fiber.tensor.name}{fiber.depth}_last", True)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A pointer a fiber and one more; two bounds a run, and of one written in vain."""
        return fibers + 1, entries + 1, entries + 1

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many runs as were appended."""
        return (fibers + 1, counts[0], counts[0]), counts[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One child a run."""
        return len(buffers[1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first run to the last."""
        return hulls_of(*wide(buffers))

    def covered(self, buffers: tuple[Array, ...]) -> int:
        """The lengths of all runs."""
        _, start, stop = wide(buffers)
        return int((stop - start).sum())

    def size_at(self, at: Placement) -> Size:
        """A run a stretch of equal elements."""
        return self.size_of(at, at.counts.runs)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The runs' lengths."""
        _, start, stop = wide(buffers)
        return stop - start

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the runs."""
        ptr, start, stop = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, run = segments(begin, ptr[fibers.position + 1] - begin)
        which, _, coordinate = segments(start[run], stop[run] - start[run])
        return Entries(fiber[which], coordinate, run[which])

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Runs are within the extent, not empty, and in order."""
        ptr, start, stop = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.segments(ptr, start, stop, count, dim)
        return count
