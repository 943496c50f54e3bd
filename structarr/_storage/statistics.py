"""Measuring a stored array for its size in every format: one pass over it for each axis.

Counts of chunks of whole fibers add up, so one chunk is read at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import coordinates
from structarr._storage.run_lists import Fibers, Runs
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import sides_of, tiles_of
from structarr._storage.transpose import ENTRIES, is_rows, kinds_of
from structarr._support.caches import MOST
from structarr.formats.entries import Array
from structarr.formats.kinds import DIAGONALS, POINT
from structarr.formats.sizes import (
    REPEATS,
    SIDES,
    Counts,
    Matrix,
    Measures,
    Order,
    Place,
    Profile,
)

REPEATED = 4  # times as many entries as elements of buffers, from which they are not counted
MANY = 8  # entries for each row and column, from which the hulls of rows are looked at before
SAMPLED = 64  # rows that are looked at, before all are, for columns that store much
GOLDEN = 0.5 * (5**0.5 - 1)
HALF = 0.5  # of a row or column; nobody asks more exactly what is stored of one


def measure(tensor: Tensor) -> Measures:
    """
    Return the measures of a tensor from which its bytes in any format follow.

    Stored values equal to the fill are not counted as elements.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> measure(from_dense(np.eye(4))).matrix.tiles
    {2: 2, 4: 1}
    """
    fibers, own = Fibers(tensor), tensor.format.order
    matrix = Matrix() if tensor.ndim == 2 else None
    profiles = []
    for place in reversed(range(tensor.ndim)):
        order = (*own[:place], *own[place + 1 :], own[place])
        looked = matrix if order == (0, 1) else None
        profiles.append(_profile(fibers, order, looked))
    if matrix is not None and tensor.shape[0] == tensor.shape[1]:
        matrix.asymmetry = fibers.mirror()
        if tensor.dtype.kind == "c":
            matrix.unlike_conjugate = fibers.mirror(conjugate=True)
    return Measures(tensor.shape, tensor.dtype, tensor.fill, tuple(profiles), matrix)


def _profile(fibers: Fibers, order: Order, matrix: Matrix | None) -> Profile:
    dims = tuple(fibers.shape[axis] for axis in order)
    counts: Array = np.zeros(len(Counts._fields), np.int64)
    slices = [0] * (len(dims) - 1)
    for runs in fibers.runs(order):
        opens = runs.opens()
        counts += _counts(runs.start, runs.stop, opens[-1], dims[-1])
        new = [int(np.count_nonzero(first)) for first in opens[1:]]
        slices = [sum(both) for both in zip(slices, new, strict=True)]
        if matrix is not None:
            _look(matrix, runs, opens[-1], dims)
    return Profile(order, dims, Counts(*counts.tolist()), tuple(slices))


def _counts(start: Array, stop: Array, first: Array, dim: int) -> Counts:
    """Counts over runs, of which `first` marks the first one of each fiber."""
    last = np.append(first[1:], True)[: len(first)]
    length = stop - start
    # A fiber is gap, run, gap, run, ..., tail, where gaps and the tail may be empty.
    gap = start.copy()
    gap[1:] -= np.where(first[1:], 0, stop[:-1])
    tail = dim - stop[last]
    ends = int(stop[last].sum())
    after_gap = int(np.count_nonzero(gap))
    segments, packed = _packed(length, gap, tail, first, last)
    return Counts(
        elements=int(length.sum()),
        fibers=int(np.count_nonzero(first)),
        runs=len(start),
        blocks=int(np.count_nonzero(first | (gap > 0))),
        hull=ends - int(start[first].sum()),
        reach=ends,
        gaps=after_gap + int(np.count_nonzero(tail)),
        segments=segments,
        packed=packed,
    )


def _packed(length: Array, gap: Array, tail: Array, first: Array, last: Array) -> tuple[int, int]:
    """The segments of PackBits (long runs and literals) and the number of values they store."""
    long, long_gap = length >= REPEATS, gap >= REPEATS
    after_long = first.copy()
    after_long[1:] |= long[:-1]
    literals = np.count_nonzero((gap > 0) & ~long_gap & after_long)
    literals += np.count_nonzero(~long & (long_gap | (gap == 0) & after_long))
    literals += np.count_nonzero((tail > 0) & (tail < REPEATS) & long[last])
    repeats = sum(np.count_nonzero(part >= REPEATS) for part in (length, gap, tail))
    single = sum(int(part[part < REPEATS].sum()) for part in (length, gap, tail))
    return int(repeats + literals), int(repeats + single)


def _look(matrix: Matrix, runs: Runs, first: Array, dims: tuple[int, ...]) -> None:
    """Add a chunk's blocks to the measures of a matrix."""
    begins = first.copy()
    begins[1:] |= runs.start[1:] != runs.stop[:-1]
    row, start = runs.outer[0][begins], runs.start[begins]
    stop = runs.stop[np.append(begins[1:], True)[: len(begins)]]
    if matrix.below is None:
        matrix.below = _place(row, start, start < row)
    if matrix.above is None:
        matrix.above = _place(row, np.maximum(start, row + 1), stop - 1 > row)
    low, high = matrix.diagonals
    matrix.diagonals = _union(np.append(low, start - row), np.append(high, stop - row))
    for size in SIDES:
        if not any(dim % size for dim in dims):
            matrix.tiles[size] = matrix.tiles.get(size, 0) + _tiles(row, start, stop, size)


def _place(row: Array, column: Array, chosen: Array) -> Place | None:
    if not chosen.any():
        return None
    k = int(np.argmax(chosen))
    return int(row[k]), int(column[k])


def _tiles(row: Array, start: Array, stop: Array, size: int) -> int:
    """The number of squares with elements, counted row of squares by row of squares."""
    if not len(row):
        return 0
    high = row // size
    new = np.append(0, high[1:] != high[:-1])
    length = int(stop.max()) // size + 1
    offset = np.cumsum(new) * length
    low, high = _union(offset + start // size, offset + (stop - 1) // size + 1)
    return int((high - low).sum())


def _union(low: Array, high: Array) -> tuple[Array, Array]:
    """The union of stretches `[low, high)`, as stretches in order that do not touch."""
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    new = low[1:] > high[:-1]
    return low[np.append(True, new)[: len(low)]], high[np.append(new, True)[: len(low)]]


def skews(tensor: Tensor) -> tuple[float, float]:
    """
    Return how uneven a matrix of single entries is along its axes: 1 if it is not.

    For each axis, it is the sum of the squares of the counts at its indices over what that would be
    if all were equal. Counted once for each tensor, in a pass over its entries; 1 of what is no
    matrix, or has far more entries than buffers.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> skews(Tensor.checked(csr, (2, 4), 0.0, ([0, 2, 2], [0, 2], [1.0, 2.0])))
    (2.0, 2.0)
    """
    known: tuple[float, float] | None = tensor.memo.get("skews")
    if known is None:
        known, counts = (1.0, 1.0), _counts_of(tensor)
        if counts is not None:
            rows, columns = map(_skew, counts, tensor.shape)
            known = rows, columns
        tensor.memo["skews"] = known
    return known


def fullest(tensor: Tensor, axis: int, enough: float | None = None) -> float:
    """
    Return the greatest share of a fiber along an axis of a matrix that is stored, or a bound of it.

    Determined once for each tensor; 1 of what has no counts that are found in a pass over it. No
    more is counted than tells whether it is above `enough`, if that is given. Of many rows, a
    sample tells that it is not, where no index is in half as many of it as `enough` is of all.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> one = Tensor.checked(csr, (2, 4), 0.0, ([0, 2, 2], [0, 2], [1.0, 2.0]))
    >>> fullest(one, 1), fullest(one, 0)
    (0.5, 0.5)
    """
    key = "fullest", axis
    known: tuple[float, float] | None = tensor.memo.get(key)
    if known is None or (known[0] != known[1] and (enough is None or _is_open(known, enough))):
        known = tensor.memo[key] = _fullest(tensor, axis, enough)
    least, most = known
    return most if enough is None or most <= enough else least


def stores_few(tensor: Tensor, axes: Sequence[int], most: float) -> bool:
    """
    Whether a matrix stores at most a share of each fiber along axes, where that is seen soon.

    That is of diagonals, and of many rows, by their lengths and a sample; `fullest` tells more.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> stores_few(from_dense(np.eye(3)), (0, 1), 0.5)
    False
    """
    format, memo = tensor.format, tensor.memo
    levels, order = format.levels, format.order
    if len(levels) == 3 and levels[1].kind is DIAGONALS:
        return len(levels[1].details[0]) <= most * min(tensor.shape)
    if order[0] not in axes or ("fullest", order[0]) in memo or not is_rows(format):
        return False
    (ptr, idx, _), (rows, columns) = tensor.buffers, tensor.dims
    if rows < MANY * SAMPLED or columns > REPEATED * len(idx):
        return False
    if len(idx) // rows * SAMPLED > MANY * (rows + columns):  # hulls of rows tell it sooner
        return False
    longest = int(most * columns) if order[1] in axes else columns
    limits = longest, int(most * SAMPLED / 2)
    count = np.zeros(columns, ptr.dtype)
    found = bool(call("few_either_way", (ptr, idx, _sampled(rows), *limits), (count,), rows))
    if found:
        for axis in axes:
            memo["fullest", axis] = 0.0, most
    return found


def _is_open(bounds: tuple[float, float], enough: float) -> bool:
    """Whether what lies within some bounds may be above a number as well as not."""
    return bounds[0] <= enough < bounds[1]


def _fullest(tensor: Tensor, axis: int, enough: float | None) -> tuple[float, float]:
    """Bounds of the greatest share of a fiber that is stored."""
    shape = tensor.shape
    if len(shape) == 2 and tensor.format.order[1] != axis and _are_points(tensor):
        (idx,), along, length = tensor.level_buffers[1], shape[axis], shape[1 - axis]
        if along and length:
            low, high = _most_points(idx, length, None if enough is None else enough * along)
            return low / along, high / along
    if tensor.ndim == 2 and 0 not in tensor.shape:
        if sides_of(tensor.format) is not None:
            tensor = tiles_of(tensor)  # each stands for as many elements as any other
        if is_rows(tensor.format):
            low, high = _most_in(tensor, axis, enough)
            return low / tensor.shape[axis], high / tensor.shape[axis]
    if enough is not None and kinds_of(tensor.format) == ENTRIES:
        most = len(tensor.buffers[-1]) / max(shape[axis], 1)
        if most <= enough:  # as it is if all stand in one fiber
            return 0.0, most
    share = _share(tensor, axis)
    return share, share


def _share(tensor: Tensor, axis: int) -> float:
    """The greatest share of a fiber of what is no list of rows."""
    if tensor.ndim != 2 or 0 in tensor.shape:
        return 1.0
    along = tensor.shape[axis]
    if _are_points(tensor):
        return 1 / along
    if tensor.format.levels[1].kind is DIAGONALS:
        return len(tensor.format.levels[1].details[0]) / along
    counts = _counts_of(tensor)
    return 1.0 if counts is None else float(counts[1 - axis].max(initial=0)) / along


def _most_points(idx: Array, length: int, enough: float | None) -> tuple[int, int]:
    """Bounds of how often a place is there: exact ones, or such as tell whether that is enough."""
    counted = np.zeros(length + 1, np.int32 if len(idx) < 1 << 31 else np.int64)
    enough, above = (0, len(idx)) if enough is None else (int(enough), int(enough))
    most = int(call("count_most_points", (idx, enough, above), (counted,), len(idx)))
    return most, most + len(idx) - int(counted[-1])


def counted_along(tensor: Tensor, axis: int) -> Array:
    """
    Return how much each fiber along an axis of a matrix of lists stores.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> one = Tensor.checked(csr, (2, 4), 0.0, ([0, 2, 2], [0, 2], [1.0, 2.0]))
    >>> counted_along(one, 1).tolist(), counted_along(one, 0).tolist()
    ([2, 0], [1, 0, 1, 0])
    """
    if is_rows(tensor.format):
        ptr, idx, _ = tensor.buffers
        if is_counted_by_row(tensor, axis):
            return np.diff(ptr)
        count = np.zeros(tensor.shape[1 - axis], np.int64)
        call("count_places", (idx,), (count,), len(idx))
        return count
    axes, _ = coordinates(tensor)
    return np.bincount(axes[1 - axis], minlength=tensor.shape[1 - axis])


def _are_points(tensor: Tensor) -> bool:
    """Whether each row of a matrix is the place of one element, or of none."""
    rows, columns, *_ = tensor.format.levels
    return rows.arithmetic and columns.kind is POINT


def is_counted_by_row(tensor: Tensor, axis: int) -> bool:
    """Whether pointers tell how much each fiber along an axis stores, without the entries."""
    return is_rows(tensor.format) and tensor.format.order[1] == axis


def _most_in(tensor: Tensor, axis: int, enough: float | None) -> tuple[int, int]:
    """Bounds of the most that a row or column of lists stores."""
    ptr, idx, _ = tensor.buffers
    length, along = (tensor.shape[k] for k in (1 - axis, axis))
    if enough is not None and len(idx) <= enough * along:  # if all were in one of them
        return 0, len(idx)
    if is_counted_by_row(tensor, axis):
        return (int((ptr[1:] - ptr[:-1]).max()),) * 2
    if len(idx) > MANY * (length + along):
        lengths = ptr[1:] - ptr[:-1]
        begins, ends = ptr[:-1], ptr[1:]
        if not lengths.all():
            begins, ends = begins[lengths > 0], ends[lengths > 0]
        by_hull = _most_open(idx[begins], idx[ends - 1], length)
        if by_hull <= HALF * along:
            return by_hull, by_hull
    if length > REPEATED * len(idx):
        return (int(_counted(idx).max(initial=0)),) * 2
    if enough is not None and along >= MANY * SAMPLED:
        count = np.zeros(length, ptr.dtype)
        rows = _sampled(along)
        if 2 * call("most_of_rows", (ptr, idx, rows), (count,), SAMPLED) <= enough * SAMPLED:
            return 0, int(enough * along)
    counted = np.zeros(length + 1, ptr.dtype)
    above = -1 if enough is None else int(enough * along)
    if above < 0:
        return (int(call("count_most", (idx,), (counted,), len(idx))),) * 2
    most = int(call("count_most_across", (ptr, idx, above), (counted,), len(idx)))
    return most, most + along - int(counted[-1])


@lru_cache(MOST)
def _sampled(length: int) -> Array:
    """Some of so many rows, one of each of as many parts, at places without a period."""
    part = np.arange(SAMPLED)
    place: Array = ((part + part**3 * GOLDEN % 1) * (length / SAMPLED)).astype(np.int64)
    return place


def _most_open(first: Array, last: Array, length: int) -> int:
    """The most hulls, from a first index to a last one, that an index lies within."""
    changes = np.bincount(first, minlength=length)
    changes[1:] -= np.bincount(last, minlength=length)[:-1]
    return int(np.cumsum(changes).max(initial=0))


def _counts_of(tensor: Tensor) -> list[Array] | None:
    """The entries at the indices of each axis of a matrix; None where counting takes long."""
    if tensor.ndim != 2 or 0 in tensor.shape:
        return None
    if any(level.kind.has_runs or level.is_rule for level in tensor.format.levels):
        return None
    if is_rows(tensor.format):
        ptr, idx, _ = tensor.buffers
        counts = [np.diff(ptr), _counted(idx)]
        return [counts[tensor.format.order.index(axis)] for axis in range(2)]
    if kinds_of(tensor.format) == ENTRIES:
        depths = map(tensor.format.order.index, range(2))
        return [_counted(tensor.buffers[1 + depth]) for depth in depths]
    if tensor.counts[-1] > REPEATED * (sum(map(len, tensor.buffers)) + sum(tensor.shape)):
        return None
    return [_counted(places) for places in coordinates(tensor)[0]]


def _counted(places: Array) -> Array:
    """The counts of indices among some places, but for zeros; in any order."""
    most = int(places.max(initial=0))
    if most <= REPEATED * len(places):
        found = np.zeros(most + 1, np.int64)
        call("count_places", (places,), (found,), len(places))
        return found
    return np.unique(places, return_counts=True)[1]


def _skew(counts: Array, length: int) -> float:
    numbers = counts.astype(np.float64)
    entries = float(numbers.sum())
    return float(numbers @ numbers) * length / entries**2 if entries else 1.0
