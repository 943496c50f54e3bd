"""Which tiles of a matrix the rows of a list of coordinates meet."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.search import sort_range


def count_tiles(ptr: Any, idx: Any, height: int, width: int, seen: Any) -> int:
    """Return how many tiles are met; `seen` has a place a column of tiles, -1 at first."""
    count, rows = 0, len(ptr) - 1
    for i in range(rows):
        above = i // height
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            column = idx[u(q)] // width
            if seen[u(column)] != above:
                seen[u(column)] = above
                count += 1
    return count


def find_tiles(
    ptr: Any, idx: Any, height: int, width: int, seen: Any, to_ptr: Any, to_idx: Any
) -> None:
    """Write the columns of tiles that are met, sorted in each row of tiles."""
    count, rows = 0, len(to_ptr) - 1
    for above in range(rows):
        first, last = count, -1
        rises = True
        for q in range(ptr[u(above * height)], ptr[u(above * height + height)]):
            column = idx[u(q)] // width
            if seen[u(column)] != above:
                seen[u(column)] = above
                to_idx[u(count)] = column
                count += 1
                rises = rises and column > last
                last = column
        if not rises:
            sort_range(to_idx, first, count)
        to_ptr[u(above + 1)] = count
