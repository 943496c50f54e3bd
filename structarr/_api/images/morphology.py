"""Erosion and dilation of images of runs by boxes and lines of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._api.images.packed import by_words, packs
from structarr._api.images.rows import truth
from structarr._api.images.windows import by_rows, grown, in_windows, shrunk
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
    Each run is shortened. Rows are then packed, 64 elements to a word, and intersected as the box
    runs over them, which takes the same time whatever the size. Where runs are few in wide rows,
    runs are intersected instead, as many times as the logarithm of the size.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_erosion(np.array([1, 1, 1, 0, 1]), size=2).todense().astype(int)
    array([0, 1, 1, 0, 0])
    """
    return _boxed(image, size, False)


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
    Each run is lengthened. Rows are then packed, 64 elements to a word, and united as the box runs
    over them, which takes the same time whatever the size. Where runs are few in wide rows, runs
    are united instead, as many times as the logarithm of the size.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_dilation(np.array([0, 0, 1, 0, 0]), size=3).todense().astype(int)
    array([0, 1, 1, 1, 0])
    """
    return _boxed(image, size, True)


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


def _boxed(image: ArrayLike, size: Size, union: bool) -> Array:
    """
    What boxes touch, or where they fit.

    Runs are lengthened or shortened where rows are packed, or else by themselves.
    """
    found = truth(image)
    *others, width = _sizes(size, found)
    left, right = width // 2, width - 1 - width // 2
    for axis in reversed(range(found.ndim - 1)):
        wide = others[axis]
        if wide == 1 or not found.size:
            continue
        before, after = wide // 2, wide - 1 - wide // 2
        if union:
            before, after = after, before
        if packs(found, wide):
            ends = (-left, right) if union else (left, -right)
            found = by_words(found, before, after, axis, *ends, union)
        else:
            found = in_windows(_along_rows(found, left, right, union), before, after, axis, union)
        left = right = 0
    return _along_rows(found, left, right, union)


def _along_rows(image: Array, left: int, right: int, union: bool) -> Array:
    """Runs that are lengthened on both sides, or shortened."""
    if not left and not right:
        return image
    return by_rows(grown if union else shrunk, image, left, right)


def _sizes(size: Size, image: Array) -> list[int]:
    """How many elements long a box is along each axis."""
    sizes = (size,) * image.ndim if isinstance(size, int | np.integer) else tuple(size)
    if len(sizes) != image.ndim or any(int(one) != one or one < 1 for one in sizes):
        raise ValueError(
            f"size is a positive number, or one for each of the {image.ndim} axes, not {size}"
        )
    return [int(one) for one in sizes]
