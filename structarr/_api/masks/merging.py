"""Unions and intersections of batches of masks."""

from __future__ import annotations

from structarr._api.images.rows import reshaped
from structarr._api.images.windows import halved
from structarr._api.masks.coded import columns_of
from structarr._array import Array, of_tensor, stored
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
        Of shape (height, width), bool, in the format of the batch: columns are stored as runs.
        Computed at the call.

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
    while len(columns) > 1:
        columns = halved(columns, not intersect)
    return of_tensor(reshaped(stored(columns), columns.shape[1:]).transposed((1, 0)))
