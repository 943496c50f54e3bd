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
    with_room,
)
from structarr._api.core.fibers import places_of
from structarr._array import NumPyArray
from structarr._execute import compute
from structarr._execute.dense_values import dense_values
from structarr._lazy.graph import Node, leaf
from structarr._lazy.points import points
from structarr._storage.coordinates import coordinates, rows
from structarr._storage.dense import from_dense, from_own, to_dense
from structarr._storage.density import check_density, check_size
from structarr._storage.gather import gather
from structarr._storage.memo import owning
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import along_axes, entries_of, is_listed as is_plain
from structarr.formats import Dense, Element, Format, Level, SparseList, SparseVBL

Arrays = dict[int, NumPyArray]


def gathered(tensor: Tensor, arrays: Arrays, place: int) -> Tensor:
    """
    Return a tensor's elements at places of some axes.

    Parameters
    ----------
    tensor : Tensor
        What is read.
    arrays : dict
        For each such axis the places on it, all of one shape and none out of bounds.
    place : int
        Which axis of the result the first one of the arrays is; the axes that are left stand
        around them.
    """
    kept = tuple([axis for axis in range(tensor.ndim) if axis not in arrays])
    places = list(arrays.values())
    if tensor.format.is_dense:
        return _of_dense(tensor, list(arrays), places, place)
    ndim = places[0].ndim
    if ndim == 1 and len(arrays) == 1 and place in arrays:
        format = taken_along(tensor.format, place)
    else:
        format = lists_below(tensor.format, kept, tuple(arrays), ndim, place)
    if not is_plain(tensor):
        if not is_listed(tensor):
            check_density(tensor)
        if _by_fibers(tensor, arrays):
            return _of_fibers(tensor, arrays, place, format)
        if not is_listed(tensor):
            return compute.in_format(_at_points(tensor, arrays, kept, place), format)
        tensor = in_lists(tensor)
    built = built_of(format)
    found = owning(gather(tensor, arrays, place, built), tensor)
    return converted(found, format)


def _at_points(tensor: Tensor, arrays: Arrays, kept: tuple[int, ...], place: int) -> Node:
    """The elements at places of some axes, and at all of the others, one by one."""
    around = next(iter(arrays.values())).shape
    lengths = [tensor.shape[axis] for axis in kept]
    shape = (*lengths[:place], *around, *lengths[place:])
    after = len(kept) - place
    found = []
    for axis in range(tensor.ndim):
        if axis in arrays:
            own = arrays[axis].reshape((1,) * place + around + (1,) * after)
        else:
            number = kept.index(axis)
            ones = [1] * len(shape)
            ones[number if number < place else number + len(around)] = tensor.shape[axis]
            own = np.arange(tensor.shape[axis]).reshape(ones)
        full = np.broadcast_to(own, shape)
        found.append(from_dense(np.ascontiguousarray(full, np.int64)))
    return points(leaf(tensor), found)


def _by_fibers(tensor: Tensor, arrays: Arrays) -> bool:
    """Whether not all that is stored need be looked at."""
    outermost = tensor.format.order[0] in arrays and type(tensor.format.root) is Dense
    return outermost and len(arrays) == 1


def _of_fibers(tensor: Tensor, arrays: Arrays, place: int, format: Format) -> Tensor:
    ((axis, places),) = arrays.items()
    axes, values = rows(tensor, places.reshape(-1))
    left = [one for number, one in enumerate(axes) if number != axis]
    lengths = [n for number, n in enumerate(tensor.shape) if number != axis]
    found = [*left[:place], *unflat(axes[axis], places.shape), *left[place:]]
    shape = (*lengths[:place], *places.shape, *lengths[place:])
    return listed(found, values, shape, tensor.fill, format)


def _of_dense(tensor: Tensor, axes: list[int], places: list[NumPyArray], place: int) -> Tensor:
    front = np.moveaxis(to_dense(tensor), axes, range(len(axes)))
    ndim = places[0].ndim
    found = front[tuple(places)]
    moved = np.moveaxis(found, range(ndim), range(place, place + ndim))
    return from_dense(moved, tensor.fill)


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
def lists_below(
    format: Format, kept: tuple[int, ...], taken: tuple[int, ...], ndim: int, place: int
) -> Format:
    """
    Return lists, below the first axes if they store every element.

    The axes are those that are kept, with `ndim` new ones for those taken, from `place` on.
    """
    levels = zip(format.order, format.levels, strict=False)
    full = {axis: not level.kind.is_sparse for axis, level in levels}
    axes = [full[axis] for axis in kept]
    flags = [*axes[:place], *[all(full[axis] for axis in taken)] * ndim, *axes[place:]]
    first = flags.index(False) if False in flags else len(flags)
    dense = [number < first for number in range(len(flags))]
    return nested(dense, tuple(range(len(flags))), format.index)


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


def check_rows(tensor: Tensor, like: Format, shape: tuple[int, ...]) -> None:
    """Raise DensificationError if a result of lists has far more fibers than an operand holds."""
    levels = zip(like.levels, like.order, strict=False)
    fibers = prod(shape[axis] for _, axis in takewhile(lambda one: one[0].kind.arithmetic, levels))
    what = f"a result of shape {shape} with pointers to {fibers} lists"
    check_size(8 * fibers, what, 'convert with .asformat("csf") first', tensor.nbytes)


def reshaped(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """
    Return a tensor's elements in C order in another shape.

    A tensor that leaves elements out becomes lists, below the first axis if its first level stores
    every index; runs stay runs.
    """
    if not is_listed(tensor):
        check_density(tensor)
        dense = from_own(dense_values(tensor).reshape(shape), tensor.fill)
        if not (tensor.ndim and shape and tensor.format.levels[-2].kind.covers):
            return dense
        natural, last = tuple(range(len(shape))), tensor.format.levels[-2].above(Element())
        return converted(dense, nested([True] * len(shape[1:]), natural, tensor.format.index, last))
    axes, values = entries_of(along_axes(tensor if is_plain(tensor) else in_lists(tensor)))
    outer = tensor.format.root.kind.arithmetic and len(shape) > 1
    flags = [outer and number == 0 for number in range(len(shape))]
    format = with_room(nested(flags, tuple(range(len(shape))), tensor.format.index), shape)
    check_rows(tensor, format, shape)
    return listed(unflat(flat(axes, tensor.shape), shape), values, shape, tensor.fill, format)
