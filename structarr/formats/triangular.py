"""Triangular: the rows of a matrix that are stored from, or up to, a diagonal (packed)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.runtime.packed import ramp
from structarr.cin import (
    INDEX,
    Expr,
    Fiber,
    Helper,
    Lit,
    Node,
    both,
    le,
    lt,
    maximum,
    minimum,
)
from structarr.formats.base import Level
from structarr.formats.entries import NOWHERE, Array, Entries, Fibers, Whereabouts, Written
from structarr.formats.kinds import LOWER, UPPER, Kind
from structarr.formats.reading import Reading, stored_if
from structarr.formats.sizes import Orders, Placement, Size, rows_outside
from structarr.formats.writing import InPlace
from structarr.looplets import (
    Accept,
    Context,
    Discard,
    Lookup,
    Looplet,
    Phase,
    Pipeline,
    Run,
    function,
)


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The row by random access, and fill beside it."""
        start, stop, base = _row(fiber, ctx)
        row: Looplet = Lookup(function("j", lambda j: fiber.child(base + j)))
        if fiber.level.child.uniform:
            row = Run(fiber.child(base + start))
        outside = Run(fiber.fill)
        if fiber.level.side == "upper":
            return Pipeline((Phase(start, outside), Phase(None, row)))
        return Pipeline((Phase(stop, row), Phase(None, outside)))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A test whether the column is inside."""
        start, stop, base = _row(fiber, ctx)

        def find(j: Expr) -> Node:
            return stored_if(both(le(start, j), lt(j, stop)), fiber.child(base + j))

        return Lookup(function("j", find))


class _Writing(InPlace):
    def accept(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The row; what lies beside it is fill."""
        start, stop, base = _row(fiber, ctx)
        row, outside = Accept(fiber, (base,)), Discard(fiber.tensor)
        if fiber.level.side == "upper":
            return Pipeline((Phase(start, outside), Phase(None, row)))
        return Pipeline((Phase(stop, row), Phase(None, outside)))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the column."""
        (base,) = region
        return fiber.child(base + lo)

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """The same in a kernel."""
        if fiber.level.side == "upper":
            beside = Helper(INDEX, "ramp", (fibers, Lit(INDEX, fiber.level.k), fiber.dim))
            return fibers * fiber.dim - beside
        return Helper(INDEX, "ramp", (fibers, Lit(INDEX, fiber.level.k + 1), fiber.dim))


class Triangular(Level):
    """
    Columns of a triangle of a matrix, packed, below `Dense` rows.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    side : {"upper", "lower"}
        Whether row i stores the columns from ``i + k`` on, or up to ``i + k``.
    k : int
        The diagonal at which the triangle ends: 0 is the main one.

    See Also
    --------
    Symmetric : A triangle that stands for both.
    structarr.triu : The upper triangle of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> upper = sa.formats.Dense(sa.formats.Triangular(side="upper"))
    >>> a = sa.asarray([[1, 2], [0, 3]], format=upper)
    >>> str(a.format), a.nstored
    ('triu', 3)
    """

    side: str = "upper"
    k: int = 0
    orders: ClassVar[Orders] = staticmethod(rows_outside)
    is_injective: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    below: ClassVar[tuple[str, ...]] = ("Dense",)
    at_depth: ClassVar[int | None] = 1
    reading = _Reading()
    writing = _Writing()

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        """The triangle that is stored, "upper" or "lower"."""
        return UPPER if self.side == "upper" else LOWER

    @property
    def details(self) -> tuple[int]:
        """The diagonal."""
        return (self.k,)

    def children(self, fibers: int, dim: int) -> int:
        """All of the triangle of as many rows."""
        if self.side == "upper":
            return fibers * dim - ramp(fibers, self.k, dim)
        return ramp(fibers, self.k + 1, dim)

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The triangle of the rows above."""
        k = self.k if self.side == "upper" else self.k + 1
        reached = fibers + k  # the end of each row, were the matrix wider
        beyond = np.maximum(reached - dim, 0) - max(k - dim, 0)
        last, first = np.clip(reached, 0, dim), min(max(k, 0), dim)
        left = (last * (last - 1) - first * (first - 1)) // 2 + beyond * dim
        found: Array = fibers * dim - left if self.side == "upper" else left
        return found

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The rows."""
        start, stop = self._bounds(np.arange(fibers), dim)
        return np.where(stop > start, start, NOWHERE), np.where(stop > start, stop, 0)

    def _bounds(self, rows: Array, dim: int) -> tuple[Array, Array]:
        if self.side == "upper":
            return np.clip(rows + self.k, 0, dim), np.full(len(rows), dim)
        return np.zeros(len(rows), np.int64), np.clip(rows + self.k + 1, 0, dim)

    def size_at(self, at: Placement) -> Size | str:
        """The triangle, if the other one is fill."""
        upper = self.side == "upper"
        outside = at.matrix.below if upper else at.matrix.above
        if outside is None:
            return self.size_of(at)
        i, j = outside
        return f"a[{i}, {j}] lies {'below' if upper else 'above'} the diagonal"

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every column of the rows."""
        start, stop = self._bounds(np.arange(fibers.outer), dim)
        first = np.cumsum(stop - start) - (stop - start)
        row = fibers.coordinate
        count = (stop - start)[row]
        fiber = np.repeat(np.arange(len(row)), count)
        place = np.arange(len(fiber)) - np.repeat(np.cumsum(count) - count, count)
        return Entries(fiber, start[row][fiber] + place, first[row][fiber] + place)

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each."""
        start, stop = self._bounds(np.arange(fibers), dim)
        ends = np.cumsum(stop - start)
        row = np.searchsorted(ends, children, "right")
        at = stop[row] - (ends[row] - children)
        return Whereabouts(row, at, at + 1)

    @property
    def mirrored(self) -> Level:
        """The other triangle."""
        return Triangular(self.child, "lower" if self.side == "upper" else "upper", -self.k)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries beside the triangle."""
        reach = entries.above + self.k
        outside = entries.coordinate < reach
        if self.side == "lower":
            outside = entries.coordinate > reach
        where = "below" if self.side == "upper" else "above"
        return np.flatnonzero(outside), f"lies {where} diagonal {self.k}"


def _row(fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr]:
    """The bounds of the row's columns, and the position of column 0 if it were stored."""
    level: Triangular = fiber.level
    name, width = fiber.tensor.name.lower(), fiber.dim
    i = fiber.path[0]
    if level.side == "upper":
        start = _clip(i + level.k, width, name, ctx)
        before = i * width - Helper(INDEX, "ramp", (i, Lit(INDEX, level.k), width)) - start
        return start, width, ctx.let(f"{name}_row", before)
    stop = _clip(i + level.k + 1, width, name, ctx)
    before = Helper(INDEX, "ramp", (i, Lit(INDEX, level.k + 1), width))
    return Lit(INDEX, 0), stop, ctx.let(f"{name}_row", before)


def _clip(value: Expr, width: Expr, name: str, ctx: Context) -> Expr:
    inside = ctx.let(f"{name}_edge", minimum(maximum(value, 0), width))
    ctx.assume(le(0, inside))
    ctx.assume(le(inside, width))
    return inside


UPPER.holds(lambda child, k: Triangular(child, "upper", k))
LOWER.holds(lambda child, k: Triangular(child, "lower", k))
