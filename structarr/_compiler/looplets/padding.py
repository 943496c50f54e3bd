"""Padding: a fiber continued beyond its ends, by its edge, in circles or mirrored."""

from __future__ import annotations

from collections.abc import Callable

from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, index_lit, scale
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.let import Let
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.scale import Scale
from structarr._compiler.looplets.shift import Shift
from structarr._compiler.looplets.switch import Case, Switch

MODES = ("edge", "circular", "reflect", "symmetric")


def padded(
    mode: str,
    dim: Expr,
    read: Callable[[], Looplet],
    element: Callable[[Expr], Node],
    outside: Expr,
) -> Looplet:
    """A fiber of length `dim` with what stands before and after it.

    `read` unfurls it anew, for it is read in three places; `element` looks one element up, as is
    done beyond one turn in circles or one mirror image. Of a fiber of no length there is `outside`.
    """
    if mode == "edge":
        first, last = Run(element(index_lit(0))), Run(element(dim - 1))
        there = Pipeline((Phase(index_lit(0), first), Phase(dim, read()), Phase(None, last)))
        return Switch((Case(lt(0, dim), there), Case(TRUE, Run(outside))))
    told: tuple[Expr, ...]
    if mode == "circular":
        before: Looplet = Shift(scale(dim, -1), read())
        after: Looplet = Shift(dim, read())
        reach = dim
        helper, told = "turned", (dim,)
    else:
        repeated = int(mode == "symmetric")  # whether the edge stands twice
        before = Scale(-1, index_lit(-repeated), read())
        after = Scale(-1, scale(dim, 2) - 2 + repeated, read())
        reach = dim - 1 + repeated
        helper, told = "mirrored", (dim, index_lit(repeated))

    def far() -> Looplet:
        at = Opaque(INDEX, "far")
        return Lookup(
            function("i", lambda i: Let(at, Helper(INDEX, helper, (i, *told)), element(at)))
        )

    there = Pipeline(
        (
            Phase(scale(reach, -1), far()),
            Phase(index_lit(0), before),
            Phase(dim, read()),
            Phase(dim + reach, after),
            Phase(None, far()),
        )
    )
    return Switch((Case(lt(0, dim), there), Case(TRUE, Run(outside))))
