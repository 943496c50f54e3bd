"""Steppers that several levels share: sorted coordinates, runs that cover, stretches in fill."""

from __future__ import annotations

from collections.abc import Callable

from structarr.cin import INDEX, Expr, Fiber, Helper, Lines, Lit, Set, Var, lt, minimum
from structarr.formats.reading import Reading
from structarr.looplets import (
    Context,
    Jumper,
    Looplet,
    Motion,
    Phase,
    Pipeline,
    Run,
    Spike,
    Stepper,
    Steps,
    function,
)


class Stepping(Reading):
    """Reading of a level that is walked by a stepper, and galloped by a jumper."""

    __slots__ = ()

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper."""
        return self.steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper: others skip to what is stored here."""
        return self.steps(fiber, ctx, Jumper)

    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Steps over what is stored."""
        raise NotImplementedError


def sorted_steps(
    kind: type[Steps],
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

    def back(i: Expr) -> Expr:
        return Helper(INDEX, "search_back", (idx, i + 1, begin, cursor + 1)) - 1

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
        motion=Motion(origin=begin, back=function("i", back)),
    )


def covering_steps(
    fiber: Fiber, cursor: Var, begin: Expr, end: Expr, loads: tuple[Set, ...], body: Looplet
) -> Looplet:
    """Children that cover the extent, each up to its entry of `stop`, which is loaded first."""
    stops = fiber.buffer("stop")

    def reach(i: Expr) -> Expr:
        return Helper(INDEX, "search", (stops, i + 1, cursor, end))

    def clamp(hi: Expr) -> Expr:
        return Helper(INDEX, "search", (stops, hi, cursor, end)) + 1

    def back(i: Expr) -> Expr:
        return Helper(INDEX, "search_back", (stops, i + 1, begin, cursor))

    return Stepper(
        cursor=cursor,
        end=end,
        loads=loads,
        stop=loads[0].var,
        body=body,
        rest=None,
        seek=function("i", reach),
        clamp=function("hi", clamp),
        past=None,
        first=Lit(INDEX, 0),
        last=fiber.dim,
        weight=fiber.tensor.weight,
        begin=Helper(INDEX, "entry_before", (stops, cursor, begin)),
        motion=Motion(origin=begin, back=function("i", back)),
    )


def stretch_steps(
    kind: type[Steps],
    fiber: Fiber,
    cursor: Var,
    span: tuple[Expr, Expr],
    loads: tuple[Set, ...],
    bounds: tuple[Var, Var],
    inside: tuple[Looplet, Set],
    back: Callable[[Expr], Expr],
) -> Looplet:
    """Stretches with fill between: `bounds` are where the present one begins and ends.

    `span` are the cursors of the first and past the last. `inside` is what a stretch holds, and
    what its own local is set to where there is none. `back` gives the cursor of the last one, up
    to the present, that begins at an index or before.
    """
    stops, (start, stop), (held, unset) = fiber.buffer("stop"), bounds, inside
    begin, end = span

    def reach(i: Expr) -> Expr:
        return Helper(INDEX, "search", (stops, i + 1, cursor, end))

    def clamp(hi: Expr) -> Expr:
        return minimum(Helper(INDEX, "search", (stops, hi, cursor, end)) + 1, end)

    def past(hi: Expr) -> Lines:
        given = {start: Set(start, hi), stop: Set(stop, hi + 1), unset.var: unset}
        order = [line.var for line in loads if line.var in given]
        return Lines(tuple(given[var] for var in order))

    return kind(
        cursor=cursor,
        end=end,
        loads=loads,
        stop=stop,
        body=Pipeline((Phase(start, Run(fiber.fill)), Phase(None, held))),
        rest=Run(fiber.fill),
        seek=function("i", reach),
        clamp=function("hi", clamp),
        past=function("hi", past),
        first=Lit(INDEX, 0),
        last=fiber.dim,
        weight=fiber.tensor.weight,
        may_overrun=True,
        begin=start,
        facts=(lt(start, stop),),
        motion=Motion(origin=begin, back=function("i", back)),
    )
