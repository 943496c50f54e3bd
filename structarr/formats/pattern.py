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
    """A leaf without values: each stored element is True."""

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
    """One value for all that is stored."""

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
