"""Slopes and areas of sampled functions, composed of slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.reductions.reductions import sum
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import axes_in, axis_in
from structarr._api.shape.reshaping import reshape
from structarr._api.shape.shifting import diff, neighbours, part
from structarr._array import Array
from structarr._support.array_types import ArrayLike, Axis


@overload
def gradient(f: ArrayLike, *varargs: ArrayLike, axis: int, edge_order: int = ...) -> Array: ...
@overload
def gradient(f: ArrayLike, *varargs: ArrayLike, axis: Axis = ..., edge_order: int = ...) -> Any: ...


@publish(np.gradient)
def gradient(f: ArrayLike, *varargs: ArrayLike, axis: Axis = None, edge_order: int = 1) -> Any:
    """
    Return the gradient of a function sampled on a grid, along each of some axes.

    Parameters
    ----------
    f : array_like
        The samples.
    *varargs : scalar or array_like
        The distance of neighbours, one for all axes or one for each, or the coordinates along
        each axis.
    axis : int or tuple of int, optional
        The axes; None stands for all.
    edge_order : {1, 2}
        Of how many differences the slopes at the ends are made.

    Returns
    -------
    Array or tuple of Array
        One for each axis, lazy: the gradient of a list is a list, that of runs has runs. Computing
        takes time proportional to what is stored.

    Raises
    ------
    ValueError
        If an axis is too short, `edge_order` is greater than 2, or distances are not as many as
        there are samples.
    TypeError
        If there are neither one nor as many distances as axes.
    $axis_error

    See Also
    --------
    diff : The differences of neighbours.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.gradient([1.0, 2.0, 4.0, 7.0]).tolist()
    [1.0, 1.5, 2.5, 3.0]
    """
    array = as_array(f)
    axes = axes_in(axis, array.ndim)
    steps = [_steps(one, array, place) for one, place in _spacings(varargs, axes)]
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    for place in axes:
        if array.shape[place] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, "
                "at least (edge_order + 1) elements are required."
            )
    found = [
        _slopes(array, place, step, edge_order) for place, step in zip(axes, steps, strict=True)
    ]
    return found[0] if len(found) == 1 else tuple(found)


def _spacings(given: Sequence[Any], axes: Sequence[int]) -> list[tuple[Any, int]]:
    """The given distances along each axis."""
    if not given:
        return [(1.0, place) for place in axes]
    if len(given) == 1 and np.ndim(given[0]) == 0:
        return [(given[0], place) for place in axes]
    if len(given) != len(axes):
        raise TypeError("invalid number of arguments")
    return list(zip(given, axes, strict=True))


def _steps(given: Any, array: Array, place: int) -> Any:
    """The distances along an axis, one if they are equal."""
    spacing = np.asarray(given)
    if not spacing.ndim:
        return spacing[()]
    if spacing.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(spacing) != array.shape[place]:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = np.diff(spacing.astype(np.float64) if spacing.dtype.kind in "iu" else spacing)
    return steps[0] if len(steps) and (steps == steps[0]).all() else steps


def _slopes(array: Array, axis: int, step: Any, order: int) -> Array:
    length = array.shape[axis]
    within = np.ndim(step) > 0
    if within:
        middle = _combined(array, axis, _weights(step[:-1], step[1:], 1))
    else:
        later, earlier = part(array, axis, 2, max(length, 2)), part(array, axis, 0, length - 2)
        middle = (later - earlier) / (2.0 * step)
    if order == 1:
        sides = (step[0], step[-1]) if within else (step, step)
        first, last = (
            (part(array, axis, at + 1, at + 2) - part(array, axis, at, at + 1)) / side
            for at, side in zip((0, length - 2), sides, strict=True)
        )
    else:
        head, tail = (step[:2], step[-2:]) if within else ([step] * 2, [step] * 2)
        first = _combined(part(array, axis, 0, 3), axis, _weights(head[0], head[1], 0))
        last = _combined(part(array, axis, length - 3, length), axis, _weights(tail[0], tail[1], 2))
    kind = array.dtype if array.dtype.kind in "fc" else np.dtype(np.float64)
    # Each by a kernel of its own: one kernel of nine operands takes longer to compile.
    return concat([one.compute() for one in (first, middle, last)], axis, dtype=kind)


def _weights(before: Any, after: Any, at: int) -> tuple[Any, Any, Any]:
    """The weights of three samples in the slope, at one of them, of the parabola through them."""
    both = before + after
    signs = {
        0: (-(both + before), both, -before),
        1: (-after, after - before, before),
        2: (after, -both, both + after),
    }
    first, second, third = signs[at]
    return first / (before * both), second / (before * after), third / (after * both)


def _combined(array: Array, axis: int, weights: tuple[Any, Any, Any]) -> Array:
    """Sums of neighbours by weights, which may differ along an axis."""
    count = max(array.shape[axis] - 2, 0)
    terms: list[Array] = [
        part(array, axis, place, place + count) * _along(weight, axis, array.ndim)
        for place, weight in enumerate(weights)
    ]
    first, second, third = terms
    return first + second + third


def _along(values: Any, axis: int, ndim: int) -> Any:
    """A vector along one of some axes."""
    if not np.ndim(values):
        return values
    return np.reshape(values, [-1 if place == axis else 1 for place in range(ndim)])


@publish(np.trapezoid)
def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> Array:
    """
    Integrate along an axis by trapezoids.

    Parameters
    ----------
    y : array_like
        The samples.
    x : array_like, optional
        Where they were taken.
    dx : scalar, optional
        The distance of neighbours if `x` is not given.
    axis : int
        Axis to work along.

    Returns
    -------
    Array
        Lazy, with the format of a sum over the axis: samples that are a list are not made dense.
        Computing it takes time in proportion to what they store.

    Raises
    ------
    $axis_error
    $broadcast_error

    See Also
    --------
    cumulative_sum : Running sums.
    sum : Sums.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.trapezoid([1.0, 2.0, 3.0]))
    4.0
    """
    samples = as_array(y)
    place = axis_in(axis, samples.ndim)
    step: Any = dx
    if x is not None:
        at = as_array(x)
        step = diff(at, axis=-1 if at.ndim == 1 else axis)
        if at.ndim == 1:
            step = reshape(step, _along(np.empty(step.shape, bool), place, samples.ndim).shape)
    earlier, later = neighbours(samples, place)
    return sum(step * (later + earlier) / 2.0, axis)
