"""Shapes: views that move no data, and NumPy's functions of any array's shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._api.core.expressions import named, view
from structarr._api.core.operands import as_array, as_shape, owned
from structarr._api.core.publish import member, publish
from structarr._array import Array
from structarr._lazy import graph

Axes: TypeAlias = int | Sequence[int]


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
    order = axes_in(axes, array.ndim, "axes")
    if len(order) != array.ndim:
        raise ValueError(f"axes don't match array: {tuple(order)} for {array.ndim} axes")
    return _permuted(array, order)


def _permuted(array: Array, order: tuple[int, ...]) -> Array:
    if order == tuple(range(array.ndim)):
        return owned(array)

    def make(node: graph.Node) -> graph.Node:
        return graph.permute(node, order)

    return named(("permute", order), make, array) if array._plain else view(make, array)


@publish(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x: Any, /) -> Array:
    """
    Exchange the last two axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.matrix_transpose([[1, 2], [3, 4]]).tolist()
    [[1, 3], [2, 4]]
    """
    array = as_array(x)
    if array.ndim < 2:
        raise ValueError(
            f"matrix transpose with ndim < 2 is undefined, and ndim is {array.ndim}; add an axis "
            "with expand_dims"
        )
    return swapaxes(array, -1, -2)


@publish(np.swapaxes)
def swapaxes(x: Any, axis1: int, axis2: int) -> Array:
    """
    Exchange two axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.swapaxes([[1, 2, 3]], 0, 1).shape
    (3, 1)
    """
    array = as_array(x)
    order = list(range(array.ndim))
    first, second = (axis_in(axis, array.ndim) for axis in (axis1, axis2))
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
    origins = axes_in(source, array.ndim, "source")
    places = axes_in(destination, array.ndim, "destination")
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
    places = tuple(sorted(axes_in(axis, ndim, "axis")))
    return view(lambda node: graph.expand_dims(node, places), array)


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
        places = tuple(sorted(axes_in(axis, array.ndim, "axis")))
    long = [place for place in places if shape[place] != 1]
    if long:
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one: axis "
            f"{long[0]} of shape {shape}"
        )
    return view(lambda node: graph.squeeze(node, places), array)


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
    return view(lambda node: graph.broadcast_to(node, wanted), array)


@publish(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any, subok: bool = False) -> tuple[Array, ...]:
    """
    Broadcast arrays to their common shape.

    Examples
    --------
    >>> import structarr as sa
    >>> [one.tolist() for one in sa.broadcast_arrays([1, 2], 3)]
    [[1, 2], [3, 3]]
    """
    given = [as_array(x) for x in arrays]
    common = np.broadcast_shapes(*[array.shape for array in given])
    return tuple(broadcast_to(array, common) for array in given)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """
    Return the shape that arrays of some shapes are broadcast to.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return np.broadcast_shapes(*shapes)


def axis_in(axis: int, ndim: int) -> int:
    """Return an axis counted from the front, which must be there."""
    return np.lib.array_utils.normalize_axis_index(axis, ndim)


def axes_in(axis: Axes | None, ndim: int, name: str | None = None) -> tuple[int, ...]:
    """Return axes counted from the front, which must be there and differ; None stands for all."""
    every = range(ndim) if axis is None else axis
    return np.lib.array_utils.normalize_axis_tuple(every, ndim, name)


# The places of the new axes, by the number of axes of an operand; others get none.
_MISSING: Final[dict[Any, dict[int, tuple[int, ...]]]] = {
    np.atleast_1d: {0: (0,)},
    np.atleast_2d: {0: (0, 1), 1: (0,)},
    np.atleast_3d: {0: (0, 1, 2), 1: (0, 2), 2: (2,)},
}


def _raised(twin: Any, *arys: Any) -> Any:
    """
    Arrays of enough axes.
    """
    found = []
    for array in map(as_array, arys):
        places = _MISSING[twin].get(array.ndim)
        found.append(expand_dims(array, axis=places) if places else owned(array))
    return found[0] if len(found) == 1 else tuple(found)


atleast_1d = member(
    _raised,
    np.atleast_1d,
    "Return an array of one axis or more, or a tuple of as many as are given.",
    "sa.atleast_1d(3).shape",
    "(1,)",
)
atleast_2d = member(
    _raised,
    np.atleast_2d,
    "Return an array of two axes or more, or a tuple of such; new axes are in front.",
    "sa.atleast_2d([1, 2]).shape",
    "(1, 2)",
)
atleast_3d = member(
    _raised,
    np.atleast_3d,
    "Return an array of three axes or more, or a tuple of such; a vector is put in the middle.",
    "sa.atleast_3d([1, 2]).shape",
    "(1, 2, 1)",
)
