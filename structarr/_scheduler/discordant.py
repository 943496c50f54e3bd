"""Operands that are not stored in the order in which the loops read them."""

from __future__ import annotations

from collections.abc import Mapping

from structarr._compiler.ir.cin import driver
from structarr._scheduler.accesses import operands, source
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.loop_order import Schedule
from structarr._support.records import record


@record
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


def discordant(indexed: Indexed, plan: Schedule) -> Discordant | None:
    """The operands that a schedule reads in another order of axes than that of their storage."""
    if not plan.transposed:
        return None
    accesses = operands(indexed.value)
    place = {one: k for k, one in enumerate(plan.order)}
    orders: dict[int, tuple[int, ...]] = {}
    for operand in plan.transposed:
        access = next(one for one in accesses if source(one) is operand)
        order = zip(access.indices, operand.format.order, strict=True)
        axes = sorted(order, key=lambda mode: place.get(driver(mode[0]), -1))  # type: ignore[call-overload]
        orders[operand.number] = tuple(axis for _, axis in axes)
    read = [source(access) for access in accesses]
    conflict = any(read.count(one) > 1 for one in plan.transposed)
    return Discordant(orders, conflict, scheduled=True)
