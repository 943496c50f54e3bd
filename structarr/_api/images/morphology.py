"""Erosion and dilation of images of runs by boxes, lines, crosses, and what is made of them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structarr._api.images.boxes import reached, reached_twice
from structarr._api.images.rows import truth
from structarr._api.images.structures import Box, box_of, boxes_of, mirrored, neighbours
from structarr._api.images.windows import by_rows, chosen, gaps
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented

Size = int | Sequence[int]

_WHOLE = (int, np.integer)  # a union of types is made anew where it is written


@documented
def binary_erosion(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    iterations: int = 1,
    *,
    mask: ArrayLike | None = None,
    border_value: int = 0,
    origin: int | Sequence[int] = 0,
    size: Size | None = None,
) -> Array:
    """
    Return where a structure fits into an image, as `scipy.ndimage.binary_erosion` does.

    Parameters
    ----------
    $image:input
    $structure

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $structure_error

    See Also
    --------
    binary_dilation : Where a structure touches an image.
    binary_opening : What a structure inside the image covers.

    Notes
    -----
    For a box each run is shortened. Rows are then packed, 64 elements to a word, and intersected as
    the box runs over them, which takes the same time whatever the size. Where runs are few in wide
    rows, runs are intersected instead, as many times as the logarithm of the size.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_erosion(np.array([1, 1, 1, 0, 1]), size=2).todense().astype(int)
    array([0, 1, 1, 0, 0])
    >>> ndimage.binary_erosion(np.ones((3, 3))).todense().astype(int)
    array([[0, 0, 0],
           [0, 1, 0],
           [0, 0, 0]])
    """
    work = _work(input, structure, mask, border_value, origin, size)
    return _repeated(work, iterations, False)


@documented
def binary_dilation(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    iterations: int = 1,
    *,
    mask: ArrayLike | None = None,
    border_value: int = 0,
    origin: int | Sequence[int] = 0,
    size: Size | None = None,
) -> Array:
    """
    Return where a structure touches an image, as `scipy.ndimage.binary_dilation` does.

    Parameters
    ----------
    $image:input
    $structure

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $structure_error

    See Also
    --------
    binary_erosion : Where a structure fits into an image.
    binary_closing : What no structure outside of the image covers.
    binary_propagation : Dilates within a mask until nothing changes.

    Notes
    -----
    For a box each run is lengthened. Rows are then packed, 64 elements to a word, and united as the
    box runs over them, which takes the same time whatever the size. Where runs are few in wide
    rows, runs are united instead, as many times as the logarithm of the size.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_dilation(np.array([0, 0, 1, 0, 0]), size=3).todense().astype(int)
    array([0, 1, 1, 1, 0])
    >>> ndimage.binary_dilation(np.diag([0, 1, 0])).todense().astype(int)
    array([[0, 1, 0],
           [1, 1, 1],
           [0, 1, 0]])
    """
    work = _work(input, structure, mask, border_value, origin, size)
    return _repeated(work, iterations, True)


@documented
def binary_opening(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    iterations: int = 1,
    *,
    mask: ArrayLike | None = None,
    border_value: int = 0,
    origin: int | Sequence[int] = 0,
    size: Size | None = None,
) -> Array:
    """
    Return what structures that fit into an image cover, as `scipy.ndimage.binary_opening` does.

    Parameters
    ----------
    $image:input
    $structure

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $structure_error

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
    work = _work(input, structure, mask, border_value, origin, size)
    return _and_back(work, iterations, False)


@documented
def binary_closing(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    iterations: int = 1,
    *,
    mask: ArrayLike | None = None,
    border_value: int = 0,
    origin: int | Sequence[int] = 0,
    size: Size | None = None,
) -> Array:
    """
    Return what structures that touch no part of an image leave, as `scipy.ndimage` does.

    Parameters
    ----------
    $image:input
    $structure

    Returns
    -------
    Array
        Bool, in format "sparse-rle", computed at the call.

    Raises
    ------
    $structure_error

    See Also
    --------
    binary_opening : The same of what is inside.
    binary_fill_holes : Fills holes of any size.

    Notes
    -----
    As in SciPy the outside of the image counts as empty, so that what lies at the border may be
    lost; with a `border_value` of 1 it is kept.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.binary_closing(np.array([0, 1, 0, 1, 1, 0]), size=3).todense().astype(int)
    array([0, 1, 1, 1, 1, 0])
    """
    work = _work(input, structure, mask, border_value, origin, size)
    return _and_back(work, iterations, True)


class Work(NamedTuple):
    """An image, the boxes of a structure, the elements that may change, and what is outside."""

    image: Array
    boxes: tuple[Box, ...]
    mask: Array | None
    outside: bool


def _work(
    image: ArrayLike,
    structure: ArrayLike | None,
    mask: ArrayLike | None,
    border_value: int,
    origin: int | Sequence[int],
    size: Size | None,
) -> Work:
    """What the arguments of a function say."""
    own = truth(image)
    if size is not None:
        if structure is not None:
            raise ValueError("a structure is given, or the size of a box, not both")
        boxes: tuple[Box, ...] = (box_of(_sizes(size, own), origin),)
    else:
        boxes = boxes_of(neighbours(structure, own.ndim), origin)
    where = None if mask is None else truth(mask)
    if where is not None and where.shape != own.shape:
        raise ValueError(f"the mask has the shape of the image, {own.shape}, not {where.shape}")
    return Work(own, boxes, where, bool(border_value))


def _and_back(work: Work, iterations: int, union: bool) -> Array:
    """An image dilated and then eroded in so many iterations, or the other way about."""
    boxes, count = _in_one(work, iterations)
    if count != 1 or len(boxes) > 1 or work.mask is not None:
        found = _repeated(work, iterations, union)
        return _repeated(work._replace(image=found), iterations, not union)
    (box,) = boxes
    one, other = (mirrored(box), box) if union else (box, mirrored(box))
    if work.outside:  # what is not in the image is found, outside of which nothing is
        return by_rows(gaps, reached_twice(by_rows(gaps, work.image), one, other, not union))
    return reached_twice(work.image, one, other, union)


def _in_one(work: Work, iterations: int) -> tuple[tuple[Box, ...], int]:
    """The boxes of a structure, and how often they are gone over: a box of several times, once."""
    boxes, count = work.boxes, operator.index(iterations)
    if count > 1 and work.mask is None and len(boxes) == 1 and _is_around(boxes[0]):
        larger = tuple((first * count, last * count) for first, last in boxes[0])
        return (larger,), 1
    return boxes, count


def _repeated(work: Work, iterations: int, union: bool) -> Array:
    """What is found in so many iterations, or at last."""
    boxes, count = _in_one(work, iterations)
    boxes = tuple(map(mirrored, boxes)) if union else boxes
    found = work.image
    while True:
        before, found = found, _once(work, found, boxes, union)
        count -= 1
        if count == 0 or (count < 0 and _are_equal(before, found)):
            return found


def _is_around(box: Box) -> bool:
    """Whether a box has the element itself: boxes over and over make a larger one then."""
    return all(first <= 0 <= last for first, last in box)


def _once(work: Work, image: Array, boxes: tuple[Box, ...], union: bool) -> Array:
    if work.outside:  # what is not in the image is found, outside of which nothing is
        found = by_rows(gaps, reached(by_rows(gaps, image), boxes, not union))
    else:
        found = reached(image, boxes, union)
    return found if work.mask is None else chosen(work.mask, found, image)


def _are_equal(one: Array, other: Array) -> bool:
    """Whether two images have the same runs."""
    pairs = zip(stored(one).buffers, stored(other).buffers, strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def _sizes(size: Size, image: Array) -> list[int]:
    """How many elements long a box is along each axis."""
    sizes = (size,) * image.ndim if isinstance(size, _WHOLE) else tuple(size)
    if len(sizes) != image.ndim or [one for one in sizes if int(one) != one or one < 1]:
        raise ValueError(
            f"size is a positive number, or one for each of the {image.ndim} axes, not {size}"
        )
    return [int(one) for one in sizes]
