"""HashedRow: a workspace for rows too wide for a dense one, written at random and read in order."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    OPS,
    Call,
    Do,
    Expr,
    Fiber,
    Helper,
    If,
    Line,
    Lit,
    Node,
    Not,
    Set,
    Store,
    eq,
)
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.formats.kinds import LIST, Kind
from structarr.formats.reading import Reading
from structarr.formats.steps import sorted_steps
from structarr.formats.writing import Touching
from structarr.looplets import Context, Lookup, Looplet, Stepper, function


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes over what was touched."""
        start, end = Lit(INDEX, 0), ctx.counter(fiber)
        return sorted_steps(Stepper, fiber, start, end, lambda _, at: _slot(fiber, at), ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup by the table; of a value, as a dense workspace has it."""

        def find(i: Expr) -> Node:
            child, start = fiber.child(_slot(fiber, i)), fiber.tensor.start
            assert start is not None
            there = eq(fiber.buffer("table")[child.pos], i)
            stored = child.level.reading.read(child)
            return Call(fiber.tensor.dtype, OPS["where"], (there, stored, start))

        return Lookup(function("i", find))


class _Writing(Touching):
    estimated: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index, which starts at the operator's identity when first touched."""
        count, table = ctx.counter(fiber), fiber.buffer("table")
        at = ctx.fresh(f"{fiber.tensor.name.lower()}_at")
        ctx.set(at, _slot(fiber, lo))
        start = fiber.tensor.start
        assert start is not None
        touch = (
            Store(table, at, lo),
            Store(fiber.buffer("idx"), count, lo),
            Store(fiber.buffer("slot"), count, at),
            Set(count, count + 1),
            Store(fiber.child(at).buffer("val"), at, start),
        )
        return fiber.child(at, (If(((Not(eq(table[at], lo)), touch),)),))

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Put the touched indices in order."""
        args = (fiber.buffer("idx"), Lit(INDEX, 0), ctx.counter(fiber))
        ctx.emit(Do(Helper(INDEX, "sort_range", args)))

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Free a slot that was taken."""
        return Store(fiber.buffer("table"), fiber.buffer("slot")[at], Lit(INDEX, -1))


class HashedRow(Level):
    """One fiber. Slot s of `table` holds an index or -1, and the child is at s as well.

    `idx` lists the indices that were touched, in order once frozen, and `slot` their slots as they
    came. There are at least twice as many slots as indices, and a power of two of them.
    """

    buffers: ClassVar[tuple[str, ...]] = ("table", "idx", "slot")
    kind: ClassVar[Kind] = LIST
    reading = _Reading()
    writing = _Writing()

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A table twice as long as the touched indices, and two lists of their number."""
        room = 2 << touched.bit_length()
        lists = np.empty(touched + 1, index), np.empty(touched + 1, index)
        return (np.full(room, -1, index), *lists, np.empty(room, dtype))


def _slot(fiber: Fiber, index: Expr) -> Expr:
    """The slot that holds an index, or that may take it."""
    return Helper(INDEX, "slot_of", (fiber.buffer("table"), index))
