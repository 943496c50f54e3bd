"""Windows that slide along axes, as further axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.indexing.selecting import take
from structarr._api.shape.manipulation import moveaxis
from structarr._array import Array
from structarr._support.array_types import ArrayLike


@publish(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    x: ArrayLike,
    window_shape: int | Sequence[int],
    axis: int | Sequence[int] | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> Array:
    """
    Return the windows of an array at all places, each along further axes at the end.

    Parameters
    ----------
    x : array_like
        The array, of any shape and dtype.
    window_shape : int or sequence of int
        How long windows are, on each of the axes.
    axis : int or sequence of int, optional
        Along which axes they slide, one after the other; None stands for all.
    subok : bool, optional
        Of no consequence here.
    writeable : bool, optional
        True is refused: no array of this package shares elements that are written.

    Returns
    -------
    Array
        Lazy; an element is stored in each window that has it.

    Raises
    ------
    ValueError
        If a window is longer than its axis, or below zero, there are not as many lengths as axes,
        or the view is to be writeable.
    numpy.exceptions.AxisError
        If there is no such axis.

    See Also
    --------
    convolve : Sums over windows, which are not formed.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.lib.stride_tricks.sliding_window_view([1, 2, 3], 2).tolist()
    [[1, 2], [2, 3]]
    """
    array = as_array(x)
    lengths = [operator.index(one) for one in _each(window_shape)]
    if writeable:
        raise ValueError("arrays are values, so that no view of one is writeable: leave it out")
    every = range(array.ndim) if axis is None else _each(axis)
    axes = np.lib.array_utils.normalize_axis_tuple(every, array.ndim, "axis", allow_duplicate=True)
    if len(axes) != len(lengths):
        told = f"{len(lengths)} lengths of windows for {len(axes)} axes"
        raise ValueError(f"{told}: give one for each")
    for place, length in zip(axes, lengths, strict=True):
        array = _slid(array, place, length)
    return array


def _each(value: Any) -> tuple[Any, ...]:
    return (value,) if np.ndim(value) == 0 else tuple(value)


def _slid(array: Array, axis: int, length: int) -> Array:
    count = array.shape[axis] - length + 1
    if length < 0 or count < 1:
        raise ValueError(f"a window of {length} does not fit axis {axis}, of {array.shape[axis]}")
    places = np.arange(count)[:, None] + np.arange(length)
    return moveaxis(take(array, places, axis=axis), axis + 1, -1)
