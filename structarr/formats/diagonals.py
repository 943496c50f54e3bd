"""Diagonals: some diagonals of a matrix, one after the other (DIA)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np

from structarr.cin import (
    INDEX,
    Buffer,
    Cast,
    Expr,
    Fiber,
    Helper,
    Lines,
    Lit,
    Node,
    Opaque,
    Set,
    both,
    eq,
    le,
    lt,
    minimum,
)
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import (
    NOWHERE,
    Array,
    Caller,
    Entries,
    Fibers,
    Rows,
    Whereabouts,
    Written,
)
from structarr.formats.kinds import DIAGONALS, Kind
from structarr.formats.reading import stored_if
from structarr.formats.sizes import Orders, Placement, Size, fewer_rows
from structarr.formats.steps import Stepping
from structarr.formats.writing import InPlace
from structarr.looplets import (
    Context,
    Let,
    Lookup,
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


class Along(NamedTuple):
    """A diagonal within a matrix: its offset, its first row and the one after its last, values."""

    offset: int
    first: int
    stop: int
    values: Array  # a view


FEW = 1  # diagonals that are phases of their own


class _Reading(Stepping):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A phase for each of a few diagonals, a stepper of spikes for many."""
        steps = self.steps(fiber, ctx, Stepper)
        if len(fiber.level.known) > FEW:
            return steps
        i, child, outside = fiber.path[0], _children(fiber, ctx), Run(fiber.fill)
        phases: list[Phase] = []
        for place, offset in enumerate(fiber.level.known):
            phases.append(Phase(i + offset, outside))
            phases.append(Phase(i + offset + 1, Run(child(Lit(INDEX, place), offset))))
        return Pipeline((*phases, Phase(None, outside)), steps)

    def steps(self, fiber: Fiber, ctx: Context, kind: type[Steps]) -> Steps:
        """Spikes."""
        name, offset = fiber.tensor.name.lower(), fiber.buffer("offset")
        i, count = fiber.path[0], fiber.level.count
        cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_j")
        # Most rows have all diagonals: each search looks first where it would find that.
        begin = Helper(INDEX, "search", (offset, 0 - i, Lit(INDEX, 0), count))
        ctx.set(cursor, begin)
        last = Helper(INDEX, "search_back", (offset, fiber.dim - i, cursor, count))
        end = ctx.let(f"{name}_end", last)
        child, reached = _children(fiber, ctx), fiber.level.offset_at(cursor, offset)

        def reach(j: Expr) -> Expr:
            return Helper(INDEX, "search", (offset, j - i, cursor, end))

        def back(j: Expr) -> Expr:
            return Helper(INDEX, "search_back", (offset, j - i + 1, begin, cursor + 1)) - 1

        return kind(
            cursor=cursor,
            end=end,
            loads=(Set(at, i + reached),),
            stop=at + 1,
            body=Spike(fiber.fill, child(cursor, reached)),
            rest=Run(fiber.fill),
            seek=function("j", reach),
            clamp=function("j", reach),
            past=function("hi", lambda hi: Lines((Set(at, hi),))),
            first=Lit(INDEX, 0),
            last=fiber.dim,
            weight=fiber.tensor.weight,
            motion=Motion(origin=begin, back=function("j", back)),
            pace=(fiber.level.known, i, fiber.dim),
        )

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search for the diagonal."""
        offset, i, count = fiber.buffer("offset"), fiber.path[0], fiber.level.count
        child = _children(fiber, ctx)

        def find(j: Expr) -> Node:
            at = Opaque(INDEX, "at")
            here = both(lt(at, count), eq(offset[at], j - i))
            found = stored_if(here, child(at, offset[at]))
            return Let(at, Helper(INDEX, "bisect", (offset, j - i, Lit(INDEX, 0), count)), found)

        return Lookup(function("j", find))


class _Writing(InPlace):
    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child on the diagonal."""
        i, count, known = fiber.path[0], fiber.level.count, fiber.level.known
        at: Expr = Lit(INDEX, 0)
        if fiber.level.are_neighbours:
            at = lo - i - known[0] if len(known) > 1 else at
        elif known:
            args = (fiber.buffer("offset"), lo - i, at, count)
            at = ctx.let(f"{fiber.tensor.name.lower()}_q", Helper(INDEX, "bisect", args))
        return _children(fiber, ctx)(at, lo - i)

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """As many diagonals as there are, each as long as the shorter axis."""
        level: Diagonals = fiber.level
        return level.count * minimum(fibers, fiber.dim)


def _children(fiber: Fiber, ctx: Context) -> Callable[[Expr, Expr | int], Fiber]:
    """What tells the child of a row by the number of its diagonal, and that one's offset.

    Whether a diagonal is stored by its columns or by its rows is decided once: by columns if the
    matrix is not wider than high, as SciPy has it.
    """
    name, rows = fiber.tensor.name.lower(), fiber.tensor.dims[fiber.depth - 1]
    length = ctx.let(f"{name}_length", minimum(rows, fiber.dim))
    by_columns = ctx.let(f"{name}_high", Cast(INDEX, le(fiber.dim, rows)))
    i = fiber.path[0]
    return lambda place, offset: fiber.child(place * length + by_columns * offset + i)


@DIAGONALS.holds
class Diagonals(Level):
    """
    Diagonals of a matrix, as in DIA, below `Dense` rows: row i stores the columns ``i + offset``.

    Each diagonal takes as many children as the shorter axis is long, and has them by the index
    along that axis, or by the column if both are as long. Those without an element are not read.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    offsets : tuple of int, optional
        The diagonals, above the main one if positive; None stands for those that have an element.

    See Also
    --------
    structarr.diags : A matrix made of its diagonals.
    SparseBand : One block a row.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[2, 1, 0], [0, 2, 1], [0, 0, 2]], format="dia")
    >>> a.format.levels[1].offsets
    (0, 1)
    """

    offsets: tuple[int, ...] | None = None
    buffers: ClassVar[tuple[str, ...]] = ("offset",)
    kind: ClassVar[Kind] = DIAGONALS
    orders: ClassVar[Orders] = staticmethod(fewer_rows)
    is_partial: ClassVar[bool] = True
    below: ClassVar[tuple[str, ...]] = ("Dense",)
    at_depth: ClassVar[int | None] = 1
    told: ClassVar[bool] = True
    ordered: ClassVar[bool] = False  # a row's are apart
    is_spread: ClassVar[bool] = True
    layout: ClassVar[int] = 2  # in the first, rows of children of all diagonals
    reading = _Reading()
    writing = _Writing()

    @property
    def known(self) -> tuple[int, ...]:
        """The offsets, which are decided."""
        if self.offsets is None:
            raise FormatError("level Diagonals: the offsets are not decided")
        return self.offsets

    @property
    def count(self) -> Lit:
        """The number of diagonals, in a kernel."""
        return Lit(INDEX, len(self.known))

    @property
    def are_neighbours(self) -> bool:
        """Whether each diagonal is next to the one before, so that a row is one block."""
        return bool(self.known) and self.known[-1] - self.known[0] == len(self.known) - 1

    def offset_at(self, place: Expr, offset: Buffer) -> Expr:
        """The offset of a diagonal by its number: of neighbours it is told by arithmetic."""
        return place + self.known[0] if self.are_neighbours else offset[place]

    def along(self, rows: int, dim: int, values: Array) -> Iterator[Along]:
        """The parts of the diagonals within a matrix, without those that have none."""
        for place, offset in enumerate(self.known):
            first, stop, places = self._at(place, rows, dim)
            if first < stop:
                yield Along(offset, first, stop, values[places])

    def stretch(self, offset: int, rows: int, dim: int) -> slice:
        """The places, among the values, of one of the diagonals; which may have none."""
        return self._at(self.known.index(offset), rows, dim)[2]

    def _at(self, place: int, rows: int, dim: int) -> tuple[int, int, slice]:
        """The rows of a diagonal, from the first to the one after the last, and its places."""
        offset = self.known[place]
        first, stop = max(-offset, 0), min(rows, dim - offset)
        begin = place * min(rows, dim) + first
        if dim <= rows:
            begin += offset
        return first, stop, slice(begin, begin + max(stop - first, 0))

    def children(self, fibers: int, dim: int) -> int:
        """The diagonals, each as long as the shorter axis."""
        return min(fibers, dim) * len(self.known)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """The offsets."""
        return (len(self.known),)

    def blank(self, name: str, size: int, dtype: np.dtype[Any]) -> Array:
        """The offsets."""
        return np.array(self.known, dtype)

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first diagonal to the last; rows of one matrix."""
        if not self.known:
            return np.full(fibers, NOWHERE), np.zeros(fibers, np.int64)
        rows = np.arange(fibers)
        start = np.clip(rows + self.known[0], 0, dim)
        stop = np.clip(rows + self.known[-1] + 1, 0, dim)
        return np.where(stop > start, start, NOWHERE), np.where(stop > start, stop, 0)

    def size_at(self, at: Placement) -> Size | str:
        """All of the diagonals that have elements."""
        low, high = at.matrix.diagonals
        count = int((high - low).sum())
        return Size(count, min(at.fibers, at.dim) * count) if count else "there are no elements"

    def decided(self, at: Placement) -> Diagonals:
        """The diagonals that have elements."""
        low, high = at.matrix.diagonals
        offsets = np.concatenate([np.arange(0), *map(np.arange, low, high)])
        if at.profile.order == (1, 0):
            offsets = -offsets[::-1]
        return Diagonals(self.child, tuple(offsets.tolist()))

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """One within the matrix."""
        offset, ends = buffers[0].astype(np.int64)[:, None], (fibers, dim)
        row = np.arange(min(ends)) - (offset if dim <= fibers else 0)
        column = row + offset
        return ((row >= 0) & (row < fibers) & (column >= 0) & (column < dim)).reshape(-1)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The diagonals' elements that are within the matrix."""
        offset, rows = buffers[0].astype(np.int64), fibers.coordinate
        column = rows[:, None] + offset
        fiber, place = np.nonzero((column >= 0) & (column < dim))
        column = column[fiber, place]
        along = column if dim <= fibers.outer else rows[fiber]
        return Entries(fiber, column, place * min(fibers.outer, dim) + along)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, of those within the matrix."""
        place, along = np.divmod(children, min(fibers, dim))
        offset = buffers[0].astype(np.int64)[place]
        fiber, at = (along - offset, along) if dim <= fibers else (along, along + offset)
        inside = (fiber >= 0) & (fiber < fibers) & (at >= 0) & (at < dim)
        return Whereabouts(np.clip(fiber, 0, fibers - 1), at, at + inside)

    @property
    def mirrored(self) -> Level:
        """The diagonals on the other side."""
        return Diagonals(self.child, tuple(-k for k in reversed(self.known)))

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries on no diagonal."""
        off = ~np.isin(entries.coordinate - entries.above, np.array(self.known, np.int64))
        return np.flatnonzero(off), f"lies on none of the diagonals {self.known}"

    def concrete(self, entries: Written, dim: int) -> Diagonals:
        """The diagonals that hold the entries."""
        if self.offsets is not None:
            return self
        found = np.unique(entries.coordinate - entries.above)
        return Diagonals(self.child, tuple(found.tolist()))

    def settled(self, rows: Rows, itemsize: int, call: Caller) -> Diagonals | None:
        """The diagonals that the rows meet; None if others were told that do not hold them."""
        count = len(rows.ptr) - 1
        mark = np.zeros(count + rows.dim, bool)  # one more than there are diagonals
        call("mark_diagonals", (rows.ptr, rows.idx), (mark,), len(rows.idx))
        found = (np.flatnonzero(mark) - (count - 1)).tolist()
        if self.offsets is None:
            return Diagonals(self.child, tuple(found))
        return self if set(found) <= set(self.offsets) else None

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The buffer equals the offsets of the format."""
        checks.length(buffers[0], "offset", len(self.known))
        if tuple(buffers[0].tolist()) != self.known or list(self.known) != sorted(set(self.known)):
            raise FormatError(
                f"buffer 'offset': {buffers[0].tolist()} must increase, and be those of the "
                f"format, {self.known}"
            )
        return self.children(fibers, dim)
