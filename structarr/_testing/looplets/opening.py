"""The looplet that is checked, as it stands in a program before its lowering begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import le
from structarr._compiler.ir.expr import INDEX, Expr, Index
from structarr._compiler.ir.given import extent
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, exchange, function, looplets, narrow
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.scale import Scale

Maker = Callable[[Expr, Context], Looplet]

EXTENT = extent(Index("check"))
LO, HI, OFFSET = (Var(INDEX, f"check_{name}") for name in ("lo", "hi", "offset"))


class Opening(Looplet):
    """A looplet over [0, n) that `make` gives, read as a clause has it.

    Attributes
    ----------
    make : callable
        From the extent and the state of the lowering to the looplet.
    names : tuple of Var
        What the kernel is given for it.
    way : str
        "whole"; "part" for the regions [0, lo) and [lo, hi); "at" for each index looked up.
    factor : int
        If not 0, the index i of the part reads `factor * i + offset`.
    """

    make: Any
    names: tuple[Var, ...]
    way: str = "whole"
    factor: int = 0
    priority: ClassVar[int] = 1000

    def opened(self, ctx: Context) -> Looplet:
        """The looplet that stands in the loop from now on."""
        looplet: Looplet = self.make(EXTENT, ctx)
        if self.way == "at":
            return Lookup(function("i", looplet.at))
        if not self.factor:
            return looplet
        by = Affine(self.factor, OFFSET)
        end = by.index(HI - 1 if self.factor > 0 else LO) + 1
        return Scale(self.factor, OFFSET, looplet.truncate(ctx, EXTENT, end))

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Open what is checked, then lower the loop over the regions that the clause names."""
        found = [one for one in looplets(loop) if isinstance(one, Opening)]
        table: dict[Looplet, Looplet] = {one: one.opened(ctx) for one in found}
        loop = exchange(loop, lambda one: table.get(one, one))
        first = found[0]
        if first.factor:
            with ctx.block() as lines:
                ctx.lower(Loop(loop.index, LO, HI, loop.body))
            ctx.emit(*lines)
        elif first.way == "part":
            ctx.assume(le(0, LO), le(LO, HI), le(HI, loop.hi))
            for lo, hi in ((loop.lo, LO), (LO, HI)):
                ctx.lower(narrow(loop, lo, hi, ctx))
        else:
            ctx.lower(loop)
