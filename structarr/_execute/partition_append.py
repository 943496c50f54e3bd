"""Results appended to by threads: each writes a segment of the buffers; segments are then joined.

A thread has a segment of the pieces, with room for the most that they can store. The second segment
is filled from its beginning on, and the first one from its end on, so that they meet whatever they
store; the others are moved down to them once the lengths are known. A thread that is done with its
segment helps with the pieces that another one would do last, which are put into place at the end.

A piece may begin within a row. That part of a row is a call of its own, on one row. Its elements
stand behind those of the part before it, and its pointer takes the place of that part's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple, TypeAlias

from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute.allocation import cut
from structarr._execute.known_lengths import Lengths
from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_rooms import (
    FallingRoom,
    Job,
    Room,
    abut,
    abutting,
    done,
    made,
    moves,
    put,
)
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.threads import allowed, mapped
from structarr._scheduler.operands import Operands
from structarr.formats.entries import Array

Piece: TypeAlias = tuple[Cut, Cut]

SHARE = 2, 6
"""One in how many pieces that are left a thread takes together, and if it fills from the end on.

What is moved then has to be in a cache.
"""


class Part(NamedTuple):
    """A range of rows of a call."""

    given: Operands
    shape: tuple[int, ...]
    later: bool = False  # a part of one row that is not its first
    made: Sequence[Array] | None = None  # its buffers, where they are known already


class Appended(NamedTuple):
    """A result that was appended to."""

    buffers: list[Array]
    lengths: Lengths  # of each segment


Parts: TypeAlias = Callable[[Cut, Cut, bool], list[Part]]
"""The calls between two cuts, with later parts of rows apart; or all as one range of rows."""


def appended(
    plan: Plan,
    parts: Parts,
    pieces: Sequence[Piece],
    guard: Callable[[int], bool],
    together: bool = False,
    alone: Collection[Cut] = (),
    known: Lengths | None = None,
) -> Appended | None:
    """The buffers of a result, to which the pieces append one after the other.

    `guard` may refuse the total number of elements: then None. A thread takes several pieces
    `together` as long as much is left, but for those that begin `alone`. Segments have the
    lengths that are `known`, or room for all that they may store.

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
        lengths = list(each(lambda one: _lengths(plan, one.given, one.shape), spans))
    found = made(place, start, lengths, guard, child, exact)
    if found is None:
        return None
    whole, rooms = found
    segments = []
    for mine, own in zip(dealt, rooms, strict=True):
        falling = [room for room in own if isinstance(room, FallingRoom)]
        if together and count > 1:
            mine = _grouped(mine, bool(falling), alone)
        segments.append(
            _Falling(plan, parts, mine, falling) if falling else _Segment(plan, parts, mine, own)
        )

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
    used = [segment.used() for segment in segments]
    sizes, begins = _moved_together(whole, segments)
    return Appended([cut(*one) for one in zip(whole, sizes, begins, strict=True)], used)


def _grouped(pieces: Sequence[Piece], falls: bool, alone: Collection[Cut]) -> list[Piece]:
    """Neighbouring pieces as one where a thread begins, and fewer of them the less is left.

    What it does last is short, so that all threads end at about the same time.
    """
    ordered, found, at = pieces[::-1] if falls else pieces, [], 0
    while at < len(ordered):
        end, most = at + 1, at + (len(ordered) - at) // SHARE[falls]
        while end < most and not {ordered[end - 1][0], ordered[end][0]} & {*alone}:
            end += 1
        ends = sorted(ordered[at:end])
        found.append((ends[0][0], ends[-1][1]))
        at = end
    return found[::-1] if falls else found


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
    """Pieces of the result next to each other, appended from the first on."""

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
        self._helped: dict[Piece, list[tuple[bool, Sequence[Array]]]] = {}  # taken by others

    def append_all(self) -> None:
        """Append the pieces that are left, from the first on."""
        direct = all([room.direct for room in self.rooms])
        for _, parts in self._taken(self.left.popleft):
            for part in parts:
                if self.within is None:
                    self.within = part.later
                self._append(part, direct)

    def help(self) -> None:
        """Compute the pieces that are left, from the last on."""
        self._help(self.left.pop)

    @property
    def helped(self) -> list[tuple[bool, Sequence[Array]]]:
        """What others have computed, in order: whether it is a later part of a row, its buffers."""
        return [one for piece in sorted(self._helped) for one in self._helped[piece]]

    def used(self) -> list[int]:
        """The used length of each buffer, with what others have computed; of pointers, all.

        Raises
        ------
        Outgrown
            If there is no room for as much.
        """
        found = []
        for k, room in enumerate(self.rooms):
            helped = 0 if room.pointer else sum([len(one[k]) for _, one in self.helped])
            room.check(room.at + helped)
            found.append(room.end - room.begin if room.pointer else room.at + helped)
        return found

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
            return self._plan.fill(part.given, [self._out(part)])
        except RuntimeError as error:
            if str(error) != OUTGROWN:
                raise
        for room in self.rooms:
            room.clear()
        return None

    def _out(self, part: Part) -> list[Array]:
        """The buffers that a part is written to."""
        return [room.out() for room in self.rooms]

    def _help(self, take: Callable[[], Piece]) -> None:
        for piece, parts in self._taken(take):
            self._helped[piece] = [(part.later, self._apart(part)) for part in parts]

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


class _Falling(_Segment):
    """Pieces of the result next to each other, appended from the last on."""

    rooms: Sequence[FallingRoom]

    def __init__(
        self,
        plan: Plan,
        parts: Parts,
        pieces: Sequence[Piece],
        rooms: Sequence[FallingRoom],
    ) -> None:
        super().__init__(plan, parts, pieces, rooms)
        self.later: list[bool] = []  # of its own parts, from the last on
        self._ahead = False  # whether kernels need a slot that they write ahead

    def append_all(self) -> None:
        """Append the pieces that are left, from the last on."""
        for _, parts in self._taken(self.left.pop):
            for part in reversed(parts):
                self._append(part, True)
                self.later.append(part.later)

    def help(self) -> None:
        """Compute the pieces that are left, from the first on."""
        self._help(self.left.popleft)

    def _written(self, part: Part) -> Any:
        written = super()._written(part)
        self._ahead |= written is None
        return written

    def _out(self, part: Part) -> list[Array]:
        place = self._plan.places[0]
        if place.is_counted:  # what is counted for all rows is not counted again for some
            return [room.out_below(None) for room in self.rooms]
        most: Sequence[int] = _lengths(self._plan, part.given, part.shape)
        if not self._ahead:
            points = [room.pointer for room in self.rooms]
            most = abutting(place.format.levels, points, most)
        return [room.out_below(n) for room, n in zip(self.rooms, most, strict=True)]


def _moved_together(
    whole: Sequence[Array], segments: Sequence[_Segment]
) -> tuple[list[int], list[int]]:
    """Join the segments; return the used length of each buffer, and where it begins."""
    begins, at, children = [[0] * len(whole) for _ in range(3)]
    for segment in segments:
        if isinstance(segment, _Falling):
            begins = _begins(segment)
            at = begins.copy()
            done(_put(whole, segment, segment.helped, at, children))
            _count(whole, segment, at, children)
            continue
        jobs: list[Job] = []
        for k, (buffer, room) in enumerate(zip(whole, segment.rooms, strict=True)):
            at[k] -= bool(segment.within) and room.joins and at[k] > 0
            if room.pointer and (at[k] < room.begin or children[k] != room.base):
                mine = buffer[room.begin : room.begin + room.at + 1]
                jobs.append(partial(put, buffer, at[k], children[k] - room.base, mine, True))
            elif at[k] < room.begin:
                jobs += moves(buffer, at[k], room.begin, room.at)
            at[k] += room.at
            children[k] += room.children - room.base
        done(jobs)
        done(_put(whole, segment, segment.helped, at, children))
    rooms = segments[0].rooms
    ends = [n + room.pointer for n, room in zip(at, rooms, strict=True)]
    return [end - begin for end, begin in zip(ends, begins, strict=True)], begins


def _put(
    whole: Sequence[Array],
    segment: _Segment,
    parts: Sequence[tuple[bool, Sequence[Array]]],
    at: list[int],
    children: list[int],
) -> list[Job]:
    """Jobs that put parts behind what there is; `at` and `children` are increased by theirs."""
    jobs: list[Job] = []
    for later, buffers in parts:
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
    return jobs


def _begins(segment: _Falling) -> list[int]:
    """Where each buffer of the result begins."""
    helped = segment.helped
    return [
        0 if room.pointer else room.end - room.at - sum([len(one[k]) for _, one in helped])
        for k, room in enumerate(segment.rooms)
    ]


def _count(whole: Sequence[Array], segment: _Falling, at: list[int], children: list[int]) -> None:
    """Write the pointers of what a segment has appended itself; the rest is in its place."""
    for k, room in enumerate(segment.rooms):
        for later, part in zip(reversed(segment.later), reversed(room.pointers), strict=False):
            at[k] -= later and room.joins and at[k] > 0
            at[k] = put(whole[k], at[k], children[k], part, True)
            children[k] += int(part[-1])
        at[k] += room.at
