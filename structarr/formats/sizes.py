"""Measures of an array from which its size in any format follows, without storing it there.

`structarr._storage.statistics.measure` takes them; each level answers by `Level.size_at`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr.formats.entries import Array

Order: TypeAlias = tuple[int, ...]  # axes, from the outermost level
Place: TypeAlias = tuple[int, ...]  # a coordinate on each axis

SIDES = (2, 3, 4, 6, 8)  # of the square tiles that are counted
REPEATS = 3  # as many equal neighbours PackBits stores as a run


class Counts(NamedTuple):
    """
    Counts over the fibers along an axis; an element is one that differs from the fill.

    Attributes
    ----------
    elements, fibers : int
        How many elements, and how many fibers with any.
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
    """Counts along one axis: the last of `order`, whose extents are `dims`.

    `slices` counts, for each number of outer axes from one, their coordinates that have elements.
    """

    order: Order
    dims: tuple[int, ...]
    counts: Counts
    slices: tuple[int, ...]

    @property
    def is_constant(self) -> bool:
        """Whether all elements of each fiber are equal."""
        counts = self.counts
        return 0 not in self.dims and counts.runs + counts.gaps == counts.fibers


_NONE: Array = np.zeros(0, np.int64)


@dataclass
class Matrix:
    """
    Measures of matrices alone.

    Attributes
    ----------
    below, above : tuple of int, optional
        The first element on that side of the diagonal.
    diagonals : tuple of array
        Where stretches of diagonals with elements begin and end, as column minus row.
    tiles : dict
        For each of `SIDES` that divides both extents, the number of such squares with elements.
    asymmetry, unlike_conjugate : str
        Where the matrix is not its own transpose, conjugated or not; empty if it is.
    """

    below: Place | None = None
    above: Place | None = None
    diagonals: tuple[Array, Array] = field(default_factory=lambda: (_NONE, _NONE))
    tiles: dict[int, int] = field(default_factory=dict)
    asymmetry: str = ""
    unlike_conjugate: str = ""


class Measures(NamedTuple):
    """A profile for each axis, that of the stored order first, and the measures of a matrix.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> from structarr._storage.statistics import measure
    >>> measures = measure(from_dense(np.array([[0, 2, 2, 0, 5]])))
    >>> measures.profiles[0].counts[:4]
    (3, 1, 2, 2)
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fill: Any
    profiles: tuple[Profile, ...]
    matrix: Matrix | None


class Size(NamedTuple):
    """
    Lengths of the buffers of a level, or of all levels above a leaf.

    Attributes
    ----------
    places : int
        Coordinates, positions and counts.
    children : int
        Positions of the level below, or of the leaf.
    mask : int
        Truth values.
    """

    places: int
    children: int
    mask: int = 0


class Placement(NamedTuple):
    """A depth in a tree of levels, the order of whose axes is a profile's.

    `fibers` is the number of the level's fibers there.
    """

    measures: Measures
    profile: Profile
    depth: int
    fibers: int

    @property
    def dim(self) -> int:
        """The extent of the level."""
        return self.profile.dims[self.depth]

    @property
    def counts(self) -> Counts:
        """Counts over the fibers of the innermost axis."""
        return self.profile.counts

    @property
    def elements(self) -> int:
        """The number of coordinates on the axes so far that have elements."""
        return (*self.profile.slices, self.profile.counts.elements)[self.depth]

    @property
    def empty(self) -> int:
        """The number of fibers of fill alone, of an innermost level."""
        return self.fibers - self.counts.fibers if self.dim else 0

    @property
    def matrix(self) -> Matrix:
        """Measures of the matrix; asked of matrices."""
        assert self.measures.matrix is not None
        return self.measures.matrix


Orders: TypeAlias = "staticmethod[[Measures], Sequence[Profile]]"


def each_order(measures: Measures) -> Sequence[Profile]:
    """Return the profiles of all axes: a format may be small along any."""
    return measures.profiles


def own_order(measures: Measures) -> Sequence[Profile]:
    """Return the profile of the stored order, for formats as large in any."""
    return measures.profiles[:1]


def rows_outside(measures: Measures) -> Sequence[Profile]:
    """Return the profile of a matrix by rows, for formats that hold its transpose as well."""
    return [profile for profile in measures.profiles if profile.order == (0, 1)]


def fewer_rows(measures: Measures) -> Sequence[Profile]:
    """Return the profile of a matrix whose shorter axis is outside."""
    return [min(measures.profiles, key=lambda profile: profile.dims[0])]
