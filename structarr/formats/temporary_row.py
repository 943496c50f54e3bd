"""TemporaryRow: what the rows that hold the temporary of a `where` have in common."""

from __future__ import annotations

from structarr.cin import INDEX, Expr, Fiber, For, Line, Lit
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.looplets import Context


class TemporaryRow(Level):
    """One fiber that is written at random; its counter and its buffer `idx` list what is touched.

    So reading and clearing cost what was written. A kernel takes it cleared and leaves it so.
    """

    def begin(self, fiber: Fiber, ctx: Context) -> None:
        """Nothing: a workspace is taken cleared."""

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Make what was written ready to be read; nothing, if it is looked up alone."""

    def clear(self, fiber: Fiber, ctx: Context) -> None:
        """Mark all touched indices as untouched."""
        count, at = ctx.counter(fiber), ctx.fresh(f"{fiber.tensor.name.lower()}_t")
        ctx.emit(For(at, Lit(INDEX, 0), count, (self.untouch(fiber, at),)))
        ctx.set(count, Lit(INDEX, 0))

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Mark the touched index of a number as untouched."""
        raise NotImplementedError

    def space(self, dim: int, touched: int, index: str, dtype: str) -> tuple[Array, ...]:
        """The buffers for a row of which so many children are touched, the values' last.

        An index is written before it is kept.
        """
        raise NotImplementedError
