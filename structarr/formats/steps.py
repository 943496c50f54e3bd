"""Reading children by their sorted coordinates, the steps that a list and a workspace share."""

from __future__ import annotations

from collections.abc import Callable

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Var
from structarr._compiler.ir.kernel import Lines, Set
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.stepper import Stepper


def sorted_steps(
    kind: type[Stepper],
    fiber: Fiber,
    begin: Expr,
    end: Expr,
    place: Callable[[Var, Var], Expr],
    ctx: Context,
) -> Looplet:
    """Spikes at `idx[begin:end]`; `place` finds a child by its cursor and coordinate."""
    name, idx = fiber.tensor.name.lower(), fiber.buffer("idx")
    cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_i")
    ctx.set(cursor, begin)

    def reach(i: Expr) -> Expr:
        return Helper(INDEX, "search", (idx, i, cursor, end))

    return kind(
        cursor=cursor,
        end=end,
        loads=(Set(at, idx[cursor]),),
        stop=at + 1,
        body=Spike(fiber.fill, fiber.child(place(cursor, at))),
        rest=Run(fiber.fill),
        seek=function("i", reach),
        clamp=function("i", reach),
        past=function("hi", lambda hi: Lines((Set(at, hi),))),
        first=Lit(INDEX, 0),
        last=fiber.dim,
        weight=fiber.tensor.weight,
    )
