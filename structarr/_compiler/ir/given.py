"""The numbers that a kernel is given with each call, as typed variables."""

from __future__ import annotations

from functools import lru_cache

from structarr._compiler.ir.expr import INDEX, Index
from structarr._compiler.ir.variables import Var


class Given(Var):
    """A number that comes with each call; its name is for the kernel's text alone."""


class ScalarArg(Given):
    """The call's scalar of a number."""

    number: int = 0


class FillArg(Given):
    """The fill of the call's operand of a number."""

    number: int = 0


class WholeArg(Given):
    """The call's size of a number, which may be below zero."""

    number: int = 0


class BoundArg(Given):
    """A bound of the loop over a part of an index's range, which may be below zero."""


class Natural(Given):
    """A number that is at least zero."""


class SizeArg(Natural):
    """The call's size of a number: a length, or where a slice begins."""

    number: int = 0


class DimArg(Natural):
    """The length of an axis of the call's operand of a number."""

    number: int = 0
    axis: int = 0


class ExtentArg(Natural):
    """The extent of an index's loop."""


class PartArg(Natural):
    """An end of the part of an index's range that a loop goes along."""


class LengthArg(Natural):
    """The length of an axis that no loop has, by the name of its array."""

    array: str = ""
    axis: int = 0


def scalar(number: int, dtype: str) -> ScalarArg:
    """The scalar of a number."""
    return ScalarArg(dtype, f"scalar{number}", False, 1, number)


def fill(number: int, dtype: str) -> FillArg:
    """The fill of the operand of a number."""
    return FillArg(dtype, f"fill{number}", False, 1, number)


def whole(number: int) -> WholeArg:
    """The size of a number, which may be below zero."""
    return WholeArg(INDEX, f"whole{number}", False, 1, number)


def size(number: int) -> SizeArg:
    """The size of a number."""
    return SizeArg(INDEX, f"size{number}", False, 1, number)


def dim(number: int, axis: int) -> DimArg:
    """The length of an axis of the operand of a number."""
    return DimArg(INDEX, f"size{number}_{axis}", False, 1, number, axis)


@lru_cache(4096)  # asked for at each call of a program
def extent(index: Index) -> ExtentArg:
    """The extent of an index's loop."""
    return ExtentArg(INDEX, f"{index.name}_n")


def length(array: str, axis: int) -> LengthArg:
    """The length of an axis of an array that a program calls by a name."""
    return LengthArg(INDEX, f"{array}_{axis}_n", False, 1, array, axis)


def bounds(index: Index) -> tuple[BoundArg, BoundArg]:
    """The bounds of a loop over a part of an index's range."""
    first, last = (BoundArg(INDEX, f"{index.name}_{end}") for end in ("start", "stop"))
    return first, last


def part(index: Index) -> tuple[PartArg, PartArg]:
    """The ends of the part of an index's range that a loop goes along."""
    first, last = (PartArg(INDEX, f"{index.name}_{end}") for end in ("from", "to"))
    return first, last
