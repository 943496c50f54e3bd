"""Tiles and diagonals of a matrix of lists that hold entries."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.search import sort_range


def count_tiles(ptr: Any, idx: Any, column: Any, height: int, seen: Any) -> int:
    """
    Return how many tiles are met.

    `seen` has an element for each column of tiles, -1 at first; `column` is the column of tiles of
    each column of the matrix.
    """
    count = 0
    for above in range((len(ptr) - 1) // height):
        for q in range(ptr[u(above * height)], ptr[u(above * height + height)]):
            tile = column[u(idx[u(q)])]
            if seen[u(tile)] != above:
                seen[u(tile)] = above
                count += 1
    return count


def find_tiles(
    ptr: Any, idx: Any, column: Any, height: int, seen: Any, to_ptr: Any, to_idx: Any
) -> None:
    """Write the columns of tiles that are met, sorted in each row of tiles."""
    count, rows = 0, len(to_ptr) - 1
    for above in range(rows):
        first, last = count, -1
        rises = True
        for q in range(ptr[u(above * height)], ptr[u(above * height + height)]):
            tile = column[u(idx[u(q)])]
            if seen[u(tile)] != above:
                seen[u(tile)] = above
                to_idx[u(count)] = tile
                count += 1
                rises = rises and tile > last
                last = tile
        if not rises:
            sort_range(to_idx, first, count)
        to_ptr[u(above + 1)] = count


def mark_diagonals(ptr: Any, idx: Any, mark: Any) -> None:
    """Mark the diagonals that hold something, from that of the last row's first element on."""
    last = len(ptr) - 2
    for i in range(last + 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            mark[u(idx[u(q)] - i + last)] = True
