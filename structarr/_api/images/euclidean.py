"""Euclidean distances to the background, for the elements within runs alone.

Squares of distances are found along one axis after the other. Along the last one the ends of a run
tell them. Along another, an element is as far from the background as from the nearest of its line:
the least of parabolas, one above each element of the line, which Felzenszwalb and Huttenlocher find
by a stack in time for each element. Elements of the background are parabolas of height 0, beyond
which no other is less. So each stretch of a line that lies within runs is done by itself.

Neighbours of one line lie far apart in memory, so lines are done some together. Marks tell which of
their rows a run reaches; no others are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, overload

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.images.nearest import Nearest
from structarr._api.images.rows import as_volume, truth
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

FARTHEST: Final = 1e100
"""The most that elements may lie apart, as squares are computed with."""
SIDE_BY_SIDE: Final = 16
"""Lines that are done together."""


@overload
def distance_transform_edt(
    input: ArrayLike,
    sampling: float | Sequence[float] | None = ...,
    return_distances: bool = ...,
    return_indices: Literal[False] = ...,
) -> Array: ...


@overload
def distance_transform_edt(
    input: ArrayLike,
    sampling: float | Sequence[float] | None = ...,
    return_distances: bool = ...,
    *,
    return_indices: Literal[True],
) -> Array | tuple[Array, Array]: ...


def distance_transform_edt(
    input: ArrayLike,
    sampling: float | Sequence[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
) -> Array | tuple[Array, Array]:
    """
    Return how far each element is from the background, as `scipy.ndimage` does.

    Parameters
    ----------
    input : array_like
        An image of one to three axes; what is not 0 is inside.
    sampling : float or sequence of float, optional
        How far elements lie apart, along all axes or along each; 1 by default.
    return_distances, return_indices : bool
        What is returned: distances, and which element of the background is nearest.

    Returns
    -------
    Array, or tuple of Array
        The distances, dense, of float64, computed at the call: 0 in the background, and infinity
        everywhere if there is none. Indices are of int32, with an axis in front for those of the
        image: of several elements equally near, any one; -1 if there is no background.

    Raises
    ------
    ValueError
        If the sampling is not from 1e-100 to 1e100, or not a number for each axis, or there are
        more than three axes, or nothing is to be returned.

    See Also
    --------
    distance_transform_cdt : Distances in steps, as integers.
    binary_erosion : Elements that are further away than half of a box.

    Notes
    -----
    Distances change from element to element, so the result is dense. What is computed is for
    elements within runs alone. Squares are whole numbers, and exact, where the sampling is.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.distance_transform_edt([[1, 1, 0], [1, 1, 1]]).todense().round(2)
    array([[2.  , 1.  , 0.  ],
           [2.24, 1.41, 1.  ]])
    >>> ndimage.distance_transform_edt([1, 1, 0, 1], return_distances=False, return_indices=True)
    <structarr.Array shape=(1, 4) dtype=int32 format=dense nstored=4 fill=0
      2  2  2  2>
    """
    if not (return_distances or return_indices):
        raise ValueError("at least one of return_distances and return_indices must be True")
    own = truth(input)
    volume = as_volume(own)
    steps = _steps(sampling, own.ndim)
    found = np.zeros(volume.shape)
    nearest = Nearest(volume) if return_indices else None
    depth, height = volume.shape[:2]
    if found.size:
        flat = found.reshape(-1)
        _within_runs(volume, flat, steps[2] ** 2, np.inf)
        if height > 1:
            _across(volume, flat, False, steps[1] ** 2, nearest)
        if depth > 1:
            _across(volume, flat, True, steps[0] ** 2, nearest)
    if nearest is not None:
        indices = asarray(nearest.indices(found, own.ndim).reshape(own.ndim, *own.shape))
        if not return_distances:
            return indices
    if found.size:
        _rooted(volume, flat)
    distances = asarray(found.reshape(own.shape))
    return distances if nearest is None else (distances, indices)


def _steps(sampling: float | Sequence[float] | None, ndim: int) -> list[float]:
    """How far elements lie apart along the axes of a volume."""
    given = np.asarray(1.0 if sampling is None else sampling, np.float64)
    if (
        given.shape not in ((), (ndim,))
        or not ((given >= 1 / FARTHEST) & (given <= FARTHEST)).all()
    ):
        raise ValueError(
            f"sampling is a positive number, or one for each of the {ndim} axes, from "
            f"{1 / FARTHEST:.0e} to {FARTHEST:.0e}, not {sampling}"
        )
    each: list[float] = np.broadcast_to(given, (ndim,)).tolist()
    return [1.0] * (3 - ndim) + each


def _across(volume: Array, flat: Any, plane: bool, weight: float, nearest: Nearest | None) -> None:
    """Squares of distances along the first axis of a volume or the second."""
    depth, height, width = volume.shape
    blocks, count, lines = (1, depth, height * width) if plane else (depth, height, width)
    marks = np.zeros((blocks * count, -(-lines // SIDE_BY_SIDE)), np.bool_)
    _mark(volume, marks, plane, SIDE_BY_SIDE)
    held, places = np.zeros((count, SIDE_BY_SIDE)), np.zeros(count + 1, np.int64)
    heights, bounds = np.zeros(count + 1), np.zeros(count + 1)
    near = np.zeros(0, np.int32) if nearest is None else nearest.along(1 - plane)
    rows = np.zeros((count, SIDE_BY_SIDE), np.int64)
    _least(flat, blocks, lines, weight, np.inf, marks, held, places, heights, bounds, near, rows)


@kernel
def _mark(image: Any, marks: Any, plane: bool, together: int) -> None:
    """Mark which of the elements of some lines together runs reach."""
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            row = z if plane else z * image.shape[1] + y
            base = y * image.shape[2] if plane else 0
            for start, stop, _value in runs(image[z, y]):
                low = (base + start) // together
                high = (base + stop - 1) // together
                marks[row, low : high + 1] = True


@kernel
def _within_runs(image: Any, found: Any, weight: float, far: float) -> None:
    """Squares of distances along rows."""
    width = image.shape[2]
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            base = (z * image.shape[1] + y) * width
            for start, stop, _value in runs(image[z, y]):
                if start == 0 and stop == width:
                    found[base : base + width] = far
                for x in range(start, stop):
                    before = x - start + 1 if start > 0 else width
                    after = stop - x if stop < width else width
                    if start > 0 or stop < width:
                        near = min(before, after)
                        found[base + x] = weight * near * near


def _under(
    held: Any,
    line: int,
    low: int,
    high: int,
    weight: float,
    far: float,
    places: Any,
    heights: Any,
    bounds: Any,
    rows: Any,
) -> None:
    """Replace heights of a line, from `low` to `high`, by the least of the parabolas above it.

    Which that is, `rows` tells. What is before and behind is background. The first `top` of
    `places` and `heights` are parabolas, each of which is the least from its bound to that of the
    next one.
    """
    y = low
    while y < high:
        if held[y, line] == 0.0:
            y += 1
            continue
        begin = y
        top = 0
        if begin > 0:
            places[0] = begin - 1
            heights[0] = 0.0
            bounds[0] = -far
            top = 1
        is_inside = True
        while is_inside and y < held.shape[0]:
            g = held[y, line] if y < high else 0.0
            is_inside = g != 0.0
            if g != far:
                bound = -far
                above = top > 0
                while above:
                    j = places[top - 1]
                    rise = (g - heights[top - 1]) / weight
                    bound = (rise + (y * y - j * j)) / (2.0 * (y - j))
                    above = bound <= bounds[top - 1]
                    if above:
                        top -= 1
                        above = top > 0
                places[top] = y
                heights[top] = g
                bounds[top] = bound
                top += 1
            if is_inside:
                y += 1
        if top > 0:
            k = 0
            for i in range(begin, y):
                while k + 1 < top and bounds[k + 1] < i:
                    k += 1
                held[i, line] = heights[k] + weight * (i - places[k]) * (i - places[k])
                rows[i, line] = places[k]


@kernel
def _least(
    found: Any,
    blocks: int,
    lines: int,
    weight: float,
    far: float,
    marks: Any,
    held: Any,
    places: Any,
    heights: Any,
    bounds: Any,
    near: Any,
    rows: Any,
) -> None:
    """Squares of distances along an axis, of those along the axes behind it.

    `found` has so many blocks, each of as many rows of `lines` elements as `held`. If `near` has
    elements, it is told which row is the nearest for each.
    """
    for block in range(blocks):
        for b in range(marks.shape[1]):
            first = block * held.shape[0] * lines + b * held.shape[1]
            wide = min(held.shape[1], lines - b * held.shape[1])
            y = 0
            while y < held.shape[0]:
                low = y
                while y < held.shape[0] and marks[block * held.shape[0] + y, b]:
                    at = first + y * lines
                    held[y, 0:wide] = found[at : at + wide]
                    if len(near) > 0:
                        rows[y, 0:wide] = y
                    y += 1
                for line in range(wide):
                    _under(held, line, low, y, weight, far, places, heights, bounds, rows)
                for k in range(low, y):
                    at = first + k * lines
                    found[at : at + wide] = held[k, 0:wide]
                    if len(near) > 0:
                        near[at : at + wide] = rows[k, 0:wide]
                if y == low:
                    y += 1


@kernel
def _rooted(image: Any, found: Any) -> None:
    """Distances of their squares."""
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            base = (z * image.shape[1] + y) * image.shape[2]
            for start, stop, _value in runs(image[z, y]):
                found[base + start : base + stop] = np.sqrt(found[base + start : base + stop])
