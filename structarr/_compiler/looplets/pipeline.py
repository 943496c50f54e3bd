"""Pipeline: a few different looplets, one after the other."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import FALSE, TRUE, All, le, lt
from structarr._compiler.ir.expr import Expr, Max, Min, maximum, minimum
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, exchange, looplets, narrow
from structarr._compiler.looplets.steps import Steps
from structarr._compiler.looplets.switch import Case, Switch


class Phase(Node):
    """
    Part of a pipeline: `body` up to `stop`.

    Parameters
    ----------
    stop : Expr or None
        Where the part ends; None stands for the end of the region.
    body : Looplet
        What it consists of.

    See Also
    --------
    Pipeline : The parts together.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import Run
    >>> Phase(None, Run(Lit(INDEX, 0))).stop is None
    True
    """

    stop: Expr | None
    body: Looplet


class Pipeline(Looplet):
    """
    Looplet of a few parts, one after the other.

    Parameters
    ----------
    phases : tuple of Phase
        The parts in order. Their stops are absolute, do not decrease, and may lie outside of the
        region.
    steps : Steps, optional
        The same as a stepper, which is merged with others whose stops are known as its own are.

    See Also
    --------
    Stepper : Parts whose number is not known before the kernel runs.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import Run
    >>> three = Phase(Lit(INDEX, 3), Run(Lit(INDEX, 1)))
    >>> len(Pipeline((three, Phase(None, Run(Lit(INDEX, 0))))).phases)
    2
    """

    phases: tuple[Phase, ...]
    steps: Steps | None = None
    priority: ClassVar[int] = 80

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Only the last phase ends where the region does."""
        last = self.phases[-1]
        cut = Phase(None, last.body.truncate(ctx, old_hi, hi))
        return Pipeline((*self.phases[:-1], cut))

    @property
    def reversible(self) -> bool:
        """Whether every phase is."""
        return all(phase.body.reversible for phase in self.phases)

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Move every stop; from the end, the last phase is the first."""
        stops = [phase.stop for phase in self.phases]
        ends = (end if stop is None else stop for stop in stops)
        bodies = [p.body.reindexed(by, own, ctx) for p, own in zip(self.phases, ends, strict=True)]
        if by.factor < 0:
            bodies, stops = bodies[::-1], [*stops[-2::-1], None]
        moved = (None if stop is None else by.bound(stop) for stop in stops)
        return Pipeline(tuple(Phase(*phase) for phase in zip(moved, bodies, strict=True)))

    def at(self, index: Expr) -> Node:
        """The phase that an index lies in."""
        cases = [Case(lt(index, p.stop), p.body.at(index)) for p in self.phases if p.stop]
        return Switch((*cases, Case(TRUE, self.phases[-1].body.at(index))))

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Split the region at the first pipeline's stops; the others are split within.

        So all combinations of phases come in an order that respects each pipeline.
        """
        stepwise = _stepwise(loop, ctx)
        if stepwise is not None:
            ctx.lower(stepwise)
            return
        pipeline = next(one for one in looplets(loop) if isinstance(one, Pipeline))
        lo = loop.lo
        for phase in pipeline.phases:
            stop = loop.hi if phase.stop is None else _clip(phase.stop, loop, ctx)
            _lower_phase(loop, pipeline, phase, lo, stop, ctx)
            lo = _later(lo, stop, ctx)


def _stepwise(loop: Loop, ctx: Context) -> Loop | None:
    """The loop with steppers in place of pipelines, if these are merged with one another."""
    table: dict[Looplet, Looplet] = {}
    for one in looplets(loop):
        if isinstance(one, Pipeline):
            if one.steps is None:
                return None
            table[one] = one.steps
    merged = exchange(loop, lambda one: table.get(one, one))
    steppers = [one for one in looplets(merged) if isinstance(one, Steps)]
    return merged if steppers[0].are_merged(merged, steppers, ctx) else None


def _clip(stop: Expr, loop: Loop, ctx: Context) -> Expr:
    if ctx.proves(lt(stop, loop.hi + 1)):
        return stop
    return loop.hi if ctx.proves(lt(loop.hi, stop + 1)) else minimum(stop, loop.hi)


def _later(lo: Expr, stop: Expr, ctx: Context) -> Expr:
    if ctx.proves(lt(lo, stop + 1)):
        return stop
    return lo if ctx.proves(lt(stop, lo + 1)) else maximum(lo, stop)


def _lower_phase(
    loop: Loop, pipeline: Pipeline, phase: Phase, lo: Expr, hi: Expr, ctx: Context
) -> None:
    inside = ctx.facts.decide(lt(lo, hi))
    if inside is FALSE:
        return
    with ctx.block() as outer:
        single = ctx.proves(le(loop.hi, loop.lo + 1))
        if single:  # a phase that is not empty is all of the region
            lo, hi = loop.lo, loop.hi
        else:
            lo, hi = ctx.bound("lo", lo), ctx.bound("hi", hi)
        # Of two ways to say it the shorter: a comparison of two names.
        named = lt(lo, hi)
        long = isinstance(inside, All) or inside.has(Min) or inside.has(Max)
        inside = named if long and not single else inside
        with ctx.block(inside, named) as lines:
            if ctx.proves(le(hi, lo + 1)):
                hi = lo + 1  # not empty, and no longer than one
            end = loop.hi if phase.stop is None else phase.stop
            body = phase.body.truncate(ctx, end, hi)
            table: dict[Looplet, Looplet] = {pipeline: body}
            ctx.lower(narrow(loop, lo, hi, ctx, table.get))
        ctx.when(inside, lines)
    ctx.emit(*outer)
