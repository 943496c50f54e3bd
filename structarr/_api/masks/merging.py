"""Unions and intersections of batches of masks, column by column, 64 elements to a word.

What is outside of all masks, or of one at least, is set bit by bit in the words of a column, and
what is inside is read off again: a mask costs its own runs, however many others there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.blocks import words_of
from structarr._api.images.rows import reshaped
from structarr._api.masks.coded import columns_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs, trailing_zeros
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
    Two masks are ``a | b`` and ``a & b``. It takes time proportional to the number of runs and
    columns of the batch, and the memory of one column, an eighth of a byte an element.

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
    words = np.zeros((1, words_of(columns.shape[2])), np.int64)
    found = _merged(columns, words, not intersect)
    return of_tensor(reshaped(stored(found), columns.shape[1:]).transposed((1, 0)))


def _set_bits(words: Any, k: int, low: int, high: int) -> None:
    """Set the bits [low, high) of a row."""
    first = low >> 6
    last = high >> 6
    head = -1 << (low & 63)
    tail = -1 ^ (-1 << (high & 63))
    if first == last:
        words[k, first] |= head & tail
    else:
        words[k, first] |= head
        words[k, first + 1 : last] = -1
        words[k, last] |= tail


@kernel
def _merged(columns: Any, words: Any, union: bool) -> Any:
    """Each column's elements that are in a mask at least, or in all of them.

    Bits are set of what is in a mask, or of what a mask leaves out. What is inside at last lies
    from `first` to `last`; bits elsewhere are not read.
    """
    found = zeros((1, columns.shape[1], columns.shape[2]), dtype=np.bool_)
    height = columns.shape[2]
    for x in range(columns.shape[1]):
        words[0, 0 : words.shape[1]] = 0
        first = height if union else 0
        last = 0 if union else height
        for mask in range(columns.shape[0]):
            if union:
                for start, stop, _value in runs(columns[mask, x]):
                    _set_bits(words, 0, start, stop)
                    first = min(first, start)
                    last = max(last, stop)
            elif first < last:
                end = 0
                for start, stop, _value in runs(columns[mask, x]):
                    if end == 0:
                        first = max(first, start)
                    elif max(end, first) < min(start, last):
                        _set_bits(words, 0, max(end, first), min(start, last))
                    end = stop
                last = min(last, end)
        if first < last:
            begin = 0
            inside = 0  # or -1, all bits of which are set
            for c in range(first >> 6, (last >> 6) + 1):
                word = words[0, c] if union else -1 ^ words[0, c]
                if c == first >> 6:
                    word = word & (-1 << (first & 63))
                if c == last >> 6:
                    word = word & (-1 ^ (-1 << (last & 63)))
                left = word ^ inside  # what is to be done where a bit changes
                while left != 0:
                    bit = trailing_zeros(left)
                    at = c * 64 + bit
                    if inside == 0:
                        begin = at
                    else:
                        found[0, x, begin:at] = True
                    inside = -1 ^ inside
                    left = (-1 ^ left) & (-1 << bit)
    return found
