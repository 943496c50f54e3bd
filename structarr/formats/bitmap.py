"""Bitmap: a place for every child, and a mask that says which are stored (a bytemap)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Lit, Node, Store
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers, Whereabouts, segments
from structarr.formats.kinds import BITMAP, Kind
from structarr.formats.reading import Reading, stored_if
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.formats.writing import InPlace
from structarr.looplets import Context, Lookup, Looplet, function


class _Reading(Reading):
    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of a switch: the zero case is known when it is compiled."""

        def find(i: Expr) -> Node:
            at = fiber.pos * fiber.dim + i
            return stored_if(fiber.buffer("mask")[at], fiber.child(at))

        return Lookup(function("i", find))


class _Writing(InPlace):
    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index; a leaf is marked when it is stored."""
        at = fiber.pos * fiber.dim + lo
        if fiber.level.child.leaf:
            return fiber.child(at, (Store(fiber.buffer("mask"), at, Lit("bool", True)),))
        return fiber.child(at)

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Mark a child in which something was written."""
        assert isinstance(child, Fiber)
        if wrote and not child.level.leaf:
            ctx.emit(Store(fiber.buffer("mask"), child.pos, Lit("bool", True)))


@BITMAP.holds
class Bitmap(Level):
    """
    Level with a mask: a child for each index, of which those count where ``mask`` is true.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    Dense : Every child counts.
    SparseList : The children that count alone are stored.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 3, 0, 5], format=sa.formats.Bitmap())
    >>> mask, val = sa.protocols.stored(a).buffers
    >>> str(a.format), mask.tolist()
    ('bitmap', [False, True, False, True])
    """

    buffers: ClassVar[tuple[str, ...]] = ("mask",)
    flags: ClassVar[tuple[str, ...]] = ("mask",)
    kind: ClassVar[Kind] = BITMAP
    orders: ClassVar[Orders] = staticmethod(own_order)
    stores_nonfill_only: ClassVar[bool] = True
    slicing: ClassVar[str] = "places"
    reading = _Reading()
    writing = _Writing()

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A mask entry a child."""
        return (fibers * dim,)

    def multiplicity(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> Array:
        """One for a marked child, else none."""
        return buffers[0]

    def size_at(self, at: Placement) -> Size:
        """Every child, and its mark."""
        return self.size_of(at)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The marked children."""
        begin = fibers.position * dim
        fiber, coordinate, child = segments(begin, np.full(len(begin), dim))
        marked = buffers[0][child]
        return Entries(fiber[marked], coordinate[marked], child[marked])

    def whereabouts(
        self, children: Array, fibers: int, dim: int, buffers: tuple[Array, ...]
    ) -> Whereabouts:
        """One index each, of those that are marked."""
        fiber, at = np.divmod(children, dim)
        return Whereabouts(fiber, at, at + buffers[0][children])

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One truth value a child."""
        checks.length(buffers[0], "mask", fibers * dim)
        if buffers[0].dtype != np.bool_:
            raise FormatError(f"buffer 'mask' must be bool, not {buffers[0].dtype}")
        return fibers * dim
