"""Distances to the background, for the elements within runs alone."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.images.rows import as_volume, truth, values_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

STEPS: Final = {"taxicab": 1, "chessboard": 3}
"""Along how many axes a step may go at once."""
FAR: Final = 1 << 30
"""What stands for no distance that is known yet."""


def distance_transform_cdt(image: ArrayLike, /, metric: str = "chessboard") -> Array:
    """
    Return how many steps each element is from the background, as `scipy.ndimage` does.

    Parameters
    ----------
    image : array_like
        Of one to three axes; what is not 0 is inside.
    metric : {"chessboard", "taxicab"}
        Whether a step goes to any of the neighbours, or to one across a face.

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
    binary_erosion : Elements that are further away than half of a box.

    Notes
    -----
    Distances change from element to element, so the result is dense. Only elements within runs are
    visited, twice: from the first to the last, and back.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.distance_transform_cdt([0, 1, 1, 1, 1, 0, 1]).todense()
    array([0, 1, 2, 2, 1, 0, 1], dtype=int32)
    """
    if metric not in STEPS:
        raise ValueError(f"metric is one of {', '.join(STEPS)}, not {metric!r}")
    own = truth(image)
    volume = as_volume(own)
    found = np.full(tuple(n + 2 for n in volume.shape), FAR, np.int32)
    inner = found[1:-1, 1:-1, 1:-1]
    inner[...] = 0
    flat = found.reshape(-1)
    segments = np.zeros((len(values_of(volume)), 2), np.int64)
    _forward(volume, flat, _before(found.shape, STEPS[metric]), segments)
    _backward(flat, -_before(found.shape, STEPS[metric]), segments)
    inner[inner >= FAR] = -1
    return asarray(np.ascontiguousarray(inner.reshape(own.shape)))


def _before(shape: tuple[int, ...], axes: int) -> Any:
    """How far each neighbour lies behind that comes before an element."""
    strides = (shape[1] * shape[2], shape[2], 1)
    steps = [one for one in product((-1, 0, 1), repeat=3) if one < (0, 0, 0)]
    near = [one for one in steps if sum(map(abs, one)) <= axes]
    return np.array([np.dot(one, strides) for one in near], np.int64)


def _nearest(found: Any, at: Any, offsets: Any) -> Any:
    """One step more than the least distance of some neighbours."""
    least = found[at]
    for k in range(len(offsets)):
        least = min(least, found[at + offsets[k]] + 1)
    return least


@kernel
def _forward(image: Any, found: Any, offsets: Any, segments: Any) -> None:
    """Distances by ways over neighbours that come before; where each run lies."""
    k = 0
    wide = image.shape[2] + 2
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            base = ((z + 1) * (image.shape[1] + 2) + y + 1) * wide + 1
            for start, stop, _value in runs(image[z, y]):
                segments[k, 0] = base + start
                segments[k, 1] = base + stop
                k += 1
                for at in range(base + start, base + stop):
                    found[at] = 1 << 30
                    found[at] = min(_nearest(found, at, offsets), 1 << 30)


@kernel
def _backward(found: Any, offsets: Any, segments: Any) -> None:
    """Distances by ways over neighbours that come behind, too."""
    k = segments.shape[0]
    while k > 0:
        k -= 1
        at = segments[k, 1]
        while at > segments[k, 0]:
            at -= 1
            found[at] = min(_nearest(found, at, offsets), 1 << 30)
