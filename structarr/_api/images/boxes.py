"""Where boxes touch an image of runs, or fit into it; and where unions of boxes do."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from structarr._api.images.blocks import MARGIN, Window, by_words, packs
from structarr._api.images.structures import Box
from structarr._api.images.windows import by_rows, grown, in_windows, shrunk, together, twice
from structarr._array import Array

HIGH: Final = 128
"""Boxes with more rows around an element, both together, are gone over one after the other."""


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


def reached_twice(image: Array, box: Box, other: Box, union: bool) -> Array:
    """
    Where a second box fits into what a first one touches, or touches what that fits into.

    Rows stay packed between the two where the boxes are not large.
    """
    moved = [axis for axis in range(image.ndim - 1) if any(box[axis]) or any(other[axis])]
    if not moved and image.size:
        return by_rows(twice, image, *_ends(box[-1], union), *_ends(other[-1], not union), union)
    if len(moved) == 1 and image.size and max(map(abs, box[-1])) < MARGIN:
        (axis,) = moved
        windows = [_window(one, axis) for one in (box, other)]
        rows = [one.size - 1 for one in windows]
        lines = prod(image.shape[axis + 1 : -1])
        if sum(rows) * lines <= HIGH and packs(image, max(rows) + 1):
            return by_words(image, axis, windows[0], union, windows[1])
    return _boxed(_boxed(image, box, union), other, not union)


def _window(box: Box, axis: int) -> Window:
    """A box along an axis of rows and the last one."""
    return Window(-box[axis][0], box[axis][1], *box[-1])


def _ends(steps: tuple[int, int], union: bool) -> tuple[int, int]:
    """How much later runs begin, and end, for steps along them."""
    first, last = steps
    return (-last, -first) if union else (-first, -last)


def _boxed(image: Array, box: Box, union: bool) -> Array:
    """
    Where a step of a box leads into an image, or all of them do.

    Runs are lengthened or shortened where rows are packed, or else by themselves.
    """
    found = image
    *others, along = box
    left, right = _ends(along, union)
    if max(abs(left), abs(right)) >= MARGIN:
        found, along = _along_rows(found, along, union), (0, 0)
    for axis in reversed(range(found.ndim - 1)):
        before, after = -others[axis][0], others[axis][1]
        if not (before or after) or not found.size:
            continue
        if packs(found, before + after + 1):
            found = by_words(found, axis, Window(before, after, *along), union)
        else:
            found = in_windows(_along_rows(found, along, union), before, after, axis, union)
        along = (0, 0)
    return _along_rows(found, along, union)


def _along_rows(image: Array, steps: tuple[int, int], union: bool) -> Array:
    """Runs of what is reached, or all of what is, by steps along them."""
    if not any(steps):
        return image
    return by_rows(grown if union else shrunk, image, *_ends(steps, union))
