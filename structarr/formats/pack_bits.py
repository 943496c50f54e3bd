"""PackBits: runs of equal elements, and stretches of literal ones."""

from __future__ import annotations

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
    Opaque,
    Set,
    Store,
    Var,
    eq,
)
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.appending import Covering
from structarr.formats.counted import Blocked, Counted
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
from structarr.formats.kinds import PACKBITS, Kind
from structarr.formats.reading import Reading
from structarr.formats.sizes import REPEATS, Placement, Size
from structarr.formats.steps import covering_steps
from structarr.looplets import Case, Context, Let, Lookup, Looplet, Run, Switch, function


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of runs and lookups."""
        name = fiber.tensor.name.lower()
        ptr, stops, ofs = (fiber.buffer(one) for one in fiber.level.buffers)
        begin, end = ptr[fiber.pos], ctx.let(f"{name}_end", ptr[fiber.pos + 1])
        cursor = ctx.fresh(f"{name}_q")
        stop, first, last = (ctx.fresh(f"{name}_{one}") for one in ("stop", "first", "last"))
        ctx.set(cursor, begin)
        run = Run(fiber.child(first))
        literal = Lookup(function("i", lambda i: fiber.child(last - (stop - i))))

        loads = (Set(stop, stops[cursor]), Set(first, ofs[cursor]), Set(last, ofs[cursor + 1]))
        body = Switch((Case(eq(last, first + 1), run), Case(TRUE, literal)))
        return covering_steps(fiber, cursor, begin, end, loads, body)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the segment."""
        ptr, stops, ofs = (fiber.buffer(one) for one in fiber.level.buffers)
        begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            run = Case(eq(ofs[at + 1], ofs[at] + 1), fiber.child(ofs[at]))
            literal = Case(TRUE, fiber.child(ofs[at + 1] - (stops[at] - i)))
            found = Switch((run, literal))
            return Let(at, Helper(INDEX, "bisect", (stops, i + 1, begin, end)), found)

        return Lookup(function("i", find))


class _Writing(Covering):
    counters: ClassVar[tuple[str, ...]] = ("n", "segments")

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The open run: its value, and where it begins."""
        value, start = self._opened(fiber)
        return (Set(value, fiber.fill), Set(start, Lit(INDEX, 0)))

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin the first run at 0; fibers skipped before this one are empty."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos, ctx.counter(fiber, "segments")))
        ctx.set(self._opened(fiber)[1], Lit(INDEX, 0))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """A local variable for the value, which `commit` compares with the open run's."""
        value = ctx.fresh(f"{fiber.tensor.name.lower()}_v", fiber.tensor.dtype, result=True)
        # An element that is not written keeps its start.
        ctx.emit(Set(value, fiber.fill if fiber.tensor.start is None else fiber.tensor.start))
        return value

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """End the open run here, if the value is another."""
        assert isinstance(child, Var)
        value, start = self._opened(fiber)
        new = (*self._flush(fiber, lo, ctx), Set(value, child), Set(start, lo))
        ctx.emit(If(((ctx.differ(child, value), new),)))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """End the last run where the extent ends."""
        ctx.emit(*self._flush(fiber, fiber.dim, ctx))
        count = ctx.counter(fiber, "segments")
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos + 1, count))

    def _flush(self, fiber: Fiber, hi: Expr, ctx: Context) -> tuple[Line, ...]:
        """Append the open run, which ends at `hi`."""
        ptr, stop, ofs = (fiber.buffer(one) for one in fiber.level.buffers)
        count = ctx.counter(fiber, "segments")
        value, start = self._opened(fiber)
        val = fiber.child(fiber.pos).buffer("val")
        args = (stop, ofs, val, ptr[fiber.pos], count, start, hi, value)
        return (Set(count, Helper(INDEX, "pack_run", args)),)

    def _opened(self, fiber: Fiber) -> tuple[Var, Var]:
        return fiber.variable("open", fiber.tensor.dtype), fiber.variable("from")

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Lines that count the appended values, which are the children."""
        count, segs = fiber.variable("n"), fiber.variable("segments")
        total = Set(count, fiber.buffer("ofs")[segs])
        return (*super().finish(fiber, fibers, skipped), total)


@PACKBITS.holds
class PackBits(Blocked, Counted):
    """
    Run-length level with literal stretches: segments that are runs or hold a value for each index.

    Fiber `p` has the segments ``[ptr[p], ptr[p + 1])``, which cover the axis; segment `s` ends
    before index ``stop[s]`` and has the values ``[ofs[s], ofs[s + 1])``: one, if it is a run.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.

    See Also
    --------
    RunList : Runs alone.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([7, 7, 7, 7, 1, 2, 3], format=sa.formats.PackBits())
    >>> str(a.format), a.nstored
    ('packbits', 4)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "stop", "ofs")
    kind: ClassVar[Kind] = PACKBITS
    leafy: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("stop",)
    reading = _Reading()
    writing = _Writing()

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many segments as were closed."""
        values, segs = counts
        return (fibers + 1, segs, segs + 1), values

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The length of a run, one of a literal."""
        ptr, stop, ofs = wide(buffers)
        given = np.diff(ofs)
        each = np.where(given > 1, 1, lengths(ptr, stop))
        return np.repeat(each, given)

    def size_at(self, at: Placement) -> Size:
        """The segments of the fibers with elements, and one a fiber of fill."""
        packed = at.counts.packed + at.empty * (1 if at.dim >= REPEATS else at.dim)
        return self.size_of(at, packed, at.counts.segments + at.empty)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index, by the segment that it lies in."""
        ptr, stop, ofs = wide(buffers)
        begin = ptr[fibers.position]
        fiber, place, segment = segments(begin, ptr[fibers.position + 1] - begin)
        start = np.where(place == 0, 0, stop[segment - 1])
        which, inside, coordinate = segments(start, stop[segment] - start)
        literal = (ofs[segment + 1] - ofs[segment] > 1)[which]
        child = ofs[segment][which] + np.where(literal, inside, 0)
        return Entries(fiber[which], coordinate, child)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """A run or an index each."""
        ptr, stop, ofs = buffers
        segment = owners(ofs, children)
        fiber = owners(ptr, segment)
        start = np.where(segment == ptr[fiber], 0, stop[segment - 1])
        literal = ofs[segment + 1] - ofs[segment] > 1
        start = start + np.where(literal, children - ofs[segment], 0)
        return Whereabouts(fiber, start, np.where(literal, start + 1, stop[segment]))

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Segments cover the extent, each with one value or one an index."""
        ptr, stop, ofs = buffers
        count = checks.pointers(ptr, "ptr", fibers)
        values = checks.pointers(ofs, "ofs", count)
        checks.covering(ptr, stop, count, dim)
        given, needed = np.diff(ofs), lengths(ptr, stop)
        wrong = np.flatnonzero((given != 1) & (given != needed))
        if len(wrong):
            place = int(wrong[0])
            raise FormatError(
                f"buffer 'ofs': segment {place} has {given[place]} values for "
                f"{needed[place]} indices; give it one, or one an index"
            )
        return values
