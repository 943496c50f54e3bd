"""Element: the leaf, one value a position."""

from __future__ import annotations

from typing import Any, ClassVar

from structarr.cin import Expr, Fiber
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.formats.reading import LeafReading
from structarr.formats.writing import Storing


class _Reading(LeafReading):
    def read(self, fiber: Fiber) -> Expr:
        """The value at the fiber's position."""
        return fiber.buffer("val")[fiber.pos]


class Values(Level):
    """A leaf of values, stored one after the other."""

    child: Any = None
    buffers: ClassVar[tuple[str, ...]] = ("val",)
    leaf: ClassVar[bool] = True
    arithmetic: ClassVar[bool] = True
    reading = _Reading()

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """One value a fiber."""
        return (fibers,)

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """One value a fiber."""
        return (fibers,), 0

    def values(self, positions: Array, buffers: tuple[Array, ...]) -> Array:
        """The values at some positions."""
        return buffers[0][positions]

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """As many values as fibers."""
        from structarr.formats.checks import length

        length(buffers[0], "val", fibers)
        return 0


class Element(Values):
    """
    Leaf with one value for each position, in the buffer `val`.

    Parameters
    ----------
    child : None
        A leaf has no level below.

    See Also
    --------
    Pattern : A leaf without values.
    Uniform : One value for all positions.

    Examples
    --------
    >>> from structarr.formats import Dense, Element, SparseList
    >>> Dense(SparseList(Element())) is Dense(SparseList())
    True
    """

    writing = Storing()
