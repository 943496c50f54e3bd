"""The numbers that a kernel is given, by the names that they bear in its text."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_NAME = re.compile(r"(scalar|fill|whole|size)(\d+)(?:_(\d+))?")


class Given(NamedTuple):
    """A number that comes with each call."""

    kind: str  # "scalar", "fill" of an operand, "size", or "whole": a size that may be below zero
    number: int  # of the scalar, size or operand
    axis: int | None  # of the operand whose size it is


@cache
def given(name: str) -> Given | None:
    """What a name stands for, if that is a number that a call gives.

    Examples
    --------
    >>> given("size3_1")
    Given(kind='size', number=3, axis=1)
    >>> given("sizes_n") is None
    True
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    kind, number, axis = found.groups()
    return Given(kind, int(number), None if axis is None else int(axis))
