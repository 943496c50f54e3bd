"""Coiteration of several steppers: one loop, and in it a case analysis on their stops.

Each turn of the loop handles the region up to the least stop. Which steppers stop there is asked of
one after the other (`_Order` holds what is known). While some are not looked at, the region is
lowered with them opaque: if nothing comes out, their order does not matter and the least step on. A
stepper passed over so lags: its region may be empty. What a turn emits is in `stepper_turns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import TRUE, both, eq, le, lt
from structarr._compiler.ir.expr import Expr, Helper, minimum
from structarr._compiler.ir.kernel import If, Line, Set, While
from structarr._compiler.looplets.stepper_turns import Group, Turns
from structarr._compiler.looplets.steps import Steps
from structarr._compiler.runtime import traits


class _Order(NamedTuple):
    """The known part of the order in which steppers stop."""

    least: Group  # before or with all others that it was compared with
    unknown: Group
    later: Group = ()  # after the least
    also: Group = ()  # with those that stop first of all, whichever these turn out to be
    after: Group = ()  # after those

    @property
    def tied(self) -> bool:
        """Whether anything is known relative to those that stop first of all."""
        return bool(self.also or self.after)


def coiterate(loop: Loop, steppers: list[Steps], ctx: Context) -> None:
    """Lower a loop over two or more steppers."""
    _Coiteration(loop, steppers, ctx).lower()


class _Coiteration:
    """The lowering of one loop over two or more steppers."""

    def __init__(self, loop: Loop, steppers: list[Steps], ctx: Context) -> None:
        self.loop, self.ctx, self.turns = loop, ctx, Turns(loop, steppers, ctx)

    def lower(self) -> None:
        """Emit the loop, and what comes before it."""
        ctx = self.ctx
        with ctx.if_effective():
            self.turns.enter()
            guard = self._guard()
            with ctx.block(*guard) as inner:
                self.turns.start()
                body = self._body()
                if self.turns.lagging:  # now that we know which may lag: their regions may be empty
                    body = self._body()
                if body:  # else no order of the stops is possible: nothing comes here
                    first, body = self._opened(body)
                    ctx.emit(*first)
                    ctx.emit(While(tuple(body)))
            if guard:
                ctx.when(both(*guard), inner)
            else:
                ctx.emit(*inner)

    def _guard(self) -> list[Expr]:
        """The conditions without which there is no child to load."""
        loop, turns = self.loop, self.turns
        covering = any(one.rest is None for one in turns.steppers)
        pairs = zip(turns.steppers, turns.essential, strict=True)
        ends = [one.inside for one, essential in pairs if essential]
        guard = [lt(loop.lo, loop.hi), *ends] if covering else ends
        return [cond for cond in guard if not self.ctx.proves(cond)]

    def _opened(self, turn: list[Line]) -> tuple[list[Line], list[Line]]:
        """Lines before the loop, and its body.

        Where each turn begins with closing a run if the value differs from the open one, the first
        region's opens one before the loop: then no turn closes a run at the region's start.
        """
        *work, steps = turn
        if work and _closes(work[-1]):
            later = self._body(later=True)  # none, if there is but one region
            same = later[:-2] == work[:-1] and later[-1:] == [steps]
            if same and any(map(_closes, later[-2:-1])):
                return work, later
        return [], turn

    def _body(self, later: bool = False) -> list[Line]:
        """Emit a turn; of regions that are not the first, if `later`."""
        ctx, loop, turns = self.ctx, self.loop, self.turns
        begin = lt(loop.lo, turns.here) if later else le(loop.lo, turns.here)
        with ctx.turn(turns.changing, begin) as body:
            for number, one in enumerate(turns.steppers):
                most = loop.hi if turns.is_real(number) else loop.hi + 1
                ctx.assume(le(one.stop, most))
                if number not in turns.lagging:
                    ctx.assume(lt(turns.here, one.stop))
            others = sorted(range(1, len(turns.steppers)), key=lambda n: -turns.steppers[n].weight)
            self._dispatch(_Order((0,), tuple(others)))
        return body

    def _dispatch(self, order: _Order) -> bool:
        """Emit the turn that an order of the stops asks for; tell whether it does anything."""
        if self.ctx.is_spent:  # orders are many, and none is of use any more
            return False
        if not order.unknown:
            return self.turns.turn(order.least + order.also, order.later + order.after)
        alone = len(order.unknown) == 1
        if order.tied or alone or self._matters(order):
            with self.ctx.block() as lines:
                busy = self._asked(order)
            # Where all cases of one are idle, so are the turns up to the least stop.
            if busy or order.tied:
                self.ctx.emit(*lines)
                return busy
        self.turns.lagging |= set(order.unknown)
        return self.turns.turn(order.least, order.later, idle=True)

    def _matters(self, order: _Order) -> bool:
        """Whether anything comes out of the region whatever the unknown ones hold."""
        return self.ctx.writes(self.turns.region(order.least, order.later, order.unknown))

    def _asked(self, order: _Order) -> bool:
        """Ask whether the first unknown one stops before the least, after it, or with it.

        One that does something without the others is compared with the least of all: so `n` have a
        turn for each set of them that may stop first, 2^n - 1. Comparing two at a time they have
        one for each order that is told apart, up to 3^(n - 1), but fewer where products are idle.
        """
        least, unknown, later, also, after = order
        other, rest = unknown[:1], unknown[1:]
        stop, end = self.turns.stop(other), self.turns.stop(least)
        if not rest or self.turns.annihilate(least + rest + later + also + after):
            cases = (
                order._replace(least=other, unknown=rest, later=later + least),
                order._replace(unknown=rest, later=later + other),
                order._replace(least=least + other, unknown=rest),
            )
        else:
            end = minimum(end, *[self.turns.steppers[number].stop for number in rest])
            cases = (
                order._replace(least=other, unknown=(), later=least + rest + later),
                order._replace(unknown=rest, after=after + other),
                order._replace(unknown=rest, also=also + other),
            )
        ctx = self.ctx
        arms: list[tuple[Expr, list[Line]]] = []
        busy = False
        for cond, case in zip((lt(stop, end), lt(end, stop), eq(stop, end)), cases, strict=True):
            decided = ctx.facts.decide(cond)
            with ctx.block(cond, *self._told(case)) as lines:
                possible = not ctx.facts.contradictory
                if possible:
                    busy |= self._dispatch(case)
            if possible:
                arms.append((decided, lines))
        if arms:
            arms[-1] = (TRUE, arms[-1][1])
        ctx.branch(arms)
        return busy

    def _told(self, order: _Order) -> Iterator[Expr]:
        """Comparisons of the first stop, once it is known, with those that equal or follow it."""
        if not order.unknown:
            end = self.turns.stop(order.least)
            yield from (eq(end, self.turns.steppers[number].stop) for number in order.also)
            yield from (lt(end, self.turns.steppers[number].stop) for number in order.after)


def _closes(line: Line) -> bool:
    """Whether a line does something only where a value differs from another, which then is it."""
    match line:
        case If(((Helper(_, name, (value, opened)), body),)) if traits(name).differs:
            last = body[-1]
            return isinstance(last, Set) and last.var is opened and last.value is value
    return False
