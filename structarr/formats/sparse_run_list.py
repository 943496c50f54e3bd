"""SparseRunList: runs of equal children with fill between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    TRUE,
    Expr,
    Fiber,
    Helper,
    If,
    Line,
    Lit,
    Node,
    Not,
    Opaque,
    Set,
    Store,
    Var,
    both,
    eq,
    le,
    lt,
)
from structarr.formats import checks
from structarr.formats.appending import Appending
from structarr.formats.counted import Itemized
from structarr.formats.entries import (
    Array,
    Entries,
    Fibers,
    Whereabouts,
    differ,
    hulls_of,
    owners,
    segments,
    wide,
)
from structarr.formats.kinds import INTERVALS, Kind
from structarr.formats.reading import stored_if
from structarr.formats.sizes import Placement, Size
from structarr.formats.steps import Stepping, stretch_steps
from structarr.looplets import Context, Let, Lookup, Looplet, Run, Steps, function


class _Reading(Stepping):
    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Looplet:
        """Fill and a run."""
        name, ptr = fiber.tensor.name.lower(), fiber.buffer("ptr")
        starts, stops = fiber.buffer("start"), fiber.buffer("stop")
        begin, end = ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
        cursor = ctx.fresh(f"{name}_q")
        start, stop = ctx.fresh(f"{name}_start"), ctx.fresh(f"{name}_stop")
        value = ctx.fresh(f"{name}_v", fiber.tensor.dtype)
        ctx.set(cursor, begin)

        def back(i: Expr) -> Expr:
            return Helper(INDEX, "search_back", (starts, i + 1, begin, cursor + 1)) - 1

        read = fiber.level.child.reading.read(fiber.child(cursor))
        loads = (Set(start, starts[cursor]), Set(stop, stops[cursor]), Set(value, read))
        inside = (Run(value), Set(value, fiber.fill))
        return stretch_steps(kind, fiber, cursor, (begin, end), loads, (start, stop), inside, back)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the run."""
        ptr, starts, stops = (fiber.buffer(name) for name in fiber.level.buffers)
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            found = stored_if(both(lt(at, end), le(starts[at], i)), fiber.child(at))
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), found)

        return Lookup(function("i", find))


class _Writing(Appending):
    ascends: ClassVar[bool] = True
    accepts_runs: ClassVar[bool] = True

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The end of the fiber's last run, which an adjoining run of its value continues."""
        return (Set(self._last(fiber), Lit(INDEX, -1)),)

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin a fiber without runs."""
        ctx.set(self._last(fiber), Lit(INDEX, -1))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The next free child, which is kept if it does not continue the one before."""
        count, last = ctx.counter(fiber), self._last(fiber)
        starts, stops = fiber.buffer("start"), fiber.buffer("stop")
        same: Expr = TRUE
        if not fiber.level.child.uniform:
            val = fiber.child(fiber.pos).buffer("val")
            same = Not(ctx.differ(val[count], val[count - 1]))
        goes_on: tuple[Line, ...] = (Store(stops, count - 1, hi),)
        new = (Store(starts, count, lo), Store(stops, count, hi), Set(count, count + 1))
        merge = If(((both(eq(last, lo), same), goes_on), (TRUE, new)))
        return fiber.child(count, (merge, Set(last, hi)))

    def _last(self, fiber: Fiber) -> Var:
        return fiber.variable("last")


@INTERVALS.holds
class SparseRunList(Itemized):
    """
    Run-length level with gaps: runs of equal values, and the fill value between them.

    Fiber `p` has the runs ``[ptr[p], ptr[p + 1])``; run `q` is at the indices ``[start[q],
    stop[q])``.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    RunList : Runs that cover the axis.
    SparseVBL : Blocks of values that differ.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 5, 5, 0, 0, 2], format=sa.formats.SparseRunList())
    >>> str(a.format), a.nstored, a.nnz
    ('sparse-rle', 2, 3)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "start", "stop")
    kind: ClassVar[Kind] = INTERVALS
    slicing: ClassVar[str] = "entries"
    below_lists: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("start", "stop")
    reading = _Reading()
    writing = _Writing()

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first run to the last."""
        return hulls_of(*wide(buffers))

    def continued(self, parts: Sequence[Sequence[Array]]) -> list[Array]:
        """Runs behind runs; neighbours of one value on both sides of a bound are one."""
        ptr, start, stop, *values = map(np.concatenate, zip(*parts, strict=True))
        bound = np.cumsum([len(one) for _, one, *_ in parts[:-1]], dtype=np.int64)
        whole = start[bound] == stop[bound - 1]
        for val in values:
            whole &= ~differ(val[bound], val[bound - 1])
        again = bound[whole]
        start, stop = np.delete(start, again), np.delete(stop, again - 1)
        ends = np.array([0, len(start)], ptr.dtype)
        return [ends, start, stop, *[np.delete(val, again) for val in values]]

    def size_at(self, at: Placement) -> Size:
        """A run a stretch of equal elements."""
        return self.size_of(at, at.counts.runs)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The runs' lengths."""
        _, start, stop = wide(buffers)
        return stop - start

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the runs."""
        ptr, start, stop = wide(buffers)
        begin = ptr[fibers.position]
        fiber, _, run = segments(begin, ptr[fibers.position + 1] - begin)
        which, _, coordinate = segments(start[run], stop[run] - start[run])
        return Entries(fiber[which], coordinate, run[which])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """A run each."""
        ptr, start, stop = buffers
        bounds = (one[children].astype(np.int64) for one in (start, stop))
        return Whereabouts(owners(ptr, children), *bounds)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Runs are within the extent, not empty, and in order."""
        ptr, start, stop = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        checks.segments(ptr, start, stop, count, dim)
        return count
