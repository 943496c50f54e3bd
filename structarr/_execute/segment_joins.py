"""Joins of segments: what is not in its place is moved there; pointers count from the first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from structarr._execute.partition_rooms import Job, done, moves
from structarr._execute.segment_rooms import put
from structarr._execute.segments import FallingSegment, RisingSegment, Segment
from structarr.formats.entries import Array


def moved_together(
    whole: Sequence[Array], segments: Sequence[Segment], waits: bool = False
) -> tuple[list[int], list[int]]:
    """Join the segments; return the used length of each buffer, and where it begins.

    The caller only `waits` where that takes long.
    """
    first = segments[0]
    begins = _begins(first) if isinstance(first, FallingSegment) else [0] * len(whole)
    at, children = begins.copy(), [0] * len(whole)
    for segment in segments:
        if isinstance(segment, FallingSegment):
            done(_put(whole, segment, at, children), waits)
            ends = segment.counted([*zip(at, children, strict=True)])
            at, children = [n for n, _ in ends], [n for _, n in ends]
        elif isinstance(segment, RisingSegment):
            done(_moved(whole, segment, at, children), waits)
            done(_put(whole, segment, at, children), waits)
    used = [
        n + room.pointer - begin for n, room, begin in zip(at, first.rooms, begins, strict=True)
    ]
    return used, begins


def _begins(segment: FallingSegment) -> list[int]:
    """Where each buffer of the result begins."""
    helped = segment.helped
    return [
        0 if room.pointer else room.end - room.at - sum([len(one[k]) for _, one in helped])
        for k, room in enumerate(segment.rooms)
    ]


def _moved(
    whole: Sequence[Array], segment: RisingSegment, at: list[int], children: list[int]
) -> list[Job]:
    """Jobs that move a segment behind what there is; `at` and `children` are increased by it."""
    jobs: list[Job] = []
    for k, (buffer, room) in enumerate(zip(whole, segment.rooms, strict=True)):
        at[k] -= bool(segment.within) and room.joins and at[k] > 0
        before = children[k] - room.base
        if room.pointer and (at[k] < room.begin or before):
            mine = buffer[room.begin : room.begin + room.at + 1]
            jobs.append(partial(put, buffer, at[k], before, mine, True))
        elif at[k] < room.begin:
            jobs += moves(buffer, at[k], room.begin, room.at)
        at[k] += room.at
        children[k] += room.children - room.base
    return jobs


def _put(whole: Sequence[Array], segment: Segment, at: list[int], children: list[int]) -> list[Job]:
    """Jobs that put behind what there is what others have computed of a segment."""
    jobs: list[Job] = []
    for later, buffers in segment.helped:
        for k, (part, room) in enumerate(zip(buffers, segment.rooms, strict=True)):
            at[k] -= later and room.joins and at[k] > 0
            job = partial(put, whole[k], at[k], children[k], part, room.pointer)
            if room.pointer:
                job()  # the parts of a row are in order
            else:
                jobs.append(job)
            at[k] += len(part) - room.pointer
            children[k] += int(part[-1]) if room.pointer else 0
    return jobs
