"""What the bytes of every format follow from: one pass over a tensor for each axis.

All counts add up over chunks of whole fibers, so no more than a chunk is looked at at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from structarr._storage.run_lists import Fibers, Order, Place, Runs
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

TILES = (2, 3, 4, 6, 8)  # heights and widths that are tried
REPEATS = 3  # as many equal neighbours PackBits stores as a run


class Counts(NamedTuple):
    """
    What the fibers along an axis hold; an element is one that differs from the fill.

    Attributes
    ----------
    elements, fibers : int
        How many, and in how many fibers.
    runs, blocks : int
        Stretches of equal elements, and of elements whatever they are.
    hull, reach : int
        The elements from each fiber's first one to its last, and from its start to its last.
    gaps : int
        Stretches of fill, not counting fibers of nothing else.
    segments, packed : int
        The segments of PackBits and what they store, not counting fibers of fill.
    """

    elements: int = 0
    fibers: int = 0
    runs: int = 0
    blocks: int = 0
    hull: int = 0
    reach: int = 0
    gaps: int = 0
    segments: int = 0
    packed: int = 0


class Profile(NamedTuple):
    """What a tensor holds along one axis: the last of `order`, whose extents are `dims`.

    `slices` counts, for each number of outer axes from one, their coordinates that have elements.
    """

    order: Order
    dims: tuple[int, ...]
    counts: Counts
    slices: tuple[int, ...]


_NONE: Array = np.zeros(0, np.int64)


@dataclass
class Matrix:
    """
    What is asked of matrices alone.

    Attributes
    ----------
    below, above : tuple of int, optional
        The first element on that side of the diagonal.
    diagonals : tuple of array
        Where stretches of diagonals with elements begin and end, as column minus row.
    tiles : dict
        How many squares of a size have elements, if the size divides both extents.
    """

    below: Place | None = None
    above: Place | None = None
    diagonals: tuple[Array, Array] = field(default_factory=lambda: (_NONE, _NONE))
    tiles: dict[int, int] = field(default_factory=dict)
    asymmetry: str = ""
    unlike_conjugate: str = ""


class Measures(NamedTuple):
    """The profiles by which `auto_format` weighs formats: one of each axis, the tensor's own first.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> measures = measure(from_dense(np.array([[0, 2, 2, 0, 5]])))
    >>> measures.profiles[0].counts[:4]
    (3, 1, 2, 2)
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fill: Any
    profiles: tuple[Profile, ...]
    matrix: Matrix | None

    @property
    def own(self) -> Order:
        """The order of the axes in the tensor that was measured."""
        return self.profiles[0].order if self.profiles else ()


def measure(tensor: Tensor) -> Measures:
    """
    Count all that tells how many bytes a tensor would take in any format.

    What is stored and equal to the fill is not counted as an element.

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
    """Count runs of a fiber that `first` says to be its first ones."""
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
    """Count segments of PackBits: long runs, and literals, which begin at short ones after long."""
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
    """Add a chunk's blocks to what is known of a matrix."""
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
    for size in TILES:
        if not any(dim % size for dim in dims):
            matrix.tiles[size] = matrix.tiles.get(size, 0) + _tiles(row, start, stop, size)


def _place(row: Array, column: Array, chosen: Array) -> Place | None:
    if not chosen.any():
        return None
    k = int(np.argmax(chosen))
    return int(row[k]), int(column[k])


def _tiles(row: Array, start: Array, stop: Array, size: int) -> int:
    """Count squares with elements in rows of squares, laid end to end but for those of none."""
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
