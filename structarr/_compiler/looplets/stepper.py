"""Stepper: unboundedly many children, one after the other, found through a cursor.

One stepper alone becomes a counted loop. Several are coiterated by case analysis on the order in
which their children end; see `coiterate`.
"""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.effects import effects
from structarr._compiler.ir.cin import Assign, Loop, Stmt
from structarr._compiler.ir.conditions import TRUE, Not, le, lt
from structarr._compiler.ir.expr import Expr, Var, minimum
from structarr._compiler.ir.kernel import Break, For, If, Lines, Set, While
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.ops import Op
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import (
    Lambda,
    Looplet,
    annihilates,
    consume,
    exchange,
    looplets,
    narrow,
)
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.stepper_affine import can_turn, reindexed
from structarr._compiler.looplets.stepper_branchless import lower_branchless
from structarr._compiler.looplets.stepper_coiterate import coiterate
from structarr._compiler.looplets.stepper_lookup import lower_lookup


class Stepper(Looplet):
    """The children from the cursor's position up to `end`; `stop` is where the present one ends.

    The children end in increasing order, within the extent `[first, last)` of all of them. What
    follows the last child is `rest`; None says that the children cover the extent.

    Whoever gives `origin` and `back` has them read from the end too. Then a child is `rest` before
    it matters, and children that cover the extent give their `begin`.
    """

    cursor: Var
    end: Expr
    loads: tuple[Set, ...]  # locals of the present child, set whenever the cursor moves
    stop: Expr
    body: Looplet
    rest: Looplet | None
    seek: Lambda  # cursor of the first child that ends past an index
    clamp: Lambda  # end of the children that matter for a region that ends at an index
    past: Lambda | None  # from the region's end: the loads (Lines) of a child that ends beyond it
    first: Expr
    last: Expr
    weight: int = 0  # how many stops to expect, on a logarithmic scale
    next: Expr | None = None  # the cursor of the next child where it is not one further on
    may_overrun: bool = False  # a child may stop past a region's end, as children that cover do
    begin: Expr | None = None  # where the child matters if not at its last index alone
    facts: tuple[Expr, ...] = ()  # what holds of each child's locals
    origin: Expr | None = None  # the cursor of the first child
    back: Lambda | None = None  # cursor of the last child, up to this, that begins by an index
    next_indexed: Expr | None = None  # cursor of the next child with an index, if some have none
    linear_scan: bool = False  # most children have an index: visiting all is faster than seeking
    descending: bool = False  # the cursor runs down, by `next`, until `end`, one before the first
    priority: ClassVar[int] = 30
    is_leader: ClassVar[bool] = False

    @property
    def reversible(self) -> bool:
        """Whether the format says how to step back."""
        return can_turn(self)

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Move the stops and the extent; indices are sought where they were."""
        return reindexed(self, by, ctx)

    @property
    def inside(self) -> Expr:
        """The condition that there is a child at the cursor."""
        return lt(self.end, self.cursor) if self.descending else lt(self.cursor, self.end)

    @property
    def following(self) -> Expr:
        """The cursor of the next child."""
        found = self.next if self.next_indexed is None else self.next_indexed
        return self.cursor + 1 if found is None else found

    @property
    def unit_stride(self) -> bool:
        """Whether the cursor goes up by one from child to child."""
        return self.next is None and self.next_indexed is None

    def beyond(self, index: Expr) -> Expr:
        """The cursor of the first child that ends past an index, which the present one does not."""
        ahead = self.seek
        if self.unit_stride:
            ahead = substitute(ahead, {self.cursor: self.following})
        return ahead(index)  # type: ignore[return-value]

    def enter(self, loop: Loop, ctx: Context) -> Stepper:
        """Move the cursor to the region's first child; return the stepper cut to the region."""
        if self.is_sought(loop, ctx):
            ctx.set(self.cursor, self.seek(loop.lo))  # type: ignore[arg-type]
        return self.cut(loop, ctx)

    def is_sought(self, loop: Loop, ctx: Context) -> bool:
        """Whether the region's first child may be another than the one at the cursor."""
        return not ctx.proves(le(loop.lo, self.first))

    def overruns(self, loop: Loop, ctx: Context) -> bool:
        """Whether a child may stop past the end of the region, even of an empty one."""
        return self.may_overrun and not ctx.proves(le(self.last, loop.hi))

    def cut(self, loop: Loop, ctx: Context) -> Stepper:
        """The stepper cut to the region that begins at the cursor's child."""
        if ctx.proves(le(self.last, loop.hi)):
            return self
        end = ctx.let(f"{self.cursor.name}_stop", self.clamp(loop.hi))  # type: ignore[arg-type]
        if not self.may_overrun and self.rest is not None:
            return self.replace(end=end)
        if self.rest is not None:
            # The region after this one may need the child that crosses: another cursor goes on.
            own = ctx.fresh(self.cursor.name)
            ctx.set(own, self.cursor)
            return substitute(self, {self.cursor: own})._clipped(end, loop.hi, ctx)
        return self._clipped(end, loop.hi, ctx)

    def _clipped(self, end: Expr, hi: Expr, ctx: Context) -> Stepper:
        """The last child may cross the end: take it clipped."""
        cut, past = ctx.fresh(f"{self.cursor.name}_cut"), self.past
        loads = (*self.loads, Set(cut, minimum(self.stop, hi)))
        if past is not None:
            beyond = (*past(past.param).lines, Set(cut, past.param + 1))  # type: ignore[attr-defined]
            past = Lambda(past.param, Lines(beyond))
        return self.replace(end=end, loads=loads, stop=cut, past=past)

    def replace(self, **changes: object) -> Stepper:
        """The same with some fields changed."""
        fields = {name: getattr(self, name) for name in type(self)._fields}
        return type(self)(**{**fields, **changes})

    @property
    def changing(self) -> tuple[Var, ...]:
        """The variables that differ from child to child."""
        return (self.cursor, *[line.var for line in self.loads])

    def load(self, ctx: Context) -> None:
        """Emit the locals of the child at the cursor."""
        for line in self.loads:
            ctx.set(line.var, line.value)
            if line.value.dtype == "int64":
                ctx.facts.define(line.var, line.value)
        for fact in self.facts:
            ctx.assume(fact)

    def load_if_any(self, hi: Expr, ctx: Context) -> None:
        """Load the child at the cursor, or one past the region's end where there is none."""
        inside = self.inside
        with ctx.block(inside) as found:
            self.load(ctx)
        with ctx.block() as beyond:
            assert self.past is not None
            for line in self.past(hi).lines:  # type: ignore[attr-defined]
                ctx.emit(line)
        ctx.branch([(inside, found), (TRUE, beyond)])

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """A counted loop for one stepper, case analysis for several."""
        steppers = [one for one in looplets(loop) if isinstance(one, Stepper)]
        nonempty = lt(loop.lo, loop.hi)
        if ctx.proves(nonempty) or not any(one.overruns(loop, ctx) for one in steppers):
            _lower(loop, steppers, ctx)
            return
        with ctx.block(nonempty) as lines:
            _lower(loop, steppers, ctx)
        if effects(lines):
            ctx.when(nonempty, lines)


def _lower(loop: Loop, steppers: list[Stepper], ctx: Context) -> None:
    if len(steppers) == 1:
        _lower_one(loop, steppers[0], ctx)
    elif not (lower_lookup(loop, steppers, ctx) or lower_branchless(loop, steppers, walk, ctx)):
        coiterate(loop, steppers, ctx)


def _lower_one(loop: Loop, whole: Stepper, ctx: Context) -> None:
    nonempty = lt(loop.lo, loop.hi)
    if _ends_alone(loop, whole, ctx):
        _lower_window(loop, whole, ctx)
        return
    with ctx.if_effective():
        stepper = whole.enter(loop, ctx)
        # Of children that cover the extent, one crosses even the end of an empty region.
        cut = stepper is not whole or not stepper.unit_stride
        guarded = whole.rest is None and cut and not ctx.proves(nonempty)
        with ctx.block(*((nonempty,) if guarded else ())) as inner:
            walk(loop, whole, stepper, ctx)
        if guarded:
            ctx.when(nonempty, inner)
        else:
            ctx.emit(*inner)


def _ends_alone(loop: Loop, whole: Stepper, ctx: Context) -> bool:
    """Whether nothing comes out where a stepper that is sought has no child left."""
    if not (isinstance(whole.rest, Run) and whole.unit_stride and whole.is_sought(loop, ctx)):
        return False
    return annihilates(loop, whole, whole.rest.body, ctx)


def _lower_window(loop: Loop, whole: Stepper, ctx: Context) -> None:
    """A part of a fiber, of which often nothing is left: ask before each search."""
    left = lt(whole.cursor, whole.end)
    with ctx.block(left) as sought:
        ctx.set(whole.cursor, whole.seek(loop.lo))  # type: ignore[arg-type]
        with ctx.block(left) as lines:
            walk(loop, whole, whole.cut(loop, ctx), ctx)
        ctx.when(left, lines)
    if effects(lines):
        ctx.when(left, sought)


def walk(loop: Loop, whole: Stepper, stepper: Stepper, ctx: Context) -> None:
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
        stepper = stepper.replace(next_indexed=None)
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
    if busy and stepper.unit_stride:
        ctx.emit(For(stepper.cursor, stepper.cursor, stepper.end, tuple(body)))
    elif busy:
        # Of children that cover the extent the last stays, for a later region that it reaches into.
        covers = whole.rest is None
        done = le(loop.hi, stepper.stop) if covers else Not(stepper.inside)
        leave = If(((done, (Break(),)),))
        turn = (*body, leave) if covers else (leave, *body)
        ctx.emit(While((*turn, Set(stepper.cursor, stepper.following))))
    ctx.emit(*after)


def _gap(loop: Loop, whole: Stepper, ctx: Context) -> Stmt | None:
    """The statement of all indices without a child, if it is one that needs be done but once.

    As children have one index each, there is such an index where there are fewer of them.
    """
    if not (whole.unit_stride and whole.begin is None and isinstance(whole.rest, Run)):
        return None
    rest = whole.rest.body
    stmt = ctx.simplify(consume(loop, lambda one: rest if one is whole else None))
    match stmt:
        case Assign(_, Op(idempotent=True, commutative=True)) if not stmt.mentions(loop.index):
            return stmt
    return None


def _tails_alone(loop: Loop, whole: Stepper, ctx: Context) -> bool:
    """Whether children with no index need not be skipped: nothing comes out but at the tails."""
    if not (whole.linear_scan and whole.begin is None and isinstance(whole.rest, Run)):
        return False
    return annihilates(loop, whole, whole.rest.body, ctx)
