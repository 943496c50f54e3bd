"""Turns of a loop over several steppers: a region up to the least stop, and the step beyond it.

A stepper is *essential* where its `rest` annihilates the program: its end ends the loop. Another
that does not cover the extent goes on with a stop past the region's end.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import Access, Loop
from structarr._compiler.ir.conditions import TRUE, Not, le, lt
from structarr._compiler.ir.expr import INDEX, Expr, maximum
from structarr._compiler.ir.kernel import Break, Line
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Opaque, Var
from structarr._compiler.looplets.base import Looplet, annihilate, exchange, narrow
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.steps import Steps

Group = tuple[int, ...]  # positions in the list of steppers


class Turns:
    """The steppers of a loop, from which its turns are made.

    Attributes
    ----------
    whole, steppers : list of Steps
        As they stand in the loop, in the order of their weights; and cut to the loop's region.
    essential : list of bool
        Whether nothing is written once a stepper is past its last child.
    lagging : set of int
        The steppers that may be passed over, so that their regions may be empty.
    here : Var
        Where the region of the turn begins.
    """

    def __init__(self, loop: Loop, steppers: list[Steps], ctx: Context) -> None:
        self.loop, self.ctx = loop, ctx
        self.whole = sorted(steppers, key=lambda one: one.weight)
        self.steppers: list[Steps] = []
        self.essential = [self.annihilate((number,)) for number in range(len(steppers))]
        self.lagging: set[int] = set()
        self.here: Var = Opaque(INDEX, "here")

    def enter(self) -> None:
        """Move the cursors to the region's first children."""
        self.steppers = [one.enter(self.loop, self.ctx) for one in self.whole]
        self.here = self.ctx.fresh(f"{self.loop.index.name}_here")

    def start(self) -> None:
        """Begin the first turn: at the region's start, with the children at the cursors."""
        self.ctx.set(self.here, self.loop.lo)
        for number in range(len(self.steppers)):
            self._load(number)

    @property
    def changing(self) -> tuple[Var, ...]:
        """The variables that differ from turn to turn."""
        return (self.here, *[var for one in self.steppers for var in one.changing])

    def _load(self, number: int) -> None:
        """Load the child at a cursor, or a stop past the end where there is none."""
        if self.is_real(number):
            self.steppers[number].load(self.ctx)
        else:
            self.steppers[number].load_if_any(self.loop.hi, self.ctx)

    def is_real(self, number: int) -> bool:
        """Whether a stepper always stands at a child, never past its end."""
        return self.essential[number] or self.steppers[number].rest is None

    def stop(self, group: Group) -> Expr:
        """The stop of the first of some steppers."""
        return self.steppers[group[0]].stop

    def turn(self, least: Group, later: Group, idle: bool = False) -> bool:
        """Emit the region up to the least stop, if not idle, and the step beyond it."""
        ctx = self.ctx
        self._leave_if_exhausted(least)
        with ctx.block() as lines:
            if not idle:
                ctx.lower(self.region(least, later))
        busy = effects(lines)
        if busy:
            ctx.emit(*lines)
        self._advance(least, later, self._leader(later, busy))
        return busy

    def region(self, least: Group, later: Group, unknown: Group = ()) -> Loop:
        """The loop up to the least stop, with the children of steppers whose stops are known."""
        ctx, loop = self.ctx, self.loop
        end = self.stop(least)
        table: dict[Looplet, Looplet] = {}
        for number in least + later:
            one = self.steppers[number]
            table[self.whole[number]] = one.body.truncate(ctx, one.stop, end)
        for number in unknown:
            opaque = Opaque(self._dtype(number), f"step{number}")  # of which nothing is known
            table[self.whole[number]] = Run(opaque)
        return narrow(loop, self.here, end, ctx, table.get)

    def _dtype(self, number: int) -> str:
        whole = self.whole[number]
        for node in self.loop.body.every(Access):
            if node.obj is whole:
                return node.dtype
        raise AssertionError("a stepper that nothing reads")

    def _leave_if_exhausted(self, least: Group) -> None:
        """Emit the way out of the loop, once even the least stop is past its end."""
        ctx, loop = self.ctx, self.loop
        end = self.stop(least)
        # A child that is there ends within the region, even where the prover can't see it.
        if any(map(self.is_real, least)) or ctx.proves(le(end, loop.hi)):
            return
        done = lt(loop.hi, end)
        with ctx.block(done, le(self.here, loop.hi)) as lines:
            rests = {one: one.rest for one in self.whole if one.rest is not None}
            part = Loop(loop.index, self.here, loop.hi, loop.body)
            with ctx.if_effective():
                ctx.lower(exchange(part, lambda one: rests.get(one, one)))  # type: ignore
            ctx.emit(Break())
        ctx.branch([(done, lines)])
        ctx.assume(le(end, loop.hi))

    def _leader(self, later: Group, busy: bool) -> int | None:
        """One that stops later and leads: nothing happens before where its child matters."""
        for number in later:
            one = self.whole[number]
            if one.is_leader and self.essential[number] and not (busy and one.begin is None):
                return number
        return None

    def _advance(self, least: Group, later: Group, leader: int | None) -> None:
        ctx, loop = self.ctx, self.loop
        end = self.stop(least)
        covering = any(self.steppers[n].rest is None for n in least)
        if covering and not ctx.proves(lt(end, loop.hi)):
            ctx.branch([(le(loop.hi, end), [Break()])])
            ctx.assume(lt(end, loop.hi))
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

    def _follow(self, one: Steps, leader: Steps, end: Expr) -> None:
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

    def annihilate(self, numbers: Group) -> bool:
        """Whether the program does nothing where some steppers are at their rest."""
        known: dict[Looplet, Node] = {}
        for number in numbers:
            rest = self.whole[number].rest
            if isinstance(rest, Run):
                known[self.whole[number]] = rest.body
        return bool(known) and annihilate(self.loop, known, self.ctx)
