"""Results beside those that are wanted, where a function may return several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def pairs(found: Any, wanted: Any) -> Iterator[tuple[Any, Any]]:
    """Each result with the one that is wanted; a tuple has as many as it is to have."""
    if not isinstance(wanted, tuple):
        yield found, wanted
        return
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        yield from pairs(one, other)
