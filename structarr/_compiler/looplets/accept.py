"""Accept: the looplet of an output, which takes values instead of giving them.

A level that stores runs accepts a run whole; others are given element after element, or a region
in which they may write at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Assign, Fiber, Loop, Pass, Sieve, Stmt, Tensor, Where
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, exchange, looplets
from structarr._compiler.looplets.lookup import Lookup, visit
from structarr._compiler.rules.written import tensor_of


class Accept(Looplet):
    """
    Looplet of an output: it takes the values that are written into a fiber.

    Parameters
    ----------
    fiber : Fiber
        The fiber that is written.
    region : tuple of Expr, optional
        What the level's `open_region` returned, within a region that was opened.

    See Also
    --------
    Discard : Takes values that need not be stored.
    structarr.formats.Writing : How a level stores what is accepted.

    Examples
    --------
    >>> from structarr.looplets import Accept, Run
    >>> Accept.writes, Run.writes
    (True, False)
    """

    fiber: Fiber
    region: tuple[Expr, ...] | None = None
    priority: ClassVar[int] = 20
    writes: ClassVar[bool] = True

    @property
    def tensor(self) -> Tensor:
        """The output."""
        return self.fiber.tensor

    @property
    def is_closed(self) -> bool:
        """Whether a region is to be opened before the elements in it are written."""
        return self.region is None and bool(self.fiber.level.writing.regions)

    def place(self, lo: Expr, hi: Expr, ctx: Context) -> Node:
        """The place to which the value for [lo, hi) is to be written."""
        return self.fiber.level.writing.place(self.fiber, self.region or (), lo, hi, ctx)  # type: ignore[no-any-return]

    def commit(self, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context) -> None:
        """Record what was written for [lo, hi)."""
        self.fiber.level.writing.commit(self.fiber, lo, hi, child, wrote, ctx)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Accept a run where all values are invariant, else visit each index."""
        outputs = [one for one in looplets(loop) if isinstance(one, Accept)]
        nonempty = lt(loop.lo, loop.hi)
        if _invariant(loop) and all(one.fiber.level.writing.accepts_runs for one in outputs):
            totals = set(_totals(loop))
            with ctx.under(nonempty):
                visit(_without(loop, totals), loop.lo, loop.hi, ctx)
            if totals:
                own = {one for one in loop.body.every(Assign) if one.target.mentions(loop.index)}
                ctx.lower(_without(loop, own))
        elif closed := [one for one in outputs if one.is_closed]:
            with ctx.under(nonempty):
                _lower_region(loop, closed, ctx)
        else:
            Lookup.lower(loop, ctx)


def _invariant(loop: Loop) -> bool:
    """Whether the loop's index occurs in targets alone."""
    for node in loop.body.nodes():
        match node:
            case Assign(_, _, value) if value.mentions(loop.index):
                return False
            case Loop(_, lo, hi) if lo.mentions(loop.index) or hi.mentions(loop.index):
                return False
            case Sieve(cond) if cond.mentions(loop.index):
                return False
    return not any(isinstance(one, Lookup) for one in looplets(loop))


def _totals(loop: Loop) -> Iterator[Assign]:
    """The updates of a loop at places that its index does not tell apart: each turn counts."""
    inner = {temp for where in loop.body.every(Where) for temp in where.temps}
    for one in loop.body.every(Assign):
        apart = one.op is not None and not one.target.mentions(loop.index)
        if apart and tensor_of(one.target) not in inner:
            yield one


def _without(loop: Loop, some: Set[Assign]) -> Loop:
    """A loop without some of its assignments."""

    def visit(node: Node) -> Node:
        if node in some:
            return Pass()
        return node.rebuild(visit) if isinstance(node, Stmt) else node

    return visit(loop) if some else loop  # type: ignore[return-value]


def _lower_region(loop: Loop, outputs: list[Accept], ctx: Context) -> None:
    """Visit each index between the beginning and the end of a region of some outputs."""
    opened = {
        one: Accept(
            one.fiber, one.fiber.level.writing.open_region(one.fiber, loop.lo, loop.hi, ctx)
        )
        for one in outputs
    }
    Lookup.lower(exchange(loop, lambda one: opened.get(one, one)), ctx)  # type: ignore[call-overload]
    for one in outputs:
        one.fiber.level.writing.close_region(one.fiber, loop.lo, loop.hi, ctx)
