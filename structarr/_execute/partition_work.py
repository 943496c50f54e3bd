"""The work of rows of operands: what they store, by which pieces are made equal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr._support.sorted_places import places_in
from structarr.formats import Format
from structarr.formats.base import Level
from structarr.formats.entries import Array

SINGLE: Final = 8
"""The most targets whose rows are looked for one by one, where pointers tell the work."""

Work: TypeAlias = Callable[[Array], Array]
"""The steps of the rows before some rows."""

COARSE: Final = 4096
"""The rows at which it is asked first, for all targets, at most."""

FAN: Final = 64
"""Those at which it is asked for each target: first, and then within what is left of each."""


def listed_before(idx: Array) -> Work:
    """The number of indices in a list before some rows."""
    return lambda rows: places_in(idx, rows)


def steps_along(tensor: Tensor) -> Work:
    """The elements that a tensor stores before some indices of its outermost level."""
    root, (dim, *_), own = tensor.format.root, tensor.dims, tensor.level_buffers[0]
    if root.kind.arithmetic:
        return lambda rows: stored_before(tensor, rows)
    if root.has_windows and tensor.format.ndim > 1:
        return lambda rows: stored_before(tensor, places_in(own[1], rows))
    return lambda rows: rows * (tensor.nstored // max(dim, 1))


def work_of(tensors: Sequence[Tensor]) -> Work:
    """The steps of the rows of some operands: one a row and one for each stored element."""
    stored = uneven(tensors)

    def work(rows: Array) -> Array:
        return rows + sum([stored_before(tensor, rows) for tensor in stored])

    return work


def bounds_of(tensors: Sequence[Tensor]) -> Array | None:
    """Pointers that alone tell the work of rows, where those of one tensor do."""
    stored = uneven(tensors)
    if len(stored) != 1 or len(stored[0].format.levels) != 3:
        return None
    root, lists, _ = stored[0].format.levels
    return stored[0].level_buffers[1][0] if _is_even(root) and lists.slicing == "entries" else None


def uneven(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The tensors whose rows do not store as much as each other."""
    return [one for one in tensors if not is_even(one.format)]


@lru_cache(MOST)
def is_even(format: Format) -> bool:
    """Whether the rows of an array store as much as each other, whatever is stored."""
    return all(map(_is_even, format.levels))


def _is_even(level: Level) -> bool:
    """Whether the fibers of a level have as many children as each other."""
    return level.kind.arithmetic or level.is_single


def stored_before(tensor: Tensor, rows: Array) -> Array:
    """The number of elements that a tensor stores before some rows."""
    levels = zip(
        tensor.format.levels[1:-1], tensor.dims[1:], tensor.level_buffers[1:], strict=False
    )
    for level, dim, buffers in levels:
        rows = level.before(rows, dim, buffers)
    return rows.astype(np.int64)


def tells_rows(levels: Sequence[Level]) -> bool:
    """Whether it is known, and not estimated, how many children each of some levels has in rows."""
    root, *inner, _ = levels
    return root.kind.arithmetic and all(
        level.slicing in ("places", "entries") or bool(level.positions) for level in inner
    )


def counts_in_rows(tensor: Tensor, lo: int, hi: int) -> tuple[int, ...]:
    """The number of children of each axis's level in some rows of a tensor that tells them."""
    counts, fmt = [hi - lo], tensor.format
    every = zip(fmt.levels[1:-1], tensor.dims[1:], tensor.level_buffers[1:], strict=False)
    for level, dim, buffers in every:
        lo, hi = level.between(lo, hi, dim, buffers)
        counts.append(hi - lo)
    return tuple([counts[fmt.order.index(axis)] for axis in range(fmt.ndim)])


def row_at(bounds: Array, length: int, target: int) -> int:
    """The row in which so many steps are reached, by the pointers that alone tell the work."""
    found = bisect_right(range(length), target, key=lambda row: row + int(bounds[row]))
    return max(found - 1, 0)


def rows_at(work: Work, length: int, targets: Array) -> Array:
    """The rows in which so many steps are reached, the first one if none are."""
    length = max(length, 1)
    step = -(-length // max(1, min(COARSE, FAN * len(targets))))
    coarse = np.arange(0, length, step)
    lo = coarse[np.maximum(np.searchsorted(work(coarse), targets, "right") - 1, 0)]
    while step > 1:
        turns = np.arange(0, step, -(-step // FAN))
        step = -(-step // FAN)
        rows = np.minimum(lo[:, None] + turns, length - 1)
        reached = work(rows.reshape(-1)).reshape(rows.shape) <= targets[:, None]
        lo = rows[np.arange(len(rows)), np.maximum(reached.sum(axis=1) - 1, 0)]
    return lo
