"""Merging two lists without branches, where which of them stops first is unpredictable.

Each turn reads both children, writes one result and moves each cursor by whether its list has the
least index. It pays where both lists store about as much (1.7 to 2.3 times over case analysis) and
loses where one is much longer, which is left to `coiterate`.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Fiber, Loop, Pass, Stmt
from structarr._compiler.ir.conditions import TRUE, Eq, Not, both, le, lt
from structarr._compiler.ir.expr import INDEX, Call, Cast, Expr, minimum
from structarr._compiler.ir.kernel import Break, If, Line, While
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.looplets.accept import Accept
from structarr._compiler.looplets.base import Looplet, consume, exchange, looplets
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper_walk import walk
from structarr._compiler.looplets.steps import Steps
from structarr._compiler.rules.engine import value_of
from structarr._compiler.runtime.vectors import SCALARS

DEAR = frozenset(SCALARS.values())
"""The operators that take longer than a branch that is mispredicted."""


def lower_branchless(loop: Loop, steppers: list[Steps], ctx: Context) -> bool:
    """Lower a loop over two lists into a list, if it is one; return whether it was."""
    if len(steppers) != 2 or not all(_is_list(one) for one in steppers):
        return False
    if abs(steppers[0].weight - steppers[1].weight) > 1:
        return False
    others = [one for one in looplets(loop) if one not in steppers]
    if not all(isinstance(one, Accept | Lookup) for one in others):
        return False
    if not isinstance(loop.body, Assign) or loop.body.op is not None:
        return False
    if any(call.op.name in DEAR for call in loop.body.every(Call)):
        return False  # it would be called for elements that are then not kept
    target = loop.body.target.obj
    if not (isinstance(target, Accept) and target.fiber.level.writing.optional_children):
        return False  # only a list takes a value that is then not kept
    when = _arms(loop, steppers, ctx)
    if when is None:
        return False
    _Merge(loop, steppers, ctx).lower(*when)
    return True


def _is_list(one: Steps) -> bool:
    body = one.body
    if not (isinstance(body, Spike) and isinstance(one.rest, Run)):
        return False
    if one.is_leader or not one.motion.is_by_one:
        return False
    elements = not isinstance(value_of(body.tail, (), INDEX), Access)  # no fibers
    return elements and isinstance(body.body, Expr)


def _arms(loop: Loop, steppers: list[Steps], ctx: Context) -> tuple[bool, bool] | None:
    """Whether something is written where only the first, or only the second, is stored.

    None if it is written where neither is, or not where both are.
    """
    first, second = steppers

    def writes(one: bool, other: bool) -> bool:
        chosen = {first: one, second: other}

        def value(looplet: Looplet) -> Node | None:
            for stepper, stored in chosen.items():
                if looplet is stepper:
                    spike = stepper.body
                    assert isinstance(spike, Spike)
                    return spike.tail if stored else spike.body
            return None

        return not isinstance(ctx.simplify(consume(loop, value)), Pass)

    if writes(False, False) or not writes(True, True):
        return None
    return writes(True, False), writes(False, True)


class _Merge:
    def __init__(self, loop: Loop, steppers: list[Steps], ctx: Context) -> None:
        self.loop, self.whole, self.ctx = loop, steppers, ctx

    def lower(self, first_alone: bool, second_alone: bool) -> None:
        ctx = self.ctx
        self.steppers = [one.enter(self.loop, ctx) for one in self.whole]
        a, b = self.steppers
        inside = both(lt(a.cursor, a.end), lt(b.cursor, b.end))
        with ctx.under(inside):
            ctx.emit(While(tuple(self._turn(first_alone, second_alone))))
        for alone, one, other in ((first_alone, 0, 1), (second_alone, 1, 0)):
            if alone:
                self._tail(one, other)

    def _turn(self, first_alone: bool, second_alone: bool) -> list[Line]:
        ctx, (a, b) = self.ctx, self.steppers
        with ctx.turn([*a.changing, *b.changing]) as body:
            for one in self.steppers:
                one.load(ctx)
            at_a, at_b = a.stop - 1, b.stop - 1
            in_a, in_b = le(at_a, at_b), le(at_b, at_a)
            here = {(True, False): at_a, (False, True): at_b, (False, False): at_a}.get(
                (first_alone, second_alone)
            )
            index = ctx.bound(self.loop.index.name, minimum(at_a, at_b)) if here is None else here
            keep = {
                (True, True): TRUE,
                (True, False): in_a,
                (False, True): in_b,
                (False, False): Eq(at_a, at_b),
            }[first_alone, second_alone]
            taken: dict[Looplet, Node] = {
                self.whole[0]: self._value(self.whole[0], in_a, second_alone),
                self.whole[1]: self._value(self.whole[1], in_b, first_alone),
            }
            self._write(taken, index, keep)
            for one, inside in ((a, in_a), (b, in_b)):
                ctx.set(one.cursor, one.cursor + Cast(INDEX, inside))
            done = Not(both(lt(a.cursor, a.end), lt(b.cursor, b.end)))
            ctx.emit(If(((done, (Break(),)),)))
        return body

    def _value(self, one: Steps, inside: Expr, other_alone: bool) -> Node:
        spike = one.body
        assert isinstance(spike, Spike)
        if not other_alone:
            return spike.tail
        fill = spike.body
        tail = value_of(spike.tail, (), INDEX)
        assert isinstance(fill, Expr)
        read = self.ctx.let(f"{one.cursor.name}_v", tail)
        return Call(fill.dtype, OPS["where"], (inside, read, fill))

    def _write(self, taken: dict[Looplet, Node], index: Expr, keep: Expr) -> None:
        """Write into the next free place, and keep it if the result is stored here."""
        ctx = self.ctx
        looked_up: dict[Looplet, Node] = {
            one: one.body(index) for one in looplets(self.loop) if isinstance(one, Lookup)
        }
        stmt: Stmt = consume(self.loop, {**looked_up, **taken}.get)
        stmt = substitute(stmt, {self.loop.index: index})
        assert isinstance(stmt, Assign)
        accept = stmt.target.obj
        assert isinstance(accept, Accept)
        child = accept.place(index, index + 1, ctx)
        assert isinstance(child, Fiber)
        if keep is not TRUE:
            child = child.recorded_if(keep)
        value = ctx.value(stmt.value)
        ctx.lower(Assign(Access(stmt.target.dtype, child, ()), None, value))

    def _tail(self, one: int, other: int) -> None:
        """One list is at its end: go on with the other alone.

        The loop still claims to begin at its start, which is harmless: between children nothing
        is written, so where the cursor stands is all that matters.
        """
        whole = self.whole[other]
        rest = whole.rest
        assert rest is not None
        loop = exchange(self.loop, lambda each: rest if each is whole else each)
        walk(loop, self.whole[one], self.steppers[one], self.ctx)
