"""Unions and intersections of batches of masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.masks.coded import columns_of
from structarr._array import Array, of_tensor
from structarr._support.array_types import ArrayLike


def merge(masks: ArrayLike, /, intersect: bool = False) -> Array:
    """
    Return the union of all masks, or their intersection, as `pycocotools.mask.merge` does.

    Parameters
    ----------
    masks : array_like
        Of shape (masks, height, width).
    intersect : bool
        Whether elements are inside that are in all masks, rather than in one of them.

    Returns
    -------
    Array
        Of shape (height, width), bool, its columns stored as runs.

    Raises
    ------
    ValueError
        If there are no masks.

    See Also
    --------
    iou : How much pairs overlap.

    Notes
    -----
    Two masks are ``a | b`` and ``a & b``. Halves of the batch are merged, and halves of these,
    which takes time proportional to the runs times the logarithm of the number of masks.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import masks
    >>> batch = np.array([[[1, 0, 0]], [[1, 1, 0]]])
    >>> masks.merge(batch).todense()
    array([[ True,  True, False]])
    >>> masks.merge(batch, intersect=True).todense()
    array([[ True, False, False]])
    """
    columns = of_tensor(columns_of(masks))
    if not len(columns):
        raise ValueError("the union of no masks has no size: give one at least")
    combine = np.logical_and if intersect else np.logical_or
    while len(columns) > 1:
        half = len(columns) // 2
        merged: Any = combine(columns[:half], columns[half : 2 * half])
        if len(columns) % 2:
            merged = np.concatenate([merged, columns[2 * half :]])
        columns = merged.compute()
    return columns[0].T
