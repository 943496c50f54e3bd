"""SparseInterval: at most one run in each fiber, fill on both sides."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, If, Node, Store, both, eq, le, lt
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.counted import Single
from structarr.formats.entries import (
    NOWHERE,
    Array,
    Entries,
    Fibers,
    Whereabouts,
    Written,
    differ,
    segments,
    wide,
)
from structarr.formats.kinds import INTERVAL, Kind
from structarr.formats.reading import Reading, stored_if
from structarr.formats.sizes import Placement, Size
from structarr.formats.writing import Alone
from structarr.looplets import (
    Context,
    Lookup,
    Looplet,
    Phase,
    Pipeline,
    Run,
    function,
)


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Fill, the run, fill."""
        start, stop = self._bounds(fiber, ctx)
        outside, run = Run(fiber.fill), Run(fiber.child(fiber.pos))
        return Pipeline((Phase(start, outside), Phase(stop, run), Phase(None, outside)))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A test whether the index is inside."""
        start, stop = self._bounds(fiber, ctx)

        def find(i: Expr) -> Node:
            return stored_if(both(le(start, i), lt(i, stop)), fiber.child(fiber.pos))

        return Lookup(function("i", find))

    def _bounds(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        name = fiber.tensor.name.lower()
        start = ctx.let(f"{name}_start", fiber.buffer("start")[fiber.pos])
        stop = ctx.let(f"{name}_stop", fiber.buffer("stop")[fiber.pos])
        ctx.assume(le(0, start))
        ctx.assume(le(start, stop))
        ctx.assume(le(stop, fiber.dim))
        return start, stop


class _Writing(Alone):
    accepts_runs: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The one child; what comes later has the same value and adjoins."""
        start, stop = fiber.buffer("start"), fiber.buffer("stop")
        empty = eq(start[fiber.pos], stop[fiber.pos])
        begin = If(((empty, (Store(start, fiber.pos, lo),)),))
        return fiber.child(fiber.pos, (begin, Store(stop, fiber.pos, hi)))


@INTERVAL.holds
class SparseInterval(Single):
    """
    Level with one run of equal values a fiber: child `p` is at all of ``[start[p], stop[p])``.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    SparseRunList : Any number of runs a fiber.
    SparseBand : One block a fiber, of values of any kind.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 5, 5, 5, 0], format=sa.formats.SparseInterval())
    >>> str(a.format), a.nstored
    ('interval', 1)
    """

    buffers: ClassVar[tuple[str, ...]] = ("start", "stop")
    kind: ClassVar[Kind] = INTERVAL
    is_partial: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    leafy: ClassVar[bool] = True
    reading = _Reading()
    writing = _Writing()

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """Two bounds a fiber."""
        return fibers, fibers

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The intervals."""
        start, stop = wide(buffers)
        full = stop > start
        return np.where(full, start, NOWHERE), np.where(full, stop, 0)

    def size_at(self, at: Placement) -> Size | str:
        """Two bounds a fiber."""
        if at.counts.runs != at.counts.fibers:
            return "a fiber has more than one run"
        return self.size_of(at)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The intervals' lengths."""
        start, stop = wide(buffers)
        return stop - start

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the intervals."""
        start, stop = (buffer[fibers.position] for buffer in wide(buffers))
        fiber, _, coordinate = segments(start, stop - start)
        return Entries(fiber, coordinate, fibers.position[fiber])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """The run of a fiber each."""
        bounds = (one[children].astype(np.int64) for one in buffers)
        return Whereabouts(children, *bounds)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries that do not adjoin the one before, or are not equal to it."""
        same = entries.fiber[1:] == entries.fiber[:-1]
        value, at = entries.value, entries.coordinate
        goes_on = (at[1:] == at[:-1] + 1) & ~differ(value[1:], value[:-1])
        return np.flatnonzero(same & ~goes_on) + 1, "does not continue the one run of its fiber"

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Bounds are in range and in order."""
        start, stop = buffers
        checks.length(start, "start", fibers)
        checks.length(stop, "stop", fibers)
        checks.within(start, "start", 0, dim + 1)
        checks.within(stop, "stop", 0, dim + 1)
        wrong = np.flatnonzero(stop < start)
        if len(wrong):
            place = int(wrong[0])
            raise FormatError(
                f"buffer 'stop': the run of fiber {place} ends at {stop[place]}, before its "
                f"start {start[place]}"
            )
        return fibers
