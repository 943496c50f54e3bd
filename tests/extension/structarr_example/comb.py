"""Comb: a looplet from outside, with its lowering."""

from __future__ import annotations

from typing import Any, ClassVar

from structarr.cin import INDEX, Expr, For, Lit, Loop, le, lt
from structarr.looplets import (
    Accept,
    Context,
    Lambda,
    Lookup,
    Looplet,
    Run,
    Stepper,
    annihilates,
    exchange,
    looplets,
    narrow,
)


class Comb(Looplet):
    """`tooth(k)` at index `first + k * step` for each k in `[0, count)`, `gap` elsewhere.

    Over the whole axis, beside nothing but look-ups, and where gaps do nothing, it becomes a loop
    over its teeth. In every other company it is the stepper `steps`, which says the same.
    """

    first: Expr
    step: Expr
    count: Expr
    tooth: Lambda
    gap: Expr
    steps: Stepper
    priority: ClassVar[int] = 45  # after runs (50), before jumpers (40)

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Which teeth are left is a matter of seeking."""
        return self.steps.truncate(ctx, old_hi, hi)

    def reindexed(self, by: Any, end: Expr, ctx: Context) -> Looplet:
        """As the stepper."""
        return self.steps.reindexed(by, end, ctx)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """A loop over the teeth of the first comb, or over its steps."""
        found = looplets(loop)
        comb = next(one for one in found if isinstance(one, Comb))
        alone = all(one is comb or isinstance(one, Lookup | Accept) for one in found)
        whole = ctx.proves(le(loop.lo, 0))
        if not (alone and whole and annihilates(loop, comb, comb.gap, ctx)):
            ctx.lower(exchange(loop, lambda one: one.steps if one is comb else one))
            return
        k = ctx.fresh("k")
        with ctx.block(le(0, k), lt(k, comb.count)) as lines:
            at = ctx.let("i", comb.first + k * comb.step)
            teeth = exchange(loop, lambda one: Run(comb.tooth(k)) if one is comb else one)
            ctx.lower(narrow(teeth, at, at + 1, ctx))
        if lines:
            ctx.emit(For(k, Lit(INDEX, 0), comb.count, tuple(lines)))
