"""Hash: a list whose fibers have hash tables too, for reading at random (a dict of keys)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Var
from structarr._compiler.ir.kernel import Do, Line, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.jumper import Jumper
from structarr._compiler.looplets.let import Let
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.stepper import Stepper
from structarr._compiler.looplets.switch import Case, Switch
from structarr._compiler.runtime.packed import slots
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.appending import begin_child, keep_child
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, hulls_of, segments, wide
from structarr.formats.steps import sorted_steps


class Hash(Level):
    """Fiber p owns `idx[ptr[p]:ptr[p + 1]]`, strictly increasing.

    Twice as many slots of `table`, from `2 * ptr[p]` on, hold the children's positions where
    their coordinates' hashes say, or -1.
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx", "table")
    kind: ClassVar[str] = "list"
    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    optional_children: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("idx", "table")
    counters: ClassVar[tuple[str, ...]] = ("n",)
    has_hulls: ClassVar[bool] = True

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper of spikes."""
        return self._steps(fiber, ctx, Jumper)

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Looplet:
        begin, end = _range(fiber, ctx)
        return sorted_steps(kind, fiber, begin, end, lambda cursor, at: cursor, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A probe of the table."""
        begin, end = _range(fiber, ctx)
        table, idx = fiber.buffer("table"), fiber.buffer("idx")

        def find(i: Expr) -> Node:
            at = Var(INDEX, "?at")
            found = Switch((Case(lt(at, end), fiber.child(at)), Case(TRUE, fiber.fill)))
            return Let(at, Helper(INDEX, "probe", (table, idx, i, begin, end)), found)

        return Lookup(function("i", find))

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

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Fibers skipped before this one are empty."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos, ctx.counter(fiber)))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends, and fill its table."""
        ptr, count = fiber.buffer("ptr"), ctx.counter(fiber)
        args = (fiber.buffer("table"), fiber.buffer("idx"), ptr[fiber.pos], count)
        ctx.emit(Do(Helper(INDEX, "slots", args)))
        ctx.emit(Store(ptr, fiber.pos + 1, count))

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """As a list; two slots an entry."""
        return fibers + 1, entries + 1, 2 * entries + 2

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many coordinates as were appended."""
        return (fibers + 1, counts[0], 2 * counts[0]), counts[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One child a coordinate."""
        return len(buffers[1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The first and past the last coordinate."""
        ptr, idx, _ = wide(buffers)
        return hulls_of(ptr, idx, idx + 1)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One each."""
        return 1

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The coordinates."""
        ptr, idx, _ = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, child = segments(begin, ptr[fibers.position + 1] - begin)
        return Entries(fiber, idx[child], child)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """A list's invariants, and tables as they are made of it."""
        ptr, idx, table = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.length(idx, "idx", count)
        checks.within(idx, "idx", 0, dim)
        checks.increasing(idx, "idx", ptr)
        checks.length(table, "table", 2 * count)
        expected = np.empty_like(table)
        for lo, hi in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True):
            slots(expected, idx, lo, hi)
        wrong = np.flatnonzero(table != expected)
        if len(wrong):
            raise FormatError(
                f"buffer 'table': slot {wrong[0]} is {table[wrong[0]]}, not "
                f"{expected[wrong[0]]}; make the array from coordinates instead"
            )
        return count


def _range(fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
    ptr, name = fiber.buffer("ptr"), fiber.tensor.name.lower()
    begin = ctx.let(f"{name}_begin", ptr[fiber.pos])
    return begin, ctx.let(f"{name}_end", ptr[fiber.pos + 1])
