"""Shapes: views that move no data, joining, and the questions NumPy asks of any array."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from structarr import _dtypes, _graph
from structarr._api.expressions import cast, derive, viewed
from structarr._api.operands import as_array, as_shape, owned
from structarr._api.publish import publish
from structarr._array import Array, stored

Axes: TypeAlias = int | Sequence[int]


def _view(make: Callable[[_graph.Node], _graph.Node], array: Array) -> Array:
    return owned(viewed(make, array))


@publish(np.transpose)
def permute_dims(x: Any, /, axes: Sequence[int] | None = None) -> Array:
    """
    Permute axes: axis `k` of the result is axis `axes[k]`; None reverses them.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.permute_dims(sa.asarray([[1, 2, 3]]), (1, 0)).shape
    (3, 1)
    """
    array = as_array(x)
    if axes is None:
        return _permuted(array, tuple(reversed(range(array.ndim))))
    order = np.lib.array_utils.normalize_axis_tuple(axes, array.ndim, "axes")
    if len(order) != array.ndim:
        raise ValueError(f"axes don't match array: {tuple(order)} for {array.ndim} axes")
    return _permuted(array, order)


def _permuted(array: Array, order: tuple[int, ...]) -> Array:
    if order == tuple(range(array.ndim)):
        return owned(array)
    return _view(lambda node: _graph.permute(node, order), array)


@publish(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x: Any, /) -> Array:
    """Exchange the last two axes."""
    array = as_array(x)
    if array.ndim < 2:
        raise ValueError(
            f"matrix transpose with ndim < 2 is undefined, and ndim is {array.ndim}; add an axis "
            "with expand_dims"
        )
    return swapaxes(array, -1, -2)


@publish(np.swapaxes)
def swapaxes(x: Any, axis1: int, axis2: int) -> Array:
    """Exchange two axes."""
    array = as_array(x)
    order = list(range(array.ndim))
    first, second = (_axis(axis, array.ndim) for axis in (axis1, axis2))
    order[first], order[second] = second, first
    return _permuted(array, tuple(order))


@publish(np.moveaxis)
def moveaxis(x: Any, source: Axes, destination: Axes, /) -> Array:
    """
    Move axes to other places; the rest keep their order.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.moveaxis(sa.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    array = as_array(x)
    normalize = np.lib.array_utils.normalize_axis_tuple
    origins = normalize(source, array.ndim, "source")
    places = normalize(destination, array.ndim, "destination")
    if len(origins) != len(places):
        raise ValueError(
            "`source` and `destination` arguments must have the same number of elements"
        )
    order = [axis for axis in range(array.ndim) if axis not in origins]
    for place, origin in sorted(zip(places, origins, strict=True)):
        order.insert(place, origin)
    return _permuted(array, tuple(order))


@publish(np.expand_dims)
def expand_dims(x: Any, /, axis: Axes = 0) -> Array:
    """
    Add axes of length one, at positions of the result.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.expand_dims(sa.asarray([1, 2]), axis=1).shape
    (2, 1)
    """
    array = as_array(x)
    count = 1 if np.ndim(axis) == 0 else len(tuple(axis))  # type: ignore[arg-type]
    ndim = array.ndim + count
    places = tuple(sorted(np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")))
    return _view(lambda node: _graph.expand_dims(node, places), array)


@publish(np.squeeze)
def squeeze(x: Any, /, axis: Axes | None = None) -> Array:
    """
    Remove axes of length one, all of them by default.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.squeeze(sa.asarray([[1, 2]]), axis=0).shape
    (2,)
    """
    array = as_array(x)
    shape = array.shape
    # NumPy lets a scalar be squeezed along its last axis.
    if axis is None or (not shape and axis in (0, -1)):
        places = tuple(place for place, length in enumerate(shape) if length == 1)
    else:
        places = tuple(sorted(np.lib.array_utils.normalize_axis_tuple(axis, array.ndim, "axis")))
    long = [place for place in places if shape[place] != 1]
    if long:
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one: axis "
            f"{long[0]} of shape {shape}"
        )
    return _view(lambda node: _graph.squeeze(node, places), array)


@publish(np.reshape)
def reshape(x: Any, /, shape: Axes, order: Any = "C", *, copy: bool | None = None) -> Array:
    """
    Give an array another shape that differs in axes of length one only.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.reshape(sa.asarray([1, 2]), (1, 2, 1)).shape
    (1, 2, 1)
    """
    array = as_array(x)
    wanted = _wanted(shape, array)
    if [n for n in wanted if n != 1] != [n for n in array.shape if n != 1]:
        raise NotImplementedError(
            f"reshape from {array.shape} to {wanted} moves data, which is not there yet: only axes "
            "of length one can come and go; reshape a NumPy array instead: a.todense().reshape(...)"
        )
    if wanted == array.shape:
        return owned(array)
    ones = tuple(place for place, length in enumerate(wanted) if length == 1)
    gone = tuple(place for place, length in enumerate(array.shape) if length == 1)
    return _view(lambda node: _graph.expand_dims(_graph.squeeze(node, gone), ones), array)


def _wanted(shape: Axes, array: Array) -> tuple[int, ...]:
    lengths = [operator.index(n) for n in np.atleast_1d(np.asarray(shape, dtype=np.int64))]
    if lengths.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    known = math.prod(n for n in lengths if n != -1)
    if -1 in lengths and known and array.size % known == 0:
        lengths[lengths.index(-1)] = array.size // known
    if -1 in lengths or math.prod(lengths) != array.size:
        raise ValueError(f"cannot reshape array of size {array.size} into shape {tuple(lengths)}")
    return tuple(lengths)


@publish(np.broadcast_to)
def broadcast_to(x: Any, /, shape: Axes, subok: bool = False) -> Array:
    """
    Repeat an array along axes of length one, and along new axes in front, without copies.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.broadcast_to(sa.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2], [1, 2]]
    """
    array = as_array(x)
    wanted = as_shape(shape)
    try:
        fits = np.broadcast_shapes(array.shape, wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{array.shape} and requested shape {wanted}"
        )
    return _view(lambda node: _graph.broadcast_to(node, wanted), array)


@publish(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    """Broadcast arrays to their common shape."""
    given = [as_array(x) for x in arrays]
    common = np.broadcast_shapes(*[array.shape for array in given])
    return tuple(broadcast_to(array, common) for array in given)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """Return the shape that arrays of some shapes are broadcast to."""
    return np.broadcast_shapes(*shapes)


@publish(np.meshgrid)
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """
    Spread vectors over a grid: each result varies along one axis.

    Parameters
    ----------
    *arrays : array_like
        Vectors of the coordinates.
    indexing : {"xy", "ij"}
        Whether the first two axes are exchanged.

    Examples
    --------
    >>> import structarr as sa
    >>> [grid.tolist() for grid in sa.meshgrid([1, 2], [3, 4], indexing="ij")]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    given = [as_array(x) for x in arrays]
    if any(array.ndim > 1 for array in given):
        raise ValueError("meshgrid takes vectors; reshape the operands to one axis")
    count = len(given)
    grids = broadcast_arrays(
        *(
            reshape(array, (1,) * place + (-1,) + (1,) * (count - place - 1))
            for place, array in enumerate(given)
        )
    )
    return tuple(swapaxes(x, 0, 1) for x in grids) if indexing == "xy" and count > 1 else grids


@publish(np.concatenate)
def concat(
    arrays: Sequence[Any],
    /,
    axis: int | None = 0,
    out: None = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Array:
    """
    Join arrays one after the other along an axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Their shapes agree in all other axes.
    axis : int, optional
        Along which to join; None joins flat arrays.
    out : None
        Not supported: arrays are values.
    dtype : dtype, optional
        Of the result; None stands for what promotion gives.
    casting : str
        Which casts to `dtype` are allowed.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.concat([sa.asarray([1, 2]), [3]]).tolist()
    [1, 2, 3]
    """
    if out is not None:
        raise TypeError("concatenate: out= is not supported; bind the result to a name")
    given = [as_array(x) for x in arrays]
    if not given:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        given, axis = [_flat(array) for array in given], 0
    if not given[0].ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated; expand_dims first")
    _check_joinable(given, _axis(axis, given[0].ndim))
    joined = np.result_type(*[array.dtype for array in given])
    if dtype is not None:
        joined = _dtypes.check(dtype)
        given = [cast(array, joined, casting, "array data") for array in given]
    place = _axis(axis, given[0].ndim)
    return derive(lambda *nodes: _graph.concatenate(nodes, place, joined), *given)


concatenate = concat


def _flat(array: Array) -> Array:
    return reshape(array, (-1,)) if array.ndim != 1 else array


def _check_joinable(arrays: Sequence[Array], axis: int) -> None:
    first = arrays[0].shape
    for number, array in enumerate(arrays):
        if array.ndim != len(first):
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index "
                f"0 has {len(first)} dimension(s) and the array at index {number} has "
                f"{array.ndim} dimension(s)"
            )
        for place, (mine, length) in enumerate(zip(array.shape, first, strict=True)):
            if place != axis and mine != length:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match "
                    f"exactly, but along dimension {place}, the array at index 0 has size {length} "
                    f"and the array at index {number} has size {mine}"
                )


@publish(np.stack)
def stack(arrays: Sequence[Any], /, axis: int = 0, out: None = None, *, dtype: Any = None) -> Array:
    """
    Join arrays of one shape along a new axis.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.stack([sa.asarray([1, 2]), [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    given = [as_array(x) for x in arrays]
    if not given:
        raise ValueError("need at least one array to stack")
    if any(array.shape != given[0].shape for array in given):
        raise ValueError("all input arrays must have the same shape")
    place = _axis(axis, given[0].ndim + 1)
    return concat([expand_dims(array, axis=place) for array in given], place, out, dtype=dtype)


@publish(np.vstack)
def vstack(arrays: Sequence[Any], *, dtype: Any = None) -> Array:
    """Join arrays by rows; a vector is a row."""
    return concat([atleast_2d(x) for x in arrays], 0, dtype=dtype)


@publish(np.hstack)
def hstack(arrays: Sequence[Any], *, dtype: Any = None) -> Array:
    """Join arrays by columns; vectors end to end."""
    given = [atleast_1d(x) for x in arrays]
    return concat(given, 0 if given and given[0].ndim == 1 else 1, dtype=dtype)


@publish(np.atleast_1d)
def atleast_1d(x: Any) -> Array:
    """Return an array of one axis or more."""
    array = as_array(x)
    return owned(array) if array.ndim else expand_dims(array, axis=0)


@publish(np.atleast_2d)
def atleast_2d(x: Any) -> Array:
    """Return an array of two axes or more; new ones are in front."""
    array = as_array(x)
    missing = max(0, 2 - array.ndim)
    return expand_dims(array, axis=tuple(range(missing))) if missing else owned(array)


def _axis(axis: int, ndim: int) -> int:
    place: int = np.lib.array_utils.normalize_axis_index(axis, ndim)
    return place


@publish(np.shape)
def shape(a: Any) -> tuple[int, ...]:
    """Return the lengths of the axes."""
    return as_array(a).shape


@publish(np.ndim)
def ndim(a: Any) -> int:
    """Return the number of axes."""
    return as_array(a).ndim


@publish(np.size)
def size(a: Any, axis: Axes | None = None) -> int:
    """Return the number of elements, or of those along an axis."""
    array = as_array(a)
    if axis is None:
        return array.size
    places = np.lib.array_utils.normalize_axis_tuple(axis, array.ndim, "axis")
    return math.prod(array.shape[place] for place in places)


@publish(np.copy)
def copy(a: Any, order: Any = "K", subok: bool = False) -> Array:
    """Return an array of the same value that shares no buffer with any other."""
    return as_array(a).copy()


@publish(np.shares_memory, np.may_share_memory)
def shares_memory(a: Any, b: Any, /, max_work: int | None = None) -> bool:
    """Return whether any buffers of two arrays overlap."""
    pairs = product(_buffers(a), _buffers(b))
    return any(np.may_share_memory(mine, others) for mine, others in pairs)


def _buffers(value: Any) -> tuple[Any, ...]:
    return stored(value).buffers if isinstance(value, Array) else (value,)
