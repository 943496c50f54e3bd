"""Parts of expressions: sums and long chains that become a part of a second one are computed."""

from __future__ import annotations

from contextvars import ContextVar
from math import prod
from typing import Any, Final

from structarr._api.core.call_sites import (
    FEW,
    PLACES,
    call_site,
    is_expected,
    is_watched,
    note_again,
    watch,
)
from structarr._array import Array, settle
from structarr._compiler.options import current
from structarr._execute.stand_ins import is_dense
from structarr._lazy import graph
from structarr._lazy.structure import NONE
from structarr._scheduler.expected_entries import expected_entries
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table
from structarr._value import USED

LONG: Final = 4
"""The operations from which on elementwise ones are worth computing once for two expressions."""

DEEP: Final = 8
"""The sums of an expression from which on it is computed before it becomes a part of another.

Sums within sums are computed one after the other in any case, and all that a loop of twenty turns
does would be planned as one.
"""

REPEATED: Final = 3
"""The expressions from which on an array is worth forming that all of them have as a part."""

FEW_A_ROW: Final = 16
"""The entries for each index of the longest axis that are as cheap to keep as vectors."""

VIEWS: Final = frozenset(("permute", "expand", "squeeze", "reshape", "lead", "first", "spread"))
"""The kinds of nodes whose values are those of their arguments in another place."""

WITHIN: Final[ContextVar[bool]] = ContextVar("within", default=False)
"""Whether a function of arrays is called whose expression is one composite: no part is computed."""


def note_use(*arrays: Array, site: int = 0) -> None:
    """Note of arrays that they are a part of an expression: of a second one they will not be.

    `site` is the call site, if it is known.

    Sums are noted, and elementwise operations if they are long and short values come of them: each
    step of ``q = (v - a * q) / b`` would be a part of all that come after it.
    """
    if WITHIN.get():
        return
    for place, array in enumerate(arrays):
        cost, node = array._cost, array._node
        if cost < USED and (node.sums or (cost >= LONG and is_short(node))):
            site = site or call_site()
            array._site = site + min(place, PLACES - 1)
            array._cost += USED


def settle_expected(*operands: Any) -> int:
    """Compute the arrays among operands that are expected to be a part of two expressions.

    Returns the call site, 0 where it was not asked for.
    """
    if WITHIN.get():
        return 0
    site = place = 0
    for array in operands:
        if type(array) is not Array:
            continue
        if (array._cost >= FEW or array._node.sums) and not is_watched(array):
            site = site or call_site()
            number = site + min(place, PLACES - 1)
            if is_expected(number) and is_short(array._node):
                settle(array)
                watch(number, array)
        place += 1
    return site


def settle_used(*operands: Any) -> None:
    """Compute the arrays among operands that another expression has as a part, or that are deep.

    They are computed if they are short. The shorter come first, as they may be parts of the longer.
    """
    arrays = [one for one in operands if type(one) is Array]
    used = [one for one in arrays if one._cost >= USED or one._node.sums >= DEEP]
    for array in sorted(used, key=length_of):
        if is_short(array._node):
            site = getattr(array, "_site", 0) if array._cost >= USED else 0
            settle(array)
            note_again(site)


def settle_repeated(*operands: Any) -> None:
    """Compute the matrices among operands that were parts of several expressions before.

    They are those that `settle_used` leaves alone, with few entries: what is read once in each turn
    of a loop, as ``kron(a, b) + c`` in ``k @ x``, is formed at last.
    """
    for array in operands:
        if type(array) is not Array or not array._cost or len(array._node.shape) < 2:
            continue
        if WITHIN.get() or current().deterministic:
            return
        array._uses = uses = getattr(array, "_uses", 0) + 1
        if uses == REPEATED and is_formed(array._node):
            settle(array)


def is_formed(node: graph.Node) -> bool:
    """Whether an array of several axes that is used again and again is worth its memory.

    Its entries are about as many as vectors along its axes have, and it is no view.
    """
    found = _formed.get(node.number)
    if found is None:
        found = node.kind not in VIEWS and not (is_dense(node) and not is_short(node))
        if found:
            stored = [one.nstored for one in node.given if isinstance(one, Tensor)]
            entries = expected_entries(node)
            most = max(max(stored, default=1), FEW_A_ROW * max(node.shape))
            found = entries <= most and entries * node.dtype.itemsize <= current().densify_limit
        if node.number != NONE:
            room(_formed)[node.number] = found
    return found


def length_of(array: Array) -> int:
    """The operations of an array's expression."""
    return array._cost % USED


def is_short(node: graph.Node) -> bool:
    """Whether a value has no more elements than an operand of its expression stores.

    Expressions of one structure are treated alike.
    """
    found = _short.get(node.number)
    if found is None:
        size = prod(node.shape)
        stored = [one.nstored for one in node.given if isinstance(one, Tensor)]
        found = size <= max(stored, default=1)
        if node.number != NONE:
            room(_short)[node.number] = found
    return found


_short: dict[int, bool] = table()

_formed: dict[int, bool] = table()
