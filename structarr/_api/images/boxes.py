"""Where boxes touch an image of runs, or fit into it; and where unions of boxes do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from structarr._api.images.blocks import by_words, packs
from structarr._api.images.structures import Box
from structarr._api.images.windows import by_rows, grown, in_windows, shrunk, together
from structarr._array import Array

SHORTER: Final = 16
"""Runs that become so much shorter do so first: few are left of them, if any."""


def reached(image: Array, boxes: Sequence[Box], union: bool) -> Array:
    """
    Where some steps from an element lead into an image, or where all do.

    Parameters
    ----------
    image : Array
        Bool, stored as runs; what is outside of it is empty.
    boxes : sequence of boxes
        Their union are the steps.
    union : bool
        Whether one of the steps is enough.
    """
    first, *others = boxes
    found = _boxed(image, first, union)
    for box in others:
        found = together(found, _boxed(image, box, union), union)
    return found


def _boxed(image: Array, box: Box, union: bool) -> Array:
    """
    Where a step of a box leads into an image, or all of them do.

    Runs are lengthened or shortened where rows are packed, or else by themselves.
    """
    found = image
    *others, (first, last) = box
    left, right = (-last, -first) if union else (-first, -last)
    if left - right >= SHORTER:
        found, left, right = _along_rows(found, left, right, union), 0, 0
    for axis in reversed(range(found.ndim - 1)):
        before, after = -others[axis][0], others[axis][1]
        if not (before or after) or not found.size:
            continue
        if packs(found, before + after + 1):
            found = by_words(found, before, after, axis, left, right, union)
        else:
            found = in_windows(_along_rows(found, left, right, union), before, after, axis, union)
        left = right = 0
    return _along_rows(found, left, right, union)


def _along_rows(image: Array, left: int, right: int, union: bool) -> Array:
    """Runs that begin so many elements later, and end so many later."""
    if not left and not right:
        return image
    return by_rows(grown if union else shrunk, image, left, right)
