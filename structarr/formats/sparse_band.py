"""SparseBand: one block of contiguous stored children in each fiber, of any width."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import TRUE, Expr, Fiber, If, Line, Lit, Node, Set, Store, both, eq, le, lt
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.appending import AppendingRegions
from structarr.formats.counted import Windowed
from structarr.formats.entries import (
    NOWHERE,
    Array,
    Entries,
    Fibers,
    Whereabouts,
    owners,
    segments,
    wide,
)
from structarr.formats.kinds import BAND, Kind
from structarr.formats.reading import Reading, stored_if
from structarr.formats.sizes import Placement, Size
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
        """Fill, the band by random access, fill."""
        first, start, stop = self._band(fiber, ctx)
        band = Lookup(function("i", lambda i: fiber.child(first + (i - start))))
        outside = Run(fiber.fill)
        return Pipeline((Phase(start, outside), Phase(stop, band), Phase(None, outside)))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A test whether the index is inside."""
        first, start, stop = self._band(fiber, ctx)

        def find(i: Expr) -> Node:
            return stored_if(both(le(start, i), lt(i, stop)), fiber.child(first + (i - start)))

        return Lookup(function("i", find))

    def _band(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr]:
        name, ofs = fiber.tensor.name.lower(), fiber.buffer("ofs")
        first = ctx.let(f"{name}_first", ofs[fiber.pos])
        start = ctx.let(f"{name}_start", fiber.buffer("start")[fiber.pos])
        stop = ctx.let(f"{name}_stop", start + (ofs[fiber.pos + 1] - first))
        ctx.assume(le(0, start))
        ctx.assume(le(start, stop))
        ctx.assume(le(stop, fiber.dim))
        return first, start, stop


class _Writing(AppendingRegions):
    ends: ClassVar[str] = "ofs"

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin an empty band at 0; fibers skipped before this one are empty."""
        ctx.emit(Store(fiber.buffer("start"), fiber.pos, Lit("int64", 0)))
        ctx.emit(Store(fiber.buffer("ofs"), fiber.pos, ctx.counter(fiber)))

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Start the band at the first region; a gap before a later one is stored as fill."""
        if not fiber.level.child.leaf:
            ctx.skipped.add(fiber.tensor)  # the children in a gap are never opened
        count, start = ctx.counter(fiber), fiber.buffer("start")
        first = fiber.buffer("ofs")[fiber.pos]
        begins: tuple[Line, ...] = (Store(start, fiber.pos, lo),)
        width = lo - start[fiber.pos]
        skips: tuple[Line, ...] = (Set(count, first + width),)
        ctx.emit(If(((eq(count, first), begins), (TRUE, skips))))
        return (count, lo)


@BAND.holds
class SparseBand(Windowed):
    """
    Level with one block of neighbouring children a fiber, which may begin anywhere.

    Fiber `p` stores the children of ``[start[p], start[p] + ofs[p + 1] - ofs[p])``.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    Ragged : Blocks that begin at index 0.
    SparseVBL : Several blocks a fiber.
    Diagonals : Blocks that move by one from row to row.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 1, 2], [3, 0, 0]], format=sa.formats.Dense(sa.formats.SparseBand()))
    >>> str(a.format), a.nstored
    ('band', 3)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ofs", "start")
    cumulative: ClassVar[tuple[str, ...]] = ("ofs",)
    kind: ClassVar[Kind] = BAND
    below_lists: ClassVar[bool] = True
    slicing: ClassVar[str] = "own"
    reading = _Reading()
    writing = _Writing()

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """All offsets and starts."""
        return (fibers + 1, fibers), counts[0]

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """By the offsets."""
        return buffers[0][fibers]

    def cut(
        self, fibers: tuple[int, int], children: tuple[int, int], buffers: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """A start and an offset a fiber."""
        ofs, start = buffers
        lo, hi = fibers
        return ofs[lo : hi + 1] - ofs[lo], start[lo:hi]

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The bands themselves."""
        ofs, start = wide(buffers)
        width = np.diff(ofs)
        return np.where(width > 0, start, NOWHERE), np.where(width > 0, start + width, 0)

    def size_at(self, at: Placement) -> Size:
        """The bands from the first element to the last."""
        return self.size_of(at, at.counts.hull)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the bands."""
        ofs, start = wide(buffers)
        begin = ofs[fibers.position]
        fiber, place, child = segments(begin, ofs[fibers.position + 1] - begin)
        return Entries(fiber, start[fibers.position][fiber] + place, child)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, counted from the start of the band."""
        ofs, start = buffers
        fiber = owners(ofs, children)
        at = start[fiber] + (children - ofs[fiber])
        return Whereabouts(fiber, at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Offsets ascend, and every band lies within the extent."""
        ofs, start = buffers
        count = checks.pointers(ofs, "ofs", fibers)
        checks.length(start, "start", fibers)
        beyond = (start < 0) | (np.diff(ofs) > dim - start)  # no sum: it may overflow
        if beyond.any():
            place = int(np.flatnonzero(beyond)[0])
            raise FormatError(
                f"buffer 'start': the band of fiber {place} starts at {start[place]} and is "
                f"{ofs[place + 1] - ofs[place]} wide: outside [0, {dim})"
            )
        return count
