"""Constant: one child for all indices, which stands for a mode along which nothing varies."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Node, minimum
from structarr.formats.counted import Single
from structarr.formats.entries import Array, Entries, Fibers, Whereabouts, Written, differ, segments
from structarr.formats.kinds import CONST, Kind
from structarr.formats.reading import Reading
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.formats.writing import Alone
from structarr.looplets import Accept, Context, Discard, Looplet, Phase, Pipeline, Run


class _Reading(Reading):
    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A run."""
        return Run(fiber.child(fiber.pos))


class _Writing(Alone):
    accepts_runs: ClassVar[bool] = True

    def accept(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The value at the first index, which stands for all."""
        one = minimum(fiber.dim, 1)
        return Pipeline((Phase(one, Accept(fiber)), Phase(None, Discard(fiber.tensor))))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The one child."""
        return fiber.child(fiber.pos)


@CONST.holds
class Constant(Single):
    """
    Level with one child for all indices of a fiber.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    RunList : Several runs.
    structarr.full : Arrays of one value.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.full((1000, 1000), 3.0)
    >>> str(a.format), a.nstored
    ('constant', 1)
    """

    kind: ClassVar[Kind] = CONST
    orders: ClassVar[Orders] = staticmethod(own_order)
    is_partial: ClassVar[bool] = True
    reading = _Reading()
    writing = _Writing()

    def size_at(self, at: Placement) -> Size | str:
        """One child a fiber along an axis on which nothing varies."""
        lengths = {one.order[-1]: one.dims[-1] for one in at.measures.profiles if one.is_constant}
        if at.profile.order[at.depth] in lengths and max(lengths.values()) > 1:
            return self.size_of(at)
        return "along no axis are all elements equal"

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """The extent: a child stands for all indices."""
        return dim

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The child at every index."""
        fiber, coordinate, _ = segments(fibers.position, np.full(len(fibers.position), dim))
        return Entries(fiber, coordinate, fibers.position[fiber])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """The whole of a fiber."""
        whole = np.full_like(children, dim)
        return Whereabouts(children, whole * 0, whole)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries in a fiber that does not hold one value throughout."""
        counts = np.bincount(entries.fiber, minlength=entries.fibers)
        partial = (counts > 0) & (counts < dim)
        bad = partial[entries.fiber]
        first = np.searchsorted(entries.fiber, entries.fiber)
        value = entries.value
        return np.flatnonzero(
            bad | differ(value, value[first])
        ), "along an axis that must hold one value throughout"
