"""Gapped row: floats that are scattered once and then looked up, with gaps where nothing is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.runtime import HELPERS
from structarr.cin import INDEX, Expr, Fiber, Helper, Line, Lit, Store
from structarr.formats.element import Values
from structarr.formats.entries import Array
from structarr.formats.scattered_row import ScatteredReading, ScatteredRow, ScatteredWriting
from structarr.formats.writing import LeafWriting
from structarr.looplets import Context

DTYPES = ("float64", "float32")
"""The dtypes of values that have a gap."""


class _Reading(ScatteredReading):
    def there(self, fiber: Fiber, i: Expr) -> Expr:
        """Whether the value at an index is no gap."""
        child = fiber.child(i)
        return Helper("bool", f"there_{fiber.tensor.dtype}", (child.level.reading.read(child),))


class _GappedWriting(ScatteredWriting):
    def marks(self, fiber: Fiber, i: Expr) -> tuple[Line, ...]:
        """None: the value itself marks its index."""
        return ()

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Store a gap again."""
        values, dtype = fiber.child(Lit(INDEX, 0)).buffer("val"), fiber.tensor.dtype
        return Store(values, fiber.buffer("idx")[at], Helper(dtype, f"gap_{dtype}", ()))


class Gapped(ScatteredRow):
    """A scattered row without a mask: a value itself says whether anything is stored."""

    buffers: ClassVar[tuple[str, ...]] = ("idx",)
    reading = _Reading()
    writing = _GappedWriting()

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A list of indices, and gaps."""
        return np.empty(dim + 1, index), np.full(dim, HELPERS[f"gap_{dtype}"]())


class _UnmistakableWriting(LeafWriting):
    def write(self, fiber: Fiber, value: Expr, ctx: Context) -> None:
        """Store a value, or another NaN where it is taken for a gap."""
        dtype = fiber.tensor.dtype
        filled = Helper(dtype, f"filled_{dtype}", (value,))
        ctx.emit(Store(fiber.buffer("val"), fiber.pos, filled))
        super().write(fiber, filled, ctx)


class Unmistakable(Values):
    """Values of which none is a gap."""

    writing = _UnmistakableWriting()
