"""Rows cut out of operands and results, which share their buffers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._execute.partition_cuts import MOST
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.base import Level
from structarr.formats.entries import Array

Window = tuple[int, int]


def rows(tensor: Tensor, lo: int, hi: int, window: Window | None = None) -> Tensor:
    """A tensor's rows [lo, hi) along its outermost level, sharing what is no pointer.

    Of the children of the level below no more are left than those in the window.
    """
    known: dict[object, Tensor] = tensor.memo.setdefault("rows", {})
    key = lo, hi, window
    found = known.get(key)
    if found is None:
        axis = tensor.format.order[0]
        shape = (*tensor.shape[:axis], hi - lo, *tensor.shape[axis + 1 :])
        buffers = part(tensor.format.levels, tensor.dims, tensor.buffers, lo, hi, window)
        found = Tensor(tensor.format, shape, tensor.dtype, tensor.fill, buffers)
        room(known, 4 * MOST)[key] = found
    return found


def listed(tensor: Tensor, window: Window) -> Tensor:
    """A tensor of which the outermost list has no more children than those in a window."""
    known: dict[object, Tensor] = tensor.memo.setdefault("rows", {})
    found = known.get(window)
    if found is None:
        levels, dims = (tensor.format.root, *tensor.format.levels), (1, *tensor.dims)
        buffers = part(levels, dims, tensor.buffers, 0, 1, window)
        found = Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers)
        room(known, 4 * MOST)[window] = found
    return found


def part(
    levels: Sequence[Level],
    dims: Sequence[int],
    buffers: Sequence[Array],
    lo: int,
    hi: int,
    window: Window | None = None,
) -> tuple[Array, ...]:
    """The buffers of some children of the outermost level, next to each other."""
    found: list[Array] = []
    left = iter(buffers)
    for level, dim in zip(levels[1:], (*dims[1:], 1), strict=True):
        own = tuple([next(left) for _ in level.buffers])
        begin, end = level.before(np.array([lo, hi]), dim, own).tolist()
        if window is not None:
            begin, end = max(begin, window[0]), min(end, window[1])
        # The value of a uniform leaf is shared by all parts.
        found += own if level.uniform else level.cut((lo, hi), (begin, end), own)
        lo, hi, window = begin, end, None
    return tuple(found)
