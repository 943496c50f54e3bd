"""Steppers of one pace: where one has a child, another has one, and their cursors agree.

Where nothing comes out but at the children of one, the other is looked up there, by its cursor.
"""

from __future__ import annotations

from functools import partial

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.looplets.base import Looplet, annihilates, exchange, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.steps import Steps


def at_one_pace(loop: Loop, steppers: list[Steps], ctx: Context) -> tuple[Loop, list[Steps]]:
    """The loop with others of a stepper's pace looked up, and the steppers that are left."""
    left = [one for one in steppers if not one.pace]
    paced = sorted([one for one in steppers if one.pace], key=lambda one: len(one.pace[0]))
    leaders: list[Steps] = []
    for one in paced:
        found = next((there for ahead in leaders if (there := _beside(ahead, one))), None)
        if found is None:
            left.append(one)
            if _is_alone(loop, one, ctx):
                leaders.append(one)
        else:
            loop = exchange(loop, partial(_instead, {one: found}))
    return loop, left


def _is_alone(loop: Loop, one: Steps, ctx: Context) -> bool:
    """Whether nothing comes out but at the children of a stepper."""
    if not (isinstance(one.body, Spike) and one.rest is Run(one.body.body)):
        return False
    return annihilates(loop, one, one.body.body, ctx)


def _beside(ahead: Steps, one: Steps) -> Lookup | None:
    """What a stepper holds where another has a child; None where it may have none."""
    (stops, *where), (own, *there) = ahead.pace, one.pace
    if where != there or ahead.is_leader is not one.is_leader or not isinstance(one.body, Spike):
        return None
    places = {stop: place for place, stop in enumerate(own)}
    if not all(stop in places for stop in stops):
        return None
    found = {places[stop] - place for place, stop in enumerate(stops)}
    if len(found) != 1:
        return None
    tail = tail_at(one, ahead.cursor + found.pop())
    return Lookup(function("j", lambda _: tail))


def tail_at(one: Steps, cursor: Expr) -> Node:
    """What a stepper of spikes holds at the last index of the child at a cursor."""
    assert isinstance(one.body, Spike)
    table: dict[Node, Node] = {one.cursor: cursor}
    for line in one.loads:
        table[line.var] = substitute(line.value, table)
    return substitute(one.body.tail, table)


def _instead(table: dict[Looplet, Looplet], one: Looplet) -> Looplet:
    return table.get(one, one)
