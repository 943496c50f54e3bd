"""Rooms: segments of the buffers of a result to which threads append, and how they are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute.allocation import check_room
from structarr._execute.place import Place
from structarr._execute.threads import allowed, mapped
from structarr._support import buffer_pool
from structarr.formats.base import Level
from structarr.formats.entries import Array

Job: TypeAlias = Callable[[], Any]

LEAST = 1 << 18  # the least number of elements that a thread moves


def made(
    place: Place,
    start: Any,
    lengths: Sequence[Sequence[int]],
    guard: Callable[[int], bool],
    child: int = 1,
    exact: bool = False,
) -> tuple[list[Array], list[list[Room]]] | None:
    """Buffers of the result, with the rooms of segments in them; None if the guard refuses.

    What is appended at a time has `child` elements, each of which begins as `start`. Lengths are
    `exact`, or bounds.
    """
    levels = place.format.levels
    points = [
        name in level.cumulative or (name == "ptr" and not k)
        for level in levels
        for k, name in enumerate(level.buffers)
    ]
    begins = [[0] * len(points)]
    if exact:  # but for a slot that may be written ahead
        last = zip(lengths[-1], points, strict=True)
        lengths = [*lengths[:-1], [n + (not point) * child for n, point in last]]
    else:
        lengths = [*map(partial(abutting, levels, points), lengths[:-1]), lengths[-1]]
    for most in lengths:
        # The first pointer is the last one of the segment before.
        ends = zip(begins[-1], most, points, strict=True)
        begins.append([begin + n - pointer for begin, n, pointer in ends])
    totals = [n + pointer for n, pointer in zip(begins[-1], points, strict=True)]
    if not guard(totals[-1]):
        return None
    whole = place.make(
        [0 if point else n for n, point in zip(totals, points, strict=True)], start, {}
    )
    for k, (n, point) in enumerate(zip(totals, points, strict=True)):
        if point:  # all that is kept of it is written by the segments
            whole[k] = buffer_pool.empty(n, whole[k].dtype)
            whole[k][:1] = 0
    joins = [point and not any(points[:k]) for k, point in enumerate(points)]
    begun = [None if raw else Begun(start, child) for raw in place.uninitialized]
    begun[:-1] = [one and Begun(start, 0) for one in begun[:-1]]
    kinds = list(zip(whole, points, joins, begun, strict=True))
    # Where memory has to begin anew behind each piece, it is written from its beginning on.
    raw = all(point or one is None for point, one in zip(points, begun, strict=True))
    falls = raw and not exact and len(lengths) > 1
    # What pointers count is in the next buffer.
    counted = [[*one[1:], 0] if exact else [0] * len(one) for one in begins]
    rooms = [
        [
            (FallingRoom if falls and not number else Room)(*kind, *one)
            for kind, *one in zip(kinds, first, most, bases, strict=True)
        ]
        for number, (first, most, bases) in enumerate(zip(begins, lengths, counted, strict=False))
    ]
    return whole, rooms


def abutting(levels: Sequence[Level], points: Sequence[bool], most: Sequence[int]) -> Sequence[int]:
    """The lengths without a slot for what is written ahead, for a segment with others behind it.

    A kernel that needs it finds that there is no room.
    """
    if not abut(levels):
        return most
    return [n - (not point and n > 0) for n, point in zip(most, points, strict=True)]


def abut(levels: Sequence[Level]) -> bool:
    """Whether segments of a result have no slot between them for what is written ahead."""
    *outer, last, _ = levels
    return last.slicing == "entries" and all(level.kind.arithmetic for level in outer)


class Outgrown(RuntimeError):
    """A segment that stores more than there is room for."""

    def __init__(self) -> None:
        super().__init__(OUTGROWN)


class Begun(NamedTuple):
    """How the elements of a buffer begin that a kernel may leave as they are."""

    value: Any
    child: int  # the elements that are appended at a time; 0 if that is not known


class Room:
    """A segment of a buffer, filled from its beginning on; pointers count from there too."""

    def __init__(
        self,
        whole: Array,
        pointer: bool,
        joins: bool,
        begun: Begun | None,
        begin: int,
        length: int,
        base: int = 0,
    ) -> None:
        self.pointer = pointer
        self.joins = joins  # the pointers of rows, which may be divided
        self.begin = begin
        self.at = 0
        self.base = base  # what is expected to be counted by the pointers of segments before
        self.children = base  # counted by the pointers so far
        self.end = begin + length
        self._free = whole[begin : self.end]
        self._own: Array | None = None  # pointers of a piece, which count from it on
        self._begun = begun
        self.direct = pointer or begun is None or begun.child > 0

    def check(self, size: int) -> None:
        """Raise Outgrown unless there is room for so many elements."""
        if size > len(self._free):
            raise Outgrown

    def out(self) -> Array:
        """The buffers that the next piece is written to."""
        if not self.pointer:
            return self._free[self.at :]
        if self._own is None:  # by the thread that writes it
            self._own = buffer_pool.zeros(len(self._free), self._free.dtype)
        return self._own

    def keep(self, size: int, later: bool) -> None:
        """Note the used lengths of `out`."""
        if not self.pointer:
            check_room(len(self._free) - self.at, size)
            self.at += size
            if self._begun is not None:  # the next child may have been written ahead
                self._free[self.at : self.at + self._begun.child] = self._begun.value
        else:
            own = self.out()
            check_room(len(own), size)
            self.add(own[:size], later)
            own[:size] = 0

    def clear(self) -> None:
        """Forget what a call that found no room has written."""
        if self.pointer:
            self.out().fill(0)
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
    """A segment of a buffer, filled from its end on, so that it meets the one behind it.

    A piece is written where there is room for all that it may store, and moved up by what it does
    not: it is in the cache then. Pointers are kept, as it is not known yet from where they count.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pointers: list[Array] = []  # of each part, from the last on
        self._begin = 0  # of the part that is written

    def out_below(self, most: int | None) -> Array:
        """The buffer that the next piece is written to, if it stores no more than `most`."""
        if self.pointer:
            return self.out()
        end = len(self._free) - self.at
        self._begin = 0 if most is None else max(end - most, 0)
        return self._free[self._begin : end]

    def keep(self, size: int, later: bool) -> None:
        """Note the used length of `out_below`."""
        if self.pointer:
            own = self.out()
            check_room(len(own), size)
            self.pointers.append(own[:size].copy())
            own[:size] = 0
            return
        begin, end = self._begin, len(self._free) - self.at
        check_room(end - begin, size)
        if begin + size < end:
            self._free[end - size : end] = self._free[begin : begin + size]
        self.at += size

    def add(self, buffer: Array, later: bool) -> None:
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


def done(jobs: Sequence[Job]) -> None:
    """Do some jobs, by several threads."""
    for _ in mapped(lambda job: job(), jobs):
        pass


def moves(buffer: Array, at: int, begin: int, n: int) -> list[Job]:
    """Jobs that move `n` elements down in parallel; none reads what another one writes."""
    gap, count = begin - at, allowed()
    step = max(-(-n // count), LEAST)
    if gap < n and step < 2 * gap:
        step = n  # jobs would overlap too much
    found: list[Job] = []
    for lo in range(0, n, max(step, 1)):
        hi = min(lo + step, n)
        # The place from which on the next job writes.
        safe = max(hi - gap, lo) if gap < n and hi < n else hi
        saved = buffer[begin + safe : begin + hi].copy()
        found.append(partial(_move, buffer, at + lo, begin + lo, safe - lo, saved))
    return found


def _move(buffer: Array, at: int, begin: int, n: int, saved: Array) -> None:
    buffer[at : at + n] = buffer[begin : begin + n]
    buffer[at + n : at + n + len(saved)] = saved
