"""Reordering lists by counting: where each key's entries begin, then every entry to its place.

The places are kept in `slot`, two longer than there are keys and zero at first. In the end key k's
entries are those from `slot[k]` up to `slot[k + 1]`, in the order in which they came.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.output import differ

BLOCK = 32
"""The values of which it is asked at once whether any of them is better."""


def count_keys(key: Any, shift: int, mask: int, slot: Any) -> None:
    """Set `slot[k + 1]` to where the entries of key k begin, for keys `(key >> shift) & mask`."""
    for q in range(len(key)):
        slot[u(((key[u(q)] >> shift) & mask) + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]


def scatter_keys(key: Any, shift: int, mask: int, order: Any, slot: Any, to: Any) -> None:
    """Sort an order of entries by their keys."""
    for q in range(len(order)):
        entry = order[u(q)]
        k = u(((key[u(entry)] >> shift) & mask) + 1)
        at = slot[k]
        slot[k] = at + 1
        to[u(at)] = entry


def count_unlike(val: Any, fill: Any) -> int:
    """Return how many values are not the fill."""
    kept = 0
    for q in range(len(val)):  # by itself, as vectors are compared then
        kept += differ(val[u(q)], fill)
    return kept


def transpose_rows(
    ptr: Any, idx: Any, val: Any, fill: Any, slot: Any, to_idx: Any, to_val: Any
) -> int:
    """Move the entries of rows to the rows of the transpose; return how many are not the fill."""
    kept = count_unlike(val, fill)
    for q in range(len(idx)):
        slot[u(idx[u(q)] + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            k = u(idx[u(q)] + 1)
            at = slot[k]
            slot[k] = at + 1
            to_idx[u(at)] = i
            to_val[u(at)] = val[u(q)]
    return kept


def transpose_entries(
    row: Any, idx: Any, val: Any, fill: Any, slot: Any, to_idx: Any, to_val: Any
) -> int:
    """The same of entries that come with their rows."""
    kept = count_unlike(val, fill)
    for q in range(len(idx)):
        slot[u(idx[u(q)] + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]
    for q in range(len(idx)):
        k = u(idx[u(q)] + 1)
        at = slot[k]
        slot[k] = at + 1
        to_idx[u(at)] = row[u(q)]
        to_val[u(at)] = val[u(q)]
    return kept


def keep_rows(
    ptr: Any, idx: Any, val: Any, kept: Any, to_ptr: Any, to_idx: Any, to_val: Any
) -> None:
    """Move the entries of rows that are kept; there is room for one more, as none is foretold."""
    to = 0
    for i in range(len(ptr) - 1):
        to_ptr[u(i)] = to
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            to_idx[u(to)] = idx[u(q)]
            to_val[u(to)] = val[u(q)]
            to += kept[u(q)]
    to_ptr[u(len(ptr) - 1)] = to


def keep_entries(
    row: Any, idx: Any, val: Any, kept: Any, to_row: Any, to_idx: Any, to_val: Any
) -> None:
    """The same of entries that come with their rows."""
    to = 0
    for q in range(len(idx)):
        to_row[u(to)] = row[u(q)]
        to_idx[u(to)] = idx[u(q)]
        to_val[u(to)] = val[u(q)]
        to += kept[u(q)]


def spread_rows(ptr: Any, to: Any) -> None:
    """Set `to[q]` to the row of entry q.

    Of many rows without entries nobody can foretell which have some. Each notes its number where it
    begins, of several at one place the last, and the numbers ascend.
    """
    count = len(to)
    rows = len(ptr) - 1
    if count >= 8 * rows:
        for i in range(rows):
            for q in range(ptr[u(i)], ptr[u(i + 1)]):
                to[u(q)] = i
    else:
        while rows > 0 and ptr[u(rows - 1)] >= count:
            rows -= 1
        for q in range(count):
            to[u(q)] = 0
        for i in range(rows):
            to[u(ptr[u(i)])] = i
        last = 0
        for q in range(count):
            last = max(last, to[u(q)])
            to[u(q)] = last


def count_breaks(place: Any) -> int:
    """Return how many places are not one after the one before."""
    breaks = 0
    for q in range(1, len(place)):
        breaks += place[u(q)] != place[u(q - 1)] + 1
    return breaks


def count_falls(ptr: Any, idx: Any, dim: int) -> int:
    """
    Return how often an index of a row does not exceed the one before it; -1 if one is out of range.

    Falls are counted over all rows, and those from row to row taken off, in loops without branches:
    which rows are empty cannot be foretold. Rows that rise lie within the axis where their first
    and last indices do.
    """
    falls, last, outside = 0, len(idx) - 1, False
    if last < 0:
        return 0
    for q in range(1, len(idx)):
        falls += idx[u(q)] <= idx[u(q - 1)]
    if last > 0:
        for i in range(1, len(ptr) - 1):
            q = ptr[u(i)]
            stored = (q > 0) & (q < ptr[u(i + 1)])
            at = q if stored else last
            first, before = idx[u(at)], idx[u(at - 1)]
            falls -= stored & (first <= before)
            outside |= stored & ((first < 0) | (before >= dim))
    if falls == 0:
        return -1 if outside or idx[0] < 0 or idx[u(last)] >= dim else 0
    least = most = idx[0]
    for q in range(len(idx)):  # by itself, as more of them are compared at once then
        least = idx[u(q)] if idx[u(q)] < least else least
        most = idx[u(q)] if idx[u(q)] > most else most
    return -1 if least < 0 or most >= dim else falls


def count_entry_falls(row: Any, idx: Any) -> int:
    """Return how many entries do not come after the one before, by their rows, then in a row."""
    falls = 0
    for q in range(1, len(row)):
        up, level = row[u(q)] > row[u(q - 1)], row[u(q)] == row[u(q - 1)]
        falls += not (up | (level & (idx[u(q)] > idx[u(q - 1)])))
    return falls


def copy_entries(row: Any, idx: Any, rows: int, columns: int, own_row: Any, own_idx: Any) -> int:
    """
    Copy coordinates that others may write, and return what is to be known of the copy.

    That is how many entries do not come after the one before, by their rows, then in a row; -1 if
    one is out of range. Each stretch is looked at while it is near.
    """
    falls, least, most, left, right = 0, row[0], row[0], idx[0], idx[0]
    for begin in range(0, len(row), 1024):
        end = min(begin + 1024, len(row))
        for q in range(begin, end):
            own_row[u(q)] = row[u(q)]
        for q in range(begin, end):
            own_idx[u(q)] = idx[u(q)]
        for q in range(begin, end):
            least = own_row[u(q)] if own_row[u(q)] < least else least
            most = own_row[u(q)] if own_row[u(q)] > most else most
            left = own_idx[u(q)] if own_idx[u(q)] < left else left
            right = own_idx[u(q)] if own_idx[u(q)] > right else right
        for q in range(max(begin, 1), end):
            up = own_row[u(q)] > own_row[u(q - 1)]
            level = own_row[u(q)] == own_row[u(q - 1)]
            falls += not (up | (level & (own_idx[u(q)] > own_idx[u(q - 1)])))
    return -1 if least < 0 or most >= rows or left < 0 or right >= columns else falls


def extreme_places(
    ptr: Any, idx: Any, val: Any, fill: Any, dim: int, least: int, place: Any
) -> None:
    """
    Set where the first of the greatest elements of each row is, or of the least ones.

    NaN counts as greater and as less than any number. What a row does not store is the fill.
    """
    for i in range(len(ptr) - 1):
        begin, end = ptr[u(i)], ptr[u(i + 1)]
        best, at, gap = fill, 0, 0
        if begin < end:
            best, at = val[u(begin)], idx[u(begin)]
            while gap < end - begin and idx[u(begin + gap)] == gap:
                gap += 1
        q = begin if best == best else end
        while q < end:
            stop = min(q + BLOCK, end)
            news = 0
            for p in range(q, stop):  # a block without news is gone through in vectors
                behind = val[u(p)] >= best if least else val[u(p)] <= best  # as NaN is not
                news |= not behind
            while news and q < stop:
                here = val[u(q)]
                behind = here >= best if least else here <= best
                if not behind:
                    best, at = here, idx[u(q)]
                    if here != here:
                        stop = end
                        break
                q += 1
            q = stop
        if gap < dim:  # the first element that is not stored
            ahead = fill < best if least else fill > best
            alike = fill == best or (fill != fill and best != best)
            if ahead or (fill != fill and best == best) or (alike and gap < at):
                at = gap
        place[u(i)] = at


def count_places(place: Any, count: Any) -> None:
    """Count how often each place is there."""
    for q in range(len(place)):
        count[u(place[u(q)])] += 1


def count_most(place: Any, count: Any) -> int:
    """Count how often each place is there, and return the greatest count."""
    for q in range(len(place)):
        count[u(place[u(q)])] += 1
    most = 0
    for k in range(len(count)):
        most = max(most, count[u(k)])
    return most


def count_most_across(ptr: Any, idx: Any, enough: int, count: Any) -> int:
    """Return how many rows the most frequent index is in.

    It ends where not even all rows that are left would make it more than `enough`, or it is more
    already, and leaves how many it has looked at behind the counts.
    """
    rows, most, stop = len(ptr) - 1, 0, 0
    while stop < rows and most + rows - stop > enough and most <= enough:
        start = stop
        stop = min(rows, max(rows - enough + most, start + rows // 16 + 1))
        for q in range(ptr[u(start)], ptr[u(stop)]):
            count[u(idx[u(q)])] += 1
        for k in range(len(count) - 1):
            most = max(most, count[u(k)])
    count[u(len(count) - 1)] = stop
    return most


def most_of_rows(ptr: Any, idx: Any, rows: Any, count: Any) -> int:
    """Return how many of some rows the most frequent index is in."""
    most = 0
    for k in range(len(rows)):
        for q in range(ptr[u(rows[u(k)])], ptr[u(rows[u(k)] + 1)]):
            found = count[u(idx[u(q)])] + 1
            count[u(idx[u(q)])] = found
            most = max(most, found)
    return int(most)


def few_either_way(ptr: Any, idx: Any, rows: Any, most: int, sampled: int, count: Any) -> int:
    """Return whether no row has more than `most`, no index is in more of some than `sampled`."""
    longest = 0
    for i in range(len(ptr) - 1 if most < len(count) else 0):
        longest = max(longest, ptr[u(i + 1)] - ptr[u(i)])
    return int(longest <= most and most_of_rows(ptr, idx, rows, count) <= sampled)


def count_most_points(place: Any, enough: int, above: int, count: Any) -> int:
    """Return how often the most frequent place is there; -1 is none.

    It ends where even all that are left at one place would be no more than `enough`, or there are
    more than `above` already, and leaves how many it has looked at behind the counts.
    """
    length = len(place)
    most = 0
    stop = 0
    often = -1  # the place that more than half of all have, whose count alone goes on
    is_first = True
    while stop < length and most + length - stop > enough and most <= above:
        start = stop
        stop = min(length, start + 512)
        if often >= 0:
            for q in range(start, stop):
                most += place[u(q)] == often
            if 2 * most < stop:
                most = count[u(often)]  # of the first ones, which all were counted
                often = -1
                start = 512
        if often < 0:
            top = -1
            for q in range(start, stop):
                if place[u(q)] >= 0:
                    found = count[u(place[u(q)])] + 1
                    count[u(place[u(q)])] = found
                    if found > most:
                        most = found
                        top = place[u(q)]
            if is_first and 2 * most > stop:
                often = top
            is_first = False
    count[u(len(count) - 1)] = stop
    return most


def scatter_rows(ptr: Any, idx: Any, val: Any, across: int, along: int, to: Any) -> None:
    """Write the entries of rows to their places: rows and columns are so many elements apart."""
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            to[u(i * across + idx[u(q)] * along)] = val[u(q)]


def scatter_runs(ptr: Any, stop: Any, val: Any, across: int, along: int, to: Any) -> None:
    """Write runs, of which a row is full, to their places, which are as far apart as those."""
    for i in range(len(ptr) - 1):
        start = 0
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            for k in range(start, stop[u(q)]):
                to[u(i * across + k * along)] = val[u(q)]
            start = stop[u(q)]


def scatter_entries(row: Any, idx: Any, val: Any, across: int, along: int, to: Any) -> None:
    """Write entries to their places: rows and columns are so many elements apart."""
    for q in range(len(row)):
        to[u(row[u(q)] * across + idx[u(q)] * along)] = val[u(q)]


def scatter_blocks(place: Any, own: Any, val: Any, size: int, to: Any) -> None:
    """Write blocks of so many elements to their places."""
    for q in range(len(place)):
        start, first = place[u(q)] * size, own[u(q)] * size
        for k in range(size):
            to[u(start + k)] = val[u(first + k)]


def count_rows(row: Any, ptr: Any) -> None:
    """Set pointers, zero at first, by the row of each entry; rows ascend."""
    for q in range(len(row)):  # without a load, which would wait for the store before
        ptr[u(row[u(q)] + 1)] = q + 1
    for i in range(1, len(ptr)):
        ptr[u(i)] = max(ptr[u(i)], ptr[u(i - 1)])


def multiply_rows(
    left_ptr: Any,
    left_idx: Any,
    left_val: Any,
    ptr: Any,
    idx: Any,
    val: Any,
    width: int,
    to_ptr: Any,
    to_idx: Any,
    to_val: Any,
) -> None:
    """Write the rows of a Kronecker product, whose second factor has so many columns."""
    n, rows = 0, len(ptr) - 1
    for i in range(len(left_ptr) - 1):
        for k in range(rows):
            for p in range(left_ptr[u(i)], left_ptr[u(i + 1)]):
                start, value = left_idx[u(p)] * width, left_val[u(p)]
                for q in range(ptr[u(k)], ptr[u(k + 1)]):
                    to_idx[u(n)] = start + idx[u(q)]
                    to_val[u(n)] = value * val[u(q)]
                    n += 1
            to_ptr[u(i * rows + k + 1)] = n


def reshape_rows(ptr: Any, idx: Any, width: int, to_width: int, to_ptr: Any, to_idx: Any) -> None:
    """Write rows of another width with the same elements, in the same order."""
    row, stop = 0, to_width  # of the result, and its end among all places
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            place = i * width + idx[u(q)]
            if place >= stop:
                last = place // to_width
                for k in range(row, last):
                    to_ptr[u(k + 1)] = q
                row, stop = last, (last + 1) * to_width
            to_idx[u(q)] = place + to_width - stop
    for k in range(row, len(to_ptr) - 1):
        to_ptr[u(k + 1)] = len(idx)


def reshape_entries(
    row: Any, idx: Any, width: int, to_width: int, to_row: Any, to_idx: Any
) -> None:
    """The same of entries that come with their rows."""
    start = stop = last = 0  # the last row met, and its extent among all places
    for q in range(len(idx)):
        place = row[u(q)] * width + idx[u(q)]
        if place >= stop:
            last = place // to_width
            start = last * to_width
            stop = start + to_width
        to_row[u(q)] = last
        to_idx[u(q)] = place - start


def sketched_rows(length: int, few: int, rows: Any) -> int:
    """List the rows of a matrix of which `sketch_entries` looks at the entries; return how many."""
    n = 0
    for i in range(length):
        if ((mixed(i) >> 13) & few) == 0 and n < len(rows):
            rows[u(n)] = i
            n += 1
    return n


def sketch_rows(ptr: Any, idx: Any, val: Any, rows: Any, sign: Any, sums: Any) -> None:
    """Add the entries of some rows to sums as `sketch_entries` does."""
    for k in range(len(rows)):
        row = mixed(rows[u(k)])
        for q in range(ptr[u(rows[u(k)])], ptr[u(rows[u(k)] + 1)]):
            add_signed(row + idx[u(q)], val[u(q)], sign, sums)


def sketch_columns(ptr: Any, idx: Any, val: Any, sign: Any, few: int, sums: Any) -> None:
    """Add the entries of columns to sums as `sketch_entries` does."""
    for j in range(len(ptr) - 1):
        for q in range(ptr[u(j)], ptr[u(j + 1)]):
            row = mixed(idx[u(q)])
            if ((row >> 13) & few) == 0:
                add_signed(row + j, val[u(q)], sign, sums)


def sketch_diagonal(val: Any, rows: Any, sign: Any, sums: Any) -> None:
    """Add the entries of a main diagonal, or the one value of all, as `sketch_entries` does."""
    last = len(val) - 1
    for k in range(len(rows) if last >= 0 else 0):
        i = rows[u(k)]
        add_signed(mixed(i) + i, val[u(min(i, last))], sign, sums)


def sketch_entries(rows: Any, columns: Any, val: Any, sign: Any, few: int, sums: Any) -> None:
    """Add the entries of some rows of a matrix to 256 sums, with signs, by their places.

    Of rows it is one of `few + 1`, a power of two, as if by chance.
    """
    for q in range(len(val)):
        row = mixed(rows[u(q)])
        if ((row >> 13) & few) == 0:
            add_signed(row + columns[u(q)], val[u(q)], sign, sums)


def add_signed(at: int, value: Any, sign: Any, sums: Any) -> None:
    """Add a value, with one of 4096 signs, to one of 256 sums."""
    sums[u(at & 255)] += value * sign[u((at + (at >> 12) * 613) & 4095)]


def mixed(index: int) -> int:
    """Return a number of 40 bits, each of which depends on many of an index."""
    found = ((index & 0xFFFFF) + 1) * 0x9E3779B1 + (index >> 20)
    return (found ^ (found >> 15) ^ (found >> 27)) & 0xFFFFFFFFFF
