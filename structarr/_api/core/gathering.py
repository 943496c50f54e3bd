"""Elements read at arrays of places: of dense arrays by NumPy, of others by their entries."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import takewhile
from math import prod

import numpy as np

from structarr._api.core.entry_lists import (
    built_of,
    converted,
    dense_of,
    flat,
    in_lists,
    is_listed,
    listed,
    nested,
    unflat,
)
from structarr._api.core.fibers import places_of
from structarr._array import NumPyArray
from structarr._execute import compute
from structarr._lazy.graph import Node, leaf
from structarr._lazy.points import points
from structarr._storage.coordinates import coordinates, rows
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.density import check_density
from structarr._storage.gather import gather
from structarr._storage.memo import owning
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed as is_plain
from structarr.formats import Dense, Element, Format, Level, SparseList, SparseVBL


def gathered(tensor: Tensor, places: NumPyArray, axis: int) -> Tensor:
    """Return a tensor's elements at a vector of places along an axis, none out of bounds."""
    if tensor.format.is_dense:
        return from_dense(np.take(to_dense(tensor), places, axis), tensor.fill)
    format = taken_along(tensor.format, axis)
    if not is_plain(tensor):
        if not is_listed(tensor):
            check_density(tensor)
        if tensor.format.order[0] == axis and type(tensor.format.root) is Dense:
            return _of_fibers(tensor, places, axis, format)
        if not is_listed(tensor):
            return compute.in_format(_at_points(tensor, places, axis), format)
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
    axes, values = rows(tensor, places)
    shape = (*tensor.shape[:axis], len(places), *tensor.shape[axis + 1 :])
    return listed(axes, values, shape, tensor.fill, format)


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
        root = _level(format.levels[depth], mine, below)(root)
    return Format(root, format.order, format.index)


def _level(level: Level, taken: bool, below: bool) -> Callable[[Level], Level]:
    kind = level.kind
    if not kind.is_sparse and kind.looser is not kind:
        return kind.looser.made
    if taken and kind.is_sparse and not kind.elementwise:
        return SparseList
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
        check_density(tensor)
        return from_dense(to_dense(tensor)[dense_of(mask)], tensor.fill)
    format = nested([False], (0,), tensor.format.index)
    if not mask.fill:
        places = places_of(mask)
        if is_plain(tensor):
            return gather(tensor, dict(enumerate(places)), 0, format)
        at = points(leaf(tensor), [from_dense(one.astype(np.int64)) for one in places])
        return compute.in_format(at, format) if is_listed(tensor) else compute.value(at)
    axes, values = coordinates(tensor)
    mine, known = flat(axes, tensor.shape), _marked(mask)
    number = np.searchsorted(known, mine)
    is_known = number < len(known)
    is_known[is_known] = known[number[is_known]] == mine[is_known]
    number, kept, count = mine - number, ~is_known, prod(tensor.shape) - len(known)
    return listed([number[kept]], values[kept], (count,), tensor.fill, format)


def _marked(mask: Tensor) -> NumPyArray:
    """The places in C order at which a mask differs from its fill."""
    axes, marks = coordinates(mask)
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
