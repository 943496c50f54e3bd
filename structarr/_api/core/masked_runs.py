"""Elements where a mask of runs is true: stretches of a dense array, copied one after the other."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from structarr._storage.dense import from_own
from structarr._storage.gather import stretches
from structarr._storage.listed_runs import runs_of
from structarr._storage.reshape import flat
from structarr._storage.tensor import Tensor

RUN: Final = 16
"""Elements of a mask are looked at in the time in which a run of it is found and begun."""


def selected(tensor: Tensor, mask: Tensor) -> Tensor | None:
    """The elements in C order; None of what is not dense in C order, or under few long runs."""
    order = tuple(range(mask.ndim))
    if mask.fill or not tensor.format.is_dense or tensor.format.order != order:
        return None
    if not order or mask.format.order != order or RUN * mask.nstored > prod(mask.shape):
        return None
    kind = mask.format.levels[-2].kind
    if not (kind.is_sparse and kind.has_runs):
        return None
    runs = runs_of(mask, order)
    if not runs.values.all():
        runs = runs.where(runs.values)
    begins = flat([*runs.outer, runs.start], mask.shape)
    ptr = np.zeros(len(begins) + 1, np.int64)
    np.cumsum(runs.stop - runs.start, out=ptr[1:])
    return from_own(stretches(begins, ptr, tensor.buffers[0]), tensor.fill)
