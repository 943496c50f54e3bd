"""Elements read at arrays of places: of dense arrays by NumPy, of others by their entries."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from math import prod

import numpy as np

from structarr._api.core.entry_lists import (
    converted,
    dense_of,
    flat,
    is_listed,
    listed,
    matches,
    nested,
    unflat,
    with_room,
)
from structarr._array import NumPyArray
from structarr._storage.coordinates import coordinates, rows
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.density import check_density, check_size
from structarr._storage.tensor import Tensor
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
    kept = [axis for axis in range(tensor.ndim) if axis not in arrays]
    places = list(arrays.values())
    if tensor.format.is_dense:
        return _of_dense(tensor, list(arrays), places, place)
    around = places[0].shape
    lengths = [tensor.shape[axis] for axis in kept]
    shape = (*lengths[:place], *around, *lengths[place:])
    if not is_listed(tensor):
        check_density(tensor)
    axes, number, values = _entries(tensor, arrays)
    left = [axes[axis] for axis in kept]
    found = [*left[:place], *unflat(number, around), *left[place:]]
    if len(around) == 1 and len(arrays) == 1 and place in arrays:
        format = taken_along(tensor.format, place)
    else:
        format = lists_below(tensor.format, kept, list(arrays), len(around), place)
    return listed(found, values, shape, tensor.fill, format)


def _of_dense(tensor: Tensor, axes: list[int], places: list[NumPyArray], place: int) -> Tensor:
    front = np.moveaxis(to_dense(tensor), axes, range(len(axes)))
    ndim = places[0].ndim
    found = front[tuple(places)]
    return from_dense(np.moveaxis(found, range(ndim), range(place, place + ndim)))


def _entries(tensor: Tensor, arrays: Arrays) -> tuple[list[NumPyArray], NumPyArray, NumPyArray]:
    """The entries at the places: their coordinates, the number of the place, and the values."""
    (first, places), *more = arrays.items()
    outermost = tensor.format.order[0] == first and type(tensor.format.root) is Dense
    if outermost and not more:  # rows are found without a search of all entries
        axes, values = rows(tensor, places.reshape(-1))
        return list(axes), axes[first], values
    axes, values = coordinates(tensor)
    lengths = tuple(tensor.shape[axis] for axis in arrays)
    have = flat([axes[axis] for axis in arrays], lengths)
    wanted = flat([one.reshape(-1) for one in arrays.values()], lengths)
    entry, number = matches(have, wanted)
    return [axis[entry] for axis in axes], number, values[entry]


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


def lists_below(format: Format, kept: list[int], taken: list[int], ndim: int, place: int) -> Format:
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
    if not is_listed(tensor) or tensor.ndim == 0:
        check_density(tensor)
        return from_dense(to_dense(tensor)[dense_of(mask)])
    axes, values = coordinates(tensor)
    mine = flat(axes, tensor.shape)
    known = _marked(mask)
    number = np.searchsorted(known, mine)
    is_known = number < len(known)
    is_known[is_known] = known[number[is_known]] == mine[is_known]
    if mask.fill:  # the marked places are the false ones
        number, kept, count = mine - number, ~is_known, prod(tensor.shape) - len(known)
    else:
        kept, count = is_known, len(known)
    format = nested([False], (0,), tensor.format.index)
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
        dense = from_dense(to_dense(tensor).reshape(shape))
        if not (tensor.ndim and shape and tensor.format.levels[-2].kind.covers):
            return dense
        natural, last = tuple(range(len(shape))), tensor.format.levels[-2].above(Element())
        return converted(dense, nested([True] * len(shape[1:]), natural, tensor.format.index, last))
    axes, values = coordinates(tensor)
    outer = tensor.format.root.kind.arithmetic and len(shape) > 1
    flags = [outer and number == 0 for number in range(len(shape))]
    format = with_room(nested(flags, tuple(range(len(shape))), tensor.format.index), shape)
    check_rows(tensor, format, shape)
    return listed(unflat(flat(axes, tensor.shape), shape), values, shape, tensor.fill, format)
