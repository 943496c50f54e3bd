"""Boundaries between regions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.boxes import reached
from structarr._api.images.rows import as_volume, labelled, reshaped, truth, with_axes
from structarr._api.images.structures import boxes_of, generate_binary_structure
from structarr._api.images.windows import by_rows, gaps, together
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored
from structarr._support.array_types import ArrayLike

MODES: Final = ("thick", "inner", "outer")


def find_boundaries(labels: ArrayLike, /, mode: str = "thick", *, connectivity: int = 1) -> Array:
    """
    Return the elements at boundaries of regions, as `skimage.segmentation` does.

    Parameters
    ----------
    labels : array_like
        Integers or booleans, of one to three axes; 0 is the background.
    mode : {"thick", "inner", "outer"}
        Whether elements on both sides of a boundary are returned, only those of regions, or only
        those of the background and of regions that have another one beside them.
    connectivity : int
        Along how many axes neighbours may differ at once, at most: 1 for neighbours across faces,
        up to the number of axes for all.

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call: where a neighbour has another label.

    Raises
    ------
    ValueError
        If the mode is not known, there are more than three axes, or the connectivity is not from 1
        to their number.
    TypeError
        If labels are not integers.

    See Also
    --------
    regions : Perimeters, among others.

    Notes
    -----
    It takes time for each run, for each axis. By "outer", for each way to a neighbouring row and
    back again to its three elements.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.find_boundaries([0, 0, 5, 5, 5, 0]).todense().astype(int)
    array([0, 1, 1, 0, 1, 1])
    >>> ndimage.find_boundaries([0, 0, 5, 5, 5, 0], mode="inner").todense().astype(int)
    array([0, 0, 1, 0, 1, 0])
    """
    if mode not in MODES:
        raise ValueError(f'mode is "thick", "inner" or "outer", not {mode!r}')
    own = labelled(with_axes(labels))
    if not 1 <= connectivity <= own.ndim:
        raise ValueError(f"connectivity is from 1 to {own.ndim} here, not {connectivity}")
    if connectivity == 1 and mode != "outer":
        return boundaries(own, mode == "inner", False)
    found = _beside_steps(own, connectivity)
    if mode == "thick":
        return found
    inside = truth(own)
    if mode == "inner":
        return _both(found, inside)
    return together(_both(found, by_rows(gaps, inside)), _both(found, _met(own)), True)


def _both(one: Array, other: Array) -> Array:
    """Where both of two images are set."""
    return together(one, other, False)


def _beside_steps(labels: Array, connectivity: int) -> Array:
    """
    The elements some neighbour of which has another label.

    Some way to that neighbour goes from neighbour to neighbour, along one axis at a time, and has a
    step between two labels: an end of that step lies beside the element, across the other axes.
    """
    volume, found = as_volume(labels), None
    for axis in range(3 - labels.ndim, 3):
        if axis == 2:
            ends = _along_rows(volume, False, False)
        else:
            ends = _across_rows(volume, int(axis == 0), False, False)
        ends = of_tensor(reshaped(stored(ends), labels.shape))
        if connectivity > 1:
            near = generate_binary_structure(labels.ndim, connectivity - 1)
            own = axis - 3 + labels.ndim
            across = [slice(None)] * labels.ndim
            across[own] = slice(1, 2)
            ends = reached(ends, boxes_of(near[tuple(across)], 0), True)
        found = ends if found is None else together(found, ends, True)
    assert found is not None
    return found


def _met(labels: Array) -> Array:
    """The elements of regions that have another region among all neighbours."""
    volume, found = as_volume(labels), None
    reach = [(0,) if n == 1 else (-1, 0, 1) for n in volume.shape[:2]]
    for step in (-1, 0, 1):
        moved = _moved(volume, step)
        for planes in reach[0]:
            for rows in reach[1]:
                here = _unlike(volume, moved, planes, rows)
                found = here if found is None else together(found, here, True)
    assert found is not None
    return of_tensor(reshaped(stored(found), labels.shape))


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


@kernel
def _moved(labels: Any, step: int) -> Any:
    """The same labels some steps further along rows."""
    found = zeros(labels.shape, dtype=labels.dtype)
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            for start, stop, label in runs(labels[z, y]):
                found[z, y, max(start + step, 0) : min(stop + step, labels.shape[2])] = label
    return found


@kernel
def _unlike(labels: Any, others: Any, planes: int, rows: int) -> Any:
    """The elements of regions that are of another one in a row some planes and rows further."""
    found = zeros(labels.shape, dtype=np.bool_)
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            u = z + planes
            v = y + rows
            if 0 <= u < labels.shape[0] and 0 <= v < labels.shape[1]:
                for start, stop, here, other in runs(labels[z, y], others[u, v]):
                    if here != 0 and other != 0 and here != other:
                        found[z, y, start:stop] = True
    return found
