"""Boxes that run over blocks of packed rows, 64 elements to a word, all rows of a block at once.

No step looks at a row or a run for itself but the first and the last: bits are changed where runs
begin and end, and filled between; rows are combined with those below them in stretches as long as
the block, as often as the logarithm of the box tells; words in which something changes are marked,
and runs read off them. A word of all rows of a block lies in a stretch of its own, so that each of
these steps goes over as many elements at once. Along rows boxes make runs longer or shorter, before
they are packed, and once more when they are read off.
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

BLOCK: Final = 1 << 11
"""About how many words are combined at once: with what comes of them they fit into a near cache."""

HIGH: Final = 4
"""At least so many times as high as a box is a block, as rows at its edges are packed twice."""

HIGHER: Final = 8
"""The same of rows that are full of runs; of others, low blocks are more often empty."""

FULL: Final = 12
"""Rows are with more runs than that."""

EVEN: Final = 32
"""Rows of a block are a multiple of it, of which vector instructions leave no rest."""

APART: Final = 8
"""There is room for so many more, lest the words of a row fall into few sets of a cache."""

MARGIN: Final = 64
"""So many bits are before the first element of a row, and as many behind the last one, into which
runs may grow."""

WORDS: Final = 16
"""How many words are combined while two runs are merged."""

MUCH: Final = 16
"""Of runs that become so much shorter few are left, of longer ones most touch the next: branches
that skip the others are foreseen."""


class Window(NamedTuple):
    """
    A box along the last axis and another one.

    Attributes
    ----------
    before, after : int
        How many rows of the box there are on each side, along the axis that is not the last; below
        0 for a box that lies on the other side.
    first, last : int
        The first and the last step along the last axis, fewer than `MARGIN` to either side.
    """

    before: int
    after: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """How many rows it has."""
        return self.before + self.after + 1


ELEMENT: Final = Window(0, 0, 0, 0)
"""The box of an element alone."""


def packs(image: Array, size: int) -> bool:
    """Whether a box so long across rows takes less time by words than by merging runs."""
    rows = prod(image.shape[:-1])
    merged = (rows + len(values_of(image))) * size.bit_length()
    return rows * words_of(image.shape[-1]) <= WORDS * merged


def by_words(
    image: Array, axis: int, window: Window, union: bool, second: Window = ELEMENT
) -> Array:
    """
    The elements for which a box touches an image, or fits into it.

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
    second : Window
        A box that fits into what the first one touches, or touches what that fits into.
    """
    shape = image.shape
    length, inner = shape[axis], prod(shape[axis + 1 : -1])
    near, far = (_within(one, length) for one in (window, second))
    if near is None or far is None:
        return by_rows(shrunk, image, shape[-1], 0)  # nothing
    margin = (near.size + far.size - 2) * inner
    times = HIGHER if len(values_of(image)) > FULL * prod(shape[:-1]) else HIGH
    lines = min(max(BLOCK // words_of(shape[-1]), inner + times * margin), length * inner + margin)
    left, right = (-near.last, -near.first) if union else (-near.first, -near.last)
    found = _in_blocks(
        rows_of(image),
        length,
        inner,
        -(-lines // EVEN) * EVEN,
        near.before,
        near.size,
        left,
        right,
        union,
        second is not ELEMENT,
        far.before,
        far.size,
        far.first,
        far.last,
    )
    return of_tensor(reshaped(stored(found), shape)) if len(shape) > 2 else found


def _within(window: Window, length: int) -> Window | None:
    """A box with no more rows than reach all of an image; None if it reaches none."""
    before, after = window.before, window.after
    if min(before, after) <= -length:
        return None
    if max(before, after) <= length:
        return window
    return window._replace(before=min(before, length), after=min(after, length))


def words_of(width: int) -> int:
    """The words of a row with its margins."""
    return (width + 63) // 64 + 2


def _change(held: Any, bound: int, lines: int, line: int) -> None:
    """Change all bits of a word from a bound on."""
    held[0, (bound >> 6) * lines + line] ^= -1 << (bound & 63)


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

    Behind the last rows of a word are those of the next one, of which nothing is made. What is read
    is in half `x` of memory, and written to the other; return which it was at last.
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


def _clip(held: Any, x: int, words: int, lines: int, low: int, high: int) -> None:
    """Clear the bits of all rows before one, and from another one on."""
    a = (low >> 6) * lines
    b = (high >> 6) * lines
    held[x, 0:a] = 0
    held[x, a : a + lines] &= -1 << (low & 63)
    held[x, b : b + lines] &= -1 ^ (-1 << (high & 63))
    held[x, b + lines : words * lines] = 0


def _mark(held: Any, x: int, words: int, lines: int, used: int, marks: Any) -> None:
    """Find the bits unlike the next one, and mark the words of each row that have any."""
    held[x, words * lines : (words + 1) * lines] = 0
    for c in range(words):
        a = c * lines
        to = (c >> 6) * lines
        bit = 1 << (c & 63) if c & 63 < 63 else -1 << 63
        if c & 63 == 0:
            marks[to : to + used] = 0
        held[1 - x, a : a + used] = held[x, a : a + used] ^ (
            (held[x, a : a + used] >> 1) & (-1 ^ (-1 << 63))
            | (0 - (held[x, a + lines : a + lines + used] & 1)) << 63
        )
        marks[to : to + used] |= (
            0
            - (
                (held[1 - x, a : a + used] >> 1) & (-1 ^ (-1 << 63))
                | (held[1 - x, a : a + used] & 1)
            )
        ) >> 63 & bit


def _rest(word: int) -> int:
    """A word without the lowest bit that is set; Python's numbers have one below the least word."""
    return word & (word - 1) if word != -1 << 63 else 0


def _listed(held: Any, y: int, words: int, lines: int, line: int, marks: Any, bounds: Any) -> int:
    """List the bounds of the runs of a row by its changes; return how many there are.

    Most words have two changes or one. Both are written in any case, and counted if they are there,
    which takes less than a branch that is not foreseen.
    """
    n = 0
    for g in range((words + 63) // 64):
        mark = marks[g * lines + line]
        while mark != 0:
            c = g * 64 + trailing_zeros(mark)
            mark = _rest(mark)
            change = held[y, c * lines + line]
            at = c * 64 - 63
            while True:
                second = _rest(change)
                bounds[n] = at + trailing_zeros(change)
                bounds[n + 1] = at + trailing_zeros(second)
                n += 1 + int(second != 0)
                change = _rest(second)
                if change == 0:
                    break
    return n


def _shortened(bounds: Any, n: int, left: int, right: int, width: int) -> int:
    """Move the bounds of runs, of which some vanish; return how many are left."""
    k = 0
    for j in range(n >> 1):
        begin = max(bounds[2 * j] + left, 0)
        end = min(bounds[2 * j + 1] + right, width)
        bounds[k] = begin
        bounds[k + 1] = end
        k += 2 * int(begin < end)
    return k


def _lengthened(bounds: Any, n: int, left: int, right: int, width: int) -> int:
    """The same of runs that become longer, and may touch then."""
    k = -2
    begin = 0
    reach = -1
    for j in range(n >> 1):
        low = max(bounds[2 * j] + left, 0)
        high = min(bounds[2 * j + 1] + right, width)
        if low < high:
            begin = low if low > reach else begin
            k += 2 * int(low > reach)
            bounds[k] = begin
            bounds[k + 1] = high
            reach = high
    return k + 2


@kernel
def _in_blocks(
    rows: Any,
    length: int,
    inner: int,
    used: int,
    before: int,
    size: int,
    left: int,
    right: int,
    union: bool,
    twice: bool,
    lead: int,
    other: int,
    first: int,
    last: int,
) -> Any:
    """
    What boxes touch, or where they fit, of blocks of rows.

    Runs are moved by the first box before they are packed, by the second one as they are read off.
    """
    width = rows.shape[1]
    short = left - right >= MUCH
    long = right - left >= MUCH
    words = words_of(width)
    lines = used + APART
    whole = words * lines
    block = used // inner - (size + other - 2)
    held = np.empty((2, whole + lines), np.int64)
    marks = np.empty((words + 63) // 64 * lines, np.int64)
    bounds = np.empty(width + 3, np.int64)
    found = zeros(rows.shape, dtype=np.bool_)
    for z in range(rows.shape[0] // (length * inner)):
        dirty = True
        for step in range((length + block - 1) // block):
            top = step * block
            height = min(block, length - top)
            if dirty:
                held[0, 0:whole] = 0
            streak = 0
            longest = 0  # so many rows follow each other that have bits: no box fits into fewer
            for j in range(height + size + other - 2):
                y = top - lead - before + j
                has = False
                if y >= 0 and y < length:
                    for q in range(inner):
                        line = j * inner + q
                        reach = 0
                        if short:
                            for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                                begin = start + left + 64
                                if begin < stop + right + 64:
                                    reach = stop + right + 64
                                    _change(held, begin, lines, line)
                                    _change(held, reach, lines, line)
                        elif long:
                            for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                                begin = start + left + 64
                                if begin > reach:
                                    if reach > 0:
                                        _change(held, reach, lines, line)
                                    _change(held, begin, lines, line)
                                reach = stop + right + 64
                            if reach > 0:
                                _change(held, reach, lines, line)
                        else:
                            for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                                begin = max(start + left + 64, reach)
                                reach = stop + right + 64
                                _change(held, begin, lines, line)
                                _change(held, max(reach, begin), lines, line)
                        if reach > 0:
                            has = True
                streak = streak + 1 if has else 0
                longest = max(longest, streak)
            dirty = longest > 0
            if longest >= (1 if union else size):
                _fill(held, marks, words, lines, used)
                x = _combine(held, 0, inner, size, whole, union)
                _clip(held, x, words, lines, 64, width + 64)
                if twice:
                    for j in range(height + other - 1):
                        if top - lead + j < 0 or top - lead + j >= length:
                            for c in range(words):
                                a = c * lines + j * inner
                                held[x, a : a + inner] = 0
                    x = _combine(held, x, inner, other, whole, not union)
                _mark(held, x, words, lines, used, marks)
                for line in range(height * inner):
                    n = _listed(held, 1 - x, words, lines, line, marks, bounds)
                    if twice and (first != 0 or last != 0):
                        if union:
                            n = _shortened(bounds, n, -first, -last, width)
                        else:
                            n = _lengthened(bounds, n, -last, -first, width)
                    if n > 0:
                        to = (z * length + top) * inner + line
                        found[to, bounds[0:n:2] : bounds[1:n:2]] = True
    return found
