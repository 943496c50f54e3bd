"""The distinct elements of a tensor; its fill is one of them however often it occurs."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from structarr._api.core.entry_lists import converted, dense_to_read, flat, mapped
from structarr._api.core.fibers import each_of, has_fibers, in_one, runs_of
from structarr._api.core.operands import as_array
from structarr._api.indexing.assigning import assigned, loosened
from structarr._api.indexing.keys import parse
from structarr._array import NumPyArray
from structarr._storage.dense import from_dense
from structarr._storage.entry_order import entry_order
from structarr._storage.run_lists import Order, Runs
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed as is_plain
from structarr._storage.weighed import weighed
from structarr._support.uninterrupted import heard

_MOST = np.iinfo(np.int64).max


class Distinct(NamedTuple):
    """Distinct elements in ascending order, and the asked-for facts of each of them."""

    values: NumPyArray
    indices: NumPyArray | None
    inverse: Tensor | None
    counts: NumPyArray | None


def distinct(tensor: Tensor) -> NumPyArray:
    """Return the distinct elements, in order; all NaN are one."""
    return np.unique(_all_values(tensor, _all_runs(tensor, tensor.format.order)))


def distinct_of(
    tensor: Tensor, equal_nan: bool, index: bool, inverse: bool, counts: bool
) -> Distinct:
    """
    Return the distinct elements.

    Parameters
    ----------
    tensor : Tensor
        The elements.
    equal_nan : bool
        Whether all NaN are one.
    index, inverse, counts : bool
        Whether to tell, too, where each one is first; for each element which one it is, in the
        format of the elements; and how often each one occurs.
    """
    order = tuple(range(tensor.ndim)) if index else tensor.format.order
    runs = _all_runs(tensor, order, index or not equal_nan)
    values = _all_values(tensor, runs)
    number = times = None
    if index or (counts and not _are_single(runs)):
        found, number = heard(lambda: np.unique(values, return_inverse=True), len(values))
    elif counts:
        found, times = heard(lambda: np.unique(values, return_counts=True), len(values))
    else:
        found = heard(lambda: np.unique(values), len(values))
    result = Distinct(
        found,
        None if number is None or not index else _first_places(tensor, runs, number, len(found)),
        _which(tensor, found, equal_nan) if inverse else None,
        _counts(tensor, runs, found, values[-1:], number, times) if counts else None,
    )
    if equal_nan or not len(found) or found[-1] == found[-1]:
        return result
    if tensor.ndim and tensor.fill == tensor.fill and has_fibers(tensor, order[-1]):
        return _with_each_nan(result, runs, order, tensor)
    every = np.unique(dense_to_read(tensor), True, True, True, equal_nan=False)
    inverse_of = (
        None if result.inverse is None else converted(from_dense(every[2]), result.inverse.format)
    )
    return Distinct(every[0], every[1], inverse_of, every[3])


def _all_runs(tensor: Tensor, order: Order, placed: bool = False) -> Runs:
    """The stored runs; of dense tensors all elements, in C order, as a vector.

    Unless they are `placed`, they may be told without their places, as if one was behind the other.
    """
    if tensor.is_constant:
        nothing = np.zeros(0, np.int64)
        return Runs((), nothing, nothing, nothing.astype(tensor.dtype))
    if is_plain(tensor) and order == tensor.format.order and not placed:
        return _in_row(tensor.buffers[-1])
    told = None if placed or tensor.format.is_dense else weighed(tensor)
    if told is not None:
        ends = np.cumsum(told.times)
        return Runs((), ends - told.times, ends, told.values)
    if tensor.ndim and has_fibers(tensor, order[-1]):
        return runs_of(tensor, order)
    values = dense_to_read(tensor).reshape(-1)
    if not placed:
        return _in_row(values)
    places = np.arange(len(values))
    return Runs((), places, places + 1, values)


def _in_row(values: NumPyArray) -> Runs:
    """Runs of one element each, whose places are not told."""
    start, stop = [np.broadcast_to(np.int64(place), len(values)) for place in (0, 1)]
    return Runs((), start, stop, values)


def _are_in_row(runs: Runs) -> bool:
    """Whether runs are of one element each, and known for it."""
    return runs.start.strides == (0,)


def _are_single(runs: Runs) -> bool:
    """Whether runs are of one element each."""
    return _are_in_row(runs) or bool((runs.stop == runs.start + 1).all())


def _left_out(tensor: Tensor, runs: Runs) -> int:
    size = prod(tensor.shape)
    if _are_in_row(runs):
        return size - len(runs.values)
    length = runs.stop - runs.start
    return size - (int(length.sum()) if size <= _MOST else sum(length.tolist()))


def _all_values(tensor: Tensor, runs: Runs) -> NumPyArray:
    """The values of runs, and at the end the fill if it stands anywhere else."""
    if not _left_out(tensor, runs):
        return runs.values
    fill = tensor.constant if tensor.is_constant else tensor.fill
    return np.append(runs.values, fill)


def _which(tensor: Tensor, found: NumPyArray, equal_nan: bool) -> Tensor:
    """The number of each element among the distinct values; NaN may get numbers of their own."""
    inverse = mapped(tensor, lambda one: _numbers(found, one))
    apart = not equal_nan and tensor.dtype.kind in "fc"
    return converted(inverse, loosened(inverse.format)) if apart else inverse


def _numbers(found: NumPyArray, values: NumPyArray) -> NumPyArray:
    """The numbers of values among the distinct ones; one that does not occur gets any number."""
    number = np.searchsorted(found, values)
    number[values != values] = len(found) - 1
    return np.clip(number, 0, max(len(found) - 1, 0))


def _counts(
    tensor: Tensor,
    runs: Runs,
    found: NumPyArray,
    last: NumPyArray,
    number: NumPyArray | None,
    times: NumPyArray | None,
) -> NumPyArray:
    """Counts of each distinct value; the last is that of the fill, where it occurs.

    Told is the number of each run's value, or how often each value is there as a run.
    """
    left = _left_out(tensor, runs)
    if left > _MOST:
        raise ValueError(
            f"an array of shape {tensor.shape} has its fill {left} times, more than int64 counts; "
            "ask for the values alone"
        )
    if number is None:
        counts = np.asarray(times)
        counts[_numbers(found, last)] += max(left - 1, 0)  # it counts once already
        return counts
    counts = np.zeros(len(found), np.int64)
    lengths = runs.stop - runs.start
    np.add.at(counts, number, np.append(lengths, left) if left else lengths)
    return counts


def _first_places(tensor: Tensor, runs: Runs, number: NumPyArray, count: int) -> NumPyArray:
    one = in_one(runs, tensor.shape)
    places = one.start
    if len(number) > len(places):
        before = np.append(0, one.stop)
        gap = before[np.flatnonzero(np.append(one.start, _MOST) != before)[0]]
        places = np.append(places, gap)
    found = np.full(count, _MOST)
    np.minimum.at(found, number, places)
    return found


def _with_each_nan(once: Distinct, runs: Runs, order: Order, tensor: Tensor) -> Distinct:
    """The distinct elements with every NaN one of its own, where the fill is none."""
    lost = each_of(runs.where(runs.values != runs.values))
    by_axis = dict(zip(order, (*lost.outer, lost.start), strict=True))
    axes = [by_axis[axis] for axis in range(tensor.ndim)]
    place = entry_order(axes, len(lost.start))
    place = place[np.argsort(lost.values[place], kind="stable")]
    known = len(once.values) - 1
    values = np.append(once.values[:-1], lost.values[place])
    indices, inverse, counts = once.indices, once.inverse, once.counts
    if indices is not None:
        indices = np.append(indices[:-1], flat([axis[place] for axis in axes], tensor.shape))
    if inverse is not None:
        key = parse(tuple(axis[place] for axis in axes), tensor.shape)
        change = assigned(inverse, key, as_array(known + np.arange(len(place))))
        inverse = converted(change.made(), inverse.format)
    if counts is not None:
        counts = np.append(counts[:-1], np.ones(len(place), np.int64))
    return Distinct(values, indices, inverse, counts)
