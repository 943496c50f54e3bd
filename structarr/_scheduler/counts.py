"""Counts of what the operands of a call store, as terms of index expressions."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.ir.expr import INDEX, Expr
from structarr._compiler.ir.node import Node


class Count(Expr):
    """A number that a call counts on the operand of a number."""

    dtype: ClassVar[str] = INDEX
    number: int


class Children(Count):
    """The stored children of the level that holds an axis."""

    axis: int


class Covered(Count):
    """The indices that the intervals of the level of an axis cover."""

    axis: int


class Elements(Count):
    """An upper bound of the elements that differ from the fill."""


class Within(Count):
    """The children of each `step`th row of a range; the operand's outermost level is dense."""

    first: Expr
    rows: Expr
    step: int = 1


class Taken(Count):
    """The children of fibers at the places in another operand, each as often as it is there.

    The places are on the axis of the level `depth`, which is dense as those around it are.
    """

    places: int
    depth: int = 0


class Places(Expr):
    """The places in an operand, where a band tells the distances of its fibers."""

    dtype: ClassVar[str] = INDEX
    number: int


class Pairs(Count):
    """The entries of matrix rows that the last mode of the operand meets, all together."""

    matrix: int


class Met(Count):
    """The same of two matrices whose rows list elements in any way, each row no longer than it is.

    The outermost levels are dense, or the matrices are lists of entries.
    """

    matrix: int


class Band(Node):
    """The bands that an operand stores along an axis.

    `moves` are the distances of its fibers from those of a result, mode by mode.
    """

    number: int
    axis: int
    moves: tuple[Expr, ...]


class Hull(Expr):
    """The widths of the hulls of some bands, all together; `start` says that hulls begin at 0."""

    dtype: ClassVar[str] = INDEX
    bands: tuple[Band, ...]
    shape: tuple[Expr, ...]
    start: bool
