"""Times of memory: elements of workspaces that are written, cleared and looked up, and strides."""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Lit
from structarr._scheduler.cardinality import LOOKUP
from structarr.formats.base import Level
from structarr.formats.bytemap import Bytemap
from structarr.formats.gapped import Gapped
from structarr.formats.hashed_row import HashedRow
from structarr.formats.scattered_row import ScatteredRow
from structarr.formats.strided import Strided

# Nanoseconds, as of `cardinality`: to write an element, to sort its index, to clear it; for each
# element of the workspace, to allocate it as zeros and to fill it.
TOUCH, SORT, UNTOUCH = 1.5, 2.5, 0.3
RESERVE, FILL = 0.01, 0.13
# Nanoseconds to find a slot of a hashed row and to write to uncached memory; the cached elements.
PROBE, AFAR, CACHED = 8.0, 60.0, 1 << 22
# Nanoseconds to look a mask up and branch, and the penalty of a wrong prediction.
BRANCH, MISS = 0.25, 5.5
# Nanoseconds to look a value up in a row in the nearest cache; the most elements of such a row.
PEEK, NEAREST = 0.2, 1 << 13
# Nanoseconds of a stride in a dense array of at most `NEAR` elements, and in a larger one.
STRIDE, STRIDE_AFAR, NEAR = 0.2, 3.0, 1 << 15
# Nanoseconds of a line of a dense array, of more bytes than the first or the second cache holds, at
# a place that a list tells; bytes of the caches and of a line; the least mean distance of places.
NEARER, LINE, FIRST, SECOND, WIDTH, APART = 0.3, 2.5, 1 << 15, 1 << 21, 64, 4


def room_time(row: Level, room: float) -> float:
    """The time of making a workspace of so many elements."""
    if isinstance(row, HashedRow):
        return 0.0
    return room * (FILL if isinstance(row, Gapped) else RESERVE)


def write_time(row: Level, room: float) -> float:
    """The time to write at random; beyond what caches hold, each write waits for memory."""
    if isinstance(row, HashedRow):
        return TOUCH + PROBE
    return TOUCH + (AFAR if room > CACHED else 0.0)


def clear_time(row: Level) -> float:
    """The time to clear an element; those of scattered rows are in order as they were written."""
    return UNTOUCH if isinstance(row, ScatteredRow) else UNTOUCH + SORT


def lookup_time(row: ScatteredRow, extent: float, cover: float) -> float:
    """The time of an element that is looked up in a row that was scattered."""
    if isinstance(row, Bytemap) and row.rare:
        return BRANCH + min(cover, 1 - cover) * MISS
    return PEEK if isinstance(row, Gapped) and extent <= NEAREST else LOOKUP


def is_far(level: Level) -> bool:
    """Whether neighbours of a mode of a dense array are not next to each other."""
    return isinstance(level, Strided) and level.stride is not Lit(INDEX, 1)


def stride_time(size: float) -> float:
    """The time of an element of a dense array whose elements do not follow each other."""
    return STRIDE if size <= NEAR else STRIDE_AFAR


def jump_time(size: float, row: float) -> float:
    """The time of a row of some bytes of a dense array of some size, far from the row before."""
    line = LINE if size > SECOND else NEARER if size > FIRST else 0.0
    return line * max(row / WIDTH, 1.0)
