"""Boxes that run over images of two values, 64 elements to a word.

Rows are packed as they come, combined word by word, and the runs of what is found are read off
again: neither depends on the size of the box. Van Herk and Gil and Werman found how. Rows are taken
in blocks as high as the box. A box that begins in a block covers the rest of it, which was combined
from the last row back when the block was complete, and the first rows of the next block, which are
combined as they come.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import reshaped, values_of
from structarr._api.images.windows import by_rows, shrunk
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs, trailing_zeros
from structarr._array import Array, of_tensor, stored

WORDS: Final = 16
"""How many words are combined while two runs are merged."""


def packs(image: Array, size: int) -> bool:
    """Whether a box so long across rows takes less time by words than by merging runs."""
    rows = prod(image.shape[:-1])
    merged = (rows + len(values_of(image))) * size.bit_length()
    return rows * words_of(image.shape[-1]) <= WORDS * merged


def by_words(
    image: Array, before: int, after: int, axis: int, left: int, right: int, union: bool
) -> Array:
    """
    The elements for which a box, along the last axis and another, touches an image or fits into it.

    Parameters
    ----------
    image : Array
        Bool, stored as runs.
    before, after, axis : int
        How many rows of the box there are on each side along an axis that is not the last; below 0
        for a box that lies on the other side.
    left, right : int
        What is added to where runs begin and end.
    union : bool
        Whether it touches.
    """
    shape = image.shape
    length, inner = shape[axis], prod(shape[axis + 1 : -1])
    if min(before, after) <= -length or (
        not union and max(before, after, before + after) >= length
    ):
        return by_rows(shrunk, image, shape[-1], 0)  # nothing
    before, after = min(before, length - 1), min(after, length - 1)
    size = before + after + 1
    words = np.zeros((size + 1, inner * words_of(shape[-1])), np.int64)
    spans = np.zeros((size + 1, 2), np.int64)
    line = np.zeros(words.shape[1], np.int64)
    rows = of_tensor(reshaped(stored(image), (prod(shape[:-1]), shape[-1])))
    found = _boxes(rows, length, inner, before, left, right, union, words, spans, line)
    return of_tensor(reshaped(stored(found), shape))


def words_of(width: int) -> int:
    """The words of a row, of which the last has a bit at least that is not set."""
    return width // 64 + 1


def set_bits(words: Any, k: int, low: int, high: int) -> None:
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


def _combine(words: Any, spans: Any, k: int, to: int, union: bool) -> None:
    """Unite a row with another, or intersect it; both are empty outside of their spans."""
    low = spans[k, 0]
    high = spans[k, 1]
    first = spans[to, 0]
    last = spans[to, 1]
    if union:
        words[to, low:high] |= words[k, low:high]
        if low < high:
            spans[to, 0] = min(first, low) if first < last else low
            spans[to, 1] = max(last, high)
    else:
        words[to, first:last] &= words[k, first:last]
        spans[to, 0] = max(first, low)
        spans[to, 1] = max(min(last, high), max(first, low))


def _begin(words: Any, spans: Any, k: int) -> None:
    """Clear a row."""
    words[k, spans[k, 0] : spans[k, 1]] = 0
    spans[k, 0] = 0
    spans[k, 1] = 0


@kernel
def _boxes(
    rows: Any,
    length: int,
    inner: int,
    before: int,
    left: int,
    right: int,
    union: bool,
    words: Any,
    spans: Any,
    line: Any,
) -> Any:
    """
    What boxes touch, or where they fit.

    An image has `length` rows, of `inner` lines each, which are rows of `rows`. The first rows of
    `words` hold a block, up to `k` as it came, the rest combined; the last one what has come of it,
    combined. No word outside of its row's span is set. `line` is what is found of a row.
    """
    found = zeros(rows.shape, dtype=np.bool_)
    for z in range(rows.shape[0] // (length * inner)):
        width = rows.shape[1]
        size = words.shape[0] - 1
        per = words.shape[1] // inner
        for t in range(length + size - 1):
            k = t % size
            y = t - before
            _begin(words, spans, k)
            if y >= 0 and y < length:
                begun = -1
                ended = 0
                for q in range(inner):
                    base = q * per * 64
                    for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                        low = base + max(start + left, 0)
                        high = base + min(stop + right, width)
                        if low < high:
                            set_bits(words, k, low, high)
                            if begun < 0:
                                begun = low
                            ended = high
                if begun >= 0:
                    spans[k, 0] = begun >> 6
                    spans[k, 1] = (ended >> 6) + 1
            if k == 0:
                _begin(words, spans, size)
                spans[size, 0] = spans[0, 0]
                spans[size, 1] = spans[0, 1]
                words[size, spans[0, 0] : spans[0, 1]] = 0 | words[0, spans[0, 0] : spans[0, 1]]
            else:
                _combine(words, spans, k, size, union)
            if t >= size - 1:
                rest = size if k == size - 1 else k + 1
                first = max(spans[rest, 0], spans[size, 0])
                last = min(spans[rest, 1], spans[size, 1])
                if union:
                    first = min(spans[rest, 0], spans[size, 0])
                    last = max(spans[rest, 1], spans[size, 1])
                    line[first:last] = words[rest, first:last] | words[size, first:last]
                else:
                    line[first:last] = words[rest, first:last] & words[size, first:last]
                for q in range(first // per, (last + per - 1) // per):
                    row = (z * length + t - size + 1) * inner + q
                    begin = 0
                    inside = 0  # or -1, all bits of which are set
                    for c in range(max(first, q * per), min(last, (q + 1) * per)):
                        left_over = line[c] ^ inside  # what is to be done where a bit changes
                        while left_over != 0:
                            bit = trailing_zeros(left_over)
                            at = (c - q * per) * 64 + bit
                            if inside == 0:
                                begin = at
                            else:
                                found[row, begin:at] = True
                            inside = -1 ^ inside
                            left_over = (-1 ^ left_over) & (-1 << bit)
            if k == size - 1:
                while k > 0:
                    k -= 1
                    _combine(words, spans, k + 1, k, union)
    return found
