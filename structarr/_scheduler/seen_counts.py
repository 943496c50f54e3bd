"""Counts of intermediate results that were estimated badly: the next plan of their structure knows.

Estimates suppose that what is stored lies evenly. Where a first run shows that a product of some
factors stores four times more or less, that is remembered by the structure of the factors.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Final

from structarr._compiler.options import current
from structarr._lazy.graph import Node
from structarr._support.caches import room, table

FAR: Final = 4.0  # times more or less than estimated, from which a plan may be another
LEAST: Final = 1000  # entries, up to which no plan is worth another

_seen: dict[Hashable, float] = table()
_expected: dict[int, tuple[Hashable, float]] = table()
_changes = count(1)
_state: Final[dict[str, int]] = {"last": 0}


def state() -> int:
    """A number that is another when more is known; 0 where nothing that was seen may be used."""
    return 0 if current().deterministic else _state["last"]


def seen(product: Hashable) -> float | None:
    """The entries of a product of factors, if they were seen and are not as estimated."""
    return _seen.get(product)


def expect(number: int, product: Hashable, stored: float) -> None:
    """Note how much an expression of a structure is expected to store."""
    if number:
        room(_expected)[number] = product, stored


def note(node: Node, stored: int) -> bool:
    """Whether an expression stores so much more or less than expected that it is remembered."""
    if not _expected or current().deterministic:
        return False
    product, expected = _expected.get(node.number, (None, 0.0))
    if product is None or product in _seen or max(stored, expected) < LEAST:
        return False  # what was seen is not seen otherwise, or no plan would ever be kept
    if expected <= FAR * stored and stored <= FAR * expected:
        return False
    room(_seen)[product] = float(stored)
    _expected.pop(node.number, None)
    _state["last"] = next(_changes)
    return True
