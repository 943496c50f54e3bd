"""Levels that list sorted coordinates: what SparseList and Hash share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Line, Node, Set, Store
from structarr.formats import checks
from structarr.formats.appending import Appending, begin_child, keep_child
from structarr.formats.counted import Itemized
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
from structarr.formats.kinds import LIST, Kind
from structarr.formats.steps import Stepping, sorted_steps
from structarr.looplets import Context, Looplet, Steps


class ListedReading(Stepping):
    """Spikes at the coordinates of a fiber."""

    def span(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        """Bounds of the fiber's children."""
        ptr, name = fiber.buffer("ptr"), fiber.tensor.name.lower()
        return ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])

    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Spikes."""
        begin, end = self.span(fiber, ctx)
        return sorted_steps(kind, fiber, begin, end, lambda cursor, at: cursor, ctx)


class ListedWriting(Appending):
    """Children are appended, each with its coordinate, and stay if they hold something."""

    optional_children: ClassVar[bool] = True

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


class Listed(Itemized):
    """Fiber p owns `idx[ptr[p]:ptr[p + 1]]`, strictly increasing."""

    kind: ClassVar[Kind] = LIST
    stores_nonfill_only: ClassVar[bool] = True
    is_injective: ClassVar[bool] = True

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The first and past the last coordinate."""
        ptr, idx = buffers[:2]
        begin, last = hulls_of(ptr, idx, idx)
        return begin, np.where(begin <= last, last + 1, 0)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The coordinates."""
        ptr, idx = wide(buffers[:2])
        begin = ptr[fibers.position]
        fiber, _, child = segments(begin, ptr[fibers.position + 1] - begin)
        return Entries(fiber, idx[child], child)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """The coordinates."""
        at = buffers[1][children].astype(np.int64)
        return Whereabouts(owners(buffers[0], children), at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Pointers ascend, coordinates are in range and increase within fibers."""
        ptr, idx = buffers[:2]
        count = checks.pointers(ptr, "ptr", fibers)
        checks.length(idx, "idx", count)
        checks.within(idx, "idx", 0, dim)
        checks.increasing(idx, "idx", ptr)
        return count
