"""SparsePoint: at most one stored child in each fiber."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Node, Store, eq, le
from structarr.formats import checks
from structarr.formats.counted import Single
from structarr.formats.entries import NOWHERE, Array, Entries, Fibers, Whereabouts, Written
from structarr.formats.kinds import POINT, Kind
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
    Spike,
    function,
)


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A spike, fill."""
        at = self._index(fiber, ctx)
        point = Spike(fiber.fill, fiber.child(fiber.pos))
        return Pipeline((Phase(at + 1, point), Phase(None, Run(fiber.fill))))

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A comparison."""
        at = self._index(fiber, ctx)
        return Lookup(function("i", lambda i: stored_if(eq(at, i), fiber.child(fiber.pos))))

    def _index(self, fiber: Fiber, ctx: Context) -> Expr:
        at = ctx.let(f"{fiber.tensor.name.lower()}_i", fiber.buffer("idx")[fiber.pos])
        ctx.assume(le(-1, at))
        ctx.assume(le(at + 1, fiber.dim))
        return at


class _Writing(Alone):
    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The one child."""
        record = Store(fiber.buffer("idx"), fiber.pos, lo)
        return fiber.child(fiber.pos, (record,) if fiber.level.child.leaf else ())

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Note the index of a child above the leaf."""
        assert isinstance(child, Fiber)
        if wrote and not child.level.leaf:
            ctx.emit(Store(fiber.buffer("idx"), fiber.pos, lo))


@POINT.holds
class SparsePoint(Single):
    """
    Level with at most one child a fiber: at index ``idx[p]`` of fiber `p`, or none if that is -1.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    SparseList : Any number of children a fiber.
    SparseInterval : One run a fiber.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 1, 0], [4, 0, 0]], format=sa.formats.Dense(sa.formats.SparsePoint()))
    >>> str(a.format), a.nstored
    ('point', 2)
    """

    buffers: ClassVar[tuple[str, ...]] = ("idx",)
    kind: ClassVar[Kind] = POINT
    is_partial: ClassVar[bool] = True
    stores_nonfill_only: ClassVar[bool] = True
    reading = _Reading()
    writing = _Writing()

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """An index a fiber."""
        return (fibers,)

    def blank(self, name: str, size: int, dtype: np.dtype[Any]) -> Array:
        """No fiber stores anything."""
        return np.full(size, -1, dtype)

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """The points."""
        (idx,) = buffers
        return np.where(idx < 0, NOWHERE, idx), idx.astype(np.int64) + 1

    def size_at(self, at: Placement) -> Size | str:
        """One place a fiber."""
        if at.counts.elements != at.counts.fibers:
            return "a fiber has more than one element"
        return self.size_of(at)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """One where there is a point."""
        return buffers[0] >= 0

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The points of fibers that have one."""
        at = buffers[0][fibers.position].astype(np.int64)
        fiber = np.flatnonzero(at >= 0)
        return Entries(fiber, at[fiber], fibers.position[fiber])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """The point of a fiber each, if it has one."""
        at = buffers[0][children].astype(np.int64)
        return Whereabouts(children, at, at + (at >= 0))

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries after the first of their fiber."""
        again = np.flatnonzero(entries.fiber[1:] == entries.fiber[:-1]) + 1
        return again, "is the second of its fiber, which can hold one"

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Every index is -1 or in range."""
        checks.length(buffers[0], "idx", fibers)
        checks.within(buffers[0], "idx", -1, dim)
        return fibers
