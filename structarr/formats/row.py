"""Row: a dense row, the temporary of a `where` whose producer writes all of it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import INDEX, Do, Expr, Fiber, Helper, Lit, Node
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.formats.reading import Located
from structarr.formats.writing import Gathering
from structarr.looplets import Context


class _Writing(Gathering):
    def begin(self, fiber: Fiber, ctx: Context) -> None:
        """Fill the row with its start."""
        start = fiber.tensor.start
        assert start is not None
        row = fiber.child(fiber.pos).buffer("val")
        ctx.emit(Do(Helper(INDEX, "fill_range", (row, Lit(INDEX, 0), fiber.dim, start))))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return fiber.child(lo)


class Row(Level):
    """One fiber, each child found by its index."""

    arithmetic: ClassVar[bool] = True
    reading = Located(Fiber.child)
    writing = _Writing()

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """Room for every child."""
        return (np.empty(dim, dtype),)
