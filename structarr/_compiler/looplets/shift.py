"""Shift: a looplet whose declared extents are moved."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, exchange


class Shift(Looplet):
    """
    Looplet that is another one moved by `delta`: what that has at index i stands at ``i + delta``.

    Parameters
    ----------
    delta : Expr
        How far it is moved.
    body : Looplet
        The other looplet, whose stops are moved with it.

    See Also
    --------
    Scale : Indices that are multiplied, too.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import function, Lookup
    >>> Shift(Lit(INDEX, 2), Lookup(function("i", lambda i: i))).at(Lit(INDEX, 5))
    Lit('int64', 3, False)
    """

    delta: Expr
    body: Looplet
    priority: ClassVar[int] = 90

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Truncate what is inside, in its own coordinates."""
        inner = self.body.truncate(ctx, old_hi - self.delta, hi - self.delta)
        return Shift(self.delta, inner)

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Two maps are one."""
        return self.body.reindexed(by.then(self._map), end - self.delta, ctx)

    def at(self, index: Expr) -> Node:
        """`delta` earlier."""
        return self.body.at(index - self.delta)

    @property
    def _map(self) -> Affine:
        return Affine(1, 0 - self.delta)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """No pass of its own: move the extents that the bodies declare."""

        def move(one: Looplet) -> Looplet:
            if not isinstance(one, Shift):
                return one
            return one.body.reindexed(one._map, loop.hi - one.delta, ctx)

        ctx.lower(exchange(loop, move))
