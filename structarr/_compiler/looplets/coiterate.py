"""Coiteration of several steppers: one loop, and in it a case analysis on their stops.

Each turn of the loop handles the region up to the least stop. The steppers are split into those
known to stop first (`least`, all alike), those known to stop later, and those not looked at yet.
While some are not looked at, the region is lowered with them opaque: if nothing comes out, their
order does not matter and the least step on. A stepper passed over so lags: its region may be empty.

A stepper is *essential* where its `rest` annihilates the program: its end ends the loop. Another
that does not cover the extent goes on with a stop past the region's end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from structarr._compiler.context import Context, effects
from structarr._compiler.ir.cin import Access, Loop
from structarr._compiler.ir.expr import TRUE, Expr, Helper, Not, Var, both, eq, le, lt, maximum
from structarr._compiler.ir.kernel import Break, If, Line, Set, While
from structarr._compiler.looplets.base import (
    Looplet,
    annihilates,
    exchange,
    narrow,
)
from structarr._compiler.looplets.run import Run

if TYPE_CHECKING:
    from structarr._compiler.looplets.stepper import Stepper

Group = tuple[int, ...]  # positions in the list of steppers


def coiterate(loop: Loop, steppers: list[Stepper], ctx: Context) -> None:
    """Lower a loop over two or more steppers."""
    _Coiteration(loop, steppers, ctx).lower()


class _Coiteration:
    """The lowering of one loop over two or more steppers."""

    def __init__(self, loop: Loop, steppers: list[Stepper], ctx: Context) -> None:
        steppers = sorted(steppers, key=lambda one: one.weight)
        self.loop, self.ctx, self.whole = loop, ctx, steppers
        self.steppers: list[Stepper] = []  # cut to the region
        self.essential = [self._annihilates(one) for one in steppers]
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
            self._dispatch((0,), others, ())
        return body

    def _is_real(self, number: int) -> bool:
        """Whether a stepper always stands at a child, never past its end."""
        return self.essential[number] or self.steppers[number].rest is None

    def _weight(self, number: int) -> int:
        return self.steppers[number].weight

    def _dispatch(self, least: Group, unknown: Group, later: Group) -> None:
        """Emit the turn in which `least` stop first, `later` after them."""
        ctx = self.ctx
        if unknown and not self._matters(least, unknown, later):
            self.lagging |= set(unknown)
            self._turn(least, unknown, later)
            return
        if not unknown:
            self._turn(least, (), later)
            return
        other, rest = unknown[0], unknown[1:]
        end, stop = self.steppers[least[0]].stop, self.steppers[other].stop
        arms: list[tuple[Expr, list[Line]]] = []
        cases: tuple[tuple[Expr, tuple[Group, Group, Group]], ...] = (
            (lt(stop, end), ((other,), rest, later + least)),
            (lt(end, stop), (least, rest, (*later, other))),
            (eq(stop, end), ((*least, other), rest, later)),
        )
        for k, (cond, groups) in enumerate(cases):
            decided = ctx.facts.decide(cond)
            with ctx.block(cond) as lines:
                possible = not ctx.facts.contradictory
                if possible:
                    self._dispatch(*groups)
            if possible:
                arms.append((TRUE if k == len(cases) - 1 else decided, lines))
        if arms and arms[-1][0] is not TRUE:
            arms[-1] = (TRUE, arms[-1][1])
        ctx.branch(arms)

    def _turn(self, least: Group, unknown: Group, later: Group) -> None:
        """Emit the region up to the least stop, and the step beyond it."""
        ctx, loop = self.ctx, self.loop
        end = self.steppers[least[0]].stop
        # A child that is there ends within the region, even where the prover can't see it.
        if not any(map(self._is_real, least)) and not ctx.proves(le(end, loop.hi)):
            self._leave_if_exhausted(end)
        with ctx.block() as lines:
            ctx.lower(self._region(least, unknown, later))
        busy = effects(lines)
        if busy:
            ctx.lines += lines
        self._advance(least, later, self._leader(later, busy))

    def _region(self, least: Group, unknown: Group, later: Group) -> Loop:
        ctx, loop = self.ctx, self.loop
        end = self.steppers[least[0]].stop
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

    def _matters(self, least: Group, unknown: Group, later: Group) -> bool:
        """Whether anything comes out of the region whatever the unknown ones hold."""
        return self.ctx.writes(self._region(least, unknown, later))

    def _leave_if_exhausted(self, end: Expr) -> None:
        """Where even the least stop is past the end, no child is left."""
        ctx, loop = self.ctx, self.loop
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
            if one.leads and self.essential[number] and not (busy and one.begin is None):
                return number
        return None

    def _advance(self, least: Group, later: Group, leader: int | None) -> None:
        ctx, loop = self.ctx, self.loop
        end = self.steppers[least[0]].stop
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

    def _annihilates(self, stepper: Stepper) -> bool:
        """Whether the program does nothing wherever this stepper is at its rest."""
        rest = stepper.rest
        if not isinstance(rest, Run):
            return False
        return annihilates(self.loop, stepper, rest.body, self.ctx)


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
