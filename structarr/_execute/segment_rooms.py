"""Rooms of segments: parts of the buffers of a result to which one thread appends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.runtime._mark import BEYOND
from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute.allocation import check_room
from structarr._support import buffer_pool
from structarr.formats.entries import Array


class Outgrown(RuntimeError):
    """A segment that stores more than there is room for."""

    def __init__(self) -> None:
        super().__init__(OUTGROWN)


def lacked_room(error: RuntimeError | IndexError) -> bool:
    """Whether a kernel ended for lack of room; an interpreted one does by an error of an array."""
    if isinstance(error, IndexError):
        return not str(error).startswith(BEYOND)
    return str(error) == OUTGROWN


class Begun(NamedTuple):
    """How the elements of a buffer begin that a kernel may leave as they are."""

    value: Any
    child: int  # the elements that are appended at a time; 0 if that is not known


class Stretch(NamedTuple):
    """The stretch of a buffer that a room has."""

    whole: Array
    pointer: bool  # whether it counts what is in the next buffer
    joins: bool  # whether it counts by rows, which may be divided
    begin: int
    length: int
    base: int = 0  # what is expected to be counted before


class Room:
    """A part of a buffer."""

    def __init__(self, stretch: Stretch) -> None:
        self.pointer, self.joins = stretch.pointer, stretch.joins
        self.begin, self.end = stretch.begin, stretch.begin + stretch.length
        self.base = stretch.base
        self.at = 0  # how many elements of it are used
        self._free = stretch.whole[self.begin : self.end]
        self._own: Array | None = None

    def check(self, size: int) -> None:
        """Raise Outgrown unless there is room for so many elements."""
        if size > len(self._free):
            raise Outgrown

    def own(self) -> Array:
        """Memory for the pointers of a piece, which count from it on; clear."""
        if self._own is None:  # by the thread that writes it
            self._own = buffer_pool.zeros(len(self._free), self._free.dtype)
        return self._own


class RisingRoom(Room):
    """A room that is filled from its beginning on; pointers count from there too."""

    def __init__(self, stretch: Stretch, begun: Begun | None) -> None:
        super().__init__(stretch)
        self.children = stretch.base  # counted by the pointers so far
        self._begun = begun
        self.direct = self.pointer or begun is None or begun.child > 0

    def out(self) -> Array:
        """The buffer that the next piece is written to."""
        return self.own() if self.pointer else self._free[self.at :]

    def keep(self, size: int, later: bool) -> None:
        """Note the used length of `out`."""
        if not self.pointer:
            check_room(len(self._free) - self.at, size)
            self.at += size
            if self._begun is not None:  # the next child may have been written ahead
                self._free[self.at : self.at + self._begun.child] = self._begun.value
        else:
            own = self.own()
            check_room(len(own), size)
            self.add(own[:size], later)
            own[:size] = 0

    def clear(self) -> None:
        """Forget what a call that found no room has written."""
        if self.pointer:
            self.own().view(np.uint8).fill(0)
        elif self._begun is not None:
            self._free[self.at :] = self._begun.value

    def add(self, buffer: Array, later: bool) -> None:
        """Append a buffer of a call's result."""
        count = int(buffer[-1]) if self.pointer else 0
        self.at -= later and self.joins and self.at > 0
        self.check(self.at + len(buffer))
        self.at = put(self._free, self.at, self.children, buffer, self.pointer)
        self.children += count


class FallingRoom(Room):
    """A room that is filled from its end on, so that it meets the one behind it.

    A piece is written where there is room for all that it may store, and moved up by what it does
    not: it is in the cache then. Pointers are kept, as it is not known yet from where they count.
    """

    def __init__(self, stretch: Stretch) -> None:
        super().__init__(stretch)
        self.pointers: list[Array] = []  # of each part, from the last on
        self._low = 0  # where the part begins that is written

    def out(self, most: int | None) -> Array:
        """The buffer that the next piece is written to, if it stores no more than `most`."""
        if self.pointer:
            return self.own()
        end = len(self._free) - self.at
        self._low = 0 if most is None else max(end - most, 0)
        return self._free[self._low : end]

    def keep(self, size: int) -> None:
        """Note the used length of `out`."""
        if self.pointer:
            own = self.own()
            check_room(len(own), size)
            self.pointers.append(own[:size].copy())
            own[:size] = 0
            return
        low, end = self._low, len(self._free) - self.at
        check_room(end - low, size)
        if low + size < end:
            self._free[end - size : end] = self._free[low : low + size]
        self.at += size

    def clear(self) -> None:
        """Forget what a call that found no room has written."""
        if self.pointer:
            self.own().view(np.uint8).fill(0)

    def count(self, later: Sequence[bool], at: int = 0, children: int = 0) -> tuple[int, int]:
        """Write the pointers of its parts behind some; return how many there are, and the last.

        Of each part, from the last on, it is told whether it is a later part of a row.
        """
        for goes_on, part in zip(reversed(later), reversed(self.pointers), strict=True):
            at -= goes_on and self.joins and at > 0
            at = put(self._free, at, children, part, True)
            children += int(part[-1])
        return at, children

    def add(self, buffer: Array) -> None:
        """Put a buffer of a call's result before what there is."""
        if self.pointer:
            self.pointers.append(buffer)
            return
        self.check(self.at + len(buffer))
        end = len(self._free) - self.at
        self._free[end - len(buffer) : end] = buffer
        self.at += len(buffer)


def put(out: Array, at: int, children: int, buffer: Array, pointer: bool) -> int:
    """Write a buffer from `at` on; pointers are increased by the children before them."""
    end = at + len(buffer) - pointer
    if pointer:
        np.add(buffer[1:], children, out=out[at + 1 : end + 1])
    else:
        out[at:end] = buffer
    return end
