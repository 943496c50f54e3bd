"""Leaves that store no value for each element: Pattern (True) and Uniform (one value)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Lit
from structarr.formats import checks
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.formats.reading import LeafReading
from structarr.formats.writing import Marking


class _PatternReading(LeafReading):
    def read(self, fiber: Fiber) -> Expr:
        """True."""
        return Lit("bool", True)


class Pattern(Level):
    """
    Leaf without values, of boolean arrays: what is stored is True.

    Parameters
    ----------
    child : None
        A leaf has no level below.

    See Also
    --------
    Uniform : The same for one value of any dtype.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr.formats import Dense, Pattern, SparseList
    >>> mask = sa.asarray([[False, True], [True, True]], format=Dense(SparseList(Pattern())))
    >>> len(sa.protocols.stored(mask).buffers)  # ptr and idx, and no values
    2
    """

    child: Any = None
    leaf: ClassVar[bool] = True
    uniform: ClassVar[bool] = True
    reading = _PatternReading()
    writing = Marking()

    def values(self, positions: Array, buffers: tuple[Array, ...]) -> Array:
        """All True."""
        return np.ones(len(positions), np.bool_)


class _UniformReading(LeafReading):
    def read(self, fiber: Fiber) -> Expr:
        """The one value."""
        return fiber.buffer("val")[0]


class Uniform(Level):
    """
    Leaf with one value for all positions.

    Parameters
    ----------
    child : None
        A leaf has no level below.

    See Also
    --------
    Pattern : The same for booleans.
    Element : A value for each position.

    Examples
    --------
    >>> import structarr as sa
    >>> print(sa.eye(3).format)
    dia, leaf Uniform
    """

    child: Any = None
    buffers: ClassVar[tuple[str, ...]] = ("val",)
    leaf: ClassVar[bool] = True
    uniform: ClassVar[bool] = True
    reading = _UniformReading()

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """One value."""
        return (1,)

    def values(self, positions: Array, buffers: tuple[Array, ...]) -> Array:
        """The one value at every position."""
        return np.repeat(buffers[0], len(positions))

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """One value."""
        checks.length(buffers[0], "val", 1)
        return 0
