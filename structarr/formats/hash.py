"""Hash: a list whose fibers have hash tables too, for reading at random (a dict of keys)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr._compiler.runtime.packed import slots
from structarr.cin import INDEX, Do, Expr, Fiber, Helper, Node, Opaque, Store, lt
from structarr.errors import FormatError
from structarr.formats import checks
from structarr.formats.entries import Array
from structarr.formats.listed import Listed, ListedReading, ListedWriting
from structarr.formats.reading import stored_if
from structarr.looplets import Context, Let, Lookup, Looplet, function


class _Reading(ListedReading):
    def span(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr]:
        """Bounds of the fiber's children."""
        first = fiber.buffer("ptr")[fiber.pos]
        begin = ctx.let(f"{fiber.tensor.name.lower()}_begin", first)
        return begin, super().span(fiber, ctx)[1]

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A probe of the table."""
        begin, end = self.span(fiber, ctx)
        table, idx = fiber.buffer("table"), fiber.buffer("idx")

        def find(i: Expr) -> Node:
            at = Opaque(INDEX, "at")
            place = Helper(INDEX, "probe", (table, idx, i, begin, end))
            return Let(at, place, stored_if(lt(at, end), fiber.child(at)))

        return Lookup(function("i", find))


class _Writing(ListedWriting):
    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Fibers skipped before this one are empty."""
        ctx.emit(Store(fiber.buffer("ptr"), fiber.pos, ctx.counter(fiber)))

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends, and fill its table."""
        ptr, count = fiber.buffer("ptr"), ctx.counter(fiber)
        args = (fiber.buffer("table"), fiber.buffer("idx"), ptr[fiber.pos], count)
        ctx.emit(Do(Helper(INDEX, "slots", args)))
        ctx.emit(Store(ptr, fiber.pos + 1, count))


class Hash(Listed):
    """
    Compressed level with a hash table, in which a coordinate is found without a search.

    Fiber `p` has the coordinates ``idx[ptr[p]:ptr[p + 1]]``, strictly increasing. Twice as many
    slots of `table`, from ``2 * ptr[p]`` on, hold the children's positions where the hashes of
    their coordinates say, or -1.

    Parameters
    ----------
    child : Level, optional
        The level below, or a leaf; `Element` by default.

    See Also
    --------
    SparseList : The same without the table, in a third of the memory.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 3, 0, 5], format=sa.formats.Hash())
    >>> str(a.format), a[3].item()
    ('hash', 5)
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "idx", "table")
    uninitialized: ClassVar[tuple[str, ...]] = ("idx", "table")
    positions: ClassVar[tuple[str, ...]] = ("table",)
    reading = _Reading()
    writing = _Writing()

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many coordinates as were appended."""
        return (fibers + 1, counts[0], 2 * counts[0]), counts[0]

    def before(self, fibers: Array, dim: int, buffers: tuple[Array, ...]) -> Array:
        """The entries."""
        return buffers[0][fibers]

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """A list's invariants, and tables as they are made of it."""
        ptr, idx, table = buffers
        count = super().validate(fibers, dim, buffers)
        checks.length(table, "table", 2 * count)
        expected = np.empty_like(table)
        for lo, hi in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True):
            slots(expected, idx, lo, hi)
        wrong = np.flatnonzero(table != expected)
        if len(wrong):
            raise FormatError(
                f"buffer 'table': slot {wrong[0]} is {table[wrong[0]]}, not "
                f"{expected[wrong[0]]}; make the array from coordinates instead"
            )
        return count
