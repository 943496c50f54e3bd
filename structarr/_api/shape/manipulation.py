"""Shapes: views that move no data, and NumPy's functions of any array's shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol, TypeAlias, overload

import numpy as np

from structarr._api.core.expressions import again, named, view
from structarr._api.core.operands import as_array, as_shape, owned
from structarr._api.core.publish import member, publish
from structarr._array import Array
from structarr._compiler.options import EAGER
from structarr._lazy import graph
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented

Axes: TypeAlias = int | Sequence[int]


@publish(np.transpose)
def permute_dims(x: ArrayLike, /, axes: Sequence[int] | None = None) -> Array:
    """
    Permute axes: axis `k` of the result is axis `axes[k]`; None reverses them.

    Parameters
    ----------
    $array:x
    axes : sequence of int, optional
        An axis of `x` for each axis of the result.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If the axes are not those of the array, each once.
    $axis_error

    See Also
    --------
    moveaxis : Some of the axes.
    matrix_transpose : The last two axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.permute_dims(sa.asarray([[1, 2, 3]]), (1, 0)).shape
    (3, 1)
    """
    if axes is None and type(x) is Array and not EAGER:  # what most ask for
        made = again(_reversal(len(x._node.shape)), x)
        if made is not None:
            return made
    array = as_array(x)
    if axes is None:
        return _permuted(array, _reversal(array.ndim)[1])
    order = axes_in(axes, array.ndim, "axes")
    if len(order) != array.ndim:
        raise ValueError(f"axes don't match array: {tuple(order)} for {array.ndim} axes")
    return _permuted(array, order)


@cache
def _reversal(ndim: int) -> tuple[str, tuple[int, ...]]:
    """The name of the operation that reverses so many axes."""
    return "permute", tuple(reversed(range(ndim)))


def _permuted(array: Array, order: tuple[int, ...]) -> Array:
    if order == tuple(range(array.ndim)):
        return owned(array)

    def make(node: graph.Node) -> graph.Node:
        return graph.permute(node, order)

    if array._plain and not EAGER:  # a view is not computed in eager mode
        return named(("permute", order), make, array)
    return view(make, array)


@publish(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """
    Exchange the last two axes.

    Parameters
    ----------
    x : array_like
        Of two axes or more.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If there are fewer axes than two.

    See Also
    --------
    permute_dims : Any order of axes.
    Array.mT : The same as an attribute.

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
def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Array:
    """
    Exchange two axes.

    Parameters
    ----------
    $array:x
    axis1, axis2 : int
        Axes to exchange; negative ones count from the end.

    Returns
    -------
    $view

    Raises
    ------
    $axis_error

    See Also
    --------
    permute_dims : Any order of axes.

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
def moveaxis(x: ArrayLike, source: Axes, destination: Axes, /) -> Array:
    """
    Move axes to other positions; the rest keep their order.

    Parameters
    ----------
    $array:x
    source : int or sequence of int
        The axes to move.
    destination : int or sequence of int
        Where each of them is to be.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If there are not as many positions as axes, or one is named twice.
    $axis_error

    See Also
    --------
    permute_dims : All axes at once.

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
def expand_dims(x: ArrayLike, /, axis: Axes = 0) -> Array:
    """
    Add axes of length one, at positions of the result.

    Parameters
    ----------
    $array:x
    axis : int or sequence of int, optional
        Positions of the new axes among those of the result.

    Returns
    -------
    $view

    Raises
    ------
    $axis_error
    ValueError
        If a position is named twice.

    See Also
    --------
    squeeze : The inverse.

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
def squeeze(x: ArrayLike, /, axis: Axes | None = None) -> Array:
    """
    Remove axes of length one, all of them by default.

    Parameters
    ----------
    $array:x
    axis : int or sequence of int, optional
        Axes to remove; None stands for all of length one.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If an axis is longer than one, or named twice.
    $axis_error

    See Also
    --------
    expand_dims : The inverse.

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
def broadcast_to(x: ArrayLike, /, shape: Axes, subok: bool = False) -> Array:
    """
    Repeat an array along axes of length one, and along new axes in front, without copies.

    Parameters
    ----------
    $array:x
    shape : int or sequence of int
        The shape of the result.
    subok : bool, optional
        Accepted as NumPy's function has it, and ignored.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If the array cannot be broadcast to the shape.

    See Also
    --------
    broadcast_arrays : To a common shape.

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
def broadcast_arrays(*arrays: ArrayLike, subok: bool = False) -> tuple[Array, ...]:
    """
    Broadcast arrays to their common shape.

    Parameters
    ----------
    *arrays : array_like
        The arrays.
    subok : bool, optional
        Accepted as NumPy's function has it, and ignored.

    Returns
    -------
    tuple of Array
        Lazy views of the arrays, without copies.

    Raises
    ------
    $broadcast_error

    See Also
    --------
    broadcast_to : To a given shape.

    Examples
    --------
    >>> import structarr as sa
    >>> [one.tolist() for one in sa.broadcast_arrays([1, 2], 3)]
    [[1, 2], [3, 3]]
    """
    given = [as_array(x) for x in arrays]
    common = np.broadcast_shapes(*[array.shape for array in given])
    return tuple(broadcast_to(array, common) for array in given)


@documented
def broadcast_shapes(*shapes: int | tuple[int, ...]) -> tuple[int, ...]:
    """
    Return the shape that arrays of some shapes are broadcast to.

    Parameters
    ----------
    *shapes : int or tuple of int
        The shapes; a number is that of a vector.

    Returns
    -------
    tuple of int
        The common shape.

    Raises
    ------
    $broadcast_error

    See Also
    --------
    numpy.broadcast_shapes : The same function.
    broadcast_arrays : Arrays of the common shape.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return np.broadcast_shapes(*shapes)


def refuse_truth(axis: Any) -> None:
    """Raise TypeError for True as an axis, as NumPy does: it was meant for another argument."""
    if axis is True or axis is False:
        raise TypeError(f"an integer is required for the axis, not {axis}")


def axis_in(axis: int, ndim: int) -> int:
    """Return an axis counted from the front, which must be there."""
    refuse_truth(axis)
    return np.lib.array_utils.normalize_axis_index(axis, ndim)


def axes_in(axis: Axes | None, ndim: int, name: str | None = None) -> tuple[int, ...]:
    """Return axes counted from the front, which must be there and differ; None stands for all."""
    every = range(ndim) if axis is None else axis
    return np.lib.array_utils.normalize_axis_tuple(every, ndim, name)


class Raising(Protocol):
    """The type of functions that return an array for one, and a tuple for several."""

    @overload
    def __call__(self, ary: ArrayLike, /) -> Array: ...
    @overload
    def __call__(self, *arys: ArrayLike) -> tuple[Array, ...]: ...


# The places of the new axes, by the number of axes of an operand; others get none.
_MISSING: Final[dict[Any, dict[int, tuple[int, ...]]]] = {
    np.atleast_1d: {0: (0,)},
    np.atleast_2d: {0: (0, 1), 1: (0,)},
    np.atleast_3d: {0: (0, 1, 2), 1: (0, 2), 2: (2,)},
}


def _raised(twin: Any, *arys: ArrayLike) -> Any:
    """
    Arrays of enough axes.

    Parameters
    ----------
    *arys : array_like
        The arrays, of any shape.

    Returns
    -------
    Array or tuple of Array
        Lazy views without a copy: an array for one argument, else as many as there are.

    Raises
    ------
    $dtype_error

    See Also
    --------
    atleast_1d : One axis or more.
    atleast_2d : Two axes or more.
    atleast_3d : Three axes or more.
    expand_dims : A new axis anywhere.
    """
    found = []
    for array in map(as_array, arys):
        places = _MISSING[twin].get(array.ndim)
        found.append(expand_dims(array, axis=places) if places else owned(array))
    return found[0] if len(found) == 1 else tuple(found)


atleast_1d: Raising = member(  # type: ignore[assignment]
    _raised,
    np.atleast_1d,
    "Return arrays with at least one axis; a tuple for several arguments.",
    "sa.atleast_1d(3).shape",
    "(1,)",
)
atleast_2d: Raising = member(  # type: ignore[assignment]
    _raised,
    np.atleast_2d,
    "Return arrays with at least two axes; new axes are in front.",
    "sa.atleast_2d([1, 2]).shape",
    "(1, 2)",
)
atleast_3d: Raising = member(  # type: ignore[assignment]
    _raised,
    np.atleast_3d,
    "Return arrays with at least three axes; a vector is put along the second one.",
    "sa.atleast_3d([1, 2]).shape",
    "(1, 2, 1)",
)
