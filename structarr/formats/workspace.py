"""Workspace: a dense row written at random and read in order, the temporary of a `where`."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.runtime.marked import words_of_marks
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
        return sorted_steps(Stepper, fiber, start, end, lambda cursor, at: at, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of a value by the mask: a switch would be decided too early."""

        def find(i: Expr) -> Node:
            child, start = fiber.child(i), fiber.tensor.start
            assert start is not None
            stored = child.level.reading.read(child)
            return Call(fiber.tensor.dtype, OPS["where"], (fiber.buffer("mask")[i], stored, start))

        return Lookup(function("i", find))


class _Writing(Touching):
    """Children at random, each listed when first touched."""

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index, which starts at the operator's identity when first touched."""
        count, mask, idx = ctx.counter(fiber), fiber.buffer("mask"), fiber.buffer("idx")
        start, values = fiber.tensor.start, fiber.child(lo).buffer("val")
        assert start is not None
        touch = (
            Store(mask, lo, Lit("bool", True)),
            Store(idx, count, lo),
            Set(count, count + 1),
            Store(values, lo, start),
        )
        return fiber.child(lo, (If(((Not(mask[lo]), touch),)),))

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Put the touched indices in order."""
        args = (fiber.buffer("idx"), fiber.buffer("mask"), ctx.counter(fiber), fiber.dim)
        ctx.emit(Do(Helper(INDEX, "list_marked", args)))

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Clear the mask at the touched index of a number."""
        return unmask(fiber, at)


class Workspace(Level):
    """One fiber; `mask` says what is touched, `idx` lists it, in order once frozen."""

    buffers: ClassVar[tuple[str, ...]] = ("mask", "idx")
    flags: ClassVar[tuple[str, ...]] = ("mask",)
    kind: ClassVar[Kind] = LIST
    reading = _Reading()
    writing = _Writing()

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A mask, a list of indices, and values."""
        return masked_row(dim, index, dtype)


def unmask(fiber: Fiber, at: Expr) -> Line:
    """The line that clears the mask of a row at the touched index of a number."""
    return Store(fiber.buffer("mask"), fiber.buffer("idx")[at], Lit("bool", False))


def masked_row(dim: int, index: str, dtype: str) -> tuple[Array, ...]:
    """The buffers of a row with a mask and a list of touched indices, the values' last.

    An index is written before it is kept.
    """
    mask = np.zeros(8 * words_of_marks(dim), np.bool_)
    return mask, np.empty(dim + 1, index), np.empty(dim, dtype)
