"""Entries of fibers as plain lists of coordinates, for conversions and checks without kernels.

They share no code with the compiler, so its tests compare kernels with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.options import current
from structarr._support.sorted_places import places_in

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

NOWHERE: Final = np.int64(np.iinfo(np.int64).max)
"""Where the hull of a fiber of nothing begins: a number that makes int64 of int32 beside it."""


class Fibers(NamedTuple):
    """Some fibers of a level: positions, and how each is reached from the level above."""

    position: Array
    coordinate: Array  # on the level above; 0 at the root
    parent: Array  # the position of the fiber above; 0 at the root
    outer: int  # the extent of the level above; 1 at the root


class Entries(NamedTuple):
    """Entries of some fibers: for each its fiber, coordinate and child."""

    fiber: Array  # a place in the list of fibers that were asked for
    coordinate: Array
    child: Array


class Whereabouts(NamedTuple):
    """Children of a level: the fiber of each, and the indices that it stands for, if any."""

    fiber: Array  # its position
    start: Array
    stop: Array


class Written(NamedTuple):
    """Entries for a level to store, in storage order, none equal to the fill."""

    fiber: Array  # which fiber, numbered from 0 over all of the level's
    above: Array  # the coordinate on the level above
    coordinate: Array
    value: Array
    fibers: int
    outer: int  # the extent of the level above


class Rows(NamedTuple):
    """A matrix of lists: row i has something at the columns `idx[ptr[i]:ptr[i + 1]]`."""

    ptr: Array
    idx: Array
    dim: int  # how many columns there are


Caller: TypeAlias = Callable[..., Any]  # as `structarr._compiler.backend.call`


def segments(begin: Array, count: Array) -> tuple[Array, Array, Array]:
    """Segment, place within it and position, for segments that begin at positions."""
    segment = np.repeat(np.arange(len(begin)), count)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
    return segment, place, begin[segment] + place


def owners(ptr: Array, children: Array) -> Array:
    """The fibers of children, which `ptr` bounds; empty fibers have none."""
    found: Array = places_in(ptr, children, "right") - 1
    return found


def wide(buffers: tuple[Array, ...]) -> tuple[Array, ...]:
    """Counting buffers as int64: sums of two int32 positions or coordinates may not fit int32."""
    return tuple(buffer.astype(np.int64, copy=False) for buffer in buffers)


def lengths(ptr: Array, stop: Array) -> Array:
    """The lengths of segments that end at `stop` and cover their fibers, which `ptr` bounds."""
    start: Array = np.append(0, stop[:-1])[: len(stop)]
    start[ptr[:-1][ptr[:-1] < len(stop)]] = 0
    return stop - start


def hulls_of(ptr: Array, first: Array, last: Array) -> tuple[Array, Array]:
    """The bounds of fibers of segments, by each segment's first index and past its last.

    An empty fiber ends before it begins.
    """
    begin = np.full(len(ptr) - 1, np.iinfo(np.int64).max)
    end = np.zeros(len(ptr) - 1, np.int64)
    full = ptr[1:] > ptr[:-1]
    begin[full] = first[ptr[:-1][full]]
    end[full] = last[ptr[1:][full] - 1]
    return begin, end


def differ(a: Any, b: Any) -> Any:
    """
    Return where two arrays differ, as kernels see it: NaN equals NaN, and -0.0 equals 0.0.

    Where IEEE is strict, zeros of unlike signs differ. The parts of complex numbers are compared
    one by one, so that NaN beside unlike imaginary parts differ.

    Examples
    --------
    >>> import numpy as np
    >>> differ(np.array([np.nan, -0.0, 1.0]), np.array([np.nan, 0.0, 2.0])).tolist()
    [False, False, True]
    >>> differ(np.array([complex(np.nan, 1), complex(np.nan, 2)]), complex(np.nan, 1)).tolist()
    [False, True]
    """
    if a.dtype.kind == "c":
        return differ(a.real, b.real) | differ(a.imag, b.imag)
    unequal = a != b
    if a.dtype.kind != "f":
        return unequal
    if np.ndim(b) or b != b:  # only NaN differs from itself
        unequal = unequal & ((a == a) | (b == b))
    return unequal | signs_differ(a, b) if current().strict_ieee else unequal


def signs_differ(a: Any, b: Any) -> Any:
    """Return where parts of two arrays of floats are equal, but zeros of unlike signs."""
    if a.dtype.kind == "c":
        return signs_differ(a.real, b.real) | signs_differ(a.imag, b.imag)
    return (a == b) & (np.signbit(a) != np.signbit(b))
