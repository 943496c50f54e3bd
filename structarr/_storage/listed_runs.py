"""The runs and elements that a tensor stores, unless to list them takes too much memory."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from structarr._compiler.options import current
from structarr._storage.density import check_size
from structarr._storage.run_lists import Order, Runs, elements_of, stored_runs
from structarr._storage.tensor import Tensor


def runs_of(tensor: Tensor, order: Order) -> Runs:
    """
    Return the stored runs of a tensor's fibers along the last axis of an order, in that order.

    Raises
    ------
    DensificationError
        If much that is stored once stands at so many places that to list them takes too much
        memory.
    """
    entries = entries_at_most(tensor, order[-1] == tensor.format.order[-1])
    # A list that grows with the operand or its axes was asked for.
    announced = 8 * tensor.nbytes + 64 * sum(tensor.shape)
    _check_list(entries, tensor.ndim, tensor.summary, announced)
    return stored_runs(tensor, order)


def each_of(runs: Runs) -> Runs:
    """Return a run for each element, unless that takes too much memory."""
    entries = int((runs.stop - runs.start).sum(dtype=np.float64))  # may exceed int64
    if entries > 2 * len(runs.start):
        ndim = len(runs.outer) + 1
        _check_list(entries, ndim, lambda: f"runs: {len(runs.start)} of them")
    return elements_of(runs)


def _check_list(entries: int, ndim: int, what: Callable[[], str], announced: int = 0) -> None:
    size = entries * 8 * (ndim + 1)
    if size > current().densify_limit:  # only then is the message needed
        listing = f"{what()} stand for {entries} elements, and a list of these"
        check_size(size, listing, "take a part of it", announced)


def entries_at_most(tensor: Tensor, runs: bool) -> int:
    """An upper bound on the number of runs, or else of elements, of the stored values."""
    *above, last = zip(tensor.format.levels[:-1], tensor.dims, tensor.level_buffers, strict=False)
    repeats = prod(
        dim for level, dim, _ in above if level.kind.has_runs and not level.kind.is_sparse
    )
    level, dim, buffers = last
    count = tensor.nstored
    if level.kind.is_constant or (level.kind.covers and not runs):
        repeats *= dim
    elif level.kind.has_runs and not runs:
        count = level.covered(buffers)
    return min(count * repeats, prod(tensor.shape))
