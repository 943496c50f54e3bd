"""Indexing and assignment by index, as NumPy's; slices are lazy, the rest is computed."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from structarr._api.core.expressions import view
from structarr._api.core.gathering import gathered, selected
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.full import constant
from structarr._api.indexing.assigning import assigned
from structarr._api.indexing.keys import Key, parse
from structarr._array import Array, is_scipy, of_tensor, stored
from structarr._lazy import graph


@publish(operator.getitem)
def getitem(array: Array, key: Any) -> Array:
    """
    Return ``array[key]``.

    Slices, integers, None and ``...`` make a lazy view, in the format of slices. Arrays of integers
    and masks compute the array.
    """
    mask = _whole_mask(key, array)
    if mask is not None:
        return of_tensor(selected(stored(array), stored(mask)))
    found = parse(key, array.shape)
    part = view(lambda node: _windowed(node, found), array)
    return taken(part, found.arrays, found.place) if found.arrays else part


def taken(array: Array, arrays: dict[int, Any], place: int) -> Array:
    """Return the elements at places of some axes; the arrays of places fit one another."""
    tensor = stored(array)
    if not tensor.is_constant:
        return of_tensor(gathered(tensor, arrays, place))
    kept = [n for axis, n in enumerate(array.shape) if axis not in arrays]
    around = next(iter(arrays.values())).shape
    shape = (*kept[:place], *around, *kept[place:])
    return constant(shape, tensor.constant, array.dtype)


@publish(operator.setitem)
def setitem(array: Array, key: Any, value: Any) -> Array:
    """Return an array of the same format that differs from another in ``array[key]``."""
    given = as_array(value, array.dtype)  # refuses Python numbers that the dtype does not hold
    return of_tensor(assigned(stored(array), parse(key, array.shape), given))


def _whole_mask(key: Any, array: Array) -> Array | None:
    """A mask of all axes; NumPy's is taken as a list of places, unless much is left out."""
    if isinstance(key, tuple) and len(key) == 1:
        (key,) = key
    if not (isinstance(key, (Array, np.ndarray)) or is_scipy(key)):
        return None
    fits = key.dtype == bool and key.shape == array.shape and array.ndim > 0
    return as_array(key) if fits else None


def _windowed(node: graph.Node, key: Key) -> graph.Node:
    starts, steps, lengths = zip(*key.windows, strict=True) if key.windows else ((), (), ())
    part = graph.squeeze(graph.window(node, starts, steps, lengths), key.dropped)
    return graph.expand_dims(part, key.new)
