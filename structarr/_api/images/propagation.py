"""Dilation within a mask until nothing changes, by the components of the mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.compact import map_labels
from structarr._api.images.components import label
from structarr._api.images.morphology import binary_dilation
from structarr._api.images.rows import truth
from structarr._api.images.structures import connectivity_of
from structarr._api.images.windows import by_rows, gaps, rows_of, together
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def binary_propagation(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    border_value: int = 0,
    origin: int | Sequence[int] = 0,
) -> Array:
    """
    Dilate an image within a mask until nothing changes, as `scipy.ndimage` does.

    Parameters
    ----------
    $image:input
    structure : array_like, optional
        As in `binary_dilation`.
    mask : array_like, optional
        The elements that may become set; all by default.
    border_value : int
        Whether what is outside of the image counts as set.
    origin : int or sequence of int
        How far the middle of the structure lies further along each axis.

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    ValueError
        If the structure or the mask do not fit the image, or the origin is outside of the
        structure.

    See Also
    --------
    binary_dilation : A number of times.
    binary_fill_holes : Fills what is surrounded.

    Notes
    -----
    By a structure of neighbours, as `generate_binary_structure` makes them, the components of the
    mask are found that the image touches, in time for each run. By others the image is dilated over
    and over.

    Examples
    --------
    >>> from structarr import ndimage
    >>> mask = [1, 1, 1, 0, 1, 1]
    >>> ndimage.binary_propagation([0, 1, 0, 0, 0, 0], mask=mask).todense().astype(int)
    array([1, 1, 1, 0, 0, 0])
    """
    own = truth(input)
    where = (
        truth(mask) if mask is not None else by_rows(gaps, truth(zeros(own.shape, dtype=np.bool_)))
    )
    given: dict[str, Any] = {"mask": where, "border_value": border_value, "origin": origin}
    connectivity = connectivity_of(structure, own.ndim)
    if connectivity is None or np.any(origin):
        return binary_dilation(own, structure, -1, **given)
    seeds = binary_dilation(own, structure, **given)
    numbered, count = label(where, connectivity=connectivity)
    touched = np.zeros(count + 1, np.bool_)
    _touch(rows_of(numbered), rows_of(seeds), touched)
    return together(own, map_labels(numbered, touched), True)


@kernel
def _touch(numbered: Any, seeds: Any, touched: Any) -> None:
    """Note which components have a seed."""
    for i in range(numbered.shape[0]):
        for _start, _stop, number, seed in runs(numbered[i], seeds[i]):
            if number != 0 and seed:
                touched[number] = True
