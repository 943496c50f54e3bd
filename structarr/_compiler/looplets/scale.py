"""Scale: a looplet of which every k-th index is read, forward or from its end."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, exchange, looplets


class Scale(Looplet):
    """
    Looplet that reads another one by an affine index.

    At index i it has what the other one has at ``factor * i + offset``.

    Parameters
    ----------
    factor : int
        What the index is multiplied with; not 0.
    offset : Expr
        What is added.
    body : Looplet
        The other looplet.

    See Also
    --------
    Shift : A factor of one.
    Affine : The map of indices.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import function, Lookup
    >>> Scale(2, Lit(INDEX, 1), Lookup(function("i", lambda i: i))).at(Lit(INDEX, 3))
    Lit('int64', 7, False)
    """

    factor: int
    offset: Expr
    body: Looplet
    priority: ClassVar[int] = 95

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Truncate what is inside, in its own coordinates; from the end, its beginning is cut."""
        if self.factor < 0:
            return self
        old, new = (self._map.index(bound - 1) + 1 for bound in (old_hi, hi))
        return Scale(self.factor, self.offset, self.body.truncate(ctx, old, new))

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Compose the maps, and leave the body: reindexing it twice may be too much."""
        both = by.then(self._map)
        return Scale(both.factor, both.offset, self.body)

    def at(self, index: Expr) -> Node:
        """At what the index reads."""
        return self.body.at(self._map.index(index))

    @property
    def _map(self) -> Affine:
        return Affine(self.factor, self.offset)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """No pass of its own: move the extents that the bodies declare."""
        moved: dict[Looplet, Looplet] = {}
        for one in looplets(loop):
            if isinstance(one, Scale):
                last = loop.lo if one.factor < 0 else loop.hi - 1
                moved[one] = one.body.reindexed(one._map, one._map.index(last) + 1, ctx)
        ctx.lower(exchange(loop, lambda one: moved.get(one, one)))
