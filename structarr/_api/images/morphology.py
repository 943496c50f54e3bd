"""Erosion and dilation of images of runs by boxes and lines of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._api.images.rows import truth
from structarr._api.images.windows import (
    all_in_windows,
    any_in_windows,
    by_rows,
    grown,
    shrunk,
)
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented

Size = int | Sequence[int]


@documented
def binary_erosion(image: ArrayLike, /, size: Size = 3) -> Array:
    """
    Return where a box fits into an image, as `scipy.ndimage.binary_erosion` does.

    Parameters
    ----------
    $image
    $size

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $size_error

    See Also
    --------
    binary_dilation : Where a box touches an image.
    binary_opening : What a box inside the image covers.

    Notes
    -----
    Along the last axis each run is shortened. Along others rows are intersected with rows further
    on, as many times as the logarithm of the size. It takes time for each run, not each element.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_erosion(np.array([1, 1, 1, 0, 1]), size=2).todense().astype(int)
    array([0, 1, 1, 0, 0])
    """
    found = truth(image)
    for axis, width in _sizes(size, found):
        if axis == found.ndim - 1:
            found = by_rows(shrunk, found, width // 2, width - 1 - width // 2)
        else:
            found = all_in_windows(found, width // 2, width - 1 - width // 2, axis)
    return found


@documented
def binary_dilation(image: ArrayLike, /, size: Size = 3) -> Array:
    """
    Return where a box touches an image, as `scipy.ndimage.binary_dilation` does.

    Parameters
    ----------
    $image
    $size

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $size_error

    See Also
    --------
    binary_erosion : Where a box fits into an image.
    binary_closing : What no box outside of the image covers.

    Notes
    -----
    Along the last axis each run is lengthened. Along others rows are united with rows further on,
    as many times as the logarithm of the size. It takes time for each run, not each element.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_dilation(np.array([0, 0, 1, 0, 0]), size=3).todense().astype(int)
    array([0, 1, 1, 1, 0])
    """
    found = truth(image)
    for axis, width in _sizes(size, found):
        before, after = width - 1 - width // 2, width // 2
        if axis == found.ndim - 1:
            found = by_rows(grown, found, after, before)
        else:
            found = any_in_windows(found, before, after, axis)
    return found


@documented
def binary_opening(image: ArrayLike, /, size: Size = 3) -> Array:
    """
    Return what boxes that fit into an image cover, as `scipy.ndimage.binary_opening` does.

    Parameters
    ----------
    $image
    $size

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $size_error

    See Also
    --------
    binary_closing : The same of what is outside.
    remove_small_objects : Leaves out small components whatever their shape.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_opening(np.array([1, 0, 1, 1, 1, 0]), size=3).todense().astype(int)
    array([0, 0, 1, 1, 1, 0])
    """
    return binary_dilation(binary_erosion(image, size), size)


@documented
def binary_closing(image: ArrayLike, /, size: Size = 3) -> Array:
    """
    Return what no box that touches no part of an image covers, as `scipy.ndimage.binary_closing`.

    Parameters
    ----------
    $image
    $size

    Returns
    -------
    Array
        Bool, in format "sparse-rle", in time for each run. As in SciPy the outside of the image
        counts as empty, so that what lies at the border may be lost.

    Raises
    ------
    $size_error

    See Also
    --------
    binary_opening : The same of what is inside.
    binary_fill_holes : Fills holes of any size.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_closing(np.array([0, 1, 0, 1, 1, 0]), size=3).todense().astype(int)
    array([0, 1, 1, 1, 1, 0])
    """
    return binary_erosion(binary_dilation(image, size), size)


def _sizes(size: Size, image: Array) -> list[tuple[int, int]]:
    """The axes along which a box is longer than an element, the last one first, and how long."""
    sizes = (size,) * image.ndim if isinstance(size, int | np.integer) else tuple(size)
    if len(sizes) != image.ndim or any(int(one) != one or one < 1 for one in sizes):
        raise ValueError(
            f"size is a positive number, or one for each of the {image.ndim} axes, not {size}"
        )
    found = [(axis, int(one)) for axis, one in enumerate(sizes) if one > 1]
    return found[::-1]
