"""The stored elements along an axis, read fiber by fiber as runs, and tensors made of runs."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from structarr._api.core.entry_lists import converted, dense_to_read, flat, is_listed, nested
from structarr._array import WATCHER, Array, NumPyArray, stored
from structarr._compiler.options import current
from structarr._execute import compute
from structarr._lazy.graph import Node, elementwise, leaf
from structarr._scheduler.expected_entries import all_dense, expected_entries
from structarr._storage.as_rows import in_rows
from structarr._storage.coordinates import from_sorted
from structarr._storage.entry_order import longest_counted
from structarr._storage.listed_runs import (
    each_of as each_of,
    entries_at_most,
    runs_of as runs_of,
)
from structarr._storage.run_lists import Order, Runs
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import along_axes, entries_of, is_listed as is_plain
from structarr.formats import Element, Format, Level, RunList, SparseRunList
from structarr.formats.entries import differ

_RUN: Final = 4  # entries are listed, sorted and stored in the time in which a run is


def has_fibers(tensor: Tensor, axis: int) -> bool:
    """Whether fibers along an axis leave elements out, or store them as runs."""
    return is_listed(tensor) or has_runs(tensor, axis)


def reads_fibers(tensor: Tensor, axis: int, share: int) -> bool:
    """Whether reading an axis fiber by fiber takes less than reading every element.

    Reading one takes a `share`th of the time that listing a stored one does, and less than that of
    a run, whose length goes along. What is too large for a dense copy is always read by fibers, if
    it has any.
    """
    if not has_fibers(tensor, axis):
        return False
    size = prod(tensor.shape)
    if size * tensor.dtype.itemsize > max(current().densify_limit, tensor.nbytes):
        return True
    runs = has_runs(tensor, axis)
    entries = entries_at_most(tensor, tensor.format.order[-1] == axis)
    return (_RUN if runs else 1) * share * entries <= size


def has_runs(tensor: Tensor, axis: int) -> bool:
    """Whether the fibers along an axis store runs of their own."""
    kind = tensor.format.levels[-2].kind
    return tensor.format.order[-1] == axis and kind.has_runs and not kind.is_constant


def order_along(tensor: Tensor, axis: int) -> Order:
    """Return the axes with one of them last, the others as they are stored."""
    return (*(other for other in tensor.format.order if other != axis), axis)


def in_one(runs: Runs, shape: tuple[int, ...]) -> Runs:
    """Return the runs of a tensor, in the order of its axes, as those of a vector in C order."""
    if not runs.outer:
        return runs
    start = flat([*runs.outer, runs.start], shape)
    return Runs((), start, start + (runs.stop - runs.start), runs.values)


def true_places(mask: Array) -> tuple[NumPyArray, ...]:
    """Return the coordinates of all elements that are not zero, in C order."""
    # Under a trace, which has to be asked before values are looked at, they are those of an array.
    is_traced = WATCHER.get() is not None
    node, known = mask._node, is_traced or mask._tensor is not None or not mask.ndim
    if known or all_dense(node) or node.fill is None or node.fill:
        return places_of(stored(mask))
    return _true_places(node)


def places_of(tensor: Tensor) -> tuple[NumPyArray, ...]:
    """Return the coordinates of all elements of a tensor that are not zero, in C order."""
    if not tensor.ndim or tensor.format.is_dense or tensor.is_constant:
        return dense_to_read(tensor).nonzero()
    if tensor.fill:
        if is_listed(tensor) or any(level.kind.is_rule for level in tensor.format.levels):
            return dense_to_read(tensor).nonzero()  # the fill may be what a code stands for
        zero = tensor.dtype.type(0)  # every element is stored, so any fill will do
        tensor = Tensor(tensor.format, tensor.shape, tensor.dtype, zero, tensor.buffers)
    tensor = in_rows(tensor, None)
    if is_plain(tensor):
        return _where_true(*entries_of(along_axes(tensor)))
    room = prod(tensor.shape) * 8 * tensor.ndim  # of a kernel, at most
    if room > current().densify_limit and has_fibers(tensor, tensor.ndim - 1):
        runs = runs_of(tensor, tuple(range(tensor.ndim)))
        found = each_of(runs.where(runs.values != 0))
        return (*found.outer, found.start)
    return _true_places(leaf(tensor))


def _true_places(node: Node) -> tuple[NumPyArray, ...]:
    """The coordinates of what is true, which one kernel appends to lists."""
    truth = node if node.dtype == bool else elementwise("not_equal", (node, 0))
    # A pointer a row; what is expected of an expression may be too much by far.
    fits = node.ndim > 1 and 8 * node.shape[0] <= current().densify_limit
    rows = fits and node.shape[0] <= longest_counted(expected_entries(node))
    lists = nested([rows, *[False] * (node.ndim - 1)], tuple(range(node.ndim)), "int64")
    found = compute.in_format(truth, lists)
    return dense_to_read(found).nonzero() if found.fill else _where_true(*entries_of(found))


def _where_true(axes: tuple[NumPyArray, ...], values: NumPyArray) -> tuple[NumPyArray, ...]:
    """The coordinates of the entries that are not zero, as stored ones may be."""
    kept = values != 0
    return axes if kept.all() else tuple(axis[kept] for axis in axes)


def numbered(runs: Runs) -> tuple[NumPyArray, NumPyArray]:
    """Return where each fiber's runs begin, and the number of each run's fiber."""
    opens = runs.opens()[-1]
    return np.flatnonzero(opens), np.cumsum(opens) - 1


def before(runs: Runs, firsts: NumPyArray, fiber: NumPyArray) -> NumPyArray:
    """Return how many elements of its fiber the runs before each run have."""
    length = runs.stop - runs.start
    total = np.cumsum(length) - length
    less: NumPyArray = total - total[firsts][fiber]
    return less


def of_runs(runs: Runs, shape: tuple[int, ...], fill: object, like: Format) -> Tensor:
    """Return a tensor of runs that are in the order of a format whose last level stores runs."""
    flags = [level.kind.arithmetic for level in like.levels[:-2]]
    lists = nested([*flags, False], like.order, like.index)
    tensor = from_sorted([*runs.outer, runs.start], runs.values, shape, fill, lists)
    *above, ptr, start, values = tensor.buffers
    stop = runs.stop.astype(like.index)
    if like.levels[-2].kind.covers:
        last: Level = RunList(Element())
        found = _covering((ptr, start, stop, values), tensor.dims[-1], fill)
    else:
        last = SparseRunList(Element())
        found = (ptr, start, stop, values)
    format = nested(flags, like.order, like.index, last)
    made = Tensor(format, shape, tensor.dtype, tensor.dtype.type(fill), (*above, *found))
    return converted(made, like)


def _covering(buffers: tuple[NumPyArray, ...], dim: int, fill: object) -> tuple[NumPyArray, ...]:
    """The buffers of runs that cover their fibers, made of runs with fill between them."""
    ptr, start, stop, value = buffers
    fibers = np.arange(len(ptr) - 1)
    fiber = np.repeat(fibers, np.diff(ptr))
    # The fill before each run and the run itself; at each fiber's end the fill after its last run.
    run = 2 * np.arange(len(start)) + fiber + 1
    stops = np.full(2 * len(start) + len(fibers), dim, stop.dtype)
    stops[run - 1], stops[run] = start, stop
    values = np.full(len(stops), fill, value.dtype)
    values[run] = value
    bounds = 2 * ptr.astype(np.int64) + np.arange(len(ptr))
    begins = np.roll(stops, 1)
    begins[bounds[:-1]] = 0
    kept = np.flatnonzero(stops > begins)
    ends = np.searchsorted(kept, bounds)
    # Of adjacent runs with equal values only the last is kept: runs begin where others end.
    goes_on = ~differ(values[kept][1:], values[kept][:-1])
    goes_on[ends[1:-1][(ends[1:-1] > 0) & (ends[1:-1] < len(kept))] - 1] = False
    kept = kept[~np.append(goes_on, False)[: len(kept)]]
    return np.searchsorted(kept, bounds).astype(ptr.dtype), stops[kept], values[kept]
