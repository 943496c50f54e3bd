"""Elements of an axis repeated, left out and put in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.entry_lists import converted, is_listed, listed, with_room
from structarr._api.core.gathering import taken_along
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.indexing.assigning import differing, loosened
from structarr._api.indexing.indexing import taken
from structarr._api.indexing.keys import whole
from structarr._api.indexing.moving import is_counted, moved
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import broadcast_to, moveaxis
from structarr._api.shape.reshaping import along, as_vector, ravel, reshape
from structarr._api.shape.shifting import part
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.density import check_density, check_size
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import entries_of
from structarr._support.array_types import ArrayLike
from structarr._support.broadcasting import countable
from structarr.formats.entries import segments


@publish(np.repeat)
def repeat(x: ArrayLike, repeats: ArrayLike, /, axis: int | None = None) -> Array:
    """
    Repeat each element along an axis.

    Parameters
    ----------
    x : array_like
        The array.
    repeats : int or array_like of int
        How many times: all elements along the axis, or each.
    axis : int, optional
        None stands for the elements in C order.

    Returns
    -------
    Array
        Lazy, in the format of `take`; it is computed at the call along axes that are far longer
        than what is stored. The time is proportional to what is stored, repeated.

    Raises
    ------
    ValueError
        If a number is negative, or there are neither one nor as many as elements.
    $axis_error

    See Also
    --------
    tile : The whole array.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.repeat([1, 2], 2).tolist(), sa.repeat([[1], [2]], [1, 2], axis=0).tolist()
    ([1, 1, 2, 2], [[1], [2], [2]])
    """
    array, place = along(as_vector(x), axis)
    length, counts = array.shape[place], _counts(repeats)
    if length and (counts < 0).any():
        raise ValueError("repeats may not contain negative values.")
    if counts.size == 1:
        times = int(counts.reshape(()))
        countable((length * times,))

        def where(old: NumPyArray) -> tuple[NumPyArray, NumPyArray]:
            number, _, place = segments(old * times, np.full(len(old), times))
            return number, place

        return moved(
            array, place, length * times, where, lambda: np.repeat(np.arange(length), times)
        )
    if counts.shape != (length,):
        raise ValueError(
            f"operands could not be broadcast together with shape ({length},) {counts.shape}"
        )
    countable((int(counts.sum(dtype=np.float64)),))
    begins = np.cumsum(counts) - counts

    def each(old: NumPyArray) -> tuple[NumPyArray, NumPyArray]:
        number, _, place = segments(begins[old], counts[old])
        return number, place

    return moved(
        array, place, int(counts.sum()), each, lambda: np.repeat(np.arange(length), counts)
    )


def _counts(repeats: ArrayLike) -> NumPyArray:
    given = whole(repeats)
    if given.ndim > 1:
        raise ValueError("object too deep for desired array")
    return given.astype(np.int64, casting="safe")


@publish(np.delete)
def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Array:
    """
    Return an array without the elements at some indices along an axis.

    Parameters
    ----------
    $array:arr
    obj : int, slice or array_like
        Indices to delete, or a mask of them.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.

    Returns
    -------
    Array
        Lazy, in the format that `take` has. The time is proportional to what is stored and, unless
        the axis is far longer than that, to its length.

    Raises
    ------
    IndexError
        If an index is out of bounds, or not an integer.
    ValueError
        If a mask is not of the length of the axis.
    $axis_error

    See Also
    --------
    insert : Puts elements in between.
    take : The elements that stay.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.delete([1, 2, 3, 4], [0, -1]).tolist()
    [2, 3]
    """
    array, place = along(as_array(arr), axis)
    length, plain = array.shape[place], _plain(obj)
    if isinstance(plain, slice):
        chosen = range(*plain.indices(length))
        gone = chosen if chosen.step > 0 else chosen[::-1]

        def outside(old: NumPyArray) -> tuple[NumPyArray, NumPyArray]:
            turn, rest = np.divmod(old - gone.start, gone.step)
            kept = np.flatnonzero((rest != 0) | (turn < 0) | (turn >= len(gone)))
            below = np.clip(turn[kept] + (rest[kept] != 0), 0, len(gone))
            return kept, old[kept] - below

        where, count = outside, len(gone)
    else:
        places = np.unique(_places(plain, length, place, "delete"))

        def others(old: NumPyArray) -> tuple[NumPyArray, NumPyArray]:
            kept = np.flatnonzero(~np.isin(old, places))
            return kept, old[kept] - np.searchsorted(places, old[kept])

        where, count = others, len(places)
    return moved(array, place, length - count, where, lambda: np.delete(np.arange(length), plain))


def _plain(obj: Any) -> Any:
    return np.asarray(obj) if isinstance(obj, Array) else obj


def _places(obj: Any, length: int, axis: int, name: str) -> NumPyArray:
    """The places that are meant by integers or a mask, counted from the start."""
    given = whole(obj)
    if given.dtype == bool:
        if name == "insert" and given.ndim != 1:
            raise ValueError("boolean array argument obj to insert must be one dimensional")
        if name == "delete" and given.shape != (length,):
            raise ValueError(
                "boolean array argument obj to delete must be one dimensional and match the axis "
                f"length of {length}"
            )
        given = np.flatnonzero(given)
    if given.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if name == "insert" and given.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    places = given.reshape(-1).astype(np.int64)
    # Insertion at the end is allowed, too.
    outside = (places < -length) | (places >= length + (name == "insert"))
    if outside.any():
        raise IndexError(
            f"index {places[outside][0]} is out of bounds for axis {axis} with size {length}"
        )
    return np.where(places < 0, places + length, places)


@publish(np.insert)
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """
    Return an array with values inserted before some indices along an axis.

    Parameters
    ----------
    $array:arr
    obj : int, slice or array_like
        Indices, one or as many as there are values, or a mask of them.
    values : array_like
        Values to insert, cast to the dtype of `arr`.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.

    Returns
    -------
    Array
        A list stays a list, in time proportional to what is stored; other formats become dense
        along the axis.

    Raises
    ------
    IndexError
        If an index is out of bounds, or not an integer.
    ValueError
        If the indices are not a vector, or the values cannot be broadcast to them.
    $axis_error
    $densification

    See Also
    --------
    append : At the end.
    delete : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.insert([1, 2, 3], 1, 9).tolist()
    [1, 9, 2, 3]
    """
    array, place = along(as_array(arr), axis)
    length, plain = array.shape[place], _plain(obj)
    single = np.ndim(plain) == 0 and not isinstance(plain, slice)
    if isinstance(plain, slice):
        chosen = range(*plain.indices(length))
        what = f"insert lists the places: for an array of shape {array.shape} that"
        check_size(8 * len(chosen), what, "give fewer", stored(array).nbytes)
        plain = np.asarray(chosen, np.int64)
    before = _places(plain, length, place, "insert")
    new = as_array(values, array.dtype).astype(array.dtype)
    if len(before) == 1 and new.ndim:  # all values go to the one place
        new = reshape(new, (1,) * (array.ndim - new.ndim) + new.shape)
        new = moveaxis(new, 0, place) if single else new
        before = np.repeat(before, new.shape[place])
    count = len(before)
    new = broadcast_to(new, (*array.shape[:place], count, *array.shape[place + 1 :]))
    order = np.argsort(before, kind="stable")
    ordered = before[order]
    position = np.empty(count, np.int64)  # the places of the new elements
    position[order] = ordered + np.arange(count)

    tensor = stored(array)
    if is_listed(tensor):
        if not is_counted(array, place, length + count):
            return of_tensor(_among(tensor, place, stored(new), ordered, position))
        like = loosened(taken_along(tensor.format, place))
        axes, found = differing(stored(new), tensor.fill)
        new = of_tensor(listed(axes, found, new.shape, tensor.fill, with_room(like, new.shape)))
        array = of_tensor(converted(tensor, with_room(like, array.shape)))
        if (ordered == ordered[:1]).all() and count:
            cut = int(ordered[0])
            return concat([part(array, place, 0, cut), new, part(array, place, cut, length)], place)
    else:
        check_density(tensor)
    both = concat([array, new], place)
    places = np.insert(np.arange(length), before, length + np.arange(count))
    return taken(both, {place: places}, place)


def _among(
    tensor: Tensor, axis: int, new: Tensor, before: NumPyArray, position: NumPyArray
) -> Tensor:
    """A tensor with new elements at their positions among the stored ones."""
    old, values = entries_of(tensor)
    places, more = differing(new, tensor.fill)
    axes = [np.concatenate(pair) for pair in zip(old, places, strict=True)]
    shifted = old[axis] + np.searchsorted(before, old[axis], "right")
    axes[axis] = np.concatenate([shifted, position[places[axis]]])
    lengths = list(tensor.shape)
    lengths[axis] += len(position)
    shape = tuple(lengths)
    like = with_room(loosened(taken_along(tensor.format, axis)), shape)
    return listed(axes, np.concatenate([values, more]), shape, tensor.fill, like)


@publish(np.append)
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """
    Append an array to the end of another, along an axis or flattened.

    Parameters
    ----------
    $array:arr
    values : array_like
        What comes after it.
    axis : int, optional
        Along which axis; None stands for all elements of both in C order.

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If the shapes do not agree in the other axes.
    $axis_error

    See Also
    --------
    concat : Of any number of arrays.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.append([1, 2], [3]).tolist()
    [1, 2, 3]
    """
    if axis is None:
        return concat([ravel(as_array(arr)), ravel(as_array(values))])
    return concat([arr, values], axis)
