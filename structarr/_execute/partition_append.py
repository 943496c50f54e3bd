"""Results appended to by threads: each writes a segment of the buffers; segments are then joined.

A thread has a segment of the pieces, with room for the most that they can store, and appends them
one after the other. The first segment is in its final place. The others begin behind the room of
those before them, and are moved down once the lengths are known. A thread that is done with its
segment helps with the last pieces of another one, which are put into place at the end.

A piece may begin within a row. That part of a row is a call of its own, on one row. Its elements
stand behind those of the part before it, and its pointer takes the place of that part's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple, TypeAlias

from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute.allocation import cut
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_rooms import Job, Room, done, made, moves, put
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.threads import allowed, mapped
from structarr._scheduler.operands import Operands
from structarr.formats.entries import Array

Piece: TypeAlias = tuple[Cut, Cut]


class Part(NamedTuple):
    """A range of rows of a call."""

    given: Operands
    shape: tuple[int, ...]
    later: bool = False  # a part of one row that is not its first
    made: Sequence[Array] | None = None  # its buffers, where they are known already


Parts: TypeAlias = Callable[[Cut, Cut, bool], list[Part]]
"""The calls between two cuts, with later parts of rows apart; or all as one range of rows."""


def appended(
    plan: Plan,
    parts: Parts,
    pieces: Sequence[Piece],
    guard: Callable[[int], bool],
) -> list[Array] | None:
    """The buffers of a result, to which the pieces append one after the other.

    `guard` may refuse the total number of elements: then None.
    """
    place = plan.places[0]
    count = min(allowed(), len(pieces))
    dealt = [
        pieces[len(pieces) * k // count : len(pieces) * (k + 1) // count] for k in range(count)
    ]
    spans = [parts(mine[0][0], mine[-1][1], False)[0] for mine in dealt]
    each = mapped if place.is_counted else map  # threads are woken up for what takes a while
    lengths = list(each(lambda one: _lengths(plan, one.given, one.shape), spans))
    start, child = place.start_of(spans[0].given), _child(place, spans[0].shape)
    found = made(place, start, lengths, guard, child)
    if found is None:
        return None
    whole, rooms = found
    segments = [_Segment(plan, parts, *one) for one in zip(dealt, rooms, strict=True)]

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


def _child(place: Place, shape: tuple[int, ...]) -> int:
    """The elements that are appended at a time."""
    levels = place.format.levels[:-1]
    last = max(k for k, level in enumerate(levels) if level.writing.appends)
    return prod([shape[axis] for axis in place.format.order[last + 1 :]])


class _Segment:
    """Pieces of the result next to each other."""

    def __init__(
        self,
        plan: Plan,
        parts: Parts,
        pieces: Sequence[Piece],
        rooms: Sequence[Room],
    ) -> None:
        self._plan, self._parts = plan, parts
        self.left = deque(pieces)  # threads take from either end
        self.rooms = rooms
        self.within: bool | None = None  # whether its own pieces begin within a row
        self.helped: dict[Piece, list[tuple[bool, Sequence[Array]]]] = {}  # taken by others

    def append_all(self) -> None:
        """Append the pieces that are left, from the first on."""
        direct = all([room.direct for room in self.rooms])
        for _, parts in self._taken(self.left.popleft):
            for part in parts:
                if self.within is None:
                    self.within = part.later
                self._append(part, direct)

    def _append(self, part: Part, direct: bool) -> None:
        written = self._written(part) if direct and part.made is None else None
        if written is not None:
            sizes = self._plan.places[0].used(written, part.shape)
            for room, size in zip(self.rooms, sizes, strict=True):
                room.keep(size, part.later)
        else:
            for room, buffer in zip(self.rooms, self._apart(part), strict=True):
                room.add(buffer, part.later)

    def _written(self, part: Part) -> Any:
        """The counts of what a kernel has appended; None if it may write beyond the segment."""
        try:
            return self._plan.fill(part.given, [[room.out() for room in self.rooms]])
        except RuntimeError as error:
            if str(error) != OUTGROWN:
                raise
        for room in self.rooms:
            room.clear()
        return None

    def help(self) -> None:
        """Compute the pieces that are left, from the last on."""
        for piece, parts in self._taken(self.left.pop):
            self.helped[piece] = [(part.later, self._apart(part)) for part in parts]

    def _taken(self, take: Callable[[], Piece]) -> Iterator[tuple[Piece, list[Part]]]:
        while True:
            try:
                piece = take()
            except IndexError:
                return
            yield piece, self._parts(*piece, True)

    def _apart(self, part: Part) -> Sequence[Array]:
        """The buffers of some rows in memory of their own."""
        if part.made is not None:
            return part.made
        result = self._plan(part.given, part.shape)
        assert result is not None  # the whole result has room
        return result.buffers


def _moved_together(whole: Sequence[Array], segments: Sequence[_Segment]) -> list[int]:
    """Join the segments; return the used length of each buffer."""
    at, children = [0] * len(whole), [0] * len(whole)
    for segment in segments:
        jobs: list[Job] = []
        for k, (buffer, room) in enumerate(zip(whole, segment.rooms, strict=True)):
            at[k] -= bool(segment.within) and room.joins and at[k] > 0
            if room.pointer and (at[k] < room.begin or children[k]):
                mine = buffer[room.begin : room.begin + room.at + 1]
                jobs.append(partial(put, buffer, at[k], children[k], mine, True))
            elif at[k] < room.begin:
                jobs += moves(buffer, at[k], room.begin, room.at)
            at[k] += room.at
            children[k] += room.children
        done(jobs)
        jobs = []
        for later, buffers in [
            one for piece in sorted(segment.helped) for one in segment.helped[piece]
        ]:
            for k, part in enumerate(buffers):
                pointer = segment.rooms[k].pointer
                at[k] -= later and segment.rooms[k].joins and at[k] > 0
                job = partial(put, whole[k], at[k], children[k], part, pointer)
                if pointer:
                    job()  # the parts of a row are in order
                else:
                    jobs.append(job)
                at[k] += len(part) - pointer
                children[k] += int(part[-1]) if pointer else 0
        done(jobs)
    return [n + room.pointer for n, room in zip(at, segments[0].rooms, strict=True)]
