"""Structures of arrays that become parts of several expressions, time after time.

Programs that repeat themselves, as loops of solvers do, use values of some structures twice in
every turn. Such a value is computed as soon as an expression takes it. Where a second use comes as
a surprise, expressions that have it as a part have to be put together again.
"""

from __future__ import annotations

from typing import Final

from structarr._api.core.within import WITHIN
from structarr._array import WATCHER, Array
from structarr._compiler.options import current
from structarr._lazy.structure import NONE
from structarr._support.caches import room, table

ENOUGH: Final = 2
"""The arrays of a structure that were used again before it is expected of the next one."""

FIRST: Final = 64
"""The arrays of which it is expected at first; then one is watched, whether it is used again.

Each time it is, it is expected of four times as many: what is put together otherwise for once has
to be planned.
"""


class Repeated:
    """What is known of a structure whose arrays are used again."""

    __slots__ = ("is_watched", "left", "most")

    def __init__(self) -> None:
        self.left = self.most = FIRST
        self.is_watched = False  # one was not computed at once, and has not been used again


REPEATED: Final[dict[int, Repeated]] = table()
"""The structures whose arrays are expected to be used again, by number."""

_counts: dict[int, int] = table()


def is_expected(array: Array) -> bool:
    """Whether an array that becomes a part of an expression is expected to be one of another."""
    number = array._node.number
    known = REPEATED.get(number)
    if known is None or not array._plain or not _is_learned():
        return False
    known.left -= 1
    if known.left > 0:
        return True
    if known.is_watched:  # the last one that was watched became a part of one expression alone
        REPEATED.pop(number, None)
        _counts.pop(number, None)
    known.most *= 4
    known.left, known.is_watched = known.most, True
    return False


def note_again(number: int) -> None:
    """Note of a structure that an array of it is a part of a second expression."""
    known = REPEATED.get(number)
    if known is not None:
        known.is_watched = False
    elif number != NONE and _is_learned():
        count = room(_counts, light=True)[number] = _counts.get(number, 0) + 1
        if count >= ENOUGH:
            room(REPEATED)[number] = Repeated()


def _is_learned() -> bool:
    """Whether what is done may depend on what was done before, as no trace and no promise does."""
    return WATCHER.get() is None and not WITHIN.get() and not current().deterministic
