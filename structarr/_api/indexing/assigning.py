"""Assignment by index: another array that differs in some elements."""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from math import prod
from typing import Any, Final

import numpy as np

from structarr._api.core.entry_lists import (
    alike,
    converted,
    dense_of,
    is_listed,
    listed,
    nested,
    unflat,
)
from structarr._api.indexing.keys import Key
from structarr._api.indexing.region import Axes, Region, slices
from structarr._api.shape.manipulation import broadcast_to
from structarr._api.shape.reshaping import reshape
from structarr._array import Array, NumPyArray, stored
from structarr._execute import compute
from structarr._execute.stand_ins import stand_in
from structarr._lazy import graph
from structarr._lazy.graph import leaf
from structarr._storage.as_rows import in_rows
from structarr._storage.change import Change, Patch, Renewal
from structarr._storage.dense import from_dense
from structarr._storage.entry_order import longest_counted
from structarr._storage.put import put, takes_points, without
from structarr._storage.put_diagonal import put_on_diagonal
from structarr._storage.put_tiles import put_in_tiles
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import sides_of
from structarr._storage.transpose import entries_of, is_rows, kinds_of
from structarr._storage.views import diagonal_places, stores_diagonals
from structarr.formats import (
    Element,
    Format,
    Level,
    parse as parse_format,
)
from structarr.formats.kinds import BLOCKS

_MARKS: Final = 4  # places of an axis are marked in the time in which an entry of it is counted
_FILLS: Final = 4  # where every fourth value of a region is fill, its entries are taken out first
_FEW: Final = 4096  # elements that are listed whatever the array stores


def assigned(tensor: Tensor, key: Key, value: Array) -> Change:
    """
    Return the change of a tensor that gets the elements of an array, broadcast, at an index.

    The format is the first tensor's, or the nearest one that takes elements everywhere. An element
    that is assigned several times gets the last value, as in NumPy.
    """
    if value.size == 1 and key.point and takes_points(tensor):
        return put(tensor, [np.array([n]) for n in key.point], _number(value, tensor.dtype))
    diagonal = key.diagonal if stores_diagonals(tensor) else None
    on = None if diagonal is None else diagonal_places(tensor, diagonal[0])
    if diagonal is not None and on is not None and value.size == 1:
        offset, along = diagonal
        return put_on_diagonal(tensor, offset, on, along, _number(value, tensor.dtype))
    everything = tensor.format.is_dense and loosened(tensor.format) == tensor.format
    if everything and value.size == 1 and not key.arrays:
        return _among_all(tensor, slices(key.windows), _number(value, tensor.dtype))
    region = Region(tensor.shape, key)
    alone = reshape(value, ()) if value.size == 1 else None
    value = _fitted(value, region.shape).astype(tensor.dtype)
    if 0 in region.shape:
        return Renewal(tensor, tensor)
    if diagonal is not None and on is not None:
        offset, along = diagonal
        return put_on_diagonal(tensor, offset, on, along, _values(value, along.size))
    if everything:
        return _among_all(tensor, region.index, region.laid_out(dense_of(stored(value))))
    if not is_rows(loosened(tensor.format)):
        return _changed(tensor, region, value, alone)
    rows = in_rows(tensor, None)
    found = _changed(rows, region, value, alone)
    return found if rows is tensor else Renewal(tensor, found.made())


def _changed(tensor: Tensor, region: Region, value: Array, alone: Array | None) -> Change:
    """The change of a tensor in a region, by the first way that fits."""
    format, points = loosened(tensor.format), region.points
    if points is not None and sides_of(tensor.format) is not None:
        return put_in_tiles(tensor, points, _values(value, len(points[0])))
    chosen = _chosen(tensor, region, value, alone)
    if chosen is None:
        chosen = _chosen_one_by_one(tensor, region, value)
    if chosen is not None:
        return Renewal(tensor, compute.in_format(chosen, format))
    if not is_listed(tensor):
        return Renewal(tensor, _written(tensor, region, value))
    done = _put(tensor, region, value)
    if done is not None:
        return done
    axes, values = entries_of(tensor)
    kept = ~region.holds(axes)
    places, new = differing(stored(value), tensor.fill)
    number, places = region.targets(places, len(new))
    found = [np.concatenate([axis[kept], place]) for axis, place in zip(axes, places, strict=True)]
    both = np.concatenate([values[kept], new[number]])
    return Renewal(tensor, listed(found, both, tensor.shape, tensor.fill, format))


def _chosen(tensor: Tensor, region: Region, value: Array, alone: Array | None) -> graph.Node | None:
    """The choice between a value and a tensor, element by element; None where lists do better.

    The value is a number, which is `alone`, or an array for adjacent elements of each axis.
    """
    if tensor.format.is_dense or tensor.is_constant or takes_points(tensor):
        return None
    if not region.is_product or max(tensor.shape) > longest_counted(tensor.counts[-1]):
        return None
    lengths = tuple(window.length for window in region.windows)
    if alone is not None:
        new = alone.astype(tensor.dtype)._node
    elif region.known or any(window.step != 1 for window in region.windows):
        return None
    else:
        before = tuple(window.start for window in region.windows)
        new = graph.pad(reshape(value, lengths)._node, before, tensor.shape, 0)
    inside = [
        graph.expand_dims(_mask(mask), tuple(k for k in range(tensor.ndim) if k != axis))
        for axis, mask in enumerate(region.marks(tensor.shape))
        if not mask.all()
    ]
    if not inside:
        return graph.broadcast_to(new, tensor.shape)
    cond = reduce(lambda one, other: graph.elementwise("logical_and", (one, other)), inside)
    return graph.elementwise("where", (cond, new, leaf(tensor)))


def _chosen_one_by_one(tensor: Tensor, region: Region, value: Array) -> graph.Node | None:
    """The choice between a list of new elements and a tensor; None where other ways do better."""
    if tensor.format.is_dense or tensor.is_constant or takes_points(tensor):
        return None
    count = prod(region.shape)
    if sides_of(tensor.format) is not None or count > max(tensor.nstored, _FEW):
        return None
    values = _values(value, count)
    numbers, places = region.targets(list(unflat(np.arange(count), region.shape)), count)
    flags = [level.kind.arithmetic for level in tensor.format.levels[:-2]]
    fits = not flags or tensor.dims[0] <= longest_counted(len(numbers))
    lists = nested([one and fits for one in [*flags, False]], tensor.format.order, "int64")
    listing = places, tensor.shape, lists
    marks = _listed(np.ones(len(numbers), bool), *listing)
    return graph.elementwise("where", (marks, _listed(values[numbers], *listing), leaf(tensor)))


def _listed(values: NumPyArray, places: Axes, shape: tuple[int, ...], like: Format) -> graph.Node:
    return leaf(listed(places, values, shape, values.dtype.type(0), like))


def _mask(marks: NumPyArray) -> graph.Node:
    """A mask along an axis, as runs."""
    return leaf(converted(from_dense(marks), parse_format("rle", 1)))


def masked(array: Array, mask: Array, value: Array) -> Tensor:
    """Return a tensor with a number where a mask of its shape is true."""
    tensor, number = stored(array), reshape(value, ()).astype(array.dtype)
    chosen = graph.elementwise("where", (mask._node, number._node, leaf(tensor)))
    return compute.in_format(chosen, _kept_format(chosen, tensor))


def _kept_format(chosen: graph.Node, tensor: Tensor) -> Format | None:
    """The format of a choice between a tensor and others: its own, if that holds it, else looser.

    None stands for what the algebra gives, which is of the same levels.
    """
    if any(level.told for level in tensor.format.levels):
        found = stand_in(chosen)
        if found is not None and kinds_of(found.format) == kinds_of(tensor.format):
            return None
    return loosened(tensor.format)


def _put(tensor: Tensor, region: Region, value: Array) -> Change | None:
    """The change of lists in a region; None where entries have to be listed."""
    if not takes_points(tensor):
        return None
    points = region.points
    if points is not None:
        return put(tensor, points, _values(value, len(points[0])))
    longest = _MARKS * longest_counted(len(tensor.buffers[-1]))
    if not region.is_product or max(tensor.shape) > longest:
        return None
    count = prod(region.shape)
    places, new = differing(stored(value), tensor.fill)
    all_put = _FILLS * (count - len(new)) <= count
    if all_put and len(new) < count:
        places, new = list(unflat(np.arange(count), region.shape)), _values(value, count)
    number, found = region.targets(places, len(new))
    if all_put:  # each element of the region, so that none of it has to be taken out before
        return put(tensor, found, new[number])
    cleared = without(tensor, region.marks(tensor.shape))
    return Renewal(tensor, put(cleared, found, new[number]).made())


def _number(value: Array, dtype: np.dtype[Any]) -> NumPyArray:
    """The value of an array of one element, as a vector."""
    node = value._node
    if node.definition is None and node.kind == "constant" and node.dtype == dtype:
        return np.array([node.data])  # what most are: nothing is computed
    return _values(value if value.dtype == dtype else value.astype(dtype), 1)


def _values(value: Array, count: int) -> NumPyArray:
    """The values at so many points, in their order."""
    given = stored(value)
    return np.full(count, given.constant) if given.is_constant else dense_of(given).reshape(-1)


@lru_cache(maxsize=256)
def loosened(format: Format) -> Format:
    """Return a format that any element can be added to, of whatever value."""
    *levels, leaf = format.levels
    # Tiles below a constant level would not be of a matrix.
    apart = bool(levels) and levels[0].kind.is_constant
    # A leaf without values needs a level above it that stores exactly the elements unlike the fill.
    keeps = leaf.writing.writable and (leaf.buffers or not _is_widened(levels[-1], apart))
    root = leaf if keeps else Element()
    for level in reversed(levels):
        wider = _is_widened(level, apart)
        root = level.kind.looser.made(root) if wider else level.above(root)
    return Format(root, format.order, format.index)


def _is_widened(level: Level, apart: bool) -> bool:
    """Whether a level gives way to a looser one; `apart` says that the outermost one does."""
    return level.kind.looser is not level.kind or (apart and level.kind is BLOCKS)


def _fitted(value: Array, shape: tuple[int, ...]) -> Array:
    extra = value.ndim - len(shape)
    if extra > 0 and all(n == 1 for n in value.shape[:extra]):
        value = reshape(value, value.shape[extra:])
    try:
        return broadcast_to(value, shape)
    except ValueError:
        raise ValueError(
            f"could not broadcast input array from shape {value.shape} into shape {shape}"
        ) from None


def _among_all(tensor: Tensor, index: Any, values: NumPyArray) -> Patch:
    """The change of a tensor that stores every element where NumPy finds it."""
    return Patch(tensor, index, values, partial(_laid_out, tensor.dims, tensor.format.order))


def _laid_out(dims: tuple[int, ...], order: tuple[int, ...], values: NumPyArray) -> NumPyArray:
    """The view of a dense tensor's values by the user's axes."""
    if len(dims) == 1:
        return values
    return values.reshape(dims).transpose([*map(order.index, range(len(order)))])


def _written(tensor: Tensor, region: Region, value: Array) -> Tensor:
    """An array that is written by NumPy, in a format that finds every element."""
    dense = dense_of(tensor)
    dense[region.index] = region.laid_out(dense_of(stored(value)))
    return converted(from_dense(dense, tensor.fill), loosened(tensor.format))


def differing(value: Tensor, fill: Any) -> tuple[Axes, NumPyArray]:
    """Return the coordinates and the values of the elements that differ from a fill."""
    if value.is_constant and alike(value.constant, fill).all():
        return [np.zeros(0, np.int64)] * value.ndim, np.zeros(0, value.dtype)
    if is_listed(value) and alike(value.fill, fill).all():
        axes, values = entries_of(value)
        return list(axes) or [np.zeros(0, np.int64)] * value.ndim, values
    dense = dense_of(value)
    differs = ~alike(dense, fill)
    return list(np.nonzero(differs)) if dense.ndim else [], dense[differs].reshape(-1)
