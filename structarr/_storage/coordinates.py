"""Conversions of tensors to and from lists of coordinates, by NumPy without kernels.

They share no code with the compiler, so its tests compare kernels with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np

from structarr._storage.buffers import conformed, settled
from structarr._storage.density import check_pointers
from structarr._storage.entry_order import are_in_order, changes, entry_order
from structarr._storage.invariants import checked_fill, checked_shape
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import (
    Coordinate,
    Dense,
    Element,
    Format,
    Level,
    Singleton,
    SparseList,
    name_of,
)
from structarr.formats.entries import Array, Entries, Fibers

Buffers: TypeAlias = tuple[Array, ...]

ENTRIES = (Coordinate, Singleton, Element)  # of a matrix that is one list of entries

_ELEMENT = Element()


def is_listed(tensor: Tensor) -> bool:
    """Whether a tensor leaves something out, so that a list of its entries is of its size."""
    return any(level.kind.is_sparse for level in tensor.format.levels)


def nested(
    dense: Sequence[bool], order: Sequence[int], index: str, last: Level = _ELEMENT
) -> Format:
    """Return a format of levels that are dense or lists, told from the outermost, above others."""
    root = last
    for one in reversed(dense):
        root = Dense(root) if one else SparseList(root)
    return Format(root, tuple(order), index)


def coordinates(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """
    Return the coordinates of all that a tensor stores, an int64 array an axis, and the values.

    They come in storage order. A run counts as an entry at each of its indices.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> (rows, columns), values = coordinates(from_dense(np.array([[5, 6], [7, 8]])))
    >>> columns.tolist(), values.tolist()
    ([0, 1, 0, 1], [5, 6, 7, 8])
    """
    values = _ROOT.position if tensor.ndim else tensor.values_at(_ROOT.position)
    return _listed(tensor, levels_above_leaf(tensor), _ROOT, [], values)


def rows(tensor: Tensor, places: Array) -> tuple[tuple[Array, ...], Array]:
    """Return coordinates and values of the fibers at some places of a dense first level.

    Coordinates on the first level are positions in `places`.
    """
    fibers = Fibers(places, places, np.zeros_like(places), tensor.dims[0])
    values = tensor.values_at(places) if tensor.ndim == 1 else places
    return _listed(tensor, levels_above_leaf(tensor)[1:], fibers, [np.arange(len(places))], values)


def _listed(
    tensor: Tensor,
    levels: list[tuple[Level, int, Buffers]],
    fibers: Fibers,
    found: list[Array],
    values: Array,
) -> tuple[tuple[Array, ...], Array]:
    """All entries of some levels in some fibers, whose coordinates above are given."""
    for level, dim, buffers in levels:
        entries = level.expand(fibers, dim, buffers)
        found = [coordinate[entries.fiber] for coordinate in found]
        found.append(entries.coordinate)
        values = _elements(tensor, level, fibers, entries)
        fibers = _below(fibers, entries, dim)
    by_axis = dict(zip(tensor.format.order, found, strict=True))
    return tuple(by_axis[axis] for axis in range(tensor.ndim)), values


def offsets(tensor: Tensor) -> tuple[Array, Array]:
    """Return the places of all entries in a C-ordered array of the tensor's shape, and values."""
    shape = tensor.shape
    strides = [prod(shape[axis + 1 :]) for axis in tensor.format.order]
    fibers, places = _ROOT, np.zeros(1, np.int64)
    values = _ROOT.position if tensor.ndim else tensor.values_at(_ROOT.position)
    for (level, dim, buffers), stride in zip(levels_above_leaf(tensor), strides, strict=True):
        entries = level.expand(fibers, dim, buffers)
        places = places[entries.fiber] + entries.coordinate * stride
        values = _elements(tensor, level, fibers, entries)
        fibers = _below(fibers, entries, dim)
    return places, values


def from_coordinates(
    coords: Sequence[Any],
    values: Any,
    shape: tuple[int, ...],
    fill: Any,
    format: Format,
) -> Tensor:
    """
    Make a tensor of coordinates in any order; values at the same place are added up.

    Parameters
    ----------
    coords : sequence of array_like
        An array of integers for each axis.
    values : array_like
        A value for each entry, of a dtype that can be stored.
    shape : tuple of int
        In the order of the axes.
    fill : scalar
        The value everywhere else.
    format : Format
        Of levels Dense, SparseList, Coordinate and Singleton.

    Raises
    ------
    FormatError
        If a coordinate is outside the shape, the lengths differ, or a level cannot be built so.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> tensor = from_coordinates(([1, 0, 1], [2, 0, 2]), [1.0, 5.0, 2.0], (2, 3), 0.0, csr)
    >>> [buffer.tolist() for buffer in tensor.buffers]
    [[0, 1, 2], [0, 2], [5.0, 3.0]]
    """
    flat = checked_values(values)
    if not len(coords) == len(shape) == format.ndim:
        raise FormatError(
            f"{len(coords)} arrays of coordinates, shape {shape} and format {name_of(format)} "
            f"of {format.ndim} axes must agree"
        )
    axes = [checked_axis(coord, axis, shape, len(flat)) for axis, coord in enumerate(coords)]
    sorted_axes, summed = _sorted([axes[axis] for axis in format.order], flat)
    own = [settled(axis) if any(axis is one for one in axes) else axis for axis in sorted_axes]
    return in_order(own, summed, shape, fill, format)


def in_order(
    axes: Sequence[Array], values: Array, shape: tuple[int, ...], fill: Any, format: Format
) -> Tensor:
    """Make a tensor of checked entries in storage order, of coordinates that nobody else has.

    The shape and the fill may be from outside.
    """
    extents = checked_shape(shape, format)
    if len(values) > dtypes.largest(format.index):
        raise FormatError(f"{len(values)} entries do not fit {format.index}; use index='int64'")
    return from_sorted([*axes], values, extents, checked_fill(fill, values.dtype), format)


def from_sorted(
    axes: list[Array], values: Array, shape: tuple[int, ...], fill: Any, format: Format
) -> Tensor:
    """Make a tensor of coordinates in storage order, all different, which are not checked."""
    dims = tuple([shape[axis] for axis in format.order])
    *places, leaf = _build(format, dims, axes, values, fill)
    index = [place.astype(format.index, copy=False) for place in places]
    return Tensor(format, shape, values.dtype, fill, (*index, leaf))


def levels_above_leaf(tensor: Tensor) -> list[tuple[Level, int, Buffers]]:
    """Return each level above the leaf with its extent and its buffers."""
    format = tensor.format
    return list(zip(format.levels[:-1], tensor.dims, tensor.level_buffers[:-1], strict=True))


def _elements(tensor: Tensor, level: Level, fibers: Fibers, entries: Entries) -> Array:
    """The values of the last level's entries; placeholders for another level."""
    if not level.child.leaf:
        return entries.child
    return level.evaluate(fibers, entries, tensor.values_at)


def _below(fibers: Fibers, entries: Entries, dim: int) -> Fibers:
    """The fibers that entries lead to."""
    return Fibers(entries.child, entries.coordinate, fibers.position[entries.fiber], dim)


_ROOT = Fibers(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), 1)


def checked_values(values: Any) -> Array:
    """A vector of values of a dtype that can be stored."""
    flat = conformed(values)
    if flat.ndim != 1:
        raise FormatError(f"values must have one dimension, not shape {flat.shape}")
    return flat.astype(dtypes.check(flat.dtype), copy=False)


def checked_axis(coord: Any, axis: int, shape: tuple[int, ...], count: int) -> Array:
    """Coordinates on an axis, as integers that are inside it; one for each of so many values."""
    array = conformed(coord)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.shape != (count,):
        raise FormatError(
            f"coordinates of axis {axis} have shape {array.shape}; one for each of the "
            f"{count} values is needed"
        )
    if array.dtype.kind not in "iu":
        raise FormatError(f"coordinates of axis {axis} must be integers, not {array.dtype}")
    # Below zero is far above as an unsigned integer.
    if array.size and array.view(f"u{array.itemsize}").max() >= shape[axis]:
        place = int(np.argmax((array < 0) | (array >= shape[axis])))
        raise FormatError(
            f"coordinates of axis {axis}: entry {place}, {array[place]}, is outside "
            f"[0, {shape[axis]})"
        )
    return array if array.dtype in (np.int32, np.int64) else array.astype(np.int64)


def _sorted(axes: list[Array], values: Array) -> tuple[list[Array], Array]:
    """Entries by coordinates, the first axis slowest, with equal places added up."""
    if len(values) < 2:
        return axes, values
    if not axes:
        return axes, _sums(values, np.zeros(1, np.int64))
    if are_in_order(axes, len(values)):
        return axes, values
    order = entry_order(axes, len(values))
    axes, values = [axis[order] for axis in axes], values[order]
    firsts = np.flatnonzero(changes(axes, len(values)))
    if len(firsts) == len(values):
        return axes, values
    return [axis[firsts] for axis in axes], _sums(values, firsts)


def _sums(values: Array, firsts: Array) -> Array:
    return np.add.reduceat(values, firsts, dtype=values.dtype)


def _build(
    format: Format, dims: tuple[int, ...], axes: list[Array], values: Array, fill: Any
) -> list[Array]:
    if tuple(map(type, format.levels)) == ENTRIES:  # which are stored as they are
        return [np.array([0, len(values)]), *axes, values]
    buffers: list[Array] = []
    position: Array = np.zeros(len(values), np.int64)
    fibers = 1
    for level, dim, coordinate in zip(format.levels[:-1], dims, axes, strict=True):
        if type(level) is Dense:
            position = position * dim + coordinate
            fibers *= dim
        elif type(level) is SparseList:
            check_pointers(fibers, tuple(dims))
            new = changes([position, coordinate], len(values))
            counts = np.bincount(position[new], minlength=fibers)
            buffers += [np.concatenate(([0], np.cumsum(counts))), coordinate[new]]
            position = np.cumsum(new) - 1
            fibers = int(np.count_nonzero(new))
        elif level.starts_group:
            counts = np.bincount(position, minlength=fibers)
            buffers += [np.concatenate(([0], np.cumsum(counts))), coordinate]
            position, fibers = np.arange(len(values)), len(values)
        elif level.continues_group:
            buffers.append(coordinate)
        else:
            raise FormatError(
                f"format {name_of(format)}: coordinates build levels Dense, SparseList, Coordinate "
                f"and Singleton, not {type(level).__name__}; build one of these and convert it "
                "with .asformat"
            )
    return [*buffers, _leaf(fibers, position, values, fill)]


def _leaf(fibers: int, position: Array, values: Array, fill: Any) -> Array:
    if fibers == len(values):
        # Positions increase strictly, so each has a value.
        return values
    leaf = np.full(fibers, fill, values.dtype)
    leaf[position] = values
    return leaf


def with_room(format: Format, shape: tuple[int, ...], count: int = 0) -> Format:
    """A format with coordinates that are wide enough for some lengths and so many entries."""
    if format.index == "int64" or max(count, *shape, 0) <= dtypes.largest(format.index):
        return format
    return Format(format.root, format.order, "int64")
