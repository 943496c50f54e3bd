"""SparseList: the sorted coordinates of the stored children; everything between is fill."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import TRUE, both, eq, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Var
from structarr._compiler.ir.kernel import Line, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.jumper import Jumper
from structarr._compiler.looplets.let import Let
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.stepper import Stepper
from structarr._compiler.looplets.switch import Case, Switch
from structarr.formats import checks
from structarr.formats.appending import begin_child, keep_child
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, hulls_of, segments, wide
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import sorted_steps


class SparseList(Level):
    """Fiber p owns `idx[ptr[p]:ptr[p + 1]]`, strictly increasing."""

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx")
    kind: ClassVar[str] = "list"
    slicing: ClassVar[str] = "entries"
    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    ascends: ClassVar[bool] = True
    optional_children: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("idx",)
    counters: ClassVar[tuple[str, ...]] = ("n",)
    has_hulls: ClassVar[bool] = True

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper of spikes: others skip to what is stored here."""
        return self._steps(fiber, ctx, Jumper)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search."""
        idx = fiber.buffer("idx")
        begin, end = _fiber_range(fiber, ctx)

        def find(i: Expr) -> Node:
            at = Var(INDEX, "?at")
            found = Switch(
                (
                    Case(both(lt(at, end), eq(idx[at], i)), fiber.child(at)),
                    Case(TRUE, fiber.fill),
                )
            )
            return Let(at, Helper(INDEX, "bisect", (idx, i, begin, end)), found)

        return Lookup(function("i", find))

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Looplet:
        begin, end = _fiber_range(fiber, ctx)
        return sorted_steps(kind, fiber, begin, end, lambda cursor, at: cursor, ctx)

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The next free child."""
        count = ctx.counter(fiber)
        child = fiber.child(count)
        if child.level.leaf:
            return fiber.child(count, self._append(fiber, lo, ctx))
        begin_child(child, ctx)
        return child

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Keep the child if something was stored in it."""
        assert isinstance(child, Fiber)
        keep_child(child, self._append(fiber, lo, ctx), wrote, ctx)

    def _append(self, fiber: Fiber, index: Expr, ctx: Context) -> tuple[Line, ...]:
        count = ctx.counter(fiber)
        return (Store(fiber.buffer("idx"), count, index), Set(count, count + 1))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, ctx.counter(fiber)))

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """One pointer a fiber and one more; a coordinate an entry, and one written in vain."""
        return fibers + 1, entries + 1

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many coordinates as were appended."""
        return (fibers + 1, counts[0]), counts[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One child a coordinate."""
        return len(buffers[1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The first and past the last coordinate."""
        ptr, idx = buffers
        begin, last = hulls_of(ptr, idx, idx)
        return begin, np.where(begin <= last, last + 1, 0)

    def size_at(self, at: Placement) -> Size:
        """A child a coordinate."""
        return self.size_of(at, at.elements)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One each."""
        return 1

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The coordinates."""
        ptr, idx = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, child = segments(begin, ptr[fibers.position + 1] - begin)
        return Entries(fiber, idx[child], child)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Pointers ascend, coordinates are in range and increase within fibers."""
        ptr, idx = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.length(idx, "idx", count)
        checks.within(idx, "idx", 0, dim)
        checks.increasing(idx, "idx", ptr)
        return count


def _fiber_range(fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
    ptr, name = fiber.buffer("ptr"), fiber.tensor.name.lower()
    return ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
