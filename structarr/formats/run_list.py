"""RunList: runs of equal children, each told by its end (run-length encoding)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    Buffer,
    Cast,
    Expr,
    Fiber,
    Helper,
    If,
    Line,
    Lit,
    Node,
    Opaque,
    Set,
    Store,
    Var,
    lt,
)
from structarr.formats import checks
from structarr.formats.appending import Covering
from structarr.formats.counted import Itemized
from structarr.formats.entries import (
    Array,
    Entries,
    Fibers,
    Whereabouts,
    lengths,
    owners,
    segments,
    wide,
)
from structarr.formats.kinds import RUNS, Kind
from structarr.formats.reading import Reading
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import covering_steps
from structarr.looplets import Context, Let, Lookup, Looplet, Run, function


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of runs."""
        name, ptr, stops = fiber.tensor.name.lower(), fiber.buffer("ptr"), fiber.buffer("stop")
        begin, end = ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
        cursor, stop = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_stop")
        ctx.set(cursor, begin)
        loads: tuple[Set, ...] = (Set(stop, stops[cursor]),)
        body: Node = fiber.child(cursor)
        if fiber.level.child.leaf:
            value = ctx.fresh(f"{name}_v", fiber.tensor.dtype)
            loads += (Set(value, fiber.level.child.reading.read(body)),)
            body = value

        return covering_steps(fiber, cursor, begin, end, loads, Run(body))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the run."""
        ptr, stops = fiber.buffer("ptr"), fiber.buffer("stop")
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), fiber.child(at))

        return Lookup(function("i", find))


class _Writing(Covering):
    ascends: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """A local variable for the value, which `commit` compares with the open run's."""
        child = fiber.child(ctx.counter(fiber))
        if not child.level.leaf:
            return child
        value = ctx.fresh(f"{fiber.tensor.name.lower()}_v", fiber.tensor.dtype, result=True)
        # An element that is not written keeps its start.
        ctx.emit(Set(value, fiber.fill if fiber.tensor.start is None else fiber.tensor.start))
        return value

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Merge with the open run if equal, else close that one here."""
        count = ctx.counter(fiber)
        if isinstance(child, Fiber):
            ctx.emit(Store(fiber.buffer("stop"), count, hi))
            ctx.set(count, count + 1)
            return
        assert isinstance(child, Var)
        opened = self._opened(fiber)
        close: list[Line] = [
            Store(fiber.buffer("stop"), count, lo),
            Store(self._values(fiber), count, opened),
        ]
        starts = lt(0, lo)
        step = Set(count, count + 1) if ctx.proves(starts) else None
        if step is not None:
            close.append(step)
        elif lo is not Lit(INDEX, 0):  # a first close, at the start, is dropped
            close.append(Set(count, count + Cast(INDEX, starts)))
        else:
            close = []
        new = (*close, Set(opened, child))
        ctx.emit(If(((ctx.differ(child, opened), tuple(new)),)))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """End the last run where the extent ends."""
        count = ctx.counter(fiber)
        if fiber.level.child.leaf:
            last = (
                Store(fiber.buffer("stop"), count, fiber.dim),
                Store(self._values(fiber), count, self._opened(fiber)),
                Set(count, count + 1),
            )
            ctx.when(lt(0, fiber.dim), list(last))
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, count))

    def _opened(self, fiber: Fiber) -> Var:
        return fiber.variable("open", fiber.tensor.dtype)

    def _values(self, fiber: Fiber) -> Buffer:
        return fiber.child(fiber.pos).buffer("val")

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The open run's value, which the first value of a kernel replaces or equals."""
        if not fiber.level.child.leaf:
            return ()
        return (Set(self._opened(fiber), fiber.fill),)


@RUNS.holds
class RunList(Itemized):
    """
    Run-length level: runs of equal values that cover the whole axis.

    Fiber `p` has the runs ``[ptr[p], ptr[p + 1])``; run `q` ends before index ``stop[q]``.

    Parameters
    ----------
    child : Level, optional
        The leaf or level of which there is one for each run; `Element` by default.

    See Also
    --------
    SparseRunList : Runs with the fill value between them.
    PackBits : Runs, and stretches of single values.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([7, 7, 7, 2, 2, 7], format=sa.formats.RunList())
    >>> _, stop, val = sa.protocols.stored(a).buffers
    >>> str(a.format), stop.tolist(), val.tolist()
    ('rle', [3, 5, 6], [7, 2, 7])
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "stop")
    kind: ClassVar[Kind] = RUNS
    slicing: ClassVar[str] = "entries"
    uninitialized: ClassVar[tuple[str, ...]] = ("stop",)
    reading = _Reading()
    writing = _Writing()

    def size_at(self, at: Placement) -> Size:
        """A run a stretch of equal elements or of fill."""
        return self.size_of(at, at.counts.runs + at.counts.gaps + at.empty)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The runs' lengths."""
        ptr, stop = wide(buffers)
        return lengths(ptr, stop)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index, by the run that it lies in."""
        ptr, stop = wide(buffers)
        begin = ptr[fibers.position]
        fiber, place, run = segments(begin, ptr[fibers.position + 1] - begin)
        start = np.where(place == 0, 0, stop[run - 1])
        which, _, coordinate = segments(start, stop[run] - start)
        return Entries(fiber[which], coordinate, run[which])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """A run each."""
        ptr, stop = buffers
        fiber = owners(ptr, children)
        start = np.where(children == ptr[fiber], 0, stop[children - 1])
        return Whereabouts(fiber, start, stop[children].astype(np.int64))

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Stops increase from above 0 up to the extent's end in every fiber."""
        ptr, stop = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.covering(ptr, stop, count, dim)
        return count
