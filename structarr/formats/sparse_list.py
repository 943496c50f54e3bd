"""SparseList: the sorted coordinates of the stored children; everything between is fill."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import INDEX, Expr, Fiber, Helper, Node, Opaque, both, eq, lt
from structarr.formats.kinds import LIST
from structarr.formats.listed import Listed, ListedReading, ListedWriting
from structarr.formats.reading import stored_if
from structarr.formats.sizes import Placement, Size
from structarr.looplets import Context, Let, Lookup, Looplet, function


class _Reading(ListedReading):
    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A search."""
        idx = fiber.buffer("idx")
        begin, end = self.span(fiber, ctx)

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            found = stored_if(both(lt(at, end), eq(idx[at], i)), fiber.child(at))
            return Let(at, Helper(INDEX, "bisect", (idx, i, begin, end)), found)

        return Lookup(function("i", find))


class _Writing(ListedWriting):
    ascends: ClassVar[bool] = True


@LIST.holds
class SparseList(Listed):
    """
    Compressed level: the sorted coordinates of the stored children, as in CSR.

    Fiber `p` has the coordinates ``idx[ptr[p]:ptr[p + 1]]``, strictly increasing. Walking takes a
    step for each, locating a binary search. Results are written in order.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    Hash : The same with a hash table, for random access.
    SparseVBL : For coordinates that come in blocks.
    Coordinate : For coordinates of several axes together.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr.formats import Dense, SparseList
    >>> a = sa.asarray([[0, 3, 0], [5, 0, 7]], format=Dense(SparseList()))
    >>> str(a.format)
    'csr'
    >>> ptr, idx, val = sa.protocols.stored(a).buffers
    >>> ptr.tolist(), idx.tolist(), val.tolist()
    ([0, 1, 3], [1, 0, 2], [3, 5, 7])
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx")
    slicing: ClassVar[str] = "entries"
    has_windows: ClassVar[bool] = True
    uninitialized: ClassVar[tuple[str, ...]] = ("idx",)
    reading = _Reading()
    writing = _Writing()

    def size_at(self, at: Placement) -> Size:
        """A child a coordinate."""
        return self.size_of(at, at.elements)
