"""Boxes that run over blocks of packed rows, 64 elements to a word, all rows of a block at once.

No step looks at a row or a run for itself but the first and the last: bits are changed where runs
begin and end, and filled between; rows are combined with those below them in stretches as long as
the block, as often as the logarithm of the box tells; words in which something changes are marked,
and runs read off them. A word of all rows of a block lies in a stretch of its own, so that each of
these steps goes over as many elements at once, the one along rows, too.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import reshaped, values_of
from structarr._api.images.windows import by_rows, rows_of, shrunk
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs, trailing_zeros
from structarr._array import Array, of_tensor, stored

import os
BLOCK: Final = int(os.environ.get("BLK", 1 << 12))
"""About how many words are combined at once: with what comes of them they fit into a near cache."""

EVEN: Final = 32
"""Rows of a block are a multiple of it, of which vector instructions leave no rest."""

APART: Final = 8
"""And as many more, so that the words of a row do not all fall into one set of a cache."""

MARGIN: Final = 64
"""So many bits are before the first element of a row, into which runs may grow, and as many behind
the last one."""

WORDS: Final = 16
"""How many words are combined while two runs are merged."""

INT64: Final = np.dtype(np.int64)


class Window(NamedTuple):
    """
    A box along the last axis and another, that touches an image or fits into it.

    Attributes
    ----------
    before, after : int
        How many rows of the box there are on each side along the axis that is not the last; below 0
        for a box that lies on the other side.
    first, last : int
        The first and the last step along the last axis, fewer than `MARGIN`.
    """

    before: int
    after: int
    first: int
    last: int


def packs(image: Array, size: int) -> bool:
    """Whether a box so long across rows takes less time by words than by merging runs."""
    rows = prod(image.shape[:-1])
    merged = (rows + len(values_of(image))) * size.bit_length()
    return rows * words_of(image.shape[-1]) <= WORDS * merged


def by_words(
    image: Array, axis: int, window: Window, union: bool, second: Window | None = None
) -> Array:
    """
    The elements for which a box touches an image or fits into it.

    Parameters
    ----------
    image : Array
        Bool, stored as runs.
    axis : int
        The axis of the rows of boxes, not the last.
    window : Window
        The box.
    union : bool
        Whether it touches.
    second : Window, optional
        A box that fits into what the first one touches, or touches what that fits into.
    """
    shape = image.shape
    length, inner = shape[axis], prod(shape[axis + 1 : -1])
    windows = [one._replace(before=min(one.before, length), after=min(one.after, length)) for one in (window, second or NONE)]
    if any(min(one.before, one.after) <= -length for one in windows):
        return by_rows(shrunk, image, shape[-1], 0)  # nothing
    found = _found(rows_of(image), length, inner, *windows, union, second is not None)
    return of_tensor(reshaped(stored(found), shape))


NONE: Final = Window(0, 0, 0, 0)


def _found(
    rows: Array, length: int, inner: int, window: Window, second: Window, union: bool, twice: bool
) -> Any:
    """The same of rows, so many times `length` of them, of `inner` lines each."""
    words = words_of(rows.shape[1])
    size, other = (one.before + one.after + 1 for one in (window, second))
    margin = (size + other - 2) * inner
    lines = min(max(BLOCK // words, inner + 2 * margin), length * inner + margin)
    lines = -(-lines // EVEN) * EVEN + APART
    block = (lines - APART - margin) // inner
    left, right = (-window.last, -window.first) if union else (-window.first, -window.last)
    return _in_blocks(
        rows, length, inner, window.before, size, left, right, union, twice,
        second.before, other, second.first, second.last - second.first + 1, block, lines,
    )


def words_of(width: int) -> int:
    """The words of a row with its margins."""
    return (width + 63) // 64 + 2


def _fill(held: Any, carried: Any, words: int, lines: int, used: int) -> None:
    """
    Set the bits of runs by their bounds, behind each of which all bits of its word were changed.

    The last bit of a word then tells whether a run goes on in the next one.
    """
    carried[0:used] = 0
    for c in range(words):
        a = c * lines
        held[0, a : a + used] ^= carried[0:used]
        carried[0:used] = held[0, a : a + used] >> 63


def _combine(held: Any, x: int, inner: int, size: int, whole: int, union: bool) -> int:
    """
    Combine each row with those below it that are in the box, three times as many at each turn.

    Behind the last rows of a word are those of the next one, which nothing is made of. Results are
    written to one half of memory, then to the other; return which it was.
    """
    width = 1
    while width < size:
        wider = min(3 * width, size)
        a = min(width, wider - width) * inner
        b = (wider - width) * inner
        most = whole - (wider - 1) * inner
        y = 1 - x
        if union:
            held[y, 0:most] = held[x, 0:most] | held[x, a : a + most] | held[x, b : b + most]
        else:
            held[y, 0:most] = held[x, 0:most] & held[x, a : a + most] & held[x, b : b + most]
        width = wider
        x = y
    return x


def _widen(held: Any, x: int, lines: int, count: int, whole: int, union: bool) -> int:
    """The same along rows: each element with so many from it on, twice as many at each turn."""
    width = 1
    while width < count:
        step = min(width, count - width)
        high = 1 << (step - 1)
        low = high - 1 + high
        kept = -1 ^ (-1 << (64 - step))
        y = 1 - x
        most = whole + lines
        held[x, whole:most] = 0
        if union:
            held[y, 0:whole] = held[x, 0:whole] | (
                (held[x, 0:whole] >> step) & kept
                | (((held[x, lines:most] & low) ^ high) - high) << (64 - step)
            )
        else:
            held[y, 0:whole] = held[x, 0:whole] & (
                (held[x, 0:whole] >> step) & kept
                | (((held[x, lines:most] & low) ^ high) - high) << (64 - step)
            )
        width += step
        x = y
    return x


def _clip(held: Any, x: int, lines: int, words: int, low: int, high: int) -> None:
    """Clear the bits of rows before one, and from another on."""
    a = (low >> 6) * lines
    b = (high >> 6) * lines
    held[x, 0:a] = 0
    held[x, a : a + lines] &= -1 << (low & 63)
    held[x, b : b + lines] &= -1 ^ (-1 << (high & 63))
    held[x, b + lines : (words + 1) * lines] = 0


def _mark(held: Any, x: int, words: int, lines: int, used: int, marks: Any) -> None:
    """Mark the words of each row that have bits unlike the next ones."""
    for c in range(words):
        a = c * lines
        to = (c >> 6) * lines
        bit = 1 << (c & 63)
        if c & 63 == 0:
            marks[to : to + used] = 0
        marks[to : to + used] |= ((0 - (((held[x, a : a + used] ^ (0 - (held[x, a + lines : a + lines + used] & 1))) >> 1) & (-1 ^ (-1 << 63)) | (held[x, a : a + used] ^ (0 - (held[x, a + lines : a + lines + used] & 1))) & 1)) >> 63) & bit


def _next(word: int, behind: int) -> int:
    """The bits of a word that are unlike the next ones, of which the last is in the word behind."""
    return word ^ ((word >> 1) & (-1 ^ (-1 << 63)) | (0 - (behind & 1)) << 63)


def _rest(word: int) -> int:
    """A word without the lowest bit that is set; Python's numbers have one below the least word."""
    return word & (word - 1) if word != -1 << 63 else 0


@kernel
def _in_blocks(
    rows: Any,
    length: int,
    inner: int,
    before: int,
    size: int,
    left: int,
    right: int,
    union: bool,
    twice: bool,
    lead: int,
    other: int,
    first: int,
    count: int,
    block: int,
    lines: int,
) -> Any:
    """
    What boxes touch, or where they fit, of blocks of `block` rows.

    Most words have one beginning and one end of a run at most. Both are written in any case, and
    counted if they are there, which takes less than a branch that is not foreseen.
    """
    width = rows.shape[1]
    words = (width + 63) // 64 + 2
    whole = words * lines
    held = np.empty((2, whole + lines), np.int64)
    marks = np.empty((words + 63) // 64 * lines, np.int64)
    starts = np.empty(width // 2 + 3, np.int64)
    stops = np.empty(width // 2 + 3, np.int64)
    found = zeros(rows.shape, dtype=np.bool_)
    for z in range(rows.shape[0] // (length * inner)):
        for step in range((length + block - 1) // block):
            top = step * block
            high = min(block, length - top)
            held[0, 0:whole] = 0
            streak = 0
            longest = 0  # so many rows follow each other that have bits: no box fits into fewer
            for j in range(high + size + other - 2):
                y = top - lead - before + j
                has = False
                if y >= 0 and y < length:
                    for q in range(inner):
                        line = j * inner + q
                        reach = 0
                        for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                            begin = max(start + left + 64, reach)
                            reach = stop + right + 64
                            end = max(reach, begin)
                            held[0, (begin >> 6) * lines + line] ^= -1 << (begin & 63)
                            held[0, (end >> 6) * lines + line] ^= -1 << (end & 63)
                        if reach > 0:
                            has = True
                streak = streak + 1 if has else 0
                longest = max(longest, streak)
            if longest >= (1 if union else size):
                _fill(held, marks, words, lines, lines - 8)
                x = _combine(held, 0, inner, size, whole, union)
                if twice:
                    _clip(held, x, lines, words, 64, width + 64)
                    for j in range(high + other - 1):
                        y = top - lead + j
                        if y < 0 or y >= length:
                            for c in range(words):
                                held[x, c * lines + j * inner : c * lines + (j + 1) * inner] = 0
                    x = _combine(held, x, inner, other, whole, not union)
                    x = _widen(held, x, lines, count, whole, not union)
                _clip(held, x, lines, words, first + 64, first + width + 64)
                _mark(held, x, words, lines, lines - 8, marks)
                for line in range(high * inner):
                    begun = 0
                    ended = 0
                    for g in range((words + 63) // 64):
                        mark = marks[g * lines + line]
                        while mark != 0:
                            c = g * 64 + trailing_zeros(mark)
                            mark = _rest(mark)
                            word = held[x, c * lines + line]
                            change = _next(word, held[x, (c + 1) * lines + line])
                            end = change & word
                            begin = change ^ end
                            at = c * 64 - 63 - first
                            starts[begun] = at + trailing_zeros(begin)
                            stops[ended] = at + trailing_zeros(end)
                            begun += int(begin != 0)
                            ended += int(end != 0)
                            begin = _rest(begin)
                            end = _rest(end)
                            while (begin | end) != 0:
                                starts[begun] = at + trailing_zeros(begin)
                                stops[ended] = at + trailing_zeros(end)
                                begun += int(begin != 0)
                                ended += int(end != 0)
                                begin = _rest(begin)
                                end = _rest(end)
                    if begun > 0:
                        to = (z * length + top) * inner + line
                        found[to, starts[0:begun] : stops[0:begun]] = True
    return found
