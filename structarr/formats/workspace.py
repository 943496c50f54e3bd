"""Workspace: a dense row written at random and read in order, the temporary of a `where`.

It lists the indices that were touched, so that reading and clearing cost what was written.
"""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Not
from structarr._compiler.ir.kernel import Do, For, If, Lines, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper import Stepper
from structarr.formats.base import Level


class Workspace(Level):
    """One fiber; `mask` says what is touched, `idx` lists it, in order once frozen."""

    buffers: ClassVar[tuple[str, ...]] = ("mask", "idx")
    word: ClassVar[str] = "list"

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes over what was touched."""
        idx, end = fiber.buffer("idx"), ctx.counter(fiber)
        name = fiber.tensor.name.lower()
        cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_i")
        ctx.set(cursor, Lit(INDEX, 0))

        def reach(i: Expr) -> Expr:
            return Helper(INDEX, "search", (idx, i, cursor, end))

        return Stepper(
            cursor=cursor,
            end=end,
            loads=(Set(at, idx[cursor]),),
            stop=at + 1,
            body=Spike(fiber.fill, fiber.child(at)),
            rest=Run(fiber.fill),
            seek=function("i", reach),
            clamp=function("i", reach),
            past=function("hi", lambda hi: Lines((Set(at, hi),))),
            first=Lit(INDEX, 0),
            last=fiber.dim,
        )

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Nothing is touched yet: `clear` has seen to it."""

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index, which starts at the operator's identity when first touched."""
        count, mask, idx = ctx.counter(fiber), fiber.buffer("mask"), fiber.buffer("idx")
        child = fiber.child(lo)
        start = fiber.tensor.start
        assert start is not None
        touch = (
            Store(mask, lo, Lit("bool", True)),
            Store(idx, count, lo),
            Set(count, count + 1),
            Store(child.buffer("val"), lo, start),
        )
        ctx.emit(If(((Not(mask[lo]), touch),)))
        return child

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Put the touched indices in order."""
        args = (fiber.buffer("idx"), Lit(INDEX, 0), ctx.counter(fiber))
        ctx.emit(Do(Helper(INDEX, "sort_range", args)))

    def clear(self, fiber: Fiber, ctx: Context) -> None:
        """Untouch what was touched."""
        count, at = ctx.counter(fiber), ctx.fresh(f"{fiber.tensor.name.lower()}_t")
        lines = (Store(fiber.buffer("mask"), fiber.buffer("idx")[at], Lit("bool", False)),)
        ctx.emit(For(at, Lit(INDEX, 0), count, lines))
        ctx.set(count, Lit(INDEX, 0))

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A mask and a list as long as the extent."""
        return dim, dim
