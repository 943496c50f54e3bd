"""Counts of what the operands of a call store, as terms of index expressions."""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Expr, Typed
from structarr._compiler.ir.node import Node


class Count(Typed):
    """A number that a call counts on the operand of a number."""

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
    """The children of a range of rows, of an operand whose outermost level is dense."""

    first: Expr
    rows: Expr


class Pairs(Count):
    """The entries of matrix rows that the last mode of the operand meets, all together."""

    matrix: int


class Band(Node):
    """The bands that an operand stores along an axis.

    `moves` are the distances of its fibers from those of a result, mode by mode.
    """

    number: int
    axis: int
    moves: tuple[Expr, ...]


class Hull(Typed):
    """The widths of the hulls of some bands, all together; `start` says that hulls begin at 0."""

    bands: tuple[Band, ...]
    shape: tuple[Expr, ...]
    start: bool


def children(number: int, axis: int) -> Expr:
    """The stored children of an operand's level."""
    return Children(INDEX, number, axis)


def covered(number: int, axis: int) -> Expr:
    """The indices that the intervals of an operand's level cover."""
    return Covered(INDEX, number, axis)


def elements(number: int) -> Expr:
    """An upper bound of the elements of an operand that differ from its fill."""
    return Elements(INDEX, number)


def within(number: int, first: Expr, rows: Expr) -> Expr:
    """The children of `rows` rows of an operand, from `first` on."""
    return Within(INDEX, number, first, rows)


def pairs(number: int, matrix: int) -> Expr:
    """The pairs of an entry of an operand's last mode and an entry of that row of a matrix."""
    return Pairs(INDEX, number, matrix)


def hull(bands: tuple[Band, ...], shape: tuple[Expr, ...], start: bool) -> Expr:
    """The widths of the hulls of bands, fiber by fiber, all together."""
    return Hull(INDEX, bands, shape, start)
