"""Results appended to by threads: each writes a segment of the buffers; segments are then joined.

A thread has a segment of the pieces, with room for the most that they can store. The second segment
is filled from its beginning on, and the first one from its end on, so that they meet whatever they
store; the others are moved down to them once the lengths are known. A thread that is done with its
segment helps with the pieces that another one would do last, which are put into place at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import prod
from typing import NamedTuple

from structarr._execute.allocation import cut
from structarr._execute.known_lengths import Lengths
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_rooms import abut, made
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.segment_joins import moved_together
from structarr._execute.segments import (
    FallingSegment,
    Parts,
    Piece,
    RisingSegment,
    Segment,
    lengths_of,
)
from structarr._execute.threads import allowed, mapped
from structarr.formats.entries import Array

SHARE = 2
"""One in how many pieces that are left a thread takes together at most."""

LAST = 4
"""One in how much of the longest that a thread takes together the shortest is at least."""


class Appended(NamedTuple):
    """A result that was appended to."""

    buffers: list[Array]
    lengths: Lengths  # of each segment


def appended(
    plan: Plan,
    parts: Parts,
    pieces: Sequence[Piece],
    guard: Callable[[int], bool],
    together: int = 0,
    alone: Collection[Cut] = (),
    known: Lengths | None = None,
    waits: bool = False,
) -> Appended | None:
    """The buffers of a result, to which the pieces append one after the other.

    `guard` may refuse the total number of elements: then None. A thread takes some pieces as one,
    so that it has `together` of them (if that is not 0) and more at its end, but for those that
    begin `alone`. Segments have the lengths that are `known`, or room for all that they may store.
    The caller only `waits` where a piece is too long for it to hear of interrupts.

    Raises
    ------
    Outgrown
        If a segment stores more than is known.
    """
    place = plan.places[0]
    count = min(allowed(), len(pieces))
    dealt = [
        pieces[len(pieces) * k // count : len(pieces) * (k + 1) // count] for k in range(count)
    ]
    spans = [parts(mine[0][0], mine[-1][1], False)[0] for mine in dealt]
    start, child = place.start_of(spans[0].given), _child(place, spans[0].shape)
    exact = known is not None and len(known) == count and abut(place.format.levels)
    if known is not None and exact:
        lengths = known
    else:
        each = mapped if place.is_counted else map  # threads are woken up for what takes a while
        lengths = list(each(partial(lengths_of, plan), spans))
    found = made(place, start, lengths, guard, child, exact)
    if found is None:
        return None
    falls = found.falling is not None
    if together and count > 1:
        dealt = [_grouped(mine, together, alone, falls and not k) for k, mine in enumerate(dealt)]
    segments: list[Segment] = []
    if found.falling is not None:
        segments.append(FallingSegment(plan, parts, dealt[0], found.falling))
    for mine, rooms in zip(dealt[falls:], found.rising, strict=True):
        segments.append(RisingSegment(plan, parts, mine, rooms))

    def work(segment: Segment) -> None:
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
        for _ in mapped(work, segments, waits):
            pass
    except BaseException:
        stop()  # an interrupt comes to the caller's thread alone
        raise
    used = [segment.used() for segment in segments]
    sizes, begins = moved_together(found.whole, segments, waits)
    return Appended([cut(*one) for one in zip(found.whole, sizes, begins, strict=True)], used)


def _grouped(
    pieces: Sequence[Piece], together: int, alone: Collection[Cut], falls: bool
) -> list[Piece]:
    """Neighbouring pieces as one, and fewer of them where little is left.

    What a thread does last is short, so that all end at about the same time, but no shorter than
    is worth what goes on between pieces.
    """
    ordered, found, at = pieces[::-1] if falls else pieces, [], 0
    each, least = [-(-len(pieces) // (together * share)) for share in (1, LAST)]
    while at < len(ordered):
        end, most = at + 1, at + max(min((len(ordered) - at) // SHARE, each), least)
        most = min(most, len(ordered))
        while end < most and not {ordered[end - 1][0], ordered[end][0]} & {*alone}:
            end += 1
        ends = sorted(ordered[at:end])
        found.append((ends[0][0], ends[-1][1]))
        at = end
    return found[::-1] if falls else found


def _child(place: Place, shape: tuple[int, ...]) -> int:
    """The elements that are appended at a time."""
    levels = place.format.levels[:-1]
    last = max(k for k, level in enumerate(levels) if level.writing.appends)
    return prod([shape[axis] for axis in place.format.order[last + 1 :]])
