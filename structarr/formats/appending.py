"""Writing by appending: parts of levels, and children that may stay empty.

A child that is written stays only if something was stored in it: if what lies below appends, its
count tells; else the child is a block of elements, which begins as fill.
"""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import INDEX, Do, Expr, Fiber, Helper, If, Line, Lit, Node, Store, Var, lt
from structarr.formats.writing import Writing
from structarr.looplets import Context


class Appending(Writing):
    """
    Writing of a level whose children follow one another, in order, each fiber once.

    See Also
    --------
    AppendingRegions : Children for every index of a region.
    Covering : Children for every index.
    InPlace : Children that have places of their own.

    Examples
    --------
    >>> from structarr.formats import Appending, SparseList
    >>> isinstance(SparseList().writing, Appending), SparseList().writing.ends
    (True, 'ptr')
    """

    appends: ClassVar[bool] = True
    ends: ClassVar[str] = "ptr"
    counters: ClassVar[tuple[str, ...]] = ("n",)
    estimated: ClassVar[bool] = True

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends: after the children so far."""
        ctx.emit(Store(fiber.buffer(self.ends), fiber.pos + 1, ctx.counter(fiber)))

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Fibers that were never opened end where they begin."""
        if not skipped:
            return ()
        return (Do(Helper(INDEX, "fill_forward", (fiber.buffer(self.ends), fibers))),)


class Covering(Appending):
    """
    Writing of a level whose children cover the whole fiber: the fill is written, too.

    See Also
    --------
    Appending : Children of what is stored alone.

    Examples
    --------
    >>> from structarr.formats import Covering, RunList
    >>> isinstance(RunList().writing, Covering), RunList().writing.drops_fill
    (True, False)
    """

    drops_fill: ClassVar[bool] = False
    accepts_runs: ClassVar[bool] = True


class AppendingRegions(Appending):
    """
    Writing of a level that stores every child of each region, as a level of blocks does.

    See Also
    --------
    Appending : Children of what is stored alone.

    Examples
    --------
    >>> from structarr.formats import AppendingRegions, SparseVBL
    >>> isinstance(SparseVBL().writing, AppendingRegions)
    True
    """

    regions: ClassVar[bool] = True
    prefills: ClassVar[bool] = True

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """
        Begin to write the region ``[lo, hi)`` of a fiber; return the facts that `place` takes.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is written.
        lo, hi : Expr
            The region.
        ctx : Context
            Where to emit lines.
        """
        raise NotImplementedError

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index's distance from the region's start."""
        count, start = region
        return fiber.child(count + (lo - start))

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """Go on behind the region's children."""
        count = ctx.counter(fiber)
        ctx.set(count, count + (hi - lo))


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
        ctx.emit(*lines)
    else:
        before, now = tally
        ctx.emit(If(((lt(before, now), lines),)))


def _tally(child: Fiber, ctx: Context) -> tuple[Var, Var] | None:
    """The counter of children appended below a child, before it was written and now.

    It is of the first level at or below that appends, and not always of children: PackBits counts
    its values at the kernel's end. A mark of one tally says nothing of another.
    """
    below = child
    while not below.level.writing.appends:
        if below.level.leaf:
            return None
        below = below.child(below.pos)
    now = ctx.counter(below, below.level.writing.counters[-1])
    return now.replace(name=f"{now.name}_before", result=False), now


def _prefill(child: Fiber, ctx: Context) -> None:
    """Set everything below a child to the fill, as it may be written in part."""
    size: Expr = Lit(INDEX, 1)
    fiber = child
    while not fiber.level.leaf:
        size = size * fiber.level.writing.block(fiber)
        fiber = fiber.child(fiber.pos)
    if not fiber.level.buffers:
        return  # a leaf without values
    start = fiber.tensor.start if fiber.tensor.start is not None else fiber.fill
    buffer = fiber.buffer("val")
    args = (buffer, child.pos * size, (child.pos + 1) * size, start)
    ctx.emit(Do(Helper(INDEX, "fill_range", args)))
