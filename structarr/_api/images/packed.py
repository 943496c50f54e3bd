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
from structarr._api.images.blocks import in_blocks
from structarr._api.images.rows import reshaped, values_of
from structarr._api.images.windows import by_rows, rows_of, shrunk
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs, trailing_zeros
from structarr._array import Array, of_tensor, stored

FEW: Final = 16
"""Runs that become so much shorter are looked at: few may be left."""
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
    found = in_blocks(rows_of(image), length, inner, before, after, left, right, union)
    return of_tensor(reshaped(stored(found), shape))


def words_of(width: int) -> int:
    """The words of a row, of which the last has a bit at least that is not set."""
    return width // 64 + 1


def _changes(line: Any, first: int, last: int, changes: Any, where: Any) -> int:
    """List the words of a line that have bits unlike the next ones; return how many there are."""
    changes[first:last] = line[first:last] ^ (
        (line[first:last] >> 1) & (-1 ^ (-1 << 63)) | (0 - (line[first + 1 : last + 1] & 1)) << 63
    )
    count = 0
    for c in range(first, last):
        where[count] = c
        count += int(changes[c] != 0)
    return count


def _rest(word: int) -> int:
    """A word without the lowest bit that is set; Python's numbers have one below the least word."""
    return word & (word - 1) if word != -1 << 63 else 0


def _read_off(
    line: Any, base: int, changes: Any, where: Any, count: int, starts: Any, stops: Any
) -> int:
    """
    List where runs of a line begin and end, by what `_changes` tells; return how many there are.

    Most words have one beginning and one end at most. Both are written in any case, and counted
    if they are there, which takes less than a branch that is not foreseen.
    """
    begun = 0
    ended = 0
    for j in range(count):
        c = where[j]
        at = (c << 6) + 1 - base
        end = changes[c] & line[c]
        begin = changes[c] ^ end
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
    return begun


def _combine(words: Any, spans: Any, k: int, to: int, union: bool) -> None:
    """Unite a row with another, or intersect it; both are empty outside of their spans."""
    low = spans[k, 0]
    high = spans[k, 1]
    first = spans[to, 0]
    last = spans[to, 1]
    if union:
        words[to, low:high] |= words[k, low:high]
        spans[to, 0] = min(first, low)
        spans[to, 1] = max(last, high)
    else:
        words[to, first:last] &= words[k, first:last]
        spans[to, 0] = max(first, low)
        spans[to, 1] = min(last, high)


def _begin(words: Any, spans: Any, k: int, first: int, last: int) -> None:
    """Clear what a row has outside of a span, which becomes its own."""
    low = spans[k, 0]
    high = spans[k, 1]
    words[k, low : min(high, first)] = 0
    words[k, max(low, last) : high] = 0
    spans[k, 0] = first
    spans[k, 1] = last


def _fill(edges: Any, words: Any, k: int, first: int, last: int) -> None:
    """
    Set the bits of runs by their bounds, behind each of which all bits of its word were changed.

    The last bit of a word then tells whether a run goes on in the next one.
    """
    inside = 0  # or -1, all bits of which are set
    for c in range(first, last):
        word = edges[c] ^ inside
        inside = word >> 63
        edges[c] = 0
        words[k, c] = word


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
    edges: Any,
    line: Any,
    changes: Any,
    where: Any,
    starts: Any,
    stops: Any,
) -> Any:
    """
    What boxes touch, or where they fit.

    An image has `length` rows, of `inner` lines each, which are rows of `rows`. The first rows of
    `words` hold a block, up to `k` as it came, the rest combined; the last one what has come of it,
    combined. No word outside of its row's span is set. `lines` are what is found of a row, and the
    bounds of a row that is packed, 0 between two rows.
    """
    found = zeros(rows.shape, dtype=np.bool_)
    for z in range(rows.shape[0] // (length * inner)):
        width = rows.shape[1]
        size = words.shape[0] - 1
        per = words.shape[1] // inner
        many = left - right < 16
        for t in range(length + size - 1):
            k = t % size
            y = t - before
            first = inner * per
            last = 0
            if y >= 0 and y < length:
                for q in range(inner):
                    base = (q * per + 1) * 64
                    begin = base
                    end = base
                    for start, stop, _value in runs(rows[(z * length + y) * inner + q]):
                        begin = min(max(base + start + left, end), base + width)
                        if many or begin < base + stop + right:
                            end = max(min(base + stop + right, base + width), begin)
                            edges[begin >> 6] ^= -1 << (begin & 63)
                            edges[end >> 6] ^= -1 << (end & 63)
                            first = min(first, begin >> 6)
                    if end > base:
                        last = (end >> 6) + 1
            _begin(words, spans, k, first, last)
            _fill(edges, words, k, first, last)
            if k == 0:
                _begin(words, spans, size, first, last)
                words[size, first:last] = 0 | words[0, first:last]
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
                for q in range(inner):
                    low = max(first, q * per)
                    high = min(last, (q + 1) * per)
                    if low < high:
                        row = (z * length + t - size + 1) * inner + q
                        count = _changes(line, low - 1, high, changes, where)
                        base = (q * per + 1) * 64
                        n = _read_off(line, base, changes, where, count, starts, stops)
                        found[row, starts[0:n] : stops[0:n]] = True
            if k == size - 1:
                while k > 0:
                    k -= 1
                    _combine(words, spans, k + 1, k, union)
    return found
