"""Spike: one value over the region, but for its last index."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import TRUE, eq, lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, exchange, narrow
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.switch import Case, Switch


class Spike(Looplet):
    """
    Looplet of one value over the region, but for the last index: `tail` is at ``hi - 1``.

    Parameters
    ----------
    body : Node
        The value at the other indices, ``[lo, hi - 1)``.
    tail : Node
        The value at the last index.

    See Also
    --------
    Run : The same without a tail.
    Stepper : Spikes one after the other, as a compressed level has them.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> Spike(body=Lit(INDEX, 0), tail=Lit(INDEX, 5)).tail
    Lit('int64', 5, False)
    """

    body: Node
    tail: Node
    priority: ClassVar[int] = 60

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """A spike without its tail is a run; where that is not known, test at run time."""
        if ctx.proves(lt(hi, old_hi)):
            return Run(self.body)
        here = eq(hi, old_hi)
        if ctx.proves(here):
            return self
        return Switch((Case(here, self), Case(TRUE, Run(self.body))))

    @property
    def reversible(self) -> bool:
        """True: read from its end, a spike is a pipeline whose first phase is the tail."""
        return True

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """The tail stays the last, or becomes the first, or no index reads it."""
        body, tail = Run(self.body), Run(self.tail)
        if by.factor < 0:
            return Pipeline((Phase(by.bound(end - 1), tail), Phase(None, body)))
        met = eq(by.index(by.bound(end) - 1), end - 1)
        return self if met is TRUE else Switch((Case(met, self), Case(TRUE, body)))

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """The bodies first, then the tails, which are a region of length one."""
        last = loop.hi - 1
        tails = exchange(loop, lambda s: Run(s.tail) if isinstance(s, Spike) else s)
        with ctx.under(lt(loop.lo, loop.hi)):
            ctx.lower(narrow(loop, loop.lo, last, ctx))
            ctx.lower(Loop(loop.index, last, loop.hi, tails.body))
