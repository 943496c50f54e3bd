"""Appending children one by one, which lists of every kind share.

A child that is written stays only if something was stored in it: if what lies below appends, its
count tells; else the child is a block of elements, which begins as fill.
"""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Var, lt
from structarr._compiler.ir.kernel import Do, If, Line


def begin_child(child: Fiber, ctx: Context) -> None:
    """Prepare a child above the leaf for being written."""
    below = _appender(child)
    if below is None:
        _prefill(child, ctx)
    else:
        ctx.set(_mark(below, ctx), _appended(below, ctx))


def keep_child(child: Fiber, lines: tuple[Line, ...], wrote: bool, ctx: Context) -> None:
    """Emit the lines that record a child above the leaf, if something was stored in it."""
    if child.level.leaf or not wrote:
        return
    below = _appender(child)
    if below is None:
        ctx.lines += lines
    else:
        ctx.emit(If(((lt(_mark(below, ctx), _appended(below, ctx)), lines),)))


def _appender(fiber: Fiber) -> Fiber | None:
    """The first level at or below that counts what is appended."""
    while not fiber.level.leaf:
        if fiber.level.appends:
            return fiber
        fiber = fiber.child(fiber.pos)
    return None


def _appended(below: Fiber, ctx: Context) -> Var:
    """What tells while a child is written whether something was appended to it."""
    return ctx.counter(below, below.level.tallies[-1])


def _mark(below: Fiber, ctx: Context) -> Var:
    """The count below before a child was written."""
    return Var(INDEX, f"{_appended(below, ctx).name}_before")


def _prefill(child: Fiber, ctx: Context) -> None:
    """A block of the size of everything below a child, which may be written in part, is fill."""
    size: Expr = Lit(INDEX, 1)
    fiber = child
    while not fiber.level.leaf:
        size = size * fiber.level.block(fiber)
        fiber = fiber.child(fiber.pos)
    start = fiber.tensor.start if fiber.tensor.start is not None else fiber.fill
    buffer = fiber.buffer("val")
    args = (buffer, child.pos * size, (child.pos + 1) * size, start)
    ctx.emit(Do(Helper(INDEX, "fill_range", args)))
