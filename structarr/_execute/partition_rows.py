"""Rows cut out of operands and results, which share their buffers."""

from __future__ import annotations

from structarr._execute.partition_cuts import MOST
from structarr._storage.row_parts import Window as Window, part as part
from structarr._storage.tensor import Tensor
from structarr._support.caches import room


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
