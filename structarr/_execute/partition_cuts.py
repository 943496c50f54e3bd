"""Cuts: the bounds of pieces of about equal work, at rows and, in long rows, at columns.

They depend on what the operands store and on the number of pieces, never on that of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple
from weakref import ref

import numpy as np

from structarr._execute.inner_cuts import Columns
from structarr._execute.partition_split import GATHERED, LISTS, Split
from structarr._execute.partition_work import (
    SINGLE,
    Work,
    bounds_of,
    listed_before,
    row_at,
    rows_at,
    steps_along,
    uneven,
    work_of,
)
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.sorted_places import places_in
from structarr.formats.entries import Array

WORK = 5e-4  # the least expected time of a piece, in seconds
LEAST = 0.4  # the share of it that each of few pieces takes at least
FEW = 16  # how many pieces are few
MUCH = 10  # how many times longer than their results are added up short pieces take
GATHERING = 1e-7  # the same for each element of a vector of lists that pieces add up
ADDING = 1e-8  # the same for each element of a row of lists, of parts of that row
LISTED = 1e-8  # the same for each row of a result that every piece has lists for
COMBINING = 3e-9  # for each element of a result that every piece has: made, filled, added up
STREAMING = 5e-11  # the time of a byte of an operand that the outermost loop goes along
CACHE = 1 << 25  # the bytes of operands beyond which sparse ones are read from the memory
MOST = 64  # the most pieces of a call
SLACK = 20  # a bound may be off by one part in so many of a piece
STRETCHES = 4  # of rows for each such part, by which it is seen that no row is longer


class Cut(NamedTuple):
    """The end of a piece, and the beginning of the next: before a row, or within it."""

    row: int
    # Within a row: of each operand that can be divided there, the first entry beyond.
    at: tuple[int, ...] = ()
    column: int = 0  # the first column beyond, where a row is divided by the second loop

    @property
    def divides(self) -> bool:
        """Whether it is within a row."""
        return bool(self.at or self.column)


def pieces_of(split: Split, shapes: Sequence[tuple[int, ...]], seconds: float) -> int:
    """The number of pieces that a call of some expected time is worth.

    Few of them are a power of two, which as many threads share equally.
    """
    combined = [prod(shape) for shape, op in zip(shapes, split.combine, strict=True) if op]
    each = GATHERING if split.join == (GATHERED,) else COMBINING
    listed = LISTED * shapes[0][0] if split.whole else 0.0
    adding = each * sum(combined)
    least = max(WORK, adding, listed)
    # Few pieces may be shorter, unless much is added up; and many that are added up are longer.
    few = min(seconds / max(LEAST * WORK, MUCH * adding, listed), FEW)
    many = seconds / least
    if combined:
        many = max(min(many, FEW / 2), many / 2)
    found = int(max(many, few))
    return min(1 << found.bit_length() - 1, MOST) if 0 < found < 2 * MOST else found


def inside_of(split: Split, shapes: Sequence[tuple[int, ...]], piece: float) -> float:
    """The pieces, of some expected seconds, that a part of a divided row has at least.

    A part of a row that is summed in a workspace has lists of its own, which are added up.
    """
    if not split.inner or not split.inner_join[0].startswith(GATHERED):
        return 1.0
    return max(1.0, ADDING * shapes[0][-1] / max(piece, 1e-12))


def fewer(cuts: Sequence[Cut], threads: int, each: int) -> list[Cut]:
    """Those of some cuts that leave each thread few pieces, of which the last ones are short.

    A piece is half of what is left of a thread's share, and no shorter than one in `each` of it.
    Whole rows do not depend on the pieces that they are in; where a cut divides a row, it stays,
    and pieces are equal.
    """
    count = len(cuts) - 1
    if any([cut.divides for cut in cuts]):
        step, ends = -(-count // (threads * each)), (cuts[0], cuts[-1])
        return [cut for k, cut in enumerate(cuts) if not k % step or cut.divides or cut in ends]
    found, at = [cuts[0]], 0
    for k in range(1, threads + 1):
        end = count * k // threads
        least = -(-(end - at) // each)
        while at < end:
            at = min(at + max((end - at) // 2, least), end)
            found.append(cuts[at])
    return found


def streamed(split: Split | None, given: Operands, reads: Mapping[int, frozenset[int]]) -> float:
    """The seconds that a call takes at least, as it reads operands from the memory.

    These are the dense operands that the outermost loop goes along and, where they do not fit in a
    cache, sparse ones too. Where each piece is given all operands, all of them count. Of each count
    the buffers that the kernel reads: a sum of rows reads no column.
    """
    whole = split is not None and split.partial
    along = [number for number in reads if split is not None and (whole or number in split.numbers)]
    sizes = {
        number: sum([given.tensors[number].buffers[place].nbytes for place in reads[number]])
        for number in along
    }
    every = sum(sizes.values())
    if not whole and every <= CACHE:
        every = sum([size for k, size in sizes.items() if given.tensors[k].format.is_dense])
    return STREAMING * every


def cuts_of(
    split: Split, given: Operands, pieces: int, most: int = MOST, inside: float = 1.0
) -> list[Cut]:
    """The cuts that make so many pieces of the outermost loop; no more than the two ends if one.

    Rows that the second loop divides have parts of at least `inside` pieces.
    """
    length = 1 if split.length == LISTS else given.extents[split.length]
    divides = split.within or split.inner
    pieces = min(pieces, most, length if not divides else pieces)
    if pieces < 2 or not length:
        return [Cut(0), Cut(length)]
    if split.partial:
        return _cuts_along(split, given, pieces, length, inside)
    along = [given.tensors[number] for number in sorted(split.numbers)]
    fit = split.length == LISTS or all(_fits(tensor, length) for tensor in along)
    if not fit:
        return [Cut(0), Cut(length)]
    stored = [
        number for number in sorted(split.numbers) if not given.tensors[number].format.is_dense
    ]
    if not stored:
        return _cuts(split, given, pieces, length, along, inside)
    first, *others = [given.tensors[number] for number in stored]  # no cut depends on dense ones
    known = first.memo.setdefault("cuts", {})
    within = tuple([number in split.within for number in stored])
    inner = tuple([number in split.inner for number in stored])
    key = pieces, within, inner, inside, tuple([id(tensor) for tensor in others])
    found = known.get(key)
    if found is None or any(
        one() is not other for one, other in zip(found[0], others, strict=True)
    ):
        cuts = _cuts(split, given, pieces, length, along, inside)
        found = room(known, 16)[key] = [ref(tensor) for tensor in others], cuts
    return found[1]  # type: ignore[no-any-return]


def divides_none(split: Split, given: Operands, pieces: int) -> bool:
    """Whether it is plain that no piece of so many would end within a row: all of them are short.

    Told by the work of stretches of rows, of which there are some for each piece: a row is not
    longer than its stretch. Whether a row of a longer one is divided, the cuts tell.
    """
    if split.partial or split.length == LISTS:
        return False
    length = given.extents[split.length]
    along = [given.tensors[number] for number in sorted(split.numbers)]
    if pieces < 2 or not length or not all(_fits(tensor, length) for tensor in along):
        return True
    count = min(length, STRETCHES * SLACK * pieces)
    work = work_of(along)(np.arange(count + 1) * length // count)
    return bool((work[1:] - work[:-1]).max() <= 2 * (work[-1] // (pieces * SLACK)))


def _fits(tensor: Tensor, length: int) -> bool:
    """Whether the outermost level as it is stored is the one that the kernel's loop goes along."""
    return tensor.format.root.kind.arithmetic and tensor.dims[0] == length


def _cuts(
    split: Split,
    given: Operands,
    pieces: int,
    length: int,
    along: Sequence[Tensor],
    inside: float,
) -> list[Cut]:
    inner = [given.tensors[number] for number in sorted(split.inner)]
    if split.length == LISTS:
        return _cuts_of_lists(split, given, along, pieces, inside)
    if not uneven(along):
        return [Cut(length * piece // pieces) for piece in range(pieces + 1)]
    work = work_of(along)
    bounds = bounds_of(along) if pieces <= SINGLE else None
    total = int(work(np.array([length]))[0]) if bounds is None else length + int(bounds[length])
    targets = total * np.arange(1, pieces) // pieces
    lists = [given.tensors[number] for number in sorted(split.within)]
    divided = _Divided(inner, total / pieces, inside) if inner else None
    found = {Cut(0), Cut(length)}
    for row, share, near in _by_row(work, length, targets, total, pieces, bounds):
        if near is not None or not (lists or divided):
            found.add(Cut(row + round(share) if near is None else near))
        elif lists:
            found.add(_within(lists, row, share))
        elif divided:
            found.add(divided.cut(row, share, work))
    return sorted(found)


def _by_row(
    work: Work, length: int, targets: Array, total: int, pieces: int, bounds: Array | None = None
) -> Iterator[tuple[int, float, int | None]]:
    """The row of each target, the share of it that is before, and the bound that is near, if any.

    A bound is near that is off by no more than is slack. Given the pointers that alone tell the
    work, rows are looked for one by one.
    """
    slack = total // (pieces * SLACK)
    if bounds is None:
        rows = rows_at(work, length, targets)
        every = zip(rows, targets, work(rows), work(rows + 1), strict=True)
    else:
        found = [row_at(bounds, length, target) for target in targets.tolist()]
        ends = [(row + int(bounds[row]), row + 1 + int(bounds[row + 1])) for row in found]
        every = zip(found, targets, *zip(*ends, strict=True), strict=True)
    for row, target, lo, hi in [map(int, one) for one in every]:
        near = row if target - lo <= hi - target else row + 1
        share = (target - lo) / max(hi - lo, 1)
        yield row, share, near if min(target - lo, hi - target) <= slack else None


class _Divided:
    """The cuts of rows that the second loop divides."""

    def __init__(self, tensors: Sequence[Tensor], piece: float, least: float) -> None:
        self._tensors, self._piece, self._least = tensors, piece, least
        self._columns: dict[int, Columns] = {}

    def cut(self, row: int, share: float, work: Work) -> Cut:
        """The cut at a share of a row; the bound that is nearer where it cannot be divided."""
        near = Cut(row + round(share))
        if self._least > 1:  # parts are of several pieces
            ends = work(np.array([row, row + 1]))
            parts = int(float(ends[1] - ends[0]) / (self._piece * self._least))
            share = round(share * parts) / parts if parts > 1 else round(share)
            if share in (0, 1):
                return Cut(row + int(share))
        known = self._columns.get(row)
        if known is None:
            known = self._columns[row] = Columns(self._tensors, row, row + 1)
        column = known.at(share)
        return Cut(row, (), column) if known.known and column > 0 else near


def _cuts_along(
    split: Split, given: Operands, pieces: int, length: int, inside: float
) -> list[Cut]:
    """The cuts of a loop that pieces go along in parts, by what is known to be stored along it."""
    along = [given.tensors[number] for number in sorted(split.numbers)]
    works = [steps_along(one) for one in along]
    # Of lists alone, what is not listed takes no step; each row that is listed does.
    if split.length == LISTS:
        rows_of = [one for one in along if not one.format.root.starts_group]
        works += [listed_before(one.level_buffers[0][1]) for one in rows_of]
    else:
        works.append(lambda rows: rows)

    def work(rows: Array) -> Array:
        found: Array = np.zeros(len(rows), np.int64)
        for one in works:
            found += one(rows)
        return found

    total = int(work(np.array([length]))[0])
    targets = total * np.arange(1, pieces) // pieces
    inner = [given.tensors[number] for number in sorted(split.inner)]
    divided = _Divided(inner, total / pieces, inside) if inner else None
    found = {Cut(0), Cut(length)}
    for row, share, near in _by_row(work, length, targets, total, pieces):
        if near is None and divided is not None:
            found.add(divided.cut(row, share, work))
        else:
            found.add(Cut(row + round(share) if near is None else near))
    return sorted(found)


def _within(lists: Sequence[Tensor], row: int, share: float) -> Cut:
    """The cut within a row at the column that a share of its entries are before."""
    begins = [int(ptr[row]) for ptr, _ in map(_buffers, lists)]
    columns = [idx[ptr[row] : ptr[row + 1]] for ptr, idx in map(_buffers, lists)]
    longest = max(columns, key=len)
    target = int(share * sum(map(len, columns)))
    lo, hi = 0, len(longest) - 1
    while lo < hi:
        middle = (lo + hi + 1) // 2
        if sum(_before_column(columns, longest[middle])) <= target:
            lo = middle
        else:
            hi = middle - 1
    if not lo:
        return Cut(row)
    return Cut(row, tuple(map(sum, zip(begins, _before_column(columns, longest[lo]), strict=True))))


def _cuts_of_lists(
    split: Split, given: Operands, lists: Sequence[Tensor], pieces: int, inside: float
) -> list[Cut]:
    """The cuts of outermost lists, at the same index of each, and within a row if that is told."""
    columns = [tensor.level_buffers[0][1] for tensor in lists]

    def bound(cut: Cut) -> Cut:
        return Cut(0, tuple(_before_column(columns, cut.row)), cut.column)

    every = _cuts_along(split, given, pieces, lists[0].dims[0], inside)
    ends = {Cut(0), Cut(1)}
    beyond = tuple(map(len, columns))
    found = {one for one in map(bound, every) if one.column or (any(one.at) and one.at != beyond)}
    return sorted(ends | found)


def _before_column(columns: Sequence[Array], column: int) -> list[int]:
    """The number of entries of each list before a column."""
    return [int(places_in(one, column)) for one in columns]


def _buffers(tensor: Tensor) -> tuple[Array, Array]:
    """The pointers and the columns of rows."""
    ptr, idx = tensor.level_buffers[1][:2]
    return ptr, idx
