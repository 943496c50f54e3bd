"""Elements read at arrays of places: of dense arrays by NumPy, of others by their entries."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, takewhile
from math import prod
from typing import Final

import numpy as np

from structarr._api.core import masked_runs
from structarr._api.core.entry_lists import (
    built_of,
    converted,
    dense_of,
    dense_to_read,
    flat,
    in_lists,
    is_listed,
    listed,
    nested,
    unflat,
)
from structarr._api.core.fibers import has_runs, of_runs, places_of, runs_of
from structarr._array import NumPyArray
from structarr._compiler.options import current
from structarr._execute import compute
from structarr._lazy.graph import Node, Taking, leaf, take
from structarr._lazy.points import points
from structarr._storage.coordinates import coordinates, rows
from structarr._storage.dense import elements, from_dense, from_own
from structarr._storage.density import check_density
from structarr._storage.entry_order import entry_order
from structarr._storage.gather import gather
from structarr._storage.listed_runs import entries_at_most
from structarr._storage.memo import owning
from structarr._storage.run_lists import Runs
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import entries_of, is_listed as is_plain
from structarr.formats import Dense, Element, Format, Level, SparseList, SparseVBL

_RUN: Final = 16  # elements are read in the time in which a run is found among places
_FEW: Final = 4  # elements are copied in the time in which one is looked up
_ENTRY: Final = 8  # and so many in that in which an entry is listed and moved


def gathered(tensor: Tensor, places: NumPyArray, axis: int) -> Tensor:
    """Return a tensor's elements at a vector of places along an axis, none out of bounds."""
    if tensor.format.is_dense:
        return from_dense(np.take(elements(tensor), places, axis), tensor.fill)
    format = taken_along(tensor.format, axis)
    if not is_plain(tensor):
        if not is_listed(tensor):
            check_density(tensor)
        few = is_listed(tensor) or _FEW * len(places) < tensor.shape[axis]
        relates = any(level.kind.relates for level in tensor.format.levels[:-1])
        if (
            tensor.format.order[0] == axis
            and type(tensor.format.root) is Dense
            and (few or relates)
        ):
            return _of_fibers(tensor, places, axis, format)
        made = _of_runs(tensor, places, axis, format)
        if made is not None:
            return made
        if not is_listed(tensor) and _FEW * len(places) < tensor.shape[axis]:
            return compute.in_format(_at_points(tensor, places, axis), format)
        if _is_full(tensor, places):
            return converted(
                from_own(np.take(dense_to_read(tensor), places, axis), tensor.fill), format
            )
        tensor = in_lists(tensor)
    found = owning(gather(tensor, {axis: places}, axis, built_of(format)), tensor)
    return converted(found, format)


def _at_points(tensor: Tensor, places: NumPyArray, axis: int) -> Node:
    """The elements at places of an axis, and at all of the others, one by one."""
    every = [places if k == axis else np.arange(n) for k, n in enumerate(tensor.shape)]
    full = np.broadcast_arrays(*np.ix_(*every))
    return points(leaf(tensor), [from_dense(one.astype(np.int64)) for one in full])


def _of_fibers(tensor: Tensor, places: NumPyArray, axis: int, format: Format) -> Tensor:
    """Fibers of a dense first level, of which not all that is stored need be looked at."""
    if any(level.kind.relates for level in tensor.format.levels[:-1]):
        # Fibers of triangles and of mirrored halves differ by their places; those of bands do not.
        plain = converted(tensor, format)
        taking = Taking(axis, lambda one, at, along: gathered(one, at.buffers[-1], along))
        return compute.value(take(leaf(plain), from_dense(places), taking))
    axes, values = rows(tensor, places)
    shape = (*tensor.shape[:axis], len(places), *tensor.shape[axis + 1 :])
    return listed(axes, values, shape, tensor.fill, format)


def _of_runs(tensor: Tensor, places: NumPyArray, axis: int, format: Format) -> Tensor | None:
    """Runs along an axis read at places that ascend, but for some; None where others do better.

    A run stands at the ascending places between its bounds, which two searches find.
    """
    kind = format.levels[-2].kind
    if not has_runs(tensor, axis) or not kind.has_runs or kind.is_constant:
        return None
    begins = np.flatnonzero(places[1:] < places[:-1]) + 1
    bounds = [0, *begins.tolist(), len(places)]
    size = prod(tensor.shape) // max(tensor.shape[axis], 1) * len(places)
    most = entries_at_most(tensor, True)
    if _RUN * most * (len(bounds) - 1) > size:
        return None
    runs = runs_of(tensor, tensor.format.order)
    parts = []
    for lo, hi in pairwise(bounds):
        ascending = places[lo:hi]
        start, stop = (lo + np.searchsorted(ascending, one) for one in (runs.start, runs.stop))
        parts.append(runs._replace(start=start, stop=stop).where(stop > start))
    found = parts[0] if len(parts) == 1 else _in_order(parts)
    shape = (*tensor.shape[:axis], len(places), *tensor.shape[axis + 1 :])
    return of_runs(found, shape, tensor.fill, format)


def _in_order(parts: list[Runs]) -> Runs:
    """Runs of stretches of the last axis, one behind the other, in the order of their fibers."""
    outer = tuple(map(np.concatenate, zip(*(one.outer for one in parts), strict=True)))
    start, stop, values = (
        np.concatenate([getattr(one, name) for one in parts])
        for name in ("start", "stop", "values")
    )
    # A stable sort: within a fiber, the stretches are in order.
    return Runs(outer, start, stop, values).where(entry_order(outer, len(start)))


def _is_full(tensor: Tensor, places: NumPyArray) -> bool:
    """Whether so much is stored, or stands for all, that a dense copy is read in less time."""
    if not is_listed(tensor):
        return True
    size = prod(tensor.shape) * tensor.dtype.itemsize
    few = size <= max(current().densify_limit, tensor.nbytes)
    return few and prod(tensor.shape) <= _ENTRY * entries_at_most(tensor, False)


@lru_cache(maxsize=1024)
def taken_along(format: Format, axis: int, apart: bool = False) -> Format:
    """
    Return the format of elements taken along one axis, in any order.

    `apart` says that different elements are taken from each fiber; the levels below the axis then
    store any structure.
    """
    root: Level = Element()
    for depth in reversed(range(format.ndim)):
        mine = format.order[depth] == axis or (apart and axis in format.order[:depth])
        below = depth > 0 and format.order[depth - 1] == axis
        # A constant level above becomes a level that stores the taken elements.
        below |= any(level.kind.is_constant for level in format.levels[:depth])
        root = _level(format.levels[depth], mine, below, apart)(root)
    return Format(root, format.order, format.index)


def _level(level: Level, taken: bool, below: bool, apart: bool) -> Callable[[Level], Level]:
    kind = level.kind
    if not kind.is_sparse and kind.looser is not kind:
        return kind.looser.made
    if taken and kind.is_sparse and not kind.elementwise:
        # Neighbours of equal values are so in any order in which all fibers are read.
        return SparseList if apart or not kind.has_runs else kind.several.made
    if kind.relates and below:
        return kind.plain.made
    if level.prepares and below:
        return SparseVBL
    return level.above


@lru_cache(maxsize=1024)
def lists_below(format: Format, kept: tuple[int, ...], outer: int = 0) -> Format:
    """Return lists of some axes, below the first ones if these store all and below `outer` more."""
    levels = zip(format.order, format.levels, strict=False)
    full = {axis: not level.kind.is_sparse for axis, level in levels}
    count, ndim = outer + len(list(takewhile(full.__getitem__, kept))), outer + len(kept)
    return nested([k < count for k in range(ndim)], range(ndim), format.index)


def selected(tensor: Tensor, mask: Tensor) -> Tensor:
    """
    Return the elements where a mask of the tensor's shape is true, in C order.

    The result is a list if the tensor leaves elements out.
    """
    if tensor.format.is_dense or tensor.is_constant or (mask.fill and not is_listed(tensor)):
        found = masked_runs.selected(tensor, mask)
        if found is not None:
            return found
        return from_own(dense_to_read(tensor)[dense_to_read(mask)], tensor.fill)
    format = nested([False], (0,), tensor.format.index)
    if not mask.fill:
        places = places_of(mask)
        if is_plain(tensor):
            return gather(tensor, dict(enumerate(places)), 0, format)
        if not is_listed(tensor) and _FEW * len(places[0]) >= prod(tensor.shape):
            return from_dense(dense_of(tensor)[places], tensor.fill)
        at = points(leaf(tensor), [from_dense(one.astype(np.int64)) for one in places])
        return compute.in_format(at, format) if is_listed(tensor) else compute.value(at)
    axes, values = entries_of(tensor)
    mine, known = flat(axes, tensor.shape), _marked(mask)
    number = np.searchsorted(known, mine)
    is_known = number < len(known)
    is_known[is_known] = known[number[is_known]] == mine[is_known]
    number, kept, count = mine - number, ~is_known, prod(tensor.shape) - len(known)
    return listed([number[kept]], values[kept], (count,), tensor.fill, format)


def _marked(mask: Tensor) -> NumPyArray:
    """The places in C order at which a mask differs from its fill."""
    axes, marks = entries_of(mask)
    return np.sort(flat(axes, mask.shape)[marks != mask.fill])


def scattered(mask: Tensor, values: Tensor) -> Tensor:
    """
    Return a tensor with the elements of a vector where a mask is true, in C order.

    The other elements are arbitrary. The result is a list if the mask leaves elements out.
    """
    if not is_listed(mask) or (mask.fill and not is_listed(values)):
        check_density(mask, values.dtype)
        dense = np.zeros(mask.shape, values.dtype)
        dense[dense_of(mask)] = dense_of(values)
        return from_dense(dense)
    known = _marked(mask)
    (number,), found = coordinates(values)
    if mask.fill:  # the marked places are the false ones
        place = number + np.searchsorted(known - np.arange(len(known)), number, "right")
    else:
        place = known[number]
    fill = values.fill if is_listed(values) else values.dtype.type(0)
    flags = [not level.kind.is_sparse for level in mask.format.levels[:-1]]
    flags[-1] = False
    format = nested(flags, mask.format.order, mask.format.index)
    return listed(unflat(place, mask.shape), found, mask.shape, fill, format)
