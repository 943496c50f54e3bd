"""Elements chosen by places and masks."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from structarr._api.core.entry_lists import flat
from structarr._api.core.fibers import true_places
from structarr._api.core.operands import as_array, owned
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.creation.full import constant
from structarr._api.indexing.indexing import getitem, taken
from structarr._api.indexing.keys import whole, wrapped
from structarr._api.shape.manipulation import axes_in
from structarr._api.shape.reshaping import along, as_vector, ravel, reshape
from structarr._api.shape.shifting import part
from structarr._array import Array, NumPyArray
from structarr._support.array_types import ArrayLike, Axes, Bounds


def _places(indices: Any) -> NumPyArray:
    found = whole(indices)
    if found.dtype.kind not in "biu":
        raise TypeError(f"indices must be integers, not {found.dtype}")
    return found.astype(np.int64)


@publish(np.take)
def take(
    x: ArrayLike,
    indices: ArrayLike,
    /,
    axis: int | None = None,
    out: Out | None = None,
    mode: Bounds = "raise",
) -> Out:
    """
    Return the elements at given indices along an axis.

    Parameters
    ----------
    x : array_like
        The array.
    indices : array_like of int
        Indices; negative ones count from the end. Their axes replace the axis.
    axis : int, optional
        None stands for the elements in C order.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    mode : {"raise", "wrap", "clip"}
        How indices out of bounds are treated.

    Returns
    -------
    Array
        Lazy for a vector of indices. The other axes keep their structure, and a list stays a list
        along this axis. The time is proportional to the number of stored elements that are taken.

    Raises
    ------
    IndexError
        If an index is out of bounds and `mode` is "raise".
    TypeError
        If indices are not integers.
    ValueError
        If there is no such mode.
    $axis_error

    See Also
    --------
    take_along_axis : Other indices for each fiber.
    compress : By a mask.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 1], [2, 0], [0, 3]], format="csr")
    >>> b = sa.take(a, [2, 0], axis=0)
    >>> b.tolist(), str(b.format)
    ([[0, 3], [0, 1]], 'csr')
    """
    if out is not None:
        return deliver(take(x, indices, axis, mode=mode), out, "unsafe")
    array, places = as_array(x), _places(indices)
    array, place = along(as_vector(array), axis)
    length = array.shape[place]
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f'mode must be "raise", "wrap" or "clip", not {mode!r}')
    shape = (*array.shape[:place], *places.shape, *array.shape[place + 1 :])
    looked_at = 0 not in array.shape[:place]
    if not length and places.size and looked_at and (mode == "wrap" or 0 not in shape):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if 0 in shape and (mode == "clip" or not looked_at):
        return constant(shape, 0, array.dtype)  # type: ignore[return-value]
    if mode == "wrap" and places.size:
        places = places % length
    elif mode == "clip":
        places = np.clip(places, 0, max(length - 1, 0))
    return taken(array, {place: wrapped(places, length, place)}, place)  # type: ignore[return-value]


@publish(np.take_along_axis)
def take_along_axis(x: ArrayLike, indices: ArrayLike, /, axis: int | None = -1) -> Array:
    """
    Return the elements at indices along an axis that differ from fiber to fiber.

    Parameters
    ----------
    $array:x
    indices : array_like of int
        Indices, of as many axes as `x`.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.

    Returns
    -------
    Array
        In the format that indexing by arrays has, in which what `x` does not store stays so where
        the indices allow it; in time proportional to the number of indices.

    Raises
    ------
    ValueError
        If the indices have another number of axes.
    IndexError
        If an index is out of bounds.
    TypeError
        If indices are not integers.
    $axis_error

    See Also
    --------
    take : The same indices for all.
    argsort : Returns such indices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.take_along_axis([[1, 2], [3, 4]], [[1], [0]], axis=1).tolist()
    [[2], [3]]
    """
    array, places = as_array(x), _places(indices)
    array, place = along(array, axis)
    if places.ndim != array.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    return getitem(array, _along(array, places, place))


def _along(array: Array, places: NumPyArray, axis: int) -> tuple[NumPyArray, ...]:
    """The index of places along an axis, at every place of the others."""
    key = []
    for number, length in enumerate(array.shape):
        ones = [1] * array.ndim
        ones[number] = length
        key.append(places if number == axis else np.arange(length).reshape(ones))
    return tuple(key)


@publish(np.put_along_axis)
def put_along_axis(
    arr: Array | NumPyArray, indices: ArrayLike, values: ArrayLike, axis: int | None
) -> None:
    """
    Assign to places along an axis that differ from fiber to fiber, as ``arr[...] = values`` does.

    Parameters
    ----------
    arr : Array
        It gets another value; no array that was made of it changes.
    indices : array_like of int
        The places, of as many axes as `arr`.
    values : array_like
        What is to stand there, of a shape that broadcasts to that of the indices.
    axis : int, optional
        Along which axis; None stands for all elements in C order.

    Raises
    ------
    ValueError
        If the indices have another number of axes.
    IndexError
        If a place is not there.
    TypeError
        If places are no integers.
    numpy.exceptions.AxisError
        If there is no such axis.

    See Also
    --------
    take_along_axis : The elements at such places.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 0], [0, 0]], format="csr")
    >>> sa.put_along_axis(a, [[1], [0]], 7, axis=1)
    >>> a.tolist()
    [[0, 7], [7, 0]]
    """
    places = _places(indices)
    if not isinstance(arr, Array):
        np.put_along_axis(arr, places, whole(values), axis)
        return
    if axis is None:
        if places.ndim != 1:
            raise ValueError("when axis=None, `indices` must have one dimension")
        arr[np.unravel_index(np.where(places < 0, places + arr.size, places), arr.shape)] = values
        return
    if places.ndim != arr.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    (place,) = axes_in((axis,), arr.ndim, "axis")
    arr[_along(arr, places, place)] = values


@publish(np.compress)
def compress(
    condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: Out | None = None
) -> Out:
    """
    Return the slices along an axis that a boolean vector selects; it may be shorter than the axis.

    Parameters
    ----------
    condition : array_like of bool
        A vector, no longer than the axis.
    a : array_like
        The array.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    $out

    Returns
    -------
    Array
        Lazy, in the format and the time of `take`; `out` if it is given.

    Raises
    ------
    ValueError
        If the condition is not a vector.
    IndexError
        If it is true beyond the axis.
    $axis_error

    See Also
    --------
    take : By indices.
    extract : Of all axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.compress([True, False, True], [1, 2, 3]).tolist()
    [1, 3]
    """
    chosen = condition if isinstance(condition, Array) else np.asarray(condition)
    if chosen.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, np.asarray(np.flatnonzero(chosen)), axis, out)


@publish(np.extract)
def extract(condition: ArrayLike, arr: ArrayLike) -> Array:
    """
    Return a vector of the elements, in C order, where a condition is true.

    Parameters
    ----------
    condition : array_like
        Of as many elements as `arr`.
    arr : array_like
        The array.

    Returns
    -------
    Array
        Lazy vector, in the format that indexing by a mask has; the time is proportional to what is
        stored.

    Raises
    ------
    IndexError
        If the condition is true beyond the array.

    See Also
    --------
    compress : Along an axis.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.extract([True, False, True], [1, 2, 3]).tolist()
    [1, 3]
    """
    chosen, array = as_array(condition), as_array(arr)
    if chosen.shape == array.shape and array.ndim:
        return getitem(array, chosen.astype(bool))
    return take(array, true_places(ravel(chosen))[0])


@publish(np.nonzero)
def nonzero(x: ArrayLike, /) -> tuple[Array, ...]:
    """
    Return the indices of the nonzero elements, one vector of coordinates for each axis.

    Parameters
    ----------
    x : array_like
        Array with at least one axis.

    Returns
    -------
    tuple of Array
        Dense vectors of int64, computed at the call in time proportional to what is stored, unless
        the fill is not zero.

    Raises
    ------
    ValueError
        If the array has no axes.

    See Also
    --------
    flatnonzero : In C order.
    count_nonzero : How many there are.

    Examples
    --------
    >>> import structarr as sa
    >>> [axis.tolist() for axis in sa.nonzero([[0, 5], [6, 0]])]
    [[0, 1], [1, 0]]
    """
    array = as_array(x)
    if not array.ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed: use structarr.atleast_1d(x)")
    return tuple(as_array(axis) for axis in true_places(array))


@publish(np.flatnonzero)
def flatnonzero(a: ArrayLike) -> Array:
    """
    Return the flat indices, in C order, of the nonzero elements.

    Parameters
    ----------
    $array:a

    Returns
    -------
    Array
        A dense vector of int64, computed at the call in time proportional to what is stored, unless
        the fill is not zero.

    Raises
    ------
    $dtype_error

    See Also
    --------
    nonzero : By axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.flatnonzero([[0, 5], [6, 0]]).tolist()
    [1, 2]
    """
    array = as_vector(a)
    return as_array(flat(true_places(array), array.shape))


@publish(np.argwhere)
def argwhere(a: ArrayLike) -> Array:
    """
    Return the indices of the nonzero elements, one row of coordinates for each.

    Parameters
    ----------
    $array:a

    Returns
    -------
    Array
        A dense matrix of int64, computed at the call in time proportional to what is stored, unless
        the fill is not zero.

    Raises
    ------
    $dtype_error

    See Also
    --------
    nonzero : By axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.argwhere([[0, 5], [6, 0]]).tolist()
    [[0, 1], [1, 0]]
    """
    array = as_array(a)
    found = true_places(array if array.ndim else reshape(array, (1,)))
    return as_array(np.stack(found, axis=1)[:, : array.ndim])


@publish(np.trim_zeros)
def trim_zeros(
    filt: ArrayLike, trim: Literal["f", "b", "fb"] = "fb", axis: Axes | None = None
) -> Array:
    """
    Return an array without the zeros at its ends.

    Parameters
    ----------
    filt : array_like
        The array, of any shape.
    trim : {"f", "b", "fb"}, optional
        Whether at the front, at the back, or at both ends.
    axis : int or sequence of int, optional
        The axes to trim; None stands for all.

    Returns
    -------
    Array
        Lazy view in the array's own format; the call takes time proportional to what is stored.

    Raises
    ------
    $axis_error
    ValueError
        If `trim` has other letters.

    See Also
    --------
    nonzero : Where elements are not zero.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.trim_zeros([0, 0, 1, 0, 2, 0]).tolist()
    [1, 0, 2]
    """
    array, ends = as_array(filt), trim.lower()
    if ends not in ("f", "b", "fb", "bf"):
        raise ValueError(f"trim is 'f', 'b' or 'fb', not {trim!r}")
    found = true_places(array)
    for place in axes_in(axis, array.ndim):
        length = array.shape[place]
        start, stop = 0, length
        if "f" in ends:
            start = int(found[place].min(initial=length))
        if "b" in ends:
            stop = int(found[place].max(initial=start - 1)) + 1
        array = part(array, place, start, stop)
    return owned(array)
