"""Rooms of a result to which threads append: how they are made, and how they are moved together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from structarr._execute.place import Place
from structarr._execute.segment_rooms import Begun, FallingRoom, RisingRoom, Stretch
from structarr._execute.threads import allowed, mapped
from structarr._support import buffer_pool
from structarr.formats.base import Level
from structarr.formats.entries import Array

Job: TypeAlias = Callable[[], Any]

LEAST = 1 << 18  # the least number of elements that a thread moves


class Rooms(NamedTuple):
    """The buffers of a result, and the rooms of its segments."""

    whole: list[Array]
    falling: list[FallingRoom] | None  # of the first segment, if it is filled from its end on
    rising: list[list[RisingRoom]]


def made(
    place: Place,
    start: Any,
    lengths: Sequence[Sequence[int]],
    guard: Callable[[int], bool],
    child: int = 1,
    exact: bool = False,
) -> Rooms | None:
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
    # What pointers count is in the next buffer.
    counted = [[*one[1:], 0] if exact else [0] * len(one) for one in begins]
    stretches = [
        [Stretch(*one) for one in zip(whole, points, joins, *segment, strict=True)]
        for segment in zip(begins, lengths, counted, strict=False)
    ]
    # Where memory has to begin anew behind each piece, it is written from its beginning on.
    raw = all(point or one is None for point, one in zip(points, begun, strict=True))
    falls = raw and not exact and len(lengths) > 1
    falling = [FallingRoom(one) for one in stretches[0]] if falls else None
    rising = [
        [RisingRoom(*one) for one in zip(segment, begun, strict=True)]
        for segment in stretches[falls:]
    ]
    return Rooms(whole, falling, rising)


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


def done(jobs: Sequence[Job], waits: bool = False) -> None:
    """Do some jobs, by several threads."""
    for _ in mapped(lambda job: job(), jobs, waits):
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
