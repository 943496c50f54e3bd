"""Boundaries between regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import as_volume, labelled, reshaped, with_axes
from structarr._api.images.windows import together
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored
from structarr._support.array_types import ArrayLike


def find_boundaries(labels: ArrayLike, /, mode: str = "thick") -> Array:
    """
    Return the elements at boundaries of regions, as `skimage.segmentation` does.

    Parameters
    ----------
    labels : array_like
        Integers or booleans, of one to three axes; 0 is the background.
    mode : {"thick", "inner"}
        Whether elements on both sides of a boundary are returned, or only those of regions.

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call: where a neighbour across a face has
        another label.

    Raises
    ------
    ValueError
        If the mode is not known, or there are more than three axes.
    TypeError
        If labels are not integers.

    See Also
    --------
    regions : Perimeters, among others.

    Notes
    -----
    It takes time for each run, for each axis.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.find_boundaries([0, 0, 5, 5, 5, 0]).todense().astype(int)
    array([0, 1, 1, 0, 1, 1])
    >>> ndimage.find_boundaries([0, 0, 5, 5, 5, 0], mode="inner").todense().astype(int)
    array([0, 0, 1, 0, 1, 0])
    """
    if mode not in ("thick", "inner"):
        raise ValueError(f'mode is "thick" or "inner", not {mode!r}')
    return boundaries(labelled(with_axes(labels)), mode == "inner", False)


def boundaries(labels: Array, inner: bool, outside: bool) -> Array:
    """Where labels end: on one side or both, and where the outside counts as background or not."""
    volume = as_volume(labels)
    found = _along_rows(volume, inner, outside)
    for axis in range(3 - labels.ndim, 2):
        found = together(found, _across_rows(volume, int(axis == 0), inner, outside), True)
    return of_tensor(reshaped(stored(found), labels.shape))


@kernel
def _along_rows(labels: Any, inner: bool, outside: bool) -> Any:
    """The elements beside the ends of runs."""
    found = zeros(labels.shape, dtype=np.bool_)
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            width = labels.shape[2]
            done = 0  # what comes before is written
            for start, stop, _label in runs(labels[z, y]):
                if start > 0 or outside:
                    low = max(start if inner else start - 1, done)
                    found[z, y, low : start + 1] = True
                    done = max(done, start + 1)
                if stop < width or outside:
                    high = stop if inner else min(stop + 1, width)
                    found[z, y, max(stop - 1, done) : high] = True
                    done = max(done, high)
    return found


@kernel
def _across_rows(labels: Any, planes: int, inner: bool, outside: bool) -> Any:
    """The elements above or below others, along the first axis or the second."""
    found = zeros(labels.shape, dtype=np.bool_)
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            at = z if planes == 1 else y
            last = labels.shape[0] - 1 if planes == 1 else labels.shape[1] - 1
            edge = outside and (at == 0 or at == last)
            before = max(at - 1, 0)
            after = min(at + 1, last)
            u = before if planes == 1 else z
            v = y if planes == 1 else before
            p = after if planes == 1 else z
            q = y if planes == 1 else after
            for start, stop, here, over, under in runs(labels[z, y], labels[u, v], labels[p, q]):
                ends = here != over or here != under or (edge and here != 0)
                if ends and (here != 0 or not inner):
                    found[z, y, start:stop] = True
    return found
