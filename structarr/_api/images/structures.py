"""Structuring elements: what an element's neighbours are, and the boxes of which that is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

Box = tuple[tuple[int, int], ...]
"""The first and the last step along each axis."""


def generate_binary_structure(rank: int, connectivity: int) -> np.ndarray:
    """
    Return the neighbours of an element, as `scipy.ndimage.generate_binary_structure` does.

    Parameters
    ----------
    rank : int
        The number of axes.
    connectivity : int
        Along how many axes neighbours may differ from the element at once, at most.

    Returns
    -------
    numpy.ndarray
        Bool, three elements long along each axis.

    See Also
    --------
    label : Takes it as its structure.
    binary_dilation : Takes it, and any other structure.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.generate_binary_structure(2, 1).astype(int)
    array([[0, 1, 0],
           [1, 1, 1],
           [0, 1, 0]])
    """
    steps = np.abs(np.indices((3,) * max(rank, 0)) - 1).sum(axis=0)
    return np.asarray(steps <= max(connectivity, 1))


def neighbours(structure: Any, ndim: int) -> np.ndarray:
    """A structure given for images of so many axes, or that of neighbours across faces."""
    if structure is None:
        return generate_binary_structure(ndim, 1)
    found = np.asarray(structure).astype(np.bool_)
    if found.ndim != ndim:
        raise ValueError(
            f"structure has an axis for each of the image's {ndim}, not {found.ndim}: "
            "a number is given by its name, size= or connectivity="
        )
    return found


def connectivity_of(structure: Any, ndim: int) -> int | None:
    """Of which connectivity a structure has all neighbours and no others; None for others."""
    near = neighbours(structure, ndim)
    for connectivity in range(1, ndim + 1):
        if np.array_equal(near, generate_binary_structure(ndim, connectivity)):
            return connectivity
    return None


def boxes_of(structure: np.ndarray, origin: int | Sequence[int]) -> tuple[Box, ...]:
    """
    Return boxes, as large as may be, of which a structure is the union.

    Their steps are from the element at the structure's middle, moved by `origin`.
    """
    if not structure.any():
        raise ValueError("structure has no element that is set")
    middle = _middle(structure.shape, origin)
    return _boxes(structure.shape, np.ascontiguousarray(structure).tobytes(), middle)


def box_of(sizes: Sequence[int], origin: int | Sequence[int]) -> Box:
    """The box of some extents, whose steps are from the element at its middle."""
    if isinstance(origin, int | np.integer):
        return _box(tuple(sizes), int(origin))
    return _box(tuple(sizes), tuple(origin))


@lru_cache(64)
def _box(sizes: tuple[int, ...], origin: int | tuple[int, ...]) -> Box:
    middle = _middle(sizes, origin)
    return tuple((-at, n - 1 - at) for n, at in zip(sizes, middle, strict=True))


def _middle(sizes: Sequence[int], origin: int | Sequence[int]) -> tuple[int, ...]:
    """The element in the middle, moved by an origin."""
    shifts = (origin,) * len(sizes) if isinstance(origin, int | np.integer) else tuple(origin)
    if len(shifts) != len(sizes) or any(int(one) != one for one in shifts):
        raise ValueError(f"origin is a whole number, or one for each axis, not {origin}")
    middle = tuple([n // 2 + int(shift) for n, shift in zip(sizes, shifts, strict=True)])
    if any(not 0 <= at < n for at, n in zip(middle, sizes, strict=True)):
        raise ValueError(f"origin {origin} is outside of the structure")
    return middle


@lru_cache(64)
def _boxes(shape: tuple[int, ...], text: bytes, middle: tuple[int, ...]) -> tuple[Box, ...]:
    structure = np.frombuffer(text, np.bool_).reshape(shape)
    left = structure.copy()
    found = []
    while left.any():
        place = np.argwhere(left)[0].tolist()
        box = _grown(structure, [(at, at + 1) for at in place])
        left[tuple(slice(low, high) for low, high in box)] = False
        steps = zip(box, middle, strict=True)
        found.append(tuple((low - at, high - 1 - at) for (low, high), at in steps))
    return tuple(found)


def _grown(structure: np.ndarray, box: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A box in a structure, lengthened along one axis after the other, the last one first."""
    for axis in reversed(range(structure.ndim)):
        others = tuple(slice(*ends) for k, ends in enumerate(box) if k != axis)
        fits = np.moveaxis(structure, axis, 0)[(slice(None), *others)]
        full = [bool(np.all(part)) for part in fits]
        low, high = box[axis]
        while low > 0 and full[low - 1]:
            low -= 1
        while high < len(full) and full[high]:
            high += 1
        box[axis] = (low, high)
    return box


@lru_cache(64)
def mirrored(box: Box) -> Box:
    """A box on the other side of the element."""
    return tuple((-last, -first) for first, last in box)
