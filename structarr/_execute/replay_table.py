"""The table of replays, by the keys of expressions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeAlias

from structarr._lazy.node import Given
from structarr._support.caches import room, table

Replay: TypeAlias = Callable[[Given], Any]
"""From what expressions are given to their values; None where they have to be planned again."""

_recorded: dict[Hashable, Replay] = table()

recorded: Final[Callable[[Hashable], Replay | None]] = _recorded.get
"""The calls of a key, if an expression with it was seen that has some."""


MOST: Final = 3
"""The most replays of one key: expressions of a key that none of them serves are planned."""


class InTurn:
    """Replays of one key, of which each declines operands that a later one may serve.

    The oldest is asked first: what is planned for operands that it declines may take any longer.
    """

    def __init__(self, *replays: Replay) -> None:
        self.replays = replays

    def __call__(self, given: Given) -> Any:
        for one in self.replays:
            found = one(given)
            if found is not None:
                return found
        return None


def may_have_another(replay: Replay | None) -> bool:
    """Whether calls are noted beside those of a key, which declined what they were given."""
    return not isinstance(replay, InTurn) or len(replay.replays) < MOST


def remember(key: Hashable, replay: Replay) -> None:
    """Keep calls of a key, beside those that are kept."""
    others = _recorded.get(key)
    if others is not None and may_have_another(others):
        earlier = others.replays if isinstance(others, InTurn) else (others,)
        replay = InTurn(*earlier, replay)
    room(_recorded)[key] = replay
