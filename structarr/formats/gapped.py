"""Gapped row: floats that are scattered once and then looked up, with gaps where nothing is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.runtime import HELPERS
from structarr.cin import INDEX, Expr, Fiber, Helper, Line, Lit, Store
from structarr.formats.element import Values
from structarr.formats.entries import Array
from structarr.formats.scattered_row import ScatteredRow
from structarr.looplets import Context

DTYPES = ("float64", "float32")
"""The dtypes of values that have a gap."""


class Gapped(ScatteredRow):
    """A scattered row without a mask: a value itself says whether anything is stored."""

    buffers: ClassVar[tuple[str, ...]] = ("idx",)

    def there(self, fiber: Fiber, i: Expr) -> Expr:
        """Whether the value at an index is no gap."""
        child = fiber.child(i)
        return Helper("bool", f"there_{fiber.tensor.dtype}", (child.level.read(child),))

    def marks(self, fiber: Fiber, i: Expr) -> tuple[Line, ...]:
        """None: the value itself marks its index."""
        return ()

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Store a gap again."""
        values, dtype = fiber.child(Lit(INDEX, 0)).buffer("val"), fiber.tensor.dtype
        return Store(values, fiber.buffer("idx")[at], Helper(dtype, f"gap_{dtype}", ()))

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """A list of indices, and gaps."""
        return np.empty(dim + 1, index), np.full(dim, HELPERS[f"gap_{dtype}"]())


class Unmistakable(Values):
    """Values of which none is a gap."""

    def write(self, fiber: Fiber, value: Expr, ctx: Context) -> None:
        """Store a value, or another NaN where it is taken for a gap."""
        dtype = fiber.tensor.dtype
        self.store(fiber, Helper(dtype, f"filled_{dtype}", (value,)), ctx)
