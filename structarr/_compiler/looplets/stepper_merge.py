"""Steppers of known stops side by side: they are merged here, once for all fibers.

Where all children stop is told by numbers, as where diagonals are, so which steppers have a child
together is known before any kernel runs. Children that the same steppers have, one after the other,
are a *segment*: a counted loop by one cursor, from which the others' differ by a number. No loop
asks which child comes first, and segments in which nothing comes out have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Lit, maximum, minimum
from structarr._compiler.ir.kernel import For
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Looplet, annihilate, narrow
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper_pace import tail_at
from structarr._compiler.looplets.steps import Steps

MOST = 16  # segments: each has lines of its own


class _Segment(NamedTuple):
    """Children that some steppers have together."""

    first: dict[Steps, int]  # the cursor of each at the first of them
    length: int


def lower_merged(loop: Loop, steppers: Sequence[Steps], ctx: Context) -> bool:
    """Lower a loop over steppers that can be merged here; return whether they can."""
    found = _segments(loop, steppers, ctx)
    for segment in found or ():
        with ctx.if_effective():
            _lower(loop, steppers, segment, ctx)
    return found is not None


def can_merge(loop: Loop, steppers: Sequence[Steps], ctx: Context) -> bool:
    """Whether steppers are merged here, if they are what lowers a loop."""
    return _segments(loop, steppers, ctx) is not None


def _segments(loop: Loop, steppers: Sequence[Steps], ctx: Context) -> list[_Segment] | None:
    """The segments in which something comes out; None if there are too many, or none is known."""
    alike = {(one.is_leader, *one.pace[1:]) for one in steppers if _is_known(one)}
    if len(steppers) < 2 or len(alike) != 1 or not all(map(_is_known, steppers)):
        return None
    if not _is_idle(loop, steppers, ctx):
        return None
    cursors = [{stop: at for at, stop in enumerate(one.pace[0])} for one in steppers]
    segments: list[_Segment] = []
    idle: dict[tuple[Steps, ...], bool] = {}
    for stop in sorted(set().union(*cursors)):
        pairs = zip(steppers, cursors, strict=True)
        here = {one: found[stop] for one, found in pairs if stop in found}
        missing = tuple([one for one in steppers if one not in here])
        if missing not in idle:
            idle[missing] = _is_idle(loop, missing, ctx)
        if idle[missing]:
            continue
        if segments:
            first, length = segments[-1]
            if here == {one: at + length for one, at in first.items()}:
                segments[-1] = _Segment(first, length + 1)
                continue
        segments.append(_Segment(here, 1))
    return segments if len(segments) <= MOST else None


def _is_known(one: Steps) -> bool:
    """Whether a stepper is elements at known stops, and one value between them."""
    return (
        bool(one.pace)
        and isinstance(one.body, Spike)
        and one.rest is Run(one.body.body)
        and one.begin is None
        and one.motion.is_by_one
    )


def _is_idle(loop: Loop, missing: Sequence[Steps], ctx: Context) -> bool:
    """Whether nothing comes out where some steppers have no child."""
    values: dict[Looplet, Node] = {one: _between(one) for one in missing}
    return bool(values) and annihilate(loop, values, ctx)


def _between(one: Steps) -> Node:
    assert isinstance(one.body, Spike)
    return one.body.body


def _lower(loop: Loop, steppers: Sequence[Steps], segment: _Segment, ctx: Context) -> None:
    """Emit the loop over one segment."""
    lead = next(iter(segment.first))
    own, end = _ends(lead, segment, loop, ctx)
    lead_here = substitute(lead, {lead.cursor: own})
    table: dict[Looplet, Looplet] = {one: Run(_between(one)) for one in steppers}
    with ctx.turn(lead_here.changing) as body:
        lead_here.load(ctx)
        at = lead_here.stop - 1
        for fact in (le(loop.lo, at), lt(at, loop.hi)):
            ctx.assume(fact)
        for one, first in segment.first.items():
            table[one] = Run(tail_at(one, own + (first - segment.first[lead])))
        ctx.lower(narrow(loop, at, at + 1, ctx, table.get))
    if effects(body):
        ctx.emit(For(own, own, end, tuple(body)))


def _ends(lead: Steps, segment: _Segment, loop: Loop, ctx: Context) -> tuple[Var, Expr]:
    """The cursors of a segment's first child within the region, and of the one past its last."""
    own, first = ctx.fresh(lead.cursor.name), segment.first[lead]
    lo, hi = maximum(loop.lo, lead.first), minimum(loop.hi, lead.last)
    lo = loop.lo if ctx.proves(le(lead.first, loop.lo)) else lo
    hi = loop.hi if ctx.proves(le(loop.hi, lead.last)) else hi
    last = Lit(INDEX, first + segment.length)
    seek = substitute(lead.seek, {lead.cursor: Lit(INDEX, first), lead.end: last})
    clamp = substitute(lead.clamp, {lead.cursor: own, lead.end: last})
    ctx.set(own, seek(lo))  # type: ignore[arg-type]
    return own, ctx.let(f"{lead.cursor.name}_end", clamp(hi))  # type: ignore[arg-type]
