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


def remember(key: Hashable, replay: Replay) -> None:
    """Keep the calls of a key."""
    room(_recorded)[key] = replay
