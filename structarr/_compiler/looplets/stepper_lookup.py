"""A list beside stretches (runs, blocks): each of its elements finds the stretch it lies in.

Where nothing comes out but at the list's elements, the stretches need no turns of their own: they
are passed until one ends past the element, or sought if the list leads.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import FALSE, TRUE, Not, both, le, lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.kernel import Break, For, Line, Set, While
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import (
    Looplet,
    annihilates,
    narrow,
)
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.steps import Steps


def lower_lookup(loop: Loop, steppers: list[Steps], ctx: Context) -> bool:
    """Lower a loop over a list and stretches, if it is one; return whether it was."""
    if len(steppers) != 2:
        return False
    for leader, other in (steppers, steppers[::-1]):
        stretches = not isinstance(other.body, Spike) and other.motion.is_by_one
        leads = leader.is_leader or not other.is_leader
        if isinstance(leader.body, Spike) and leader.motion.is_by_one and stretches and leads:
            between, after = leader.body.body, leader.rest
            if annihilates(loop, leader, between, ctx) and _ends(loop, leader, after, ctx):
                _lower(loop, leader, other, ctx)
                return True
    return False


def _ends(loop: Loop, stepper: Steps, rest: Looplet | None, ctx: Context) -> bool:
    """Whether nothing comes out past a stepper's last child."""
    return isinstance(rest, Run) and annihilates(loop, stepper, rest.body, ctx)


def _lower(loop: Loop, leader: Steps, other: Steps, ctx: Context) -> None:
    rest = other.rest
    ends = _ends(loop, other, rest, ctx)
    with ctx.if_effective():
        lead, beside = leader.enter(loop, ctx), other.enter(loop, ctx)
        guard: Expr = lt(lead.cursor, lead.end)
        if rest is None or ends:
            guard = both(guard, lt(beside.cursor, beside.end))
        with ctx.under(guard):
            _load(beside, loop, ctx, rest is None or ends)
            body = _body(loop, (leader, lead), (other, beside), ends, ctx)
            ctx.emit(For(lead.cursor, lead.cursor, lead.end, tuple(body)))


def _load(stepper: Steps, loop: Loop, ctx: Context, there: bool) -> None:
    """Load the child at the cursor, if it is not certain that there is one."""
    if there:
        stepper.load(ctx)
    else:
        stepper.load_if_any(loop.hi, ctx)


def _body(
    loop: Loop,
    leading: tuple[Steps, Steps],
    following: tuple[Steps, Steps],
    ends: bool,
    ctx: Context,
) -> list[Line]:
    (leader, lead), (other, beside) = leading, following
    with ctx.turn((*lead.changing, *beside.changing)) as body:
        lead.load(ctx)
        at = lead.stop - 1
        for fact in (le(loop.lo, at), lt(at, loop.hi)):
            ctx.assume(fact)
        # Of many elements between stretches, most lie before the one at hand: ask that first.
        late = lt(at, beside.begin) if ends and not lead.is_leader and beside.begin else FALSE
        with ctx.block(Not(late)) as inner:
            _catch_up(loop, lead, beside, at, ends, ctx)
            ctx.assume(lt(at, beside.stop))
            for known in beside.facts:
                ctx.assume(known)
            tail = Run(leader.body.tail)  # type: ignore[attr-defined]
            with ctx.block() as work:
                stretch = beside.body.truncate(ctx, beside.stop, at + 1)
                table: dict[Looplet, Looplet] = {leader: tail, other: stretch}
                ctx.lower(narrow(loop, at, at + 1, ctx, table.get))
            ctx.emit(*work)
        ctx.branch([(TRUE if late is FALSE else le(beside.begin, at), inner)])
    return body


def _catch_up(loop: Loop, lead: Steps, beside: Steps, at: Expr, ends: bool, ctx: Context) -> None:
    """Move to the stretch that ends past an index; where there is none, that may be all."""
    there = beside.rest is None or ends
    behind = le(beside.stop, at)
    with ctx.block(behind) as step:
        target = beside.beyond(at) if lead.is_leader else beside.cursor + 1
        ctx.emit(Set(beside.cursor, target))
        if ends:
            ctx.branch([(le(beside.end, beside.cursor), [Break()])])
        first, rest = _needed(beside) if ends and not lead.is_leader else (beside, None)
        _load(first, loop, ctx, there)
    if lead.is_leader:
        ctx.branch([(behind, step)])
    else:
        with ctx.block() as turn:
            ctx.branch([(lt(at, beside.stop), [Break()])])
            ctx.emit(*step)
        ctx.emit(While(tuple(turn)))
        if ends:
            ctx.branch([(le(beside.end, beside.cursor), [Break()])])
        for line in rest or ():
            ctx.set(line.var, line.value)


def _needed(stepper: Steps) -> tuple[Steps, tuple[Set, ...]]:
    """A stepper that loads of each child only what tells its end, and the loads that are left."""
    wanted: set[Node] = set(stepper.stop.nodes())
    for line in reversed(stepper.loads):
        if line.var in wanted:
            wanted |= set(line.value.nodes())
    needed = tuple(line for line in stepper.loads if line.var in wanted)
    left = tuple(line for line in stepper.loads if line.var not in wanted)
    return stepper.replace(loads=needed, facts=()), left
