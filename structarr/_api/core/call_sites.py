"""Call sites: places in programs at which an array becomes a part of an expression.

Programs that repeat themselves, as loops of solvers do, use the same values twice in every turn.
Where that was seen, such a value is computed as soon as an expression takes it. A second use that
comes as a surprise has expressions put together again that have the value as a part.

What is expected goes by places, not by structures of expressions: a value that is computed at once
changes the structures of all that follow, and each of these would have to be learned anew.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from structarr._array import WATCHER, Array
from structarr._compiler.options import current
from structarr._support.caches import room, table

ENOUGH: Final = 2
"""The arrays of a site that were used again before it is expected of the next one."""

OFTEN: Final = 16
"""The arrays of which one is watched, whether it is used again."""

FEW: Final = 2
"""The operations from which on they are computed where that is expected to be worth it."""

LATELY: Final = 256
"""The uses after one again by surprise for which places are asked: most programs have none."""

PLACES: Final = 8
"""The operands of one call that are told apart."""

_frame: Final[Any] = getattr(sys, "_getframe", None)
_HERE: Final = "_api/core/call_sites.py"
_INNER: Final[str] = "" if _frame is None else _frame(0).f_code.co_filename[: -len(_HERE)]
"""The folder that code of the package is told to be from."""


class Site:
    """What is known of a call site: how often its arrays were used again, and what is expected."""

    __slots__ = ("again", "is_watched", "left")

    def __init__(self) -> None:
        self.again = 0
        self.left = OFTEN
        self.is_watched = False  # an array was watched, and has not been used again


_sites: dict[int, Site] = table()
_left = 0  # of `LATELY`

EXPECTED: Final[dict[int, Site]] = table()
"""The sites whose arrays are expected to be used again."""


def call_site(depth: int = 3) -> int:
    """The number of the place from which the package was called; 0 where nothing tells it.

    Those who ask are not called from outside: they and as many calls as `depth` says are passed.
    Numbers of code that is gone are used again: they say what to expect, and nothing of values.
    """
    frame = None if _frame is None else _frame(depth)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_INNER):
            return PLACES * (id(code) + int(frame.f_lasti))
        frame = frame.f_back
    return 0


def site_of_use() -> int:
    """The call site of a first use; 0 unless an array was used again by surprise lately."""
    global _left
    if not _left:
        return 0
    _left -= 1
    return call_site(4)


def note_again(number: int) -> None:
    """Note that an array is a part of a second expression; of the first it became one at a site."""
    global _left
    if not is_learned():
        return
    if not number:
        _left = LATELY
        return
    known = _sites.get(number)
    if known is None:
        known = room(_sites, light=True)[number] = Site()
    known.again += 1
    if known.again >= ENOUGH and number not in EXPECTED:
        known.is_watched, known.left = False, OFTEN
        room(EXPECTED, light=True)[number] = known


def watch(number: int, array: Array) -> None:
    """Watch one of several arrays that a site expected to be used again, and that are computed.

    Where the last one was not used again, nothing is expected any more.
    """
    known = EXPECTED.get(number)
    if known is None:
        return
    known.left -= 1
    if known.left > 0:
        return
    if known.is_watched:
        EXPECTED.pop(number, None)
        known.again = -OFTEN  # so that it is expected again only after many
        return
    known.left, known.is_watched = OFTEN, True
    array._site, array._cost = number, FEW  # arrays without cost are not asked for


def is_watched(array: Array) -> bool:
    """Whether an array that becomes a part was watched: from now on it is not."""
    if array._tensor is None:
        return False
    known = EXPECTED.get(array._site)
    if known is not None:
        known.is_watched = False
    array._cost = 0
    return True


def is_learned() -> bool:
    """Whether what is done may depend on what was done before, as no trace and no promise does."""
    return WATCHER.get() is None and not current().deterministic
