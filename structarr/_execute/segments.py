"""Segments: the pieces of a result next to each other that a thread appends one after the other.

A piece may begin within a row. That part of a row is a call of its own, on one row. Its elements
stand behind those of the part before it, and its pointer takes the place of that part's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from structarr._execute.partition_cuts import Cut
from structarr._execute.partition_rooms import abutting
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import FallingRoom, RisingRoom, Room, lacked_room
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


def lengths_of(plan: Plan, part: Part) -> list[int]:
    """The lengths for some rows; the guard of the whole result decides about them."""
    found = plan.lengths(plan.places[0], part.given, part.shape, lambda entries: True)
    assert found is not None
    return found


class Segment(ABC):
    """Pieces of the result next to each other, and their rooms."""

    rooms: Sequence[Room]

    def __init__(self, plan: Plan, parts: Parts, pieces: Sequence[Piece]) -> None:
        self._plan, self._parts = plan, parts
        self.left = deque(pieces)  # threads take from either end
        self._helped: dict[Piece, list[tuple[bool, Sequence[Array]]]] = {}  # taken by others

    @abstractmethod
    def append_all(self) -> None:
        """Append the pieces that are left."""

    @abstractmethod
    def help(self) -> None:
        """Compute the pieces that are left, from that on which would be appended last."""

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

    def _sizes(self, part: Part, outs: list[Array]) -> list[int] | None:
        """The lengths that a kernel has written; None if it may write beyond the segment."""
        try:
            written = self._plan.fill(part.given, [outs])
        except (RuntimeError, IndexError) as error:
            if not lacked_room(error):
                raise
            return None
        return self._plan.places[0].used(written, part.shape)

    def _compute(self, take: Callable[[], Piece]) -> None:
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


class RisingSegment(Segment):
    """A segment that is appended to from its first piece on."""

    def __init__(
        self, plan: Plan, parts: Parts, pieces: Sequence[Piece], rooms: Sequence[RisingRoom]
    ) -> None:
        super().__init__(plan, parts, pieces)
        self.rooms: Sequence[RisingRoom] = rooms
        self.within: bool | None = None  # whether its own pieces begin within a row

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
        self._compute(self.left.pop)

    def _append(self, part: Part, direct: bool) -> None:
        if direct and part.made is None:
            sizes = self._sizes(part, [room.out() for room in self.rooms])
            if sizes is not None:
                for room, size in zip(self.rooms, sizes, strict=True):
                    room.keep(size, part.later)
                return
            for room in self.rooms:
                room.clear()
        for room, buffer in zip(self.rooms, self._apart(part), strict=True):
            room.add(buffer, part.later)


class FallingSegment(Segment):
    """A segment that is appended to from its last piece on."""

    def __init__(
        self, plan: Plan, parts: Parts, pieces: Sequence[Piece], rooms: Sequence[FallingRoom]
    ) -> None:
        super().__init__(plan, parts, pieces)
        self.rooms: Sequence[FallingRoom] = rooms
        self._later: list[bool] = []  # of its own parts, from the last on
        self._counted: list[tuple[int, int]] = []  # if its pointers were written by its thread
        self._ahead = False  # whether kernels need a slot that they write ahead

    def append_all(self) -> None:
        """Append the pieces that are left, from the last on."""
        for _, parts in self._taken(self.left.pop):
            for part in reversed(parts):
                self._append(part)
                self._later.append(part.later)
        if not self._helped:  # as far as is known: else they are written once more
            self._counted = self._count([(0, 0)] * len(self.rooms))

    def counted(self, behind: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Write its pointers behind what others have computed.

        Returns
        -------
        list of tuple
            Of each buffer, how many elements there are then, and what its pointers have counted.
        """
        return self._count(behind) if self.helped or not self._counted else self._counted

    def _count(self, behind: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        return [
            room.count(self._later, *before) if room.pointer else (room.end, 0)
            for room, before in zip(self.rooms, behind, strict=True)
        ]

    def help(self) -> None:
        """Compute the pieces that are left, from the first on."""
        self._compute(self.left.popleft)

    def _append(self, part: Part) -> None:
        if part.made is None:
            sizes = self._sizes(part, self._outs(part))
            if sizes is not None:
                for room, size in zip(self.rooms, sizes, strict=True):
                    room.keep(size)
                return
            self._ahead = True
            for room in self.rooms:
                room.clear()
        for room, buffer in zip(self.rooms, self._apart(part), strict=True):
            room.add(buffer)

    def _outs(self, part: Part) -> list[Array]:
        """The buffers that a part is written to."""
        place = self._plan.places[0]
        if place.is_counted:  # what is counted for all rows is not counted again for some
            return [room.out(None) for room in self.rooms]
        most: Sequence[int] = lengths_of(self._plan, part)
        if not self._ahead:
            most = abutting(place.format.levels, [room.pointer for room in self.rooms], most)
        return [room.out(n) for room, n in zip(self.rooms, most, strict=True)]
