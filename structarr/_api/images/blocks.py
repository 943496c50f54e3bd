"""Boxes that run over blocks of packed rows, 64 elements to a word, all rows of a block at once.

No step looks at a row or a run for itself but the first and the last: bits are changed where runs
begin and end, and filled between; rows are combined with those below them in stretches as long as
the block, as often as the logarithm of the box tells; words in which something changes are listed,
and runs read off them.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import reshaped, values_of
from structarr._api.images.windows import by_rows, rows_of, shrunk
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs, trailing_zeros
from structarr._array import Array, of_tensor, stored

BLOCK: Final = 1 << 11
"""About how many words are combined at once: with what comes of them they fit into a near cache."""

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
    found = _found(rows_of(image), length, inner, before, after, left, right, union)
    return of_tensor(reshaped(stored(found), shape))


def _found(
    rows: Array,
    length: int,
    inner: int,
    before: int,
    after: int,
    left: int,
    right: int,
    union: bool,
) -> Any:
    """The same of rows, so many times `length` of them, of `inner` lines each."""
    size = before + after + 1
    line = inner * words_of(rows.shape[1])
    count = min(length, max(2 * size, BLOCK // line, 1))
    packed, work, changes, where = (np.zeros((count + size) * line + 1, np.int64) for _ in range(4))
    starts, stops = (np.zeros(rows.shape[1] // 2 + 3, np.int64) for _ in range(2))
    own = (packed, work, changes, where, starts, stops)
    return _in_blocks(rows, length, inner, before, size, count, left, right, union, *own)


def words_of(width: int) -> int:
    """The words of a row: its first bit is clear, and so is one behind it at least."""
    return (width + 1) // 64 + 1


def _fill(packed: Any, first: int, last: int) -> None:
    """
    Set the bits of runs by their bounds, behind each of which all bits of its word were changed.

    The last bit of a word then tells whether a run goes on in the next one.
    """
    changed = 0  # its last bit is set within runs
    for c in range(first, last):
        word = packed[c]
        packed[c] = word ^ (changed >> 63)
        changed ^= word


def _widened(
    rows: Any, to: Any, line: int, step: int, further: int, count: int, union: bool
) -> None:
    """Combine windows of rows, each with the one `step` rows and the one `further` rows below."""
    most = count * line
    a = step * line
    b = further * line
    if union:
        to[0:most] = rows[0:most] | rows[a : a + most] | rows[b : b + most]
    else:
        to[0:most] = rows[0:most] & rows[a : a + most] & rows[b : b + most]


def _combine(
    packed: Any, work: Any, other: Any, line: int, size: int, count: int, union: bool
) -> None:
    """Combine each row of a block with those below it that are in the box: three times as many."""
    width = 1
    turn = 0
    while width < size:
        wider = min(3 * width, size)
        further = wider - width
        step = min(width, further)
        left = count + size - wider
        if turn == 0:
            _widened(packed, work, line, step, further, left, union)
        elif turn % 2 == 1:
            _widened(work, other, line, step, further, left, union)
        else:
            _widened(other, work, line, step, further, left, union)
        width = wider
        turn += 1
    if turn == 0:
        work[0 : count * line] = 0 | packed[0 : count * line]
    elif turn % 2 == 0:
        work[0 : count * line] = 0 | other[0 : count * line]


def _changed(work: Any, most: int, changes: Any, where: Any) -> int:
    """List the words that have bits unlike the next ones; return how many there are."""
    work[most] = 0
    changes[0:most] = work[0:most] ^ (
        (work[0:most] >> 1) & (-1 ^ (-1 << 63)) | (0 - (work[1 : most + 1] & 1)) << 63
    )
    count = 0
    for c in range(most):
        where[count] = c
        count += int(changes[c] != 0)
    return count


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
    block: int,
    left: int,
    right: int,
    union: bool,
    packed: Any,
    work: Any,
    changes: Any,
    where: Any,
    starts: Any,
    stops: Any,
) -> Any:
    """
    What boxes touch, or where they fit, of blocks of `block` rows.

    Most words have one beginning and one end of a run at most. Both are written in any case, and
    counted if they are there, which takes less than a branch that is not foreseen.
    """
    found = zeros(rows.shape, dtype=np.bool_)
    for z in range(rows.shape[0] // (length * inner)):
        width = rows.shape[1]
        per = (width + 1) // 64 + 1
        line = inner * per
        known = 0
        streak = 0
        for step in range((length + block - 1) // block):
            top = step * block
            high = min(block, length - top)
            fresh = 0
            if step > 0:  # rows that the block before has packed
                fresh = size - 1
                packed[0 : fresh * line] = 0 | packed[block * line : (block + fresh) * line]
            packed[fresh * line : (high + size - 1) * line] = 0
            known = max(known - block, 0)  # rows of the block up to here may have bits
            longest = 0  # so many in a row have, and no box fits into fewer
            for j in range(fresh, high + size - 1):
                y = top - before + j
                if y >= 0 and y < length:
                    for q in range(inner):
                        base = (j * inner + q) * per * 64 + 1
                        end = base
                        for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                            begin = min(max(base + start + left, end), base + width)
                            end = max(min(base + stop + right, base + width), begin)
                            packed[begin >> 6] ^= -1 << (begin & 63)
                            packed[end >> 6] ^= -1 << (end & 63)
                        if end > base:
                            known = j + 1
                streak = streak + 1 if known == j + 1 else 0
                longest = max(longest, streak)
            if known > 0:
                _fill(packed, fresh * line, (high + size - 1) * line)
            if known > 0 and (union or longest >= size):
                _combine(packed, work, changes, line, size, high, union)
                count = _changed(work, high * line, changes, where)
                k = 0
                while k < count:
                    row = where[k] // per
                    after = (row + 1) * per
                    begun = 0
                    ended = 0
                    while k < count and where[k] < after:
                        at = (where[k] - row * per) * 64
                        end = changes[where[k]] & work[where[k]]
                        begin = changes[where[k]] ^ end
                        k += 1
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
                    to = (z * length + top) * inner + row
                    found[to, starts[0:begun] : stops[0:begun]] = True
    return found
