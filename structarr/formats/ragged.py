"""Ragged: each fiber stores its first elements, as many as its own length says."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Store, le, lt
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
from structarr.formats.kinds import RAGGED, Kind
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
        """The row by random access, fill."""
        first, stop = self._row(fiber, ctx)
        row = Lookup(function("i", lambda i: fiber.child(first + i)))
        return Pipeline((Phase(stop, row), Phase(None, Run(fiber.fill))))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A test whether the index is inside."""
        first, stop = self._row(fiber, ctx)
        return Lookup(function("i", lambda i: stored_if(lt(i, stop), fiber.child(first + i))))

    def _row(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        name, ofs = fiber.tensor.name.lower(), fiber.buffer("ofs")
        first = ctx.let(f"{name}_first", ofs[fiber.pos])
        stop = ctx.let(f"{name}_stop", ofs[fiber.pos + 1] - first)
        ctx.assume(le(0, stop))
        ctx.assume(le(stop, fiber.dim))
        return first, stop


class _Writing(AppendingRegions):
    ends: ClassVar[str] = "ofs"

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Fibers skipped before this one are empty."""
        ctx.emit(Store(fiber.buffer("ofs"), fiber.pos, ctx.counter(fiber)))

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Store all before the region, as fill where nothing was written."""
        if not fiber.level.child.leaf:
            ctx.skipped.add(fiber.tensor)  # the children in a gap are never opened
        count = ctx.counter(fiber)
        ctx.set(count, fiber.buffer("ofs")[fiber.pos] + lo)
        return (count, lo)


@RAGGED.holds
class Ragged(Windowed):
    """
    Level with the first children of each fiber: rows of unlike lengths.

    Fiber `p` stores the children of ``[0, ofs[p + 1] - ofs[p])``.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    SparseBand : Blocks that begin anywhere.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2, 3], [4, 0, 0]], format=sa.formats.Dense(sa.formats.Ragged()))
    >>> str(a.format), a.nstored
    ('ragged', 4)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ofs",)
    kind: ClassVar[Kind] = RAGGED
    slicing: ClassVar[str] = "entries"
    reading = _Reading()
    writing = _Writing()

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """All offsets."""
        return (fibers + 1,), counts[0]

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The rows themselves."""
        (ofs,) = wide(buffers)
        width = np.diff(ofs)
        return np.where(width > 0, 0, NOWHERE), width

    def size_at(self, at: Placement) -> Size:
        """The rows up to the last element."""
        return self.size_of(at, at.counts.reach)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index within the rows."""
        (ofs,) = wide(buffers)
        begin = ofs[fibers.position]
        return Entries(*segments(begin, ofs[fibers.position + 1] - begin))

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, counted from the start of the row."""
        fiber = owners(buffers[0], children)
        at = children - buffers[0][fiber]
        return Whereabouts(fiber, at, at + 1)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Offsets ascend, by no more than the extent."""
        (ofs,) = buffers
        count = checks.pointers(ofs, "ofs", fibers)
        long = np.flatnonzero(np.diff(ofs) > dim)
        if len(long):
            place = int(long[0])
            raise FormatError(
                f"buffer 'ofs': fiber {place} has {ofs[place + 1] - ofs[place]} elements, more "
                f"than the extent {dim}"
            )
        return count
