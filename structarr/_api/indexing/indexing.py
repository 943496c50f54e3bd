"""Indexing and assignment by index, as NumPy's; slices and places along axes are lazy."""

from __future__ import annotations

import operator
from math import prod
from typing import Any

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.expressions import derive, view
from structarr._api.core.gathering import gathered, selected
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.full import constant
from structarr._api.indexing.assigning import assigned, masked
from structarr._api.indexing.keys import Key, Window, meshed, parse, whole_axes
from structarr._api.indexing.windows import part_of, windowed
from structarr._array import Array, NumPyArray, is_scipy, of_tensor, stored
from structarr._lazy import graph
from structarr._lazy.points import points
from structarr._scheduler.expected_entries import all_dense
from structarr._storage.change import Change, Renewal
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.gather import separable
from structarr._storage.reshape import flat
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_rows


@publish(operator.getitem)
def getitem(array: Array, key: Any) -> Array:
    """
    Return ``array[key]``.

    Slices, integers, None and ``...`` make a lazy view, in the format of slices. So does a vector
    of places or a mask along an axis, or along several as `ix_` makes them: ``a[rows] @ x`` copies
    no row. Other arrays of places, and masks of all axes, compute the array.
    """
    known = part_of(array, key)
    if known is not None:
        return known
    mask = _whole_mask(key, array)
    if mask is not None:
        return of_tensor(selected(stored(array), stored(mask)))
    lines = meshed(key, array.shape)
    if lines is not None and not all_dense(array._node):
        return derive(lambda node: _at_all(node, lines), array)
    found = parse(key, array.shape)
    if found.arrays and _comes_first(found, array):
        rows = taken(array, found.arrays, found.place)
        return view(lambda node: windowed(node, _of_rest(found)), rows)
    if found.arrays and not found.new and found.windows == whole_axes(array.shape):
        return taken(array, found.arrays, found.place)
    part = view(lambda node: windowed(node, found), array)
    return taken(part, found.arrays, found.place) if found.arrays else part


def _comes_first(key: Key, array: Array) -> bool:
    """Whether less is looked at where a matrix of rows is read at places before it is cut."""
    if array._tensor is None or key.new or array.ndim != 2 or len(key.arrays) != 1:
        return False
    (axis,) = key.arrays
    tensor = array._tensor
    outermost = is_rows(tensor.format) and tensor.format.order[0] == axis
    return outermost and key.windows[1 - axis] != (0, 1, array.shape[1 - axis])


def _of_rest(key: Key) -> Key:
    """An index without its array, for what was read at that."""
    ((axis, places),) = key.arrays.items()
    windows = list(key.windows)
    windows[axis : axis + 1] = [Window(0, 1, n) for n in places.shape]
    return Key(tuple(windows), (), (), {}, 0)


def taken(array: Array, arrays: dict[int, Any], place: int) -> Array:
    """Return the elements at places of some axes; the arrays of places fit one another.

    They are computed when they are looked at, unless all is dense.
    """
    if all_dense(array._node):
        return _taken_now(array, arrays, place)
    (axis, *_), (places, *others) = arrays, arrays.values()
    if not others and places.ndim == 1 and axis == place:
        return derive(lambda node: _at(node, axis, places), array)
    varying = separable(arrays)
    if varying is not None:
        return derive(lambda node: _taken_apart(node, arrays, varying, place), array)
    if len(arrays) == array.ndim > 1:
        return derive(lambda node: points(node, _as_tensors(arrays)), array)
    return derive(lambda node: _taken_together(node, arrays, place), array)


def _taken_together(node: graph.Node, arrays: dict[int, NumPyArray], place: int) -> graph.Node:
    """The elements at places of some axes that vary together: at places of one axis for all."""
    kept = [axis for axis in range(node.ndim) if axis not in arrays]
    lengths, rest = [node.shape[axis] for axis in arrays], [node.shape[axis] for axis in kept]
    around = next(iter(arrays.values())).shape
    places = flat([one.reshape(-1) for one in arrays.values()], tuple(lengths))
    joined = graph.reshape(graph.permute(node, (*arrays, *kept)), (prod(lengths), *rest))
    found = graph.reshape(_at(joined, 0, places), (*around, *rest))
    ndim = len(around)
    after = [ndim + k for k in range(len(kept))]
    return graph.permute(found, (*after[:place], *range(ndim), *after[place:]))


@eager
def _taken_now(array: Array, arrays: dict[int, NumPyArray], place: int) -> Array:
    """The elements of a dense array at places."""
    tensor = stored(array)
    front = np.moveaxis(to_dense(tensor), list(arrays), range(len(arrays)))
    ndim = next(iter(arrays.values())).ndim
    moved = np.moveaxis(front[tuple(arrays.values())], range(ndim), range(place, place + ndim))
    return of_tensor(from_dense(moved, tensor.fill))


def _as_tensors(arrays: dict[int, NumPyArray]) -> list[Tensor]:
    """Places on each axis, in the order of the axes."""
    return [from_dense(np.ascontiguousarray(arrays[axis], np.int64)) for axis in range(len(arrays))]


def _at(node: graph.Node, axis: int, places: NumPyArray) -> graph.Node:
    """A node at places along one axis."""
    return graph.take(node, from_dense(np.ascontiguousarray(places)), graph.Taking(axis, _formed))


def _formed(tensor: Tensor, places: Tensor, axis: int) -> Tensor:
    """The elements of a tensor at places along an axis."""
    if not tensor.is_constant:
        return gathered(tensor, places.buffers[-1], axis)
    shape = (*tensor.shape[:axis], *places.shape, *tensor.shape[axis + 1 :])
    return stored(constant(shape, tensor.constant, tensor.dtype))


def _taken_apart(
    node: graph.Node, arrays: dict[int, NumPyArray], varying: dict[int, int], place: int
) -> graph.Node:
    """The elements at all combinations of places of some axes, of one axis after another."""
    ndim = next(iter(arrays.values())).ndim
    lines = {axis: _line(one, varying.get(axis)) for axis, one in arrays.items()}
    node = _at_all(node, lines)
    of = {number: axis for axis, number in varying.items()}
    kept = [axis for axis in range(node.ndim) if axis not in arrays]
    ones = [axis for axis in arrays if axis not in varying]
    around = [of[number] for number in range(ndim) if number in of]
    order = (*kept[:place], *around, *kept[place:], *ones)
    node = graph.permute(node, order)
    node = graph.squeeze(node, tuple(range(len(order) - len(ones), len(order))))
    new = tuple(place + number for number in range(ndim) if number not in of)
    return graph.expand_dims(node, new)


def _at_all(node: graph.Node, lines: dict[int, NumPyArray]) -> graph.Node:
    """A node at all combinations of places along some axes."""
    whole = node
    for axis in sorted(lines, key=lambda axis: _turn(whole, axis, len(lines[axis]))):
        node = _at(node, axis, lines[axis])
    return node


def _turn(node: graph.Node, axis: int, count: int) -> float:
    """What orders the axes at places of which an array is read: first at those that leave least.

    Reading at places of the outermost axis passes over what is read, at others over all.
    """
    left = count / max(node.shape[axis], 1)
    outermost = node.kind == "leaf" and node.data.format.order[0] == axis
    return 2 * left - 1 if outermost else left


def _line(places: NumPyArray, along: int | None) -> NumPyArray:
    """The places along one axis of theirs; one place where they are all the same."""
    index = tuple(slice(None) if k == along else 0 for k in range(places.ndim))
    return places[index].reshape(-1)


def setitem(array: Array, key: Any, value: Any) -> Array:
    """Return an array of the same format that differs from another in ``array[key]``."""
    return of_tensor(changed(array, key, value).made())


@publish(operator.setitem)
def changed(array: Array, key: Any, value: Any) -> Change:
    """Return the change of an array's value that gets another one in ``array[key]``."""
    given = as_array(value, array.dtype)  # refuses Python numbers that the dtype does not hold
    mask = _whole_mask(key, array)
    if mask is not None and given.size == 1 and given.ndim < 2 and not all_dense(array._node):
        return Renewal(stored(array), masked(array, mask, given))
    return assigned(stored(array), parse(key, array.shape, kept=False), given)


def _whole_mask(key: Any, array: Array) -> Array | None:
    """A mask of all axes; NumPy's is taken as a list of places, unless much is left out."""
    if isinstance(key, tuple) and len(key) == 1:
        (key,) = key
    if not (isinstance(key, (Array, np.ndarray)) or is_scipy(key)):
        return None
    fits = key.dtype == bool and key.shape == array.shape and array.ndim > 0
    return as_array(key) if fits else None
