"""Checks of shapes, fills and buffers from outside against the invariants of a format."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, TypeAlias

import numpy as np

from structarr._storage.buffers import conformed, settled
from structarr._storage.entry_order import steps
from structarr._support import dtypes
from structarr._support.broadcasting import LONGEST
from structarr._support.caches import MOST
from structarr.errors import FormatError
from structarr.formats.base import Format
from structarr.formats.entries import Array, Fibers
from structarr.formats.names import name_of

Buffers: TypeAlias = tuple[Array, ...]


def checked_buffers(
    format: Format, given: Sequence[Any], dtype: Any
) -> tuple[np.dtype[Any], Buffers]:
    """Return the dtype of the values, and the levels' buffers from the outermost to the leaf."""
    arrays = [_array(buffer) for buffer in given]
    names = [
        (f"level {depth} ({type(level).__name__}) buffer {name!r}", level, name)
        for depth, level in enumerate(format.levels)
        for name in level.buffers
    ]
    if len(arrays) != len(names):
        raise FormatError(
            f"format {name_of(format)} has {len(names)} buffers, not {len(arrays)}: "
            + ", ".join(label for label, _, _ in names)
        )
    own = arrays[-1].dtype if format.levels[-1].buffers else np.dtype(np.bool_)
    stored = dtypes.check(own if dtype is None else dtype)
    buffers = [
        _buffer(array, stored if level.leaf else np.dtype(level.kept_as(name, format.index)), label)
        for array, (label, level, name) in zip(arrays, names, strict=True)
    ]
    return stored, tuple(
        buffer if level.leaf or buffer is not array else settled(buffer)
        for array, buffer, (_, level, _) in zip(arrays, buffers, names, strict=True)
    )


def _array(buffer: Any) -> Array:
    array = conformed(buffer)
    # An empty list has no dtype of its own.
    return array.astype(np.int64) if array.size == 0 and isinstance(buffer, list) else array


def _buffer(array: Array, dtype: np.dtype[Any], name: str) -> Array:
    if array.ndim != 1:
        raise FormatError(f"{name} must have one dimension, not shape {array.shape}")
    if array.dtype == dtype:
        return array
    if not np.can_cast(array.dtype, dtype, "same_kind") and not (
        array.dtype.kind in "iu" and dtype.kind in "iu"
    ):
        raise FormatError(f"{name} must be {dtype}, not {array.dtype}; convert it with .astype")
    with np.errstate(over="ignore"):
        cast: Array = array.astype(dtype)
    changed = cast != array if dtype.kind in "iu" else np.False_
    if np.any(changed):
        place = int(np.flatnonzero(changed)[0])
        raise FormatError(f"{name}: entry {place}, {array[place]}, does not fit {dtype}")
    return cast


def checked_shape(shape: Sequence[int], format: Format) -> tuple[int, ...]:
    """Return a shape that a format can have."""
    try:
        dims = tuple(map(operator.index, shape))
    except TypeError:
        raise TypeError(f"shape must be a sequence of integers, not {shape!r}") from None
    if len(dims) != format.ndim:
        raise FormatError(
            f"shape {dims} has {len(dims)} axes, but format {name_of(format)} has {format.ndim}"
        )
    if min(dims, default=0) < 0:
        raise FormatError(f"shape {dims} must not be negative")
    if max(dims, default=0) > LONGEST:
        raise FormatError(f"shape {dims} has more places on an axis than int64 counts")
    limit, (equal, limited) = dtypes.largest(format.index), _demands(format)
    for one, other in equal:
        if dims[one] != dims[other]:
            raise FormatError(f"format {name_of(format)} is for square matrices, not shape {dims}")
    for axis in limited:
        if dims[axis] > limit:
            raise FormatError(
                f"shape {dims}: axis {axis} is too long for {format.index} coordinates"
                + ("; use index='int64'" if format.index == "int32" else "")
            )
    return dims


@lru_cache(MOST)
def _demands(format: Format) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """The pairs of axes of one length in a format, and those along which it has coordinates."""
    order, levels = format.order, format.levels[:-1]
    equal = [(order[k], order[k - 1]) for k, level in enumerate(levels) if level.square]
    limited = [axis for axis, level in zip(order, levels, strict=True) if level.has_places]
    return tuple(equal), tuple(limited)


def checked_fill(fill: Any, dtype: np.dtype[Any]) -> Any:
    """Return a fill as a value of a dtype, in which it must be exact."""
    if type(fill) is int and not fill:  # what most are; NumPy's state of errors takes microseconds
        return dtypes.zero(dtype)
    try:
        with np.errstate(all="ignore"):
            value = dtypes.scalar(fill, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"fill {fill!r} is not a value of dtype {dtype}") from error
    if dtype.kind in "biu" and value != fill:
        raise FormatError(f"fill {fill!r} is not exact in dtype {dtype}")
    return dtypes.zero(dtype) if not any(value.tobytes()) else value


def validate(
    format: Format, shape: tuple[int, ...], dims: tuple[int, ...], parts: Sequence[Buffers]
) -> None:
    """Raise FormatError if the buffers of a tensor break an invariant of a level."""
    fibers = 1
    levels = zip(format.levels, (*dims, 1), parts, strict=True)
    for depth, (level, dim, buffers) in enumerate(levels):
        try:
            fibers = level.validate(fibers, dim, buffers)
        except FormatError as error:
            raise FormatError(
                f"level {depth} ({type(level).__name__}) {error}; correct the buffer, or make "
                "the array from coordinates and values"
            ) from error
        if fibers > LONGEST:
            extent = prod(dims[: depth + 1])
            raise FormatError(f"shape {shape} is too large: {extent} positions")
        if level.kind.is_constant and dim == 0:
            return  # the child below is never read
    if any(level.starts_group for level in format.levels):
        _check_order(format, dims, parts)


def _check_order(format: Format, dims: tuple[int, ...], parts: Sequence[Buffers]) -> None:
    """Raise FormatError unless the entries of modes together increase."""
    root: Array = np.zeros(1, np.int64)
    fibers = Fibers(root, root, root, 1)
    prefixes: list[Array] = []
    for level, dim, buffers in zip(format.levels[:-1], dims, parts, strict=False):
        entries = level.expand(fibers, dim, buffers)
        prefixes = [prefix[entries.fiber] for prefix in prefixes] + [entries.coordinate]
        above = fibers.position[entries.fiber]
        fibers = Fibers(entries.child, entries.coordinate, above, dim)
    rises, same = steps(prefixes, len(fibers.position))
    bad = np.flatnonzero(~rises)
    if len(bad):
        place = int(bad[0]) + 1
        at = tuple(int(coordinate[place]) for coordinate in prefixes)
        problem = "occurs twice" if same[place - 1] else "comes after a larger one"
        raise FormatError(
            f"coordinates: entry {place}, {at} in storage order, {problem}; sort the entries and "
            "add up those at one place, as from_coordinates does"
        )
