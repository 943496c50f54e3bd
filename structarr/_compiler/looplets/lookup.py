"""Lookup: any value, computed from the index. And binding, where a loop meets the kernel."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Loop
from structarr._compiler.ir.conditions import eq, le, lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.kernel import For
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Lambda, Looplet, consume, looplets


class Lookup(Looplet):
    """
    Looplet of any values, each computed from its index: a load from an array, or a function.

    Parameters
    ----------
    body : Lambda
        The function from an index to the value there.

    See Also
    --------
    function : Makes the body.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import function
    >>> Lookup(function("i", lambda i: i + 1)).at(Lit(INDEX, 2))
    Lit('int64', 3, False)
    """

    body: Lambda
    priority: ClassVar[int] = 10

    @property
    def reversible(self) -> bool:
        """Any index may be looked up."""
        return True

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Look up what the index reads."""
        param = self.body.param
        return Lookup(Lambda(param, self.body(by.index(param))))

    def at(self, index: Expr) -> Node:
        """Look it up."""
        return self.body(index)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """All that is left depends on the index alone: visit each."""
        if ctx.proves(eq(loop.lo + 1, loop.hi)):
            bind(loop, loop.lo, ctx)
            return
        with ctx.block() as outer:
            var = ctx.fresh(loop.index.name)
            with ctx.turn((), le(loop.lo, var), lt(var, loop.hi)) as lines:
                if not ctx.facts.contradictory:  # else there is no index
                    bind(loop, var, ctx)
        ctx.emit(*outer)
        if lines:
            ctx.emit(For(var, loop.lo, loop.hi, tuple(lines)))


def bind(loop: Loop, at: Expr, ctx: Context) -> None:
    """Lower the body with the index bound to `at`."""

    def value(looplet: Looplet) -> Node | None:
        return looplet.body(at) if isinstance(looplet, Lookup) else None

    if any(isinstance(one, Lookup) for one in looplets(loop)):
        loop = Loop(loop.index, at, at + 1, consume(loop, value))
        if _chooses(loop) and any(one.writes for one in looplets(loop)):
            ctx.lower(loop)  # what is chosen decides whether an output has anything there
            return
    visit(loop, at, at + 1, ctx)


def _chooses(loop: Loop) -> bool:
    """Whether a loop reads what is yet to be chosen."""
    return any(
        isinstance(one.obj, Looplet) and one.obj.immediate for one in loop.body.every(Access)
    )


def visit(loop: Loop, lo: Expr, hi: Expr, ctx: Context) -> None:
    """Lower the body once for all of [lo, hi), where its values do not vary.

    Outputs give the body a place to write to before, and record it after.
    """
    placed: dict[Looplet, Node] = {}
    for looplet in looplets(loop):
        if looplet.immediate:  # what the index gave is chosen in the body, where it is bound
            continue
        placed[looplet] = looplet.place(lo, hi, ctx)  # type: ignore[attr-defined]
    body = substitute(consume(loop, placed.get), {loop.index: lo})
    start = len(ctx.lines)
    ctx.lower(body)
    wrote = len(ctx.lines) > start
    for looplet, child in placed.items():
        looplet.commit(lo, hi, child, wrote, ctx)  # type: ignore[attr-defined]
