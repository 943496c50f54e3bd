"""Distances to the background in steps, for the elements within runs alone.

The ends of runs tell distances along rows. Over other rows an element is one step further than its
neighbour in the row before, or in the one behind: rows are swept twice, and planes then. A step
aside on the way saves one along the row where steps go to corners, and costs nothing, so two sweeps
find the least way. A run is compared with the rows at its side as stretches, many elements at once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.images.rows import as_volume, truth
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

ASIDE: Final = {"taxicab": 0, "cityblock": 0, "manhattan": 0, "chessboard": 1}
"""How far aside a step to another row may go."""
FAR: Final = 1 << 30
"""What stands for no distance that is known yet."""


def distance_transform_cdt(input: ArrayLike, metric: str = "chessboard") -> Array:
    """
    Return how many steps each element is from the background, as `scipy.ndimage` does.

    Parameters
    ----------
    input : array_like
        An image of one to three axes; what is not 0 is inside.
    metric : {"chessboard", "taxicab"}
        Whether a step goes to any of the neighbours, or to one across a face; SciPy's other names
        of the latter, "cityblock" and "manhattan", are known too.

    Returns
    -------
    Array
        Dense, of int32, computed at the call: 0 in the background, and -1 everywhere if there is
        none.

    Raises
    ------
    ValueError
        If the metric is not known, or there are more than three axes.

    See Also
    --------
    distance_transform_edt : Euclidean distances.
    binary_erosion : Elements that are further away than half of a box.

    Notes
    -----
    Distances change from element to element, so the result is dense. Only elements within runs are
    visited, twice for each axis but the last: from the first to the last, and back.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.distance_transform_cdt([0, 1, 1, 1, 1, 0, 1]).todense()
    array([0, 1, 2, 2, 1, 0, 1], dtype=int32)
    """
    if metric not in ASIDE:
        raise ValueError(f"metric is one of {', '.join(ASIDE)}, not {metric!r}")
    own = truth(input)
    volume = as_volume(own)
    found = np.zeros(volume.shape, np.int32)
    flat = found.reshape(-1)
    _within_runs(volume, flat, FAR)
    for plane in (False, True):
        if volume.shape[0 if plane else 1] > 1:
            for step in (1, -1):
                _sweep(volume, flat, plane, step, ASIDE[metric])
    if flat.size and flat[0] == FAR:  # there is no background
        found[...] = -1
    return asarray(found.reshape(own.shape))


@kernel
def _within_runs(image: Any, found: Any, far: int) -> None:
    """Distances along rows."""
    width = image.shape[2]
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            base = (z * image.shape[1] + y) * width
            for start, stop, _value in runs(image[z, y]):
                first = base + start
                last = base + stop
                before = 1 if start > 0 else far  # the distance of the first element
                after = 1 if stop < width else far
                for x in range(first, last):
                    found[x] = min(min(before + x - first, after + last - 1 - x), far)


@kernel
def _sweep(image: Any, found: Any, plane: bool, step: int, aside: int) -> None:
    """Distances by ways over the planes, or rows, before; by those behind for a step of -1."""
    depth = image.shape[0]
    height = image.shape[1]
    width = image.shape[2]
    beside = aside if plane else 0
    for i in range(depth):
        for j in range(height):
            z = i if step > 0 else depth - 1 - i
            y = j if step > 0 else height - 1 - j
            if (i if plane else j) > 0:
                base = (z * height + y) * width
                for start, stop, _value in runs(image[z, y]):
                    for v in range(max(y - beside, 0), min(y + beside + 1, height)):
                        row = (z - step) * height + v if plane else z * height + y - step
                        for dx in range(-aside, aside + 1):
                            low = max(start, -dx)
                            size = min(stop, width - dx) - low
                            at = base + low
                            other = row * width + low + dx
                            found[at : at + size] = np.minimum(
                                found[at : at + size], found[other : other + size] + 1
                            )
