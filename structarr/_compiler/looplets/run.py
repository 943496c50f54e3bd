"""Run: one value, repeated over the region."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, consume


class Run(Looplet):
    """
    Looplet of one value that is repeated over the whole region.

    Parameters
    ----------
    body : Node
        The value, or the fiber below.

    See Also
    --------
    Spike : A run with another value at its end.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> Run(Lit(INDEX, 7)).repeated
    Lit('int64', 7, False)
    """

    body: Node
    priority: ClassVar[int] = 50

    @property
    def repeated(self) -> Node | None:
        """The one value."""
        return self.body

    @property
    def reversible(self) -> bool:
        """A run is the same from both ends."""
        return True

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """A run is the same wherever it lies."""
        return self

    def at(self, index: Expr) -> Node:
        """The same everywhere."""
        return self.body

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Unwrap all runs; what the rules then see are plain values."""
        body = consume(loop, lambda looplet: looplet.body if isinstance(looplet, Run) else None)
        ctx.lower(Loop(loop.index, loop.lo, loop.hi, body))
