"""Checks of buffers that come from outside; each names the buffer and the first bad place."""

from __future__ import annotations

import numpy as np

from structarr.errors import FormatError
from structarr.formats.entries import Array


def length(buffer: Array, name: str, expected: int) -> None:
    """The buffer has the expected length."""
    if buffer.ndim != 1 or len(buffer) != expected:
        raise FormatError(
            f"buffer {name!r} must be one-dimensional with {expected} entries, "
            f"not of shape {buffer.shape}"
        )


def pointers(buffer: Array, name: str, fibers: int) -> int:
    """Starts at 0, never decreases; return its last entry."""
    length(buffer, name, fibers + 1)
    if buffer[0] != 0:
        raise FormatError(f"buffer {name!r} must start with 0, not {buffer[0]}")
    _first(buffer[1:] < buffer[:-1], name, buffer, "is less than the one before it", 1)
    return int(buffer[-1])


def lie_below(places: Array, end: int) -> bool:
    """Whether some integers, at least one, lie in [0, end)."""
    if places.dtype.kind != "i":
        return bool(places.min() >= 0 and places.max() < end)
    # Below zero is far above as an unsigned integer: one pass in the place of two.
    return bool(places.view(f"u{places.itemsize}").max() < max(end, 0))


def within(buffer: Array, name: str, lo: int, hi: int) -> None:
    """Every entry lies in [lo, hi)."""
    if not len(buffer):
        return
    if lie_below(buffer, hi) if not lo else (buffer.min() >= lo and buffer.max() < hi):
        return
    _first((buffer < lo) | (buffer >= hi), name, buffer, f"is outside [{lo}, {hi})")


def increasing(buffer: Array, name: str, ptr: Array) -> None:
    """Entries increase strictly within each fiber."""
    falls = buffer[1:] <= buffer[:-1]
    starts = ptr[1:-1]
    starts = starts[(starts > 0) & (starts < len(buffer))]
    falls[starts - 1] = False
    _first(falls, name, buffer, "does not exceed the one before it in its fiber", 1)


def _first(bad: Array, name: str, buffer: Array, problem: str, offset: int = 0) -> None:
    if bad.any():
        place = int(bad.argmax()) + offset
        raise FormatError(f"buffer {name!r}: entry {place}, {buffer[place]}, {problem}")


def segments(ptr: Array, start: Array, stop: Array, count: int, dim: int) -> None:
    """Segments within each fiber are not empty, do not overlap, and lie in [0, dim)."""
    length(start, "start", count)
    length(stop, "stop", count)
    within(start, "start", 0, dim)
    within(stop, "stop", 1, dim + 1)
    _first(stop <= start, "stop", stop, "does not exceed the start of its segment")
    early = start[1:] < stop[:-1]
    begins = ptr[1:-1]
    begins = begins[(begins > 0) & (begins < count)]
    early[begins - 1] = False
    _first(early, "start", start, "is before the end of the one before", 1)


def covering(ptr: Array, stop: Array, count: int, dim: int) -> None:
    """The segments of each fiber end at `stop`, in order, and cover [0, dim)."""
    length(stop, "stop", count)
    within(stop, "stop", 1, dim + 1)
    increasing(stop, "stop", ptr)
    empty = ptr[1:] == ptr[:-1]
    if dim and empty.any():
        place = int(np.flatnonzero(empty)[0])
        raise FormatError(f"buffer 'ptr': fiber {place} has no segment to cover [0, {dim})")
    if dim and count:
        short = np.flatnonzero(stop[ptr[1:] - 1] != dim)
        if len(short):
            place = int(short[0])
            raise FormatError(f"buffer 'stop': the last segment of fiber {place} must end at {dim}")
