"""Specks and holes: components that are too small, and what components surround."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.compact import map_labels, relabel
from structarr._api.images.components import label
from structarr._api.images.morphology import binary_dilation
from structarr._api.images.rows import as_volume, labelled, reshaped, truth, values_of
from structarr._api.images.structures import connectivity_of
from structarr._api.images.windows import by_rows, gaps
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


def remove_small_objects(image: ArrayLike, /, max_size: int = 64, connectivity: int = 1) -> Array:
    """
    Leave out small connected components, as `skimage.morphology` does.

    Parameters
    ----------
    image : array_like
        Of one to three axes: bool, of which the components are found; or integers, which are
        labels, so that all regions as small are left out.
    max_size : int
        The largest number of elements of a component that is left out.
    connectivity : int
        As in `label`.

    Returns
    -------
    Array
        Of the same dtype, in format "sparse-rle", computed at the call.

    Raises
    ------
    ValueError
        If the connectivity is not from 1 to the number of axes.

    See Also
    --------
    binary_fill_holes : Fills what is surrounded.
    binary_opening : Leaves out what no box fits into.

    Notes
    -----
    It takes time for each run.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.remove_small_objects(np.array([True, False, True, True]), 1).todense()
    array([False, False,  True,  True])
    """
    own = labelled(image)
    if own.dtype == np.bool_:
        numbered, _ = label(own, connectivity=connectivity)
        large = areas(numbered) > max_size
        large[0] = False
        return map_labels(numbered, large)
    numbered, values = relabel(own)
    kept = np.where(areas(numbered)[1:] > max_size, values, 0).astype(own.dtype)
    return map_labels(numbered, np.append(own.dtype.type(0), kept))


def areas(numbered: Array) -> Any:
    """The number of elements of each label, 0 of the background."""
    given = values_of(numbered)
    _, start, stop, _ = stored(numbered).buffers[-4:]
    lengths = stop.astype(np.int64) - start
    return np.bincount(given, lengths, int(given.max(initial=0)) + 1).astype(np.int64)


@documented
def binary_fill_holes(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    *,
    connectivity: int = 1,
    origin: int | Sequence[int] = 0,
) -> Array:
    """
    Fill what an image surrounds, as `scipy.ndimage.binary_fill_holes` does.

    Parameters
    ----------
    $image:input
    structure : array_like, optional
        The neighbours by which the outside is connected, as in `binary_dilation`; in the place of
        `connectivity`.
    connectivity : int
        That of the outside, as in `label`: with 1 a hole may be closed by corners.
    origin : int or sequence of int
        How far the middle of the structure lies further along each axis.

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    ValueError
        If the connectivity is not from 1 to the number of axes, or the structure does not fit the
        image.

    See Also
    --------
    remove_small_objects : Leaves out specks.
    binary_closing : Fills narrow gaps.

    Notes
    -----
    The gaps between runs are runs; their components that do not reach the border are holes. It
    takes time for each run. By a structure that is none of `generate_binary_structure` the outside
    is dilated over and over.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ring = np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0]])
    >>> ndimage.binary_fill_holes(ring).todense().astype(int)
    array([[0, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 0, 0]])
    """
    own = truth(input)
    near = connectivity if structure is None else connectivity_of(structure, own.ndim)
    if near is None or np.any(origin):
        given: dict[str, Any] = {"mask": by_rows(gaps, own), "border_value": 1, "origin": origin}
        outside = binary_dilation(zeros(own.shape, dtype=np.bool_), structure, -1, **given)
        return by_rows(gaps, outside)
    numbered, count = label(by_rows(gaps, own), connectivity=near)
    holes = np.ones(count + 1, np.bool_)
    holes[0] = False
    volume = as_volume(numbered)
    _open_at_border(volume, holes, own.ndim)
    found = _filled(as_volume(own), volume, holes)
    return of_tensor(reshaped(stored(found), own.shape))


@kernel
def _filled(image: Any, numbered: Any, holes: Any) -> Any:
    """What is in an image, or in a gap that is a hole."""
    found = zeros(image.shape, dtype=np.bool_)
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            for start, stop, inside, gap in runs(image[z, y], numbered[z, y]):
                if inside or holes[gap]:
                    found[z, y, start:stop] = True
    return found


@kernel
def _open_at_border(numbered: Any, holes: Any, axes: int) -> None:
    """Note which components reach the first or last element along one of the axes."""
    planes = numbered.shape[0]
    rows = numbered.shape[1]
    width = numbered.shape[2]
    for z in range(planes):
        for y in range(rows):
            outer = axes > 1 and (y == 0 or y == rows - 1)
            if axes > 2 and (z == 0 or z == planes - 1):
                outer = True
            for start, stop, hole in runs(numbered[z, y]):
                if outer or start == 0 or stop == width:
                    holes[hole] = False
