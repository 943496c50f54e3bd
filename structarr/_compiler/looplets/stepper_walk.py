"""One stepper alone: a counted loop over its children."""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import Assign, Loop, Stmt
from structarr._compiler.ir.conditions import TRUE, Not, le, lt
from structarr._compiler.ir.kernel import Break, For, If, Set, While
from structarr._compiler.ir.ops import Op
from structarr._compiler.looplets.base import Looplet, annihilates, consume, exchange, narrow
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.steps import Steps


def lower_one(loop: Loop, whole: Steps, ctx: Context) -> None:
    nonempty = lt(loop.lo, loop.hi)
    if _ends_alone(loop, whole, ctx):
        _lower_window(loop, whole, ctx)
        return
    with ctx.if_effective():
        stepper = whole.enter(loop, ctx)
        # Of children that cover the extent, one crosses even the end of an empty region.
        cut = stepper is not whole or not stepper.motion.is_by_one
        guarded = whole.rest is None and cut and not ctx.proves(nonempty)
        with ctx.under(nonempty if guarded else TRUE):
            walk(loop, whole, stepper, ctx)


def _ends_alone(loop: Loop, whole: Steps, ctx: Context) -> bool:
    """Whether nothing comes out where a stepper that is sought has no child left."""
    if not (isinstance(whole.rest, Run) and whole.motion.is_by_one and whole.is_sought(loop, ctx)):
        return False
    return annihilates(loop, whole, whole.rest.body, ctx)


def _lower_window(loop: Loop, whole: Steps, ctx: Context) -> None:
    """A part of a fiber, of which often nothing is left: ask before each search."""
    left = lt(whole.cursor, whole.end)
    with ctx.under(left):
        ctx.set(whole.cursor, whole.seek(loop.lo))  # type: ignore[arg-type]
        with ctx.under(left):
            walk(loop, whole, whole.cut(loop, ctx), ctx)


def walk(loop: Loop, whole: Steps, stepper: Steps, ctx: Context) -> None:
    """Emit a counted loop over the children from the cursor on, and what follows the last.

    `whole` stands in the loop; `stepper` is the same, cut to the region.
    """
    here = ctx.fresh(f"{loop.index.name}_here")
    ctx.set(here, loop.lo)
    gap = _gap(loop, whole, ctx)
    if gap is not None:
        lacks = lt(stepper.end - stepper.cursor, loop.hi - loop.lo)
        with ctx.under(lacks):
            ctx.lower(gap)
    tails = gap is not None or _tails_alone(loop, whole, ctx)
    if tails:  # then none need be skipped
        stepper = stepper.replace(motion=stepper.motion.replace(next_indexed=None))
    with ctx.turn((here, *stepper.changing), le(loop.lo, here)) as body:
        stepper.load(ctx)
        ctx.assume(lt(loop.lo if tails else here, stepper.stop))
        ctx.assume(le(stepper.stop, loop.hi))
        if stepper is whole and whole.begin is not None and ctx.proves(le(loop.lo, whole.first)):
            ctx.assume(le(here, whole.begin))  # children do not overlap
        child = stepper.body.truncate(ctx, stepper.stop, stepper.stop)
        start = stepper.stop - 1 if tails else here
        table: dict[Looplet, Looplet] = {whole: child}
        ctx.lower(narrow(loop, start, stepper.stop, ctx, table.get))
        busy = effects(body)
        ctx.set(here, stepper.stop)
    with ctx.after(body, le(loop.lo, here), le(here, loop.hi)) as after:
        if whole.rest is not None and gap is None:
            rest = whole.rest
            part = Loop(loop.index, here, loop.hi, loop.body)
            ctx.lower(exchange(part, lambda one: rest if one is whole else one))
    busy |= effects(after)  # what follows the children begins where the last of them ends
    if busy and stepper.motion.is_by_one:
        ctx.emit(For(stepper.cursor, stepper.cursor, stepper.end, tuple(body)))
    elif busy:
        # Of children that cover the extent the last stays, for a later region that it reaches into.
        covers = whole.rest is None
        done = le(loop.hi, stepper.stop) if covers else Not(stepper.inside)
        leave = If(((done, (Break(),)),))
        turn = (*body, leave) if covers else (leave, *body)
        ctx.emit(While((*turn, Set(stepper.cursor, stepper.following))))
    ctx.emit(*after)


def _gap(loop: Loop, whole: Steps, ctx: Context) -> Stmt | None:
    """The statement of all indices without a child, if it is one that needs be done but once.

    As children have one index each, there is such an index where there are fewer of them.
    """
    if not (whole.motion.is_by_one and whole.begin is None and isinstance(whole.rest, Run)):
        return None
    rest = whole.rest.body
    stmt = ctx.simplify(consume(loop, lambda one: rest if one is whole else None))
    match stmt:
        case Assign(_, Op(idempotent=True, commutative=True)) if not stmt.mentions(loop.index):
            return stmt
    return None


def _tails_alone(loop: Loop, whole: Steps, ctx: Context) -> bool:
    """Whether children with no index need not be skipped: nothing comes out but at the tails."""
    if not (whole.motion.linear_scan and whole.begin is None and isinstance(whole.rest, Run)):
        return False
    return annihilates(loop, whole, whole.rest.body, ctx)
