"""General replays: the steps of an expression, run again for arrays of other lengths.

A replay of one structure has lengths in its text. To plan for each new length what was planned for
others takes a hundred times as long as a small kernel; a general replay reads them from arrays.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from structarr._execute.lengths import pattern_of
from structarr._execute.replay import Record
from structarr._execute.replay_table import recorded, remember
from structarr._lazy import structure
from structarr._lazy.node import Node
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table
from structarr.errors import DensificationError

OFTEN: Final = 32
"""The general replays of one structure after which it is planned, so that its own are faster."""

_used: dict[Hashable, int] = table()


def replayed(node: Node, key: Any, asked: tuple[Hashable, ...] = ()) -> Tensor | None:
    """The value of an expression by a general replay; None where it is to be planned.

    Parameters
    ----------
    node : Node
        The expression.
    key : tuple
        Its key, as `expression_key.key_of` tells it.
    asked : tuple
        What is asked of the value besides.
    """
    own = _general(node, key, asked)
    replay = None if own is None else recorded(own)
    if replay is None:
        return None
    uses = _used.get((key, asked), 0) + 1
    if uses > OFTEN:
        return None
    room(_used, light=True)[key, asked] = uses
    try:
        found: Tensor | None = replay(node.given)
    except DensificationError:  # at other lengths it did fit; the planner says what would fit
        return None
    return found


def note(node: Node, key: Any, asked: tuple[Hashable, ...], record: Record, result: Tensor) -> None:
    """Note the steps by which an expression was computed, if they serve other lengths."""
    own = _general(node, key, asked)
    made = None if own is None or recorded(own) else record.general(result)
    if made is not None:
        remember(own, made)


def _general(node: Node, key: Any, asked: tuple[Hashable, ...]) -> Hashable:
    """The key that expressions share which differ in lengths alone; None where none may.

    The same lengths are equal in all of them.
    """
    general = structure.general_of(node.number)
    if general == structure.NONE:
        return None
    return general, pattern_of(node.given), key[1:], asked
