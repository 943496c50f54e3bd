"""Results appended to by threads: each writes a segment of the buffers; segments are then joined.

A thread has a segment of the rows, with room for the most that they can store, and appends its
pieces one after the other. The first segment is in its final place. The others begin behind the
room of those before them, and are moved down once the lengths are known. A thread that is done with
its segment helps with the last pieces of another one, which are put into place at the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr._execute.allocation import check_room, cut
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.threads import allowed, mapped
from structarr._scheduler.operands import Operands
from structarr.formats.entries import Array

Piece: TypeAlias = tuple[int, int]  # the first row, and the one past the last
Job: TypeAlias = Callable[[], Any]

LEAST = 1 << 18  # the least number of elements that a thread moves


class Part(NamedTuple):
    """A range of rows of a call."""

    given: Operands
    shape: tuple[int, ...]


def appended(
    plan: Plan,
    part: Callable[[int, int], Part],
    pieces: Sequence[Piece],
    guard: Callable[[int], bool],
) -> list[Array] | None:
    """The buffers of a result, whose rows the pieces append one after the other.

    `part` cuts rows out of the call; `guard` may refuse the total number of elements: then None.
    """
    place = plan.places[0]
    count = min(allowed(), len(pieces))
    dealt = [
        pieces[len(pieces) * k // count : len(pieces) * (k + 1) // count] for k in range(count)
    ]
    spans = [part(mine[0][0], mine[-1][1]) for mine in dealt]
    lengths = list(mapped(lambda one: _lengths(plan, *one), spans))
    made = _made(place, place.start_of(spans[0].given), lengths, guard)
    if made is None:
        return None
    whole, rooms = made
    segments = [_Segment(plan, part, *one) for one in zip(dealt, rooms, strict=True)]

    def work(segment: _Segment) -> None:
        try:
            segment.append_all()
            for other in segments:
                other.help()
        except BaseException:
            stop()
            raise

    def stop() -> None:
        for segment in segments:
            segment.left.clear()

    try:
        for _ in mapped(work, segments):
            pass
    except BaseException:
        stop()  # an interrupt comes to the caller's thread alone
        raise
    sizes = _moved_together(whole, segments)
    return [cut(*one) for one in zip(whole, sizes, strict=True)]


def _lengths(plan: Plan, given: Operands, shape: tuple[int, ...]) -> list[int]:
    """The lengths for some rows; the guard of the whole result decides about them."""
    found = plan.lengths(plan.places[0], given, shape, lambda entries: True)
    assert found is not None
    return found


def _made(
    place: Place, start: Any, lengths: Sequence[Sequence[int]], guard: Callable[[int], bool]
) -> tuple[list[Array], list[list[_Room]]] | None:
    """Buffers of the result, with the rooms of segments in them; None if the guard refuses."""
    levels = place.format.levels[1:]
    points = [
        level.slicing == "entries" and not k for level in levels for k in range(len(level.buffers))
    ]
    begins = [[0] * len(points)]
    for most in lengths:
        # The first pointer is the last one of the segment before.
        ends = zip(begins[-1], most, points, strict=True)
        begins.append([begin + n - pointer for begin, n, pointer in ends])
    totals = [n + pointer for n, pointer in zip(begins[-1], points, strict=True)]
    if not guard(totals[-1]):
        return None
    whole = place.make(totals, start, {})
    rooms = [
        [_Room(*one) for one in zip(whole, points, place.uninitialized, first, most, strict=True)]
        for first, most in zip(begins, lengths, strict=False)
    ]
    return whole, rooms


class _Room:
    """A segment of a buffer, filled from its beginning on; pointers count from there too."""

    def __init__(self, whole: Array, pointer: bool, raw: bool, begin: int, length: int) -> None:
        self.pointer = pointer
        self.begin = begin
        self.at = 0
        self.children = 0  # counted by the pointers so far
        self._free = whole[begin : begin + length]
        self._own = np.zeros(length, whole.dtype) if pointer else None
        self.direct = pointer or raw  # other buffers must begin with zeros

    def out(self) -> Array:
        """The buffers that the next piece is written to."""
        return self._free[self.at :] if self._own is None else self._own

    def keep(self, size: int) -> None:
        """Note the used lengths of `out`."""
        check_room(len(self._free) - self.at, size)
        if self._own is None:
            self.at += size
        else:
            self.add(self._own[:size])
            self._own[:size] = 0

    def add(self, buffer: Array) -> None:
        """Append a buffer of a piece's result."""
        count = int(buffer[-1]) if self.pointer else 0
        self.at = _put(self._free, self.at, self.children, buffer, self.pointer)
        self.children += count


def _put(out: Array, at: int, children: int, buffer: Array, pointer: bool) -> int:
    """Write a buffer from `at` on; pointers are increased by the children before them."""
    end = at + len(buffer) - pointer
    if pointer:
        np.add(buffer[1:], children, out=out[at + 1 : end + 1])
    else:
        out[at:end] = buffer
    return end


class _Segment:
    """Pieces of the result next to each other."""

    def __init__(
        self,
        plan: Plan,
        part: Callable[[int, int], Part],
        pieces: Sequence[Piece],
        rooms: Sequence[_Room],
    ) -> None:
        self._plan, self._part = plan, part
        self.left = deque(pieces)  # threads take from either end
        self.rooms = rooms
        self.helped: dict[Piece, Sequence[Array]] = {}  # buffers of pieces taken by others

    def append_all(self) -> None:
        """Append the pieces that are left, from the first on."""
        direct = all([room.direct for room in self.rooms])
        for _, part in self._taken(self.left.popleft):
            if direct:
                written = self._plan.fill(part.given, [[room.out() for room in self.rooms]])
                sizes = self._plan.places[0].used(written, part.shape)
                for room, size in zip(self.rooms, sizes, strict=True):
                    room.keep(size)
            else:
                for room, buffer in zip(self.rooms, self._apart(part), strict=True):
                    room.add(buffer)

    def help(self) -> None:
        """Compute the pieces that are left, from the last on."""
        for piece, part in self._taken(self.left.pop):
            self.helped[piece] = self._apart(part)

    def _taken(self, take: Callable[[], Piece]) -> Iterator[tuple[Piece, Part]]:
        while True:
            try:
                piece = take()
            except IndexError:
                return
            yield piece, self._part(*piece)

    def _apart(self, part: Part) -> Sequence[Array]:
        """The buffers of some rows in memory of their own."""
        result = self._plan(part.given, part.shape)
        assert result is not None  # the whole result has room
        return result.buffers


def _moved_together(whole: Sequence[Array], segments: Sequence[_Segment]) -> list[int]:
    """Join the segments; return the used length of each buffer."""
    at, children = [0] * len(whole), [0] * len(whole)
    for segment in segments:
        jobs: list[Job] = []
        for k, (buffer, room) in enumerate(zip(whole, segment.rooms, strict=True)):
            if room.pointer and (at[k] < room.begin or children[k]):
                mine = buffer[room.begin : room.begin + room.at + 1]
                jobs.append(partial(_put, buffer, at[k], children[k], mine, True))
            elif at[k] < room.begin:
                jobs += _moves(buffer, at[k], room.begin, room.at)
            at[k] += room.at
            children[k] += room.children
        _do(jobs)
        jobs = []
        for piece in sorted(segment.helped):
            for k, part in enumerate(segment.helped[piece]):
                pointer = segment.rooms[k].pointer
                jobs.append(partial(_put, whole[k], at[k], children[k], part, pointer))
                at[k] += len(part) - pointer
                children[k] += int(part[-1]) if pointer else 0
        _do(jobs)
    return [n + room.pointer for n, room in zip(at, segments[0].rooms, strict=True)]


def _do(jobs: Sequence[Job]) -> None:
    for _ in mapped(lambda job: job(), jobs):
        pass


def _moves(buffer: Array, at: int, begin: int, n: int) -> list[Job]:
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
