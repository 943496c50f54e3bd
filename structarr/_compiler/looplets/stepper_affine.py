"""Steppers read by an affine index: every k-th index, or from the end.

By a factor k, children that no index reads are passed over: the next is sought, so that none has
an empty region. From the end, the index y stands for -y, and the cursor runs down.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.conditions import le
from structarr._compiler.ir.expr import INDEX, Expr, Lit, affine, maximum
from structarr._compiler.ir.kernel import Lines, Set
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Lambda, Looplet
from structarr._compiler.looplets.motion import Motion
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.steps import Steps

FEW = 16  # children are looked at in the time in which one is sought
TURN = Affine(-1, Lit(INDEX, 0))


def reindexed(one: Steps, by: Affine, ctx: Context) -> Steps:
    """The stepper as an affine index reads it."""
    if by.factor < 0:
        if not can_turn(one):
            raise TypeError(
                f"{type(one).__name__} {one.cursor.name} cannot be read from its end: give it "
                "a motion with `origin` and `back`, or read by locate"
            )
        turned = _turned(one, ctx)
        return _named(_moved(turned, Affine(-by.factor, 0 - by.offset), ctx), -by.factor, ctx)
    moved = _moved(one, by, ctx)
    return moved if by.factor == 1 else _named(moved, by.factor, ctx)


def _moved(one: Steps, by: Affine, ctx: Context) -> Steps:
    """Stops, extent and what is asked in the loop's coordinates; the factor is positive."""

    def asked(function: Lambda, crossing: bool = False) -> Lambda:
        param = function.param
        at = by.index(param - 1) + 1 if crossing else by.index(param)
        return Lambda(param, function(at))

    return one.replace(
        stop=by.bound(one.stop),
        body=one.body.reindexed(by, one.stop, ctx),
        rest=None if one.rest is None else one.rest.reindexed(by, one.last, ctx),
        seek=asked(one.seek),
        clamp=asked(one.clamp, one.may_overrun or one.rest is None),
        past=None if one.past is None else asked(one.past),
        first=by.bound(one.first + 1) - 1,  # a child that ends there is read from there
        last=by.bound(one.last),
        begin=None if one.begin is None else by.bound(one.begin),
        motion=one.motion.replace(origin=None, back=None),
        pace=(*one.pace, by.factor, by.offset) if one.pace else (),
    )


def _named(one: Steps, factor: int, ctx: Context) -> Steps:
    """The stepper with names for the begin and end of a child, of which bounds can be proved."""
    hint = one.cursor.name
    at = ctx.fresh(f"{hint}_at" if one.begin is None else f"{hint}_to")
    value = one.stop - 1 if one.begin is None else one.stop
    table, loads = _renaming(value, at), [Set(at, value)]
    stop, begin, facts = at + (one.stop - value), one.begin, one.facts
    if begin is not None:
        start = ctx.fresh(f"{hint}_from")
        loads.append(Set(start, begin))
        table |= _renaming(begin, start)
        begin, facts = start, (*facts, le(start, stop))
    past = one.past
    if past is not None:
        past = Lambda(past.param, Lines((*past.body.lines, *loads)))  # type: ignore[attr-defined]
    next_indexed = None
    if factor > 1:  # the first child that ends past the next index that is read
        beside = one.cursor - 1 if one.motion.descending else one.cursor + 1
        next_indexed = substitute(one.seek, {one.cursor: beside})(stop)
    return one.replace(
        loads=(*one.loads, *loads),
        stop=stop,
        body=substitute(one.body, table),
        past=past,
        begin=begin,
        motion=one.motion.replace(next_indexed=next_indexed, linear_scan=1 < factor <= FEW),
        facts=facts,
    )


def _renaming(value: Expr, name: Var) -> dict[Node, Node]:
    """The substitution of a name for a value, or for the value's only term."""
    terms, const = affine(value)
    if list(terms.values()) == [1]:
        return {next(iter(terms)): name - const}
    return {value: name} if terms else {}


def can_turn(one: Steps) -> bool:
    """Whether a stepper can be read from its end."""
    if one.motion.origin is None or one.motion.back is None or one.motion.descending:
        return False
    if one.rest is None:
        return one.begin is not None and one.body.reversible
    return _inner(one) is not None


def _inner(one: Steps) -> Looplet | None:
    """The looplet of a child where it matters, if `rest` precedes it there; else None."""
    match one.body:
        case Spike(before, tail) if one.rest is Run(before) and one.begin is None:
            return Run(tail)
        case Pipeline((Phase(start, Run() as before), Phase(_, held))) if start is one.begin:
            return held if before is one.rest and held.reversible else None
    return None


def _turned(one: Steps, ctx: Context) -> Steps:
    """The stepper over y = -x: children come from the last on, and end where they began."""
    assert one.motion.origin is not None
    origin = ctx.let(f"{one.cursor.name}_first", one.motion.origin)
    one = substitute(one, {one.motion.origin: origin})
    assert one.motion.back is not None
    ctx.set(one.cursor, one.end - 1)
    loads, begin = one.loads, one.stop - 1 if one.begin is None else one.begin
    if one.rest is None:
        start = ctx.fresh(f"{one.cursor.name}_begin")
        loads, begin = (*loads, Set(start, begin)), start
    at, back = one.motion.back.param, one.motion.back
    seek = clamp = Lambda(at, back(0 - at))
    if one.rest is None:
        clamp = Lambda(at, back(1 - at) - 1)  # type: ignore[operator,arg-type]
    elif one.may_overrun:
        clamp = Lambda(at, maximum(back(1 - at) - 1, origin - 1))  # type: ignore[operator]
    turned = one.replace(
        end=origin - 1,
        loads=loads,
        stop=TURN.bound(begin),
        body=_turned_body(one, ctx),
        seek=seek,
        clamp=clamp,
        past=_past_back(one),
        first=TURN.bound(one.last),
        last=TURN.bound(one.first),
        begin=None if one.begin is None else TURN.bound(one.stop),
        motion=Motion(next=one.cursor - 1, descending=True),
        pace=(),
    )
    return turned if one.motion.next is None else _grouped(one, turned, ctx)


def _past_back(one: Steps) -> Lambda | None:
    if one.past is None:
        return None
    at = one.past.param
    return Lambda(at, one.past(0 - at))


def _turned_body(one: Steps, ctx: Context) -> Looplet:
    if one.rest is None:
        return one.body.reindexed(TURN, one.stop, ctx)
    if isinstance(one.body, Spike):
        return one.body
    held = _inner(one)
    assert held is not None
    before = Phase(TURN.bound(one.stop), one.rest)
    return Pipeline((before, Phase(None, held.reindexed(TURN, one.stop, ctx))))


def _grouped(one: Steps, turned: Steps, ctx: Context) -> Steps:
    """A child of several positions, whose last the cursor meets first: its first is sought."""
    first = ctx.fresh(f"{one.cursor.name}_first")
    onward, back = one.motion.next, one.motion.back
    assert onward is not None and back is not None and turned.past is not None
    sought = Set(first, back(one.stop - 2) + 1)  # type: ignore[operator,arg-type]
    kept = tuple(line for line in turned.loads if line.var is not onward)
    lines = (*turned.past.body.lines, Set(first, one.cursor))  # type: ignore[attr-defined]
    whole = {one.cursor: first, onward: one.cursor + 1}
    return turned.replace(
        loads=(*kept, sought),
        body=substitute(one.body, whole),
        past=Lambda(turned.past.param, Lines(lines)),
        motion=turned.motion.replace(next=first - 1),
    )
