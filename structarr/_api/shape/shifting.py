"""Elements in another order along axes: rolled, flipped, turned, repeated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import CHAIN_LIMIT, apply, view
from structarr._api.core.operands import as_array, owned, whole_number, whole_numbers
from structarr._api.core.publish import publish
from structarr._api.core.uses import note_use
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import (
    Axes,
    axes_in,
    axis_in,
    broadcast_to,
    swapaxes,
)
from structarr._api.shape.reshaping import ravel, reshape
from structarr._array import Array, settle
from structarr._lazy import composite, graph, slice_length
from structarr._lazy.node import Given
from structarr._support.array_types import ArrayLike


def part(array: Array, axis: int, start: int, stop: int, step: int = 1) -> Array:
    """Return a slice of one axis; `start` and `stop` are counted from the front."""
    length, node = len(range(start, stop, step)), array._node
    step = step if length > 1 else 1
    given = (start if length else 0, *slice_length.told([length]))
    make = partial(_window, axis, step, length)
    whole = step == 1 and length == node.shape[axis]
    if whole or not array._plain or array._cost >= CHAIN_LIMIT:
        return view(partial(make, given), array)
    name = "along", axis, step, length
    found = composite.of_one_again(name, node, given)
    if found is None:
        found = make(given, node)
        composite.note_part(name, make, found, node, given)
    if node.sums:  # of elementwise operations a part alone is computed
        note_use(array)
    return Array(found, array._cost + 1)


def _window(axis: int, step: int, length: int, given: Given, node: graph.Node) -> graph.Node:
    """A slice of one axis of a node, from a place on."""
    starts, steps = [0] * node.ndim, [1] * node.ndim
    starts[axis], steps[axis] = given[0], step
    shape = (*node.shape[:axis], length, *node.shape[axis + 1 :])
    return graph.window(node, tuple(starts), tuple(steps), shape)


def neighbours(array: Array, axis: int) -> tuple[Array, Array]:
    """Return the elements along an axis but for the last one, and those after them."""
    length = array.shape[axis]
    return part(array, axis, 0, max(length - 1, 0)), part(array, axis, min(1, length), length)


@publish(np.flip)
@by_structure(1)
def flip(x: ArrayLike, /, axis: Axes | None = None) -> Array:
    """
    Reverse the order of the elements along axes, along all by default.

    Parameters
    ----------
    $array:x
    axis : int or sequence of int, optional
        The axes; None stands for all.

    Returns
    -------
    $view

    Raises
    ------
    $axis_error

    See Also
    --------
    flipud : The rows.
    fliplr : The columns.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.flip([[1, 2], [3, 4]], axis=1).tolist()
    [[2, 1], [4, 3]]
    """
    array = as_array(x)
    for place in axes_in(axis, array.ndim):
        array = part(array, place, array.shape[place] - 1, -1, -1)
    return owned(array)


@publish(np.flipud)
def flipud(m: ArrayLike) -> Array:
    """
    Reverse the order of the rows.

    Parameters
    ----------
    m : array_like
        Array with at least one axis.

    Returns
    -------
    $view

    Raises
    ------
    $axis_error

    See Also
    --------
    flip : Along any axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.flipud([[1, 2], [3, 4]]).tolist()
    [[3, 4], [1, 2]]
    """
    return flip(m, axis=0)


@publish(np.fliplr)
def fliplr(m: ArrayLike) -> Array:
    """
    Reverse the order of the columns.

    Parameters
    ----------
    m : array_like
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
    flip : Along any axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fliplr([[1, 2], [3, 4]]).tolist()
    [[2, 1], [4, 3]]
    """
    array = as_array(m)
    if array.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(array, axis=1)


@publish(np.rot90)
def rot90(m: ArrayLike, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """
    Turn a plane of the axes by 90 degrees, from the first axis toward the second, `k` times.

    Parameters
    ----------
    m : array_like
        Of two axes or more.
    k : int, optional
        Number of quarter turns; negative ones turn the other way.
    axes : sequence of int, optional
        The two axes of the plane.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If there are not two axes, or they are the same.
    $axis_error

    See Also
    --------
    flip : Half a turn, along both axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.rot90([[1, 2], [3, 4]]).tolist()
    [[2, 4], [1, 3]]
    """
    array = as_array(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = (axis_in(axis, array.ndim) for axis in axes)
    if first == second:
        raise ValueError("Axes must be different.")
    turns = whole_number(k) % 4
    if turns % 2 == 0:
        return flip(array, (first, second)) if turns else owned(array)
    if turns == 1:
        return swapaxes(flip(array, second), first, second)
    return flip(swapaxes(array, first, second), second)


@publish(np.roll)
@by_structure(1)
def roll(x: ArrayLike, /, shift: Axes, axis: Axes | None = None) -> Array:
    """
    Move elements along axes; those that leave at the end come in at the start.

    Parameters
    ----------
    x : array_like
        The array.
    shift : int or sequence of int
        Number of positions to move by, for each of the axes.
    axis : int or sequence of int, optional
        None rolls the elements in C order, and the shape stays.

    Returns
    -------
    $joined

    Raises
    ------
    $axis_error
    ValueError
        If there are not as many shifts as axes, or they are of several axes themselves.

    See Also
    --------
    flip : In reversed order.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.roll([1, 2, 3, 4], 1).tolist()
    [4, 1, 2, 3]
    """
    array = as_array(x)
    if axis is None:
        return reshape(roll(ravel(array), shift, 0), array.shape)
    shifts, axes = np.broadcast_arrays(np.atleast_1d(shift), np.atleast_1d(axis))
    if shifts.ndim > 1:
        raise ValueError("shift and axis must be integers or sequences of integers")
    totals: dict[int, int] = {}
    for place, count in zip(axes.tolist(), shifts.tolist(), strict=True):
        place = axis_in(whole_number(place), array.ndim)
        totals[place] = totals.get(place, 0) + whole_number(count)
    for place, count in totals.items():
        array = _rolled(array, count, place)
    return owned(array)


def _rolled(array: Array, count: int, axis: int) -> Array:
    length = array.shape[axis]
    cut = -count % length if length else 0
    if not cut:
        return array
    return concat([part(array, axis, cut, length), part(array, axis, 0, cut)], axis)


@publish(np.tile)
@by_structure(1)
def tile(x: ArrayLike, repetitions: Axes, /) -> Array:
    """
    Repeat an array side by side along each axis.

    Parameters
    ----------
    $array:x
    repetitions : int or sequence of int
        Number of repetitions along each axis, counted from the last one.

    Returns
    -------
    $joined

    Raises
    ------
    ValueError
        If a number of repetitions is negative.

    See Also
    --------
    repeat : Each element by itself.
    broadcast_to : Without copies, along axes of length one.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.tile([1, 2], 2).tolist()
    [1, 2, 1, 2]
    """
    array = as_array(x)
    counts = whole_numbers(repetitions)
    ndim = max(array.ndim, len(counts))
    counts = [1] * (ndim - len(counts)) + counts
    array = reshape(array, (1,) * (ndim - array.ndim) + array.shape)
    for axis, count in enumerate(counts):
        if count < 0:
            raise ValueError(f"cannot repeat an axis {count} times")
        array = concat([array] * count, axis) if count else part(array, axis, 0, 0)
    return owned(array)


@publish(np.diff)
@by_structure(1)
def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """
    Subtract each element from the one after it, `n` times.

    Parameters
    ----------
    a : array_like
        The array.
    n : int, optional
        Number of times.
    axis : int, optional
        Axis to work along.
    prepend, append : array_like, optional
        Values before and after those of the array along the axis.

    Returns
    -------
    Array
        Lazy. Differences of a list are a list, those of runs are runs; computing them takes time in
        proportion to what is stored.

    Raises
    ------
    ValueError
        If `n` is negative, or there is no axis.
    $axis_error

    See Also
    --------
    ediff1d : Of all elements in C order.
    cumulative_sum : The inverse.
    gradient : By the distances of samples.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.diff([1, 4, 9, 16]).tolist()
    [3, 5, 7]
    """
    array = as_array(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if not n:
        return owned(array)
    if not array.ndim:
        raise ValueError("diff requires input that is at least one dimensional")
    place = axis_in(axis, array.ndim)
    edges = [_edge(edge, array, place) for edge in (prepend, append)]
    found = [*edges[0], array, *edges[1]]
    array = concat(found, place) if len(found) > 1 else array
    if n > 1:
        settle(array)  # the expression would read it 2**n times
    op = "not_equal" if array.dtype == bool else "subtract"
    for _ in range(n):
        array = apply(op, neighbours(array, place)[::-1])
    return owned(array)


def _edge(edge: Any, array: Array, axis: int) -> list[Array]:
    if edge is None:
        return []
    given = as_array(edge)
    if given.ndim:
        return [given]
    shape = (*array.shape[:axis], 1, *array.shape[axis + 1 :])
    return [broadcast_to(given, shape)]


@publish(np.ediff1d)
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> Array:
    """
    Subtract each element, in C order, from the one after it.

    Parameters
    ----------
    ary : array_like
        The array.
    to_end, to_begin : array_like, optional
        Values after and before the differences.

    Returns
    -------
    Array
        Lazy vector; that of a list is a list. Computing takes time proportional to what is stored.

    Raises
    ------
    TypeError
        If what stands before or after cannot be cast to the dtype of the array.

    See Also
    --------
    diff : Along an axis.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ediff1d([1, 2, 4], to_begin=-9).tolist()
    [-9, 1, 2]
    """
    array = ravel(as_array(ary))
    differences = apply("subtract", neighbours(array, 0)[::-1])
    before, after = _beside(to_begin, array, "begin"), _beside(to_end, array, "end")
    return concat([*before, differences, *after]) if before or after else differences


def _beside(given: Any, array: Array, side: str) -> list[Array]:
    if given is None:
        return []
    value = as_array(given)
    if not np.can_cast(value.dtype, array.dtype, "same_kind"):
        raise TypeError(
            f"dtype of `to_{side}` must be compatible with input `ary` under the `same_kind` rule."
        )
    return [ravel(value).astype(array.dtype)]
