"""Elements in order: sorted, and the places that sort them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.entry_lists import converted, dense_to_read, listed
from structarr._api.core.fibers import (
    before,
    has_runs,
    numbered,
    of_runs,
    order_along,
    reads_fibers,
    runs_of,
)
from structarr._api.core.gathering import taken_along
from structarr._api.core.operands import as_array, owned
from structarr._api.core.publish import publish
from structarr._api.shape.reshaping import along, as_vector
from structarr._api.shape.shifting import flip
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._compiler.backend.call import call
from structarr._storage.as_rows import rows_along
from structarr._storage.dense import from_own
from structarr._storage.density import check_density
from structarr._storage.entry_order import longest_counted
from structarr._storage.run_lists import Runs
from structarr._storage.sorted_fibers import sorted_fibers
from structarr._storage.stable_order import sort_kind, stable_order
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike, Axes, Order, SortKind
from structarr._support.uninterrupted import heard

_SHARE: Final = 16  # so many elements are sorted while a stored one is listed, sorted and stored


@publish(np.sort)
def sort(
    x: ArrayLike,
    /,
    axis: int | None = -1,
    kind: SortKind = None,
    order: Order = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> Array:
    """
    Sort the elements along an axis.

    Parameters
    ----------
    x : array_like
        Array; NaN counts as greater than all.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    kind, order, stable
        Checked as by NumPy, and otherwise ignored: the sort is stable.
    descending : bool
        Whether the greatest elements come first.

    Returns
    -------
    Array
        Computed at the call. Of a sparse array the stored elements are sorted, and placed around
        those of the fill value: lists stay lists, of as many elements, and runs stay runs; other
        formats become lists along this axis. The time is that of sorting what is stored.

    Raises
    ------
    ValueError
        If there is no such kind, or NumPy refuses the arguments.
    $axis_error

    See Also
    --------
    argsort : The indices that sort.
    partition : Sorted at some indices only.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.sort(sa.asarray([0, 5, 0, 0, -2, 3], format="list"))
    >>> a.tolist(), str(a.format), a.nstored
    ([-2, 0, 0, 0, 3, 5], 'list', 3)
    """
    _check_kind(kind, order, stable)
    array, place = along(as_array(x), axis)
    result = _sorted(array, place)
    return flip(result, place) if descending else result


def _check_kind(kind: Any, order: Any, stable: bool | None) -> None:
    # NumPy raises the errors of wrong arguments. It refuses `kind` together with `stable`.
    np.sort(np.zeros(0), kind=kind, order=order, stable=None if stable is True else stable)


@eager
def _sorted(array: Array, axis: int) -> Array:
    tensor = stored(array)
    if tensor.format.levels[tensor.format.order.index(axis)].kind.is_constant:
        return owned(array)
    if reads_fibers(tensor, axis, _SHARE):
        rows = _by_rows(tensor, axis)
        return of_tensor(_around_fill(tensor, axis) if rows is None else rows)
    values = dense_to_read(tensor)
    ordered = heard(lambda: np.sort(values, axis, kind=sort_kind(values)), values.size)
    dense = from_own(ordered, tensor.fill)
    keeps = has_runs(tensor, axis)
    like = tensor.format if keeps else taken_along(tensor.format, axis, apart=True)
    return of_tensor(converted(dense, like))


def _by_rows(tensor: Tensor, axis: int) -> Tensor | None:
    """A matrix of lists, each of which is sorted by itself; None of other tensors."""
    entries = len(tensor.buffers[-1])
    if tensor.ndim != 2 or tensor.dtype.kind == "c":
        return None
    rows = None if tensor.shape[1 - axis] > longest_counted(entries) else rows_along(tensor, axis)
    if rows is None:
        return None
    ptr, idx, val = rows.buffers
    made = np.empty_like(idx), np.empty_like(val)
    inputs = ptr, val, tensor.fill, tensor.shape[axis]
    call("sort_rows", inputs, (*made, np.empty_like(val)), 8 * entries + len(ptr))
    found = Tensor(rows.format, tensor.shape, tensor.dtype, tensor.fill, (ptr, *made))
    return converted(found, taken_along(tensor.format, axis, apart=True))


def _around_fill(tensor: Tensor, axis: int) -> Tensor:
    """The tensor with sorted fibers: stored elements less than the fill first, the others last."""
    order = order_along(tensor, axis)
    runs = runs_of(tensor, order)
    firsts, fiber = numbered(runs)
    length = runs.stop - runs.start
    ptr, plain = np.append(firsts, len(fiber)), bool((length == 1).all())
    found = heard(lambda: sorted_fibers(runs.values, ptr, None if plain else length), len(fiber))
    length = length if found.beside is None else found.beside
    moved = Runs(runs.outer, runs.start, runs.start + length, found.values)
    room = tensor.shape[axis] - np.add.reduceat(length, firsts) if len(firsts) else length
    late = _comes_after(moved.values, tensor.fill)
    start = before(moved, firsts, fiber) + np.where(late, room[fiber], 0)
    result = moved._replace(start=start, stop=start + length)
    return _put_back(result, order, tensor, axis)


def _put_back(runs: Runs, order: tuple[int, ...], tensor: Tensor, axis: int) -> Tensor:
    if has_runs(tensor, axis):
        return of_runs(runs, tensor.shape, tensor.fill, tensor.format)
    places = dict(zip(order, (*runs.outer, runs.start), strict=True))
    axes = [places[one] for one in range(tensor.ndim)]
    like = taken_along(tensor.format, axis, apart=True)
    return listed(axes, runs.values, tensor.shape, tensor.fill, like)


def _comes_after(values: NumPyArray, fill: Any) -> NumPyArray:
    """A mask of the values sorted after a fill: larger ones and, unless it is one itself, NaN."""
    if values.dtype.kind == "c":  # by real parts, then by imaginary ones, and NaN by parts as well
        order = np.argsort(np.append(values, fill), kind="stable")
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        return np.asarray(ranks[:-1] > ranks[-1])
    return np.asarray((values > fill) | ((values != values) & (fill == fill)))


@publish(np.argsort, how="dense", note="its result holds every place")
@eager
def argsort(
    x: ArrayLike,
    /,
    axis: int | None = -1,
    kind: SortKind = None,
    order: Order = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> Array:
    """
    Return the indices that sort an array along an axis.

    Parameters
    ----------
    $array:x
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    kind, order, stable
        Checked as by NumPy, and otherwise ignored: the sort is stable.
    descending : bool, optional
        Whether the greatest elements come first.

    Returns
    -------
    Array
        Of int64 and dense, as it holds every index, computed at the call; `densify_limit` must
        allow it. Equal elements keep their order, in either direction.

    Raises
    ------
    ValueError
        If there is no such kind, or NumPy refuses the arguments.
    $axis_error
    $densification

    See Also
    --------
    sort : The elements.
    lexsort : By several keys.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.argsort([3, 1, 2]).tolist(), sa.argsort([3, 1, 1], descending=True).tolist()
    ([1, 2, 0], [0, 1, 2])
    """
    _check_kind(kind, order, stable)
    array, place = along(as_vector(x), axis)
    dense = _dense_with_places(array)
    if not descending:
        return of_tensor(from_own(stable_order(dense, place)))
    last = dense.shape[place] - 1
    backward = stable_order(np.flip(dense, place), place)
    return of_tensor(from_own(last - np.flip(backward, place)))


def _dense_with_places(array: Array) -> NumPyArray:
    """The elements, if an int64 for each of them takes no more memory than is allowed."""
    tensor = stored(array)
    if not tensor.format.is_dense:
        check_density(tensor, np.dtype(np.int64))
    return dense_to_read(tensor)


@publish(np.lexsort, how="dense", note="its result holds every place")
def lexsort(keys: Any, axis: int = -1) -> Array:
    """
    Return the indices that sort by several keys, of which the last one comes first.

    Parameters
    ----------
    keys : sequence of array_like, or array_like
        The keys, of one shape; or an array that has them along its first axis.
    axis : int
        Along which axis of the keys.

    Returns
    -------
    Array
        Of int64 and dense, computed at the call by NumPy; `densify_limit` must allow it.

    Raises
    ------
    ValueError
        If the keys are not of one shape.
    $axis_error
    $densification

    See Also
    --------
    argsort : By one key.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.lexsort(([1, 0, 2], [5, 5, 4])).tolist()
    [2, 1, 0]
    """
    given = keys if isinstance(keys, Array) else [_dense_with_places(as_array(key)) for key in keys]
    dense = _dense_with_places(given) if isinstance(given, Array) else given
    return of_tensor(from_own(np.lexsort(dense, axis)))


@publish(np.partition)
def partition(
    a: ArrayLike, kth: Axes, axis: int | None = -1, kind: Any = "introselect", order: Order = None
) -> Array:
    """
    Return an array in which the elements at some indices are those that sorting would put there.

    All elements are sorted, so smaller ones come before and greater ones after: the result is that
    of `sort`.

    Parameters
    ----------
    $array:a
    kth : int or sequence of int
        Indices.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    kind, order
        Checked as by NumPy, and otherwise ignored.

    Returns
    -------
    Array
        Computed at the call, in the format and the time of `sort`.

    Raises
    ------
    ValueError
        If an index is out of bounds.
    TypeError
        If an index is not an integer.
    $axis_error

    See Also
    --------
    sort : The same result.
    argpartition : The indices.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.partition([3, 1, 2, 0], 2)[2])
    2
    """
    array, place = along(as_array(a), axis)
    _check_kth(array, kth, place, kind, order)
    return _sorted(array, place)


@publish(np.argpartition, how="dense", note="its result holds every place")
def argpartition(
    a: ArrayLike, kth: Axes, axis: int | None = -1, kind: Any = "introselect", order: Order = None
) -> Array:
    """
    Return the indices that partition an array along an axis; they are those of `argsort`.

    Parameters
    ----------
    $array:a
    kth : int or sequence of int
        Indices.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    kind, order
        Checked as by NumPy, and otherwise ignored.

    Returns
    -------
    Array
        Of int64 and dense, as it holds every index, computed at the call; `densify_limit` must
        allow it.

    Raises
    ------
    ValueError
        If an index is out of bounds.
    TypeError
        If an index is not an integer.
    $axis_error
    $densification

    See Also
    --------
    argsort : The same result.
    partition : The elements.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.argpartition([3, 1, 2, 0], 2)[2])
    2
    """
    array, place = along(as_vector(a), axis)
    _check_kth(array, kth, place, kind, order)
    return argsort(array, place)


def _check_kth(array: Array, kth: Axes, axis: int, kind: Any, order: Any) -> None:
    # NumPy raises the errors of wrong arguments.
    np.partition(np.zeros(1), 0, kind=kind, order=order)
    places, length = np.atleast_1d(np.asarray(kth)), array.shape[axis]
    if places.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    if length and (bool((places < -length).any()) or bool((places >= length).any())):
        raise ValueError(f"kth(={kth}) out of bounds ({length})")
