"""Appending children one by one, which lists of every kind share.

A child that is written stays only if something was stored in it: if what lies below appends, its
count tells; else the child is a block of elements, which begins as fill.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Var
from structarr._compiler.ir.kernel import Do, If, Line


def begin_child(child: Fiber, ctx: Context) -> None:
    """Prepare a child above the leaf for being written."""
    tally = _tally(child, ctx)
    if tally is None:
        _prefill(child, ctx)
    else:
        before, now = tally
        ctx.set(before, now)


def keep_child(child: Fiber, lines: tuple[Line, ...], wrote: bool, ctx: Context) -> None:
    """Emit the lines that record a child above the leaf, if something was stored in it."""
    if child.level.leaf or not wrote:
        return
    tally = _tally(child, ctx)
    if tally is None:
        ctx.lines += lines
    else:
        before, now = tally
        ctx.emit(If(((lt(before, now), lines),)))


def _tally(child: Fiber, ctx: Context) -> tuple[Var, Var] | None:
    """What counts what is appended to a child, before it was written and now.

    It is of the first level at or below that appends, and not always of children: PackBits counts
    its values at the kernel's end. A mark of one tally says nothing of another.
    """
    below = child
    while not below.level.appends:
        if below.level.leaf:
            return None
        below = below.child(below.pos)
    now = ctx.counter(below, below.level.counters[-1])
    return Var(INDEX, f"{now.name}_before"), now


def _prefill(child: Fiber, ctx: Context) -> None:
    """A block of the size of everything below a child, which may be written in part, is fill."""
    size: Expr = Lit(INDEX, 1)
    fiber = child
    while not fiber.level.leaf:
        size = size * fiber.level.block(fiber)
        fiber = fiber.child(fiber.pos)
    if not fiber.level.buffers:
        return  # a leaf without values
    start = fiber.tensor.start if fiber.tensor.start is not None else fiber.fill
    buffer = fiber.buffer("val")
    args = (buffer, child.pos * size, (child.pos + 1) * size, start)
    ctx.emit(Do(Helper(INDEX, "fill_range", args)))
