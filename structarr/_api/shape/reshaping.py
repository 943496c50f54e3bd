"""Other shapes of the same elements."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.expressions import view
from structarr._api.core.operands import as_array, owned, whole_numbers
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import (
    Axes,
    axis_in,
    broadcast_arrays,
    permute_dims,
    swapaxes,
)
from structarr._array import Array, of_tensor, stored
from structarr._execute.reshapes import reshaped
from structarr._lazy import graph
from structarr._support.array_types import ArrayLike, Order


@publish(np.reshape)
def reshape(x: ArrayLike, /, shape: Axes, order: Order = "C", *, copy: bool | None = None) -> Array:
    """
    Return the elements in another shape.

    Parameters
    ----------
    x : array_like
        The array.
    shape : int or sequence of int
        The lengths of the axes; one may be -1, which stands for what is left.
    order : {"C", "F", "A"}, optional
        Whether the last index varies fastest ("C") or the first ("F"); "A" and None are "C".
    copy : bool, optional
        Arrays are values: whether they are copied cannot be told. False is refused where elements
        move.

    Returns
    -------
    Array
        Lazy: a list for lists, with dense rows if the first axis was dense; "coo" for "coo"; runs
        for runs. The time is proportional to what is stored. Elementwise operations and sums are
        computed in the shape of `x` where they can be.

    Raises
    ------
    ValueError
        If the shape has another number of elements, or `copy` is False and elements move.

    See Also
    --------
    ravel : All elements along one axis.
    resize : Repeats elements, or leaves them out.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 2, 0], [0, 0, 3]], format="csr")
    >>> sa.reshape(a, (3, -1)).tolist()
    [[0, 2], [0, 0], [0, 3]]
    >>> str(sa.reshape(a, -1).format)
    'list'
    """
    if order not in ("C", "F", "A", None):
        raise ValueError(f"order must be 'C', 'F' or 'A', not {order!r}")
    array = as_array(x)
    wanted = _wanted(shape, array)
    if order == "F":
        return permute_dims(reshape(permute_dims(array), wanted[::-1]))
    if wanted == array.shape:
        return owned(array)
    if [n for n in wanted if n != 1] != [n for n in array.shape if n != 1]:
        if copy is False:
            raise ValueError(f"reshape from {array.shape} to {wanted} moves data: leave copy out")
        if array._tensor is None or not array._tensor.format.is_dense:
            return view(lambda node: graph.reshape(node, wanted), array)
        return _moved(array, wanted)
    ones = tuple(place for place, length in enumerate(wanted) if length == 1)
    gone = tuple(place for place, length in enumerate(array.shape) if length == 1)
    return view(lambda node: graph.expand_dims(graph.squeeze(node, gone), ones), array)


@eager
def _moved(array: Array, shape: tuple[int, ...]) -> Array:
    return of_tensor(reshaped(stored(array), shape))


def _wanted(shape: Axes, array: Array) -> tuple[int, ...]:
    lengths = whole_numbers(shape)
    if lengths.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    known = math.prod(n for n in lengths if n != -1)
    if -1 in lengths and known and array.size % known == 0:
        lengths[lengths.index(-1)] = array.size // known
    if -1 in lengths or math.prod(lengths) != array.size:
        raise ValueError(f"cannot reshape array of size {array.size} into shape {tuple(lengths)}")
    return tuple(lengths)


@publish(np.ravel)
def ravel(x: ArrayLike, /, order: Order = "C") -> Array:
    """
    Return all elements as a vector, in C order by default.

    Parameters
    ----------
    $array:x
    order : {"C", "F", "A", "K"}, optional
        Whether the last index varies fastest ("C") or the first ("F").

    Returns
    -------
    Array
        Lazy, in the format and the time of `reshape`: a list for lists, runs for runs.

    Raises
    ------
    ValueError
        If there is no such order.

    See Also
    --------
    reshape : Any other shape.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ravel([[1, 2], [3, 4]]).tolist()
    [1, 2, 3, 4]
    """
    return reshape(x, (-1,), "A" if order == "K" else order)


def as_vector(x: Any) -> Array:
    """Return an operand as an array of at least one axis: NumPy takes a scalar for a vector."""
    array = as_array(x)
    return array if array.ndim else ravel(array)


def along(array: Array, axis: int | None) -> tuple[Array, int]:
    """Return an array and the axis counted from the front; None takes all elements in C order."""
    return (ravel(array), 0) if axis is None else (array, axis_in(axis, array.ndim))


@publish(np.meshgrid)
def meshgrid(
    *arrays: ArrayLike,
    copy: bool = True,
    sparse: bool = False,
    indexing: Literal["xy", "ij"] = "xy",
) -> tuple[Array, ...]:
    """
    Spread vectors over a grid: each result varies along one axis.

    Parameters
    ----------
    *arrays : array_like
        Vectors of the coordinates, or what is made one in C order.
    copy : bool
        Makes no difference: arrays are values.
    sparse : bool
        Whether each result has length one along the other axes.
    indexing : {"xy", "ij"}
        Whether the first two axes are exchanged.

    Returns
    -------
    tuple of Array
        Lazy views of the vectors: nothing is copied.

    Raises
    ------
    ValueError
        If there is no such indexing.

    See Also
    --------
    broadcast_arrays : Broadcasting by itself.

    Examples
    --------
    >>> import structarr as sa
    >>> [grid.tolist() for grid in sa.meshgrid([1, 2], [3, 4], indexing="ij")]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    given = [as_array(x) for x in arrays]
    count = len(given)
    grids = tuple(
        reshape(array, (1,) * place + (-1,) + (1,) * (count - place - 1))
        for place, array in enumerate(given)
    )
    grids = grids if sparse else broadcast_arrays(*grids)
    return tuple(swapaxes(x, 0, 1) for x in grids) if indexing == "xy" and count > 1 else grids
