"""Images as runs: of one dtype, along their last axis, as a volume of three axes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.creation.full import zeros
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import in_runs, runs, skipping
from structarr._array import Array, of_tensor, stored
from structarr._language.runs.call import runs_format
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike


def truth(image: ArrayLike) -> Array:
    """An image of booleans, stored as runs of what is not 0."""
    array = as_runs(with_axes(image))
    if array.dtype == np.bool_:
        return array
    rows = (prod(array.shape[:-1]), array.shape[-1])
    found = _nonzero(of_tensor(reshaped(stored(array), rows)))
    return of_tensor(reshaped(stored(found), array.shape))


def labelled(labels: ArrayLike) -> Array:
    """A map of labels, stored as runs; booleans are the labels 0 and 1."""
    return of_tensor(labelled_runs(labels))


def labelled_runs(labels: ArrayLike) -> Tensor:
    """The tensor of such a map."""
    array = with_axes(labels)
    if array.dtype.kind not in "iub":
        raise TypeError(f"labels are integers, not {array.dtype}")
    return _runs_of(array)


def with_axes(image: ArrayLike) -> Array:
    """An array that has an axis at least."""
    array = as_array(image)
    if not array.ndim:
        raise ValueError("an image has an axis at least")
    return array


def as_runs(array: Array) -> Array:
    """The same array, 0 where nothing is stored, its last axis stored as runs."""
    return of_tensor(_runs_of(array))


def _runs_of(array: Array) -> Tensor:
    """The tensor of that."""
    tensor = in_runs(array)
    if not tensor.fill:
        return tensor
    rows = (prod(tensor.shape[:-1]), tensor.shape[-1])
    filled = with_gaps(of_tensor(reshaped(tensor, rows)), tensor.fill)
    return reshaped(stored(filled), tensor.shape)


@kernel
def _nonzero(rows: Any) -> Any:
    """Rows of what is stored; runs that touch are one."""
    found = zeros(rows.shape, dtype=np.bool_)
    for i in range(rows.shape[0]):
        for start, stop, _value in runs(rows[i]):
            found[i, start:stop] = True
    return found


@kernel
def with_gaps(rows: Any, fill: Any) -> Any:
    """The same rows, in which what is between runs is stored, too."""
    found = zeros(rows.shape, dtype=rows.dtype)
    for i in range(rows.shape[0]):
        end = 0
        for start, stop, value in runs(rows[i]):
            found[i, end:start] = fill
            found[i, start:stop] = value
            end = stop
        found[i, end : rows.shape[1]] = fill
    return found


def planes_and_rows(array: Array | Tensor) -> tuple[int, int]:
    """How many planes an image of one to three axes has, and how many rows each of them."""
    if array.ndim > 3:
        raise ValueError(f"images have one to three axes, not {array.ndim}")
    depth, height, _ = (1, 1, *array.shape)[-3:]
    return depth, height


def as_volume(array: Array) -> Array:
    """The runs of an image of one to three axes as a volume's, whose first axes have length 1."""
    tensor = stored(array)
    planes_and_rows(array)
    return of_tensor(reshaped(tensor, (1,) * (3 - tensor.ndim) + tensor.shape))


def reshaped(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The same runs in rows of another shape."""
    wanted = runs_format(len(shape), tensor.format.index)
    return Tensor(wanted, shape, tensor.dtype, tensor.fill, tensor.buffers, skipping(tensor))


def with_values(array: Array | Tensor, values: np.ndarray) -> Array:
    """The runs of an array with other values, one for each; none is 0."""
    tensor = array if isinstance(array, Tensor) else stored(array)
    buffers = (*tensor.buffers[:-1], values)
    fill = values.dtype.type(0)
    return of_tensor(Tensor(tensor.format, tensor.shape, values.dtype, fill, buffers))


def values_of(array: Array) -> np.ndarray:
    """The values of an array's runs, in their order."""
    return np.asarray(stored(array).buffers[-1])
