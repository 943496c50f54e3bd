"""Parts of expressions: sums and long chains that become a part of a second one are computed."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from structarr._api.core.call_sites import (
    EXPECTED,
    FEW,
    PLACES,
    call_site,
    is_learned,
    is_watched,
    note_again,
    site_of_use,
    watch,
)
from structarr._api.core.worth_computing import has_few_entries, is_short
from structarr._array import Array, settle
from structarr._compiler.options import current
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
            site = site or site_of_use()
            if site:
                array._site = site + min(place, PLACES - 1)
            array._cost += USED


def settle_parts(*operands: Any) -> int:
    """Compute the arrays among operands that are worth computing before they become parts.

    Of short ones these are parts of other expressions, those that are expected to be, and deep
    ones. The shorter come first, as they may be parts of the longer. A matrix with few entries, as
    ``kron(a, b) + c`` in ``k @ x``, is computed once several expressions had it as a part.

    Returns
    -------
    int
        The call site; 0 where it was not asked for.
    """
    within = WITHIN.get()
    site, place = 0, -1
    found: list[tuple[Array, int]] = []
    for array in operands:
        if type(array) is not Array:
            continue
        place += 1
        cost, node = array._cost, array._node
        if cost >= USED or (cost and node.sums >= DEEP):
            found.append((array, 0))
        elif within:
            continue
        elif EXPECTED and (cost >= FEW or (cost and node.sums)):
            if array._tensor is not None and is_watched(array):
                continue
            site = site or call_site()
            number = site + (place if place < PLACES else PLACES - 1)
            if number in EXPECTED and is_learned():
                found.append((array, number))
        if cost >= FEW and len(node.shape) > 1 and _is_repeated(array):
            settle(array)
    for array, number in sorted(found, key=_length_of) if len(found) > 1 else found:
        if is_short(array._node):
            again = getattr(array, "_site", 0) if array._cost >= USED else None
            settle(array)
            if number:
                watch(number, array)
            elif again is not None:
                note_again(again)
    return site


def _is_repeated(array: Array) -> bool:
    """Whether an array has become a part so often that it is computed, if it has few entries."""
    if current().deterministic:
        return False
    array._uses = uses = getattr(array, "_uses", 0) + 1
    return uses == REPEATED and has_few_entries(array._node)


def length_of(array: Array) -> int:
    """The operations of an array's expression."""
    return array._cost % USED


def _length_of(found: tuple[Array, int]) -> int:
    return length_of(found[0])
