"""Coiteration of several steppers: one loop, and in it a case analysis on their stops.

Each turn of the loop handles the region up to the least stop. Which steppers stop there is asked of
one after the other (`_Order` holds what is known). While some are not looked at, the region is
lowered with them opaque: if nothing comes out, their order does not matter and the least step on. A
stepper passed over so lags: its region may be empty.

A stepper is *essential* where its `rest` annihilates the program: its end ends the loop. Another
that does not cover the extent goes on with a stop past the region's end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from structarr._compiler.context import Context, effects
from structarr._compiler.ir.cin import Access, Loop
from structarr._compiler.ir.conditions import TRUE, Not, both, eq, le, lt
from structarr._compiler.ir.expr import Expr, Helper, Var, maximum, minimum
from structarr._compiler.ir.kernel import Break, If, Line, Set, While
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import (
    Looplet,
    annihilate,
    exchange,
    narrow,
)
from structarr._compiler.looplets.run import Run

if TYPE_CHECKING:
    from structarr._compiler.looplets.stepper import Stepper

Group = tuple[int, ...]  # positions in the list of steppers


class _Order(NamedTuple):
    """What is known of the order in which steppers stop."""

    least: Group  # before or with all others that it was compared with
    unknown: Group
    later: Group = ()  # after the least
    also: Group = ()  # with those that stop first of all, whichever these turn out to be
    after: Group = ()  # after those

    @property
    def tied(self) -> bool:
        """Whether anything is known relative to those that stop first of all."""
        return bool(self.also or self.after)


def coiterate(loop: Loop, steppers: list[Stepper], ctx: Context) -> None:
    """Lower a loop over two or more steppers."""
    _Coiteration(loop, steppers, ctx).lower()


class _Coiteration:
    """The lowering of one loop over two or more steppers."""

    def __init__(self, loop: Loop, steppers: list[Stepper], ctx: Context) -> None:
        steppers = sorted(steppers, key=lambda one: one.weight)
        self.loop, self.ctx, self.whole = loop, ctx, steppers
        self.steppers: list[Stepper] = []  # cut to the region
        self.essential = [self._annihilate((number,)) for number in range(len(steppers))]
        self.lagging: set[int] = set()
        self.here: Var = Var("int64", "?")

    def lower(self) -> None:
        """Emit the loop, and what comes before it."""
        ctx = self.ctx
        with ctx.block() as lines:
            self.steppers = [one.enter(self.loop, ctx) for one in self.whole]
            self.here = ctx.fresh(f"{self.loop.index.name}_here")
            guard = self._guard()
            with ctx.block(*guard) as inner:
                self._start()
                body = self._body()
                if self.lagging:  # now that we know which may lag: their regions may be empty
                    body = self._body()
                if body:  # else no order of the stops is possible: nothing comes here
                    first, body = self._opened(body)
                    ctx.lines += first
                    ctx.emit(While(tuple(body)))
            if guard:
                ctx.when(both(*guard), inner)
            else:
                ctx.lines += inner
        if effects(lines):
            ctx.lines += lines

    def _guard(self) -> list[Expr]:
        """The conditions without which there is no child to load."""
        ctx, loop = self.ctx, self.loop
        guard: list[Expr] = []
        if any(one.rest is None for one in self.steppers):
            guard.append(lt(loop.lo, loop.hi))
        for one, essential in zip(self.steppers, self.essential, strict=True):
            if essential:
                guard.append(one.inside)
        return [cond for cond in guard if not ctx.proves(cond)]

    def _start(self) -> None:
        self.ctx.set(self.here, self.loop.lo)
        for number in range(len(self.steppers)):
            self._load(number)

    def _load(self, number: int) -> None:
        """Load the child at a cursor, or a stop past the end where there is none."""
        ctx, one = self.ctx, self.steppers[number]
        if self._is_real(number):
            one.load(ctx)
            return
        one.load_if_any(self.loop.hi, ctx)
        for line in one.loads:
            ctx.facts.forget(line.var)

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
        ctx, loop = self.ctx, self.loop
        facts = [lt(loop.lo, self.here) if later else le(loop.lo, self.here)]
        with ctx.block() as body:
            ctx.facts.forget(self.here)
            for one in self.steppers:
                for line in one.loads:
                    ctx.facts.forget(line.var)
                ctx.facts.forget(one.cursor)
            for fact in facts:
                ctx.facts.assume(fact)
            for number, one in enumerate(self.steppers):
                most = loop.hi if self._is_real(number) else loop.hi + 1
                ctx.facts.assume(le(one.stop, most))
                if number not in self.lagging:
                    ctx.facts.assume(lt(self.here, one.stop))
            others = tuple(sorted(range(1, len(self.steppers)), key=lambda n: -self._weight(n)))
            self._dispatch(_Order((0,), others))
        return body

    def _is_real(self, number: int) -> bool:
        """Whether a stepper always stands at a child, never past its end."""
        return self.essential[number] or self.steppers[number].rest is None

    def _weight(self, number: int) -> int:
        return self.steppers[number].weight

    def _dispatch(self, order: _Order) -> bool:
        """Emit the turn that an order of the stops asks for; tell whether it does anything."""
        if not order.unknown:
            return self._turn(order.least + order.also, order.later + order.after)
        alone = len(order.unknown) == 1
        if order.tied or alone or self._matters(order):
            with self.ctx.block() as lines:
                busy = self._asked(order)
            # Where all cases of one are idle, so are the turns up to the least stop.
            if busy or order.tied:
                self.ctx.lines += lines
                return busy
        self.lagging |= set(order.unknown)
        return self._turn(order.least, order.later, idle=True)

    def _asked(self, order: _Order) -> bool:
        """Ask whether the first unknown one stops before the least, after it, or with it.

        One that does something without the others is compared with the least of all: so `n` have a
        turn for each set of them that may stop first, 2^n - 1. Comparing two at a time they have
        one for each order that is told apart, up to 3^(n - 1), but fewer where products are idle.
        """
        least, unknown, later, also, after = order
        other, rest = unknown[:1], unknown[1:]
        stop, end = self._stop(other), self._stop(least)
        if not rest or self._annihilate(least + rest + later + also + after):
            cases = (
                order._replace(least=other, unknown=rest, later=later + least),
                order._replace(unknown=rest, later=later + other),
                order._replace(least=least + other, unknown=rest),
            )
        else:
            end = minimum(end, *[self.steppers[number].stop for number in rest])
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
        """What holds of those that stop with the first of all or later, once that is known."""
        if not order.unknown:
            end = self._stop(order.least)
            yield from (eq(end, self.steppers[number].stop) for number in order.also)
            yield from (lt(end, self.steppers[number].stop) for number in order.after)

    def _stop(self, group: Group) -> Expr:
        """Where the first of some steppers stops."""
        return self.steppers[group[0]].stop

    def _turn(self, least: Group, later: Group, idle: bool = False) -> bool:
        """Emit the region up to the least stop, if not idle, and the step beyond it."""
        ctx = self.ctx
        self._leave_if_exhausted(least)
        with ctx.block() as lines:
            if not idle:
                ctx.lower(self._region(least, later))
        busy = effects(lines)
        if busy:
            ctx.lines += lines
        self._advance(least, later, self._leader(later, busy))
        return busy

    def _region(self, least: Group, later: Group, unknown: Group = ()) -> Loop:
        ctx, loop = self.ctx, self.loop
        end = self._stop(least)
        table: dict[Looplet, Looplet] = {}
        for number in least + later:
            one = self.steppers[number]
            table[self.whole[number]] = one.body.truncate(ctx, one.stop, end)
        for number in unknown:
            table[self.whole[number]] = Run(_opaque(number, self._dtype(number)))
        return narrow(loop, self.here, end, ctx, table.get)

    def _dtype(self, number: int) -> str:
        whole = self.whole[number]
        for node in self.loop.body.every(Access):
            if node.obj is whole:
                return node.dtype
        raise AssertionError("a stepper that nothing reads")

    def _matters(self, order: _Order) -> bool:
        """Whether anything comes out of the region whatever the unknown ones hold."""
        return self.ctx.writes(self._region(order.least, order.later, order.unknown))

    def _leave_if_exhausted(self, least: Group) -> None:
        """Where even the least stop is past the end, no child is left."""
        ctx, loop = self.ctx, self.loop
        end = self._stop(least)
        # A child that is there ends within the region, even where the prover can't see it.
        if any(map(self._is_real, least)) or ctx.proves(le(end, loop.hi)):
            return
        done = lt(loop.hi, end)
        with ctx.block(done, le(self.here, loop.hi)) as lines:
            rests = {one: one.rest for one in self.whole if one.rest is not None}
            part = Loop(loop.index, self.here, loop.hi, loop.body)
            with ctx.block() as last:
                ctx.lower(exchange(part, lambda one: rests.get(one, one)))  # type: ignore
            if effects(last):
                ctx.lines += last
            ctx.emit(Break())
        ctx.branch([(done, lines)])
        ctx.facts.assume(le(end, loop.hi))

    def _leader(self, later: Group, busy: bool) -> int | None:
        """One that stops later and leads: nothing happens before where its child matters."""
        for number in later:
            one = self.whole[number]
            if one.is_leader and self.essential[number] and not (busy and one.begin is None):
                return number
        return None

    def _advance(self, least: Group, later: Group, leader: int | None) -> None:
        ctx, loop = self.ctx, self.loop
        end = self._stop(least)
        covering = any(self.steppers[n].rest is None for n in least)
        if covering and not ctx.proves(lt(end, loop.hi)):
            ctx.branch([(le(loop.hi, end), [Break()])])
            ctx.facts.assume(lt(end, loop.hi))
        lags = any(number in self.lagging for number in least)
        ctx.set(self.here, maximum(self.here, end) if lags else end)
        for number in least:
            one = self.steppers[number]
            if leader is None:
                ctx.set(one.cursor, one.following)
            else:
                self._follow(one, self.steppers[leader], end)
        for number in least:
            one = self.steppers[number]
            if self.essential[number]:
                ctx.branch([(Not(one.inside), [Break()])])
        for number in least:
            self._load(number)

    def _follow(self, one: Stepper, leader: Stepper, end: Expr) -> None:
        """Go on to where the leader's child matters, or by one if that is here."""
        ctx = self.ctx
        if leader.begin is None:
            ctx.set(one.cursor, one.beyond(leader.stop - 1))
            return
        arms: list[tuple[Expr, list[Line]]] = []
        for cond, step in ((le(end, leader.begin), one.seek(leader.begin)), (TRUE, one.following)):
            with ctx.block(cond) as lines:
                ctx.set(one.cursor, step)  # type: ignore[arg-type]
            arms.append((cond, lines))
        ctx.branch(arms)
        ctx.facts.forget(one.cursor)

    def _annihilate(self, numbers: Group) -> bool:
        """Whether the program does nothing where some steppers are at their rest."""
        known: dict[Looplet, Node] = {}
        for number in numbers:
            rest = self.whole[number].rest
            if isinstance(rest, Run):
                known[self.whole[number]] = rest.body
        return bool(known) and annihilate(self.loop, known, self.ctx)


def _opaque(number: int, dtype: str) -> Var:
    """A value of which nothing is known."""
    return Var(dtype, f"?{number}")


def _closes(line: Line) -> bool:
    """Whether a line does something only where a value differs from another, which then is it."""
    match line:
        case If(((Helper(_, "differ" | "differ_exactly", (value, opened)), body),)):
            last = body[-1]
            return isinstance(last, Set) and last.var is opened and last.value is value
    return False
