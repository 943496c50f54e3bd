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


def scatter_tiles(
    ptr: Any, idx: Any, val: Any, height: int, width: int, across: int, along: int, to: Any
) -> None:
    """Write tiles to their places: rows and columns are so many elements apart."""
    own = 0
    for above in range(len(ptr) - 1):
        for q in range(ptr[u(above)], ptr[u(above + 1)]):
            start = above * height * across + idx[u(q)] * width * along
            for k in range(height):
                for j in range(width):
                    to[u(start + k * across + j * along)] = val[u(own)]
                    own += 1


def spread_tiles(
    ptr: Any, idx: Any, val: Any, height: int, width: int, to_ptr: Any, to_idx: Any, to_val: Any
) -> None:
    """Write what tiles store row by row."""
    count = 0
    for above in range(len(ptr) - 1):
        first, last = ptr[u(above)], ptr[u(above + 1)]
        for k in range(height):
            for q in range(first, last):
                start = (q * height + k) * width
                column = idx[u(q)] * width
                for j in range(width):
                    to_idx[u(count)] = column + j
                    to_val[u(count)] = val[u(start + j)]
                    count += 1
            to_ptr[u(above * height + k + 1)] = count


def spread_diagonals(
    offset: Any, val: Any, columns: int, to_ptr: Any, to_idx: Any, to_val: Any
) -> None:
    """Write what diagonals store within a matrix row by row."""
    count, rows = 0, len(to_ptr) - 1
    by_columns = columns <= rows
    length = columns if by_columns else rows
    for i in range(rows):
        for k in range(len(offset)):
            j = i + offset[u(k)]
            if j >= 0 and j < columns:
                to_idx[u(count)] = j
                to_val[u(count)] = val[u(k * length + (j if by_columns else i))]
                count += 1
        to_ptr[u(i + 1)] = count


def mark_diagonals(ptr: Any, idx: Any, mark: Any) -> None:
    """Mark the diagonals that hold something, from that of the last row's first element on."""
    last = len(ptr) - 2
    for i in range(last + 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            mark[u(idx[u(q)] - i + last)] = True


def move_tiles(
    ptr: Any,
    idx: Any,
    val: Any,
    column: Any,
    height: int,
    width: int,
    rows: int,
    columns: int,
    to_ptr: Any,
    to_idx: Any,
    slot: Any,
    to_val: Any,
) -> None:
    """Copy tiles into larger ones, which are known: each of some rows and columns of tiles."""
    long = columns * width
    size = rows * height * long
    for above in range(len(to_ptr) - 1):
        for t in range(to_ptr[u(above)], to_ptr[u(above + 1)]):
            slot[u(to_idx[u(t)])] = t
        for part in range(rows):
            row = above * rows + part
            below = part * height * long
            for q in range(ptr[u(row)], ptr[u(row + 1)]):
                at = idx[u(q)]
                tile = column[u(at)]
                to = slot[u(tile)] * size + below + (at - tile * columns) * width
                own, end = q * height * width, (q + 1) * height * width
                while own < end:
                    stop = own + width
                    while own < stop:
                        to_val[u(to)] = val[u(own)]
                        own += 1
                        to += 1
                    to += long - width


def turn_tiles(val: Any, order: Any, place: Any, to: Any) -> None:
    """Write tiles in an order of theirs, the elements of each from some places of it."""
    size = len(place)
    for q in range(len(order)):
        start, first = q * size, order[u(q)] * size
        for k in range(size):
            to[u(start + k)] = val[u(first + place[u(k)])]
