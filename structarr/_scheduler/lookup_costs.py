"""Times of elements that are looked up in scattered rows."""

from __future__ import annotations

from structarr._scheduler.cardinality import LOOKUP
from structarr.formats.bytemap import Bytemap
from structarr.formats.gapped import Gapped
from structarr.formats.scattered_row import ScatteredRow

# Nanoseconds to look a mask up and branch, and the penalty of a wrong prediction.
BRANCH, MISS = 0.2, 8.0


# Nanoseconds to look a value up in a row in the nearest cache; the most elements of such a row.
PEEK, NEAREST = 0.15, 1 << 13


def lookup_time(row: ScatteredRow, extent: float, cover: float) -> float:
    """The time of an element that is looked up in a row that was scattered."""
    if isinstance(row, Bytemap) and row.rare:
        return BRANCH + min(cover, 1 - cover) * MISS
    return PEEK if isinstance(row, Gapped) and extent <= NEAREST else LOOKUP
