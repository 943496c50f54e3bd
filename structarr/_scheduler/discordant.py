"""Operands that are not stored in the order in which the loops read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Discordant:
    """The answer of the scheduler where operands must be stored in another order first.

    Attributes
    ----------
    orders : mapping
        The order of the axes of each such operand, by its number, the outermost level's first.
    conflict : bool
        Whether one of them is also read in the order that it has.
    scheduled : bool
        Whether the scheduler picked the order of the loops, which then stands.
    """

    orders: Mapping[int, tuple[int, ...]]
    conflict: bool = False
    scheduled: bool = False
