"""Gapped row: floats that are scattered once and then looked up, with gaps where nothing is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import INDEX, TRUE, Expr, Helper, Lit
from structarr._compiler.ir.kernel import For, Set, Store
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.switch import Case, Switch
from structarr._compiler.runtime import gaps
from structarr.formats.bytemap import Bytemap
from structarr.formats.element import Element
from structarr.formats.entries import Array

DTYPES = ("float64", "float32")
"""The dtypes of values that have a gap."""


class Gapped(Bytemap):
    """A bytemap without its mask: a value itself says whether anything is stored."""

    buffers: ClassVar[tuple[str, ...]] = ("idx",)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of a switch by the value."""
        there = f"there_{fiber.tensor.dtype}"

        def find(i: Expr) -> Node:
            child = fiber.child(i)
            stored = Helper("bool", there, (child.level.read(child),))
            return Switch((Case(stored, child), Case(TRUE, fiber.fill)))

        return Lookup(function("i", find))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index, which is listed when it is stored."""
        count = ctx.counter(fiber)
        return fiber.child(lo, (Store(fiber.buffer("idx"), count, lo), Set(count, count + 1)))

    def clear(self, fiber: Fiber, ctx: Context) -> None:
        """Make gaps of what was stored."""
        count, at = ctx.counter(fiber), ctx.fresh(f"{fiber.tensor.name.lower()}_t")
        values = fiber.child(Lit(INDEX, 0)).buffer("val")
        gap = Helper(fiber.tensor.dtype, f"gap_{fiber.tensor.dtype}", ())
        ctx.emit(For(at, Lit(INDEX, 0), count, (Store(values, fiber.buffer("idx")[at], gap),)))
        ctx.set(count, Lit(INDEX, 0))

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A list of indices, and gaps."""
        gap = gaps.gap_float32() if dtype == "float32" else gaps.gap_float64()
        return np.empty(dim + 1, index), np.full(dim, gap)


class Unmistakable(Element):
    """Values of which none is a gap."""

    def write(self, fiber: Fiber, value: Expr, ctx: Context) -> None:
        """Store a value, or another NaN where it is taken for a gap."""
        dtype = fiber.tensor.dtype
        super().write(fiber, Helper(dtype, f"filled_{dtype}", (value,)), ctx)
