"""Rooms: segments of the buffers of a result to which threads append, and how they are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

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
) -> tuple[list[Array], list[list[Room]]] | None:
    """Buffers of the result, with the rooms of segments in them; None if the guard refuses.

    What is appended at a time has `child` elements, each of which begins as `start`.
    """
    levels = place.format.levels
    points = [
        name in level.cumulative or (name == "ptr" and not k)
        for level in levels
        for k, name in enumerate(level.buffers)
    ]
    begins = [[0] * len(points)]
    lengths = [*map(partial(_abutting, levels, points), lengths[:-1]), lengths[-1]]
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
    rooms = [
        [Room(*kind, *one) for kind, *one in zip(kinds, first, most, strict=True)]
        for first, most in zip(begins, lengths, strict=False)
    ]
    return whole, rooms


def _abutting(
    levels: Sequence[Level], points: Sequence[bool], most: Sequence[int]
) -> Sequence[int]:
    """The lengths without a slot for what is written ahead, for a segment with others behind it.

    A kernel that needs it finds that there is no room.
    """
    *outer, last, _ = levels
    if last.slicing != "entries" or any(not level.kind.arithmetic for level in outer):
        return most
    return [n - (not point and n > 0) for n, point in zip(most, points, strict=True)]


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
    ) -> None:
        self.pointer = pointer
        self.joins = joins  # the pointers of rows, which may be divided
        self.begin = begin
        self.at = 0
        self.children = 0  # counted by the pointers so far
        self._free = whole[begin : begin + length]
        self._own: Array | None = None  # pointers of a piece, which count from it on
        self._begun = begun
        self.direct = pointer or begun is None or begun.child > 0

    def out(self) -> Array:
        """The buffers that the next piece is written to."""
        if not self.pointer:
            return self._free[self.at :]
        if self._own is None:  # by the thread that writes it
            self._own = buffer_pool.zeros(len(self._free), self._free.dtype)
        return self._own

    def keep(self, size: int, later: bool) -> None:
        """Note the used lengths of `out`."""
        if self._own is None:
            check_room(len(self._free) - self.at, size)
            self.at += size
            if self._begun is not None:  # the next child may have been written ahead
                self._free[self.at : self.at + self._begun.child] = self._begun.value
        else:
            check_room(len(self._own), size)
            self.add(self._own[:size], later)
            self._own[:size] = 0

    def clear(self) -> None:
        """Forget what a call that found no room has written."""
        if self._own is not None:
            self._own.fill(0)
        elif self._begun is not None:
            self._free[self.at :] = self._begun.value

    def add(self, buffer: Array, later: bool) -> None:
        """Append a buffer of a call's result."""
        count = int(buffer[-1]) if self.pointer else 0
        self.at -= later and self.joins and self.at > 0
        check_room(len(self._free) - self.at, len(buffer))
        self.at = put(self._free, self.at, self.children, buffer, self.pointer)
        self.children += count


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
