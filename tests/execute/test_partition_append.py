"""What threads append to segments comes to lie together, whatever is done first."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import structarr as sa
from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute import (
    call_size,
    partition_append,
    partition_cuts,
    partition_rooms,
    segment_joins,
    segments,
)
from structarr._execute.known_lengths import KnownLengths
from structarr._execute.partition_cuts import Cut
from structarr._execute.plan import Plan
from structarr._execute.segment_rooms import Begun, FallingRoom, Outgrown, RisingRoom, Stretch


@given(st.data())
def test_moves_may_be_done_in_any_order(data: st.DataObject) -> None:
    at, gap = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 40))
    n = data.draw(st.integers(0, 60))
    buffer = np.arange(at + gap + n + 3)
    wanted = buffer.copy()
    wanted[at : at + n] = buffer[at + gap : at + gap + n]
    with pytest.MonkeyPatch.context() as patch, sa.options(threads=data.draw(st.integers(2, 9))):
        patch.setattr(partition_rooms, "LEAST", 1)
        for job in data.draw(st.permutations(partition_rooms.moves(buffer, at, at + gap, n))):
            job()
    np.testing.assert_array_equal(buffer[: at + n], wanted[: at + n])


@pytest.mark.parametrize("idle", [0, 1, 2])
def test_pieces_that_others_take_come_to_lie_in_their_places(
    idle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that does nothing for its own segment: others take all of its pieces.

    Some rows are long, and divided among pieces and among segments.
    """
    random = np.random.default_rng(0)
    dense = np.where(random.random((60, 50)) < 0.2, random.standard_normal((60, 50)), 0.0)
    dense[[20, 38, 39]] = 1.0
    a, b = sa.asarray(dense, format="csr"), sa.asarray(dense[::-1].copy(), format="csr")
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    apart = segments.Segment._apart
    taken: list[Any] = []

    def noted(self: Any, part: Any) -> Any:
        taken.append(part)
        return apart(self, part)

    for kind in (segments.RisingSegment, segments.FallingSegment):

        def lazy(self: Any, append_all: Any = kind.append_all) -> None:
            if self.left and self.left[0][0].row // 20 != idle:
                append_all(self)

        monkeypatch.setattr(kind, "append_all", lazy)
    monkeypatch.setattr(segments.Segment, "_apart", noted)
    for name in ("SHARE", "LAST"):
        monkeypatch.setattr(partition_append, name, 60)  # no pieces are taken together
    with sa.options(threads=3, tier="compiled"):
        for _ in range(2):  # without knowing lengths, and knowing them
            for got, wanted in ((a + b, dense + dense[::-1]), (a * b, dense * dense[::-1])):
                np.testing.assert_array_equal(got.todense(), wanted)
    assert len(taken) >= 4 * 20


def test_an_error_in_a_piece_stops_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = np.eye(300)
    a = sa.asarray(dense, format="csr")
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    calls: list[int] = []

    def failing(self: Any, given: Any, outs: Any) -> Any:
        calls.append(len(calls))
        raise RuntimeError("no luck")

    with sa.options(threads=2, tier="compiled"):
        (a + a.T).compute()
        monkeypatch.setattr("structarr._execute.plan.Plan.fill", failing)
        with pytest.raises(RuntimeError, match="no luck"):
            (a + a.T).compute()
        monkeypatch.undo()
        np.testing.assert_array_equal((a + a.T).todense(), 2 * dense)
    assert len(calls) <= 2


@pytest.fixture
def rows_of_equal_places(monkeypatch: pytest.MonkeyPatch) -> tuple[sa.Array, sa.Array]:
    """Two arrays that store something at the same places, and pieces of single rows."""
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    random = np.random.default_rng(1)
    dense = np.where(random.random((30, 20)) < 0.4, random.standard_normal((30, 20)), 0.0)
    return sa.asarray(dense, format="csr"), sa.asarray(dense * 2, format="csr")


def test_segments_of_known_lengths_are_written_where_they_belong(
    rows_of_equal_places: tuple[sa.Array, sa.Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = rows_of_equal_places
    x = np.arange(1.0, 21.0)
    monkeypatch.setattr(segment_joins, "moves", lambda *args: pytest.fail("it was moved"))
    with sa.options(threads=3, tier="compiled"):
        np.testing.assert_array_equal((a * x).todense(), a.todense() * x)


def test_segments_that_stored_as_much_before_are_written_where_they_belong(
    rows_of_equal_places: tuple[sa.Array, sa.Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first time it is not known where they begin; the operands tell it from then on."""
    a, b = rows_of_equal_places
    c = b[::-1].compute()
    moved: list[int] = []
    moves = segment_joins.moves
    monkeypatch.setattr(segment_joins, "moves", lambda *args: moved.append(1) or moves(*args))
    with sa.options(threads=4, tier="compiled"):
        for turn in range(3):
            other = b[::-1].compute()
            np.testing.assert_array_equal((a + other).todense(), a.todense() + c.todense())
            assert moved
            moved.clear()
            np.testing.assert_array_equal((a + c).todense(), a.todense() + c.todense())
            assert bool(moved) == (turn == 0)
            moved.clear()


def test_two_segments_meet_without_a_move(
    rows_of_equal_places: tuple[sa.Array, sa.Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = rows_of_equal_places
    c = b[::-1].compute()
    monkeypatch.setattr(segment_joins, "moves", lambda *args: pytest.fail("it was moved"))
    with sa.options(threads=2, tier="compiled"):
        np.testing.assert_array_equal((a + c).todense(), a.todense() + c.todense())
        np.testing.assert_array_equal((a * c).todense(), a.todense() * c.todense())


def test_a_call_that_stores_more_than_before_is_made_again(
    rows_of_equal_places: tuple[sa.Array, sa.Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told that something else decides on it, and nothing is expected from then on."""
    a, b = rows_of_equal_places
    c = b[::-1].compute()
    keep, vary = KnownLengths.keep, KnownLengths.vary
    varied: list[int] = []

    def less(self: KnownLengths, given: Any, lengths: Any) -> None:
        keep(self, given, [[rows, *[n - 3 for n in others]] for rows, *others in lengths])

    monkeypatch.setattr(KnownLengths, "keep", less)
    monkeypatch.setattr(KnownLengths, "vary", lambda self: varied.append(1) or vary(self))
    with sa.options(threads=3, tier="compiled"):
        for turn in range(4):
            np.testing.assert_array_equal((a + c).todense(), a.todense() + c.todense())
            assert len(varied) == min(turn, 1)


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("alone", [(), (Cut(3), Cut(30), Cut(31))])
def test_pieces_are_taken_together(falls: bool, alone: tuple[Cut, ...]) -> None:
    pieces = [(Cut(k), Cut(k + 1)) for k in range(32)]
    found = partition_append._grouped(pieces, 8, alone, falls)
    assert found[0][0] == Cut(0) and found[-1][1] == Cut(32)
    assert all(one[1] == two[0] for one, two in pairwise(found))
    for cut in alone:
        assert (cut, Cut(cut.row + 1)) in found
    lengths = [hi.row - lo.row for lo, hi in (found[::-1] if falls else found)]
    assert lengths[-1] == 1 and len(found) < 22
    assert alone or lengths == sorted(lengths, reverse=True)


def test_kernels_that_write_ahead_leave_the_segment_behind_as_it_is(
    rows_of_equal_places: tuple[sa.Array, sa.Array],
) -> None:
    """Where a segment is filled to the last slot, the next one begins."""
    a, b = rows_of_equal_places
    for threads in (2, 3, 5):
        with sa.options(threads=threads, tier="compiled"):
            np.testing.assert_array_equal((a * b).todense(), a.todense() * b.todense())


def test_a_call_that_finds_no_room_is_made_apart(
    rows_of_equal_places: tuple[sa.Array, sa.Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = rows_of_equal_places
    fill, sizes, apart = Plan.fill, segments.Segment._sizes, segments.Segment._apart
    direct = threading.local()
    refused: list[int] = []
    taken: list[int] = []

    def within(self: Any, part: Any, outs: Any) -> Any:
        direct.now = True
        return sizes(self, part, outs)

    def full(self: Any, given: Any, outs: Any) -> Any:
        """The first calls on segments write something, and then find no room."""
        written = fill(self, given, outs)
        now, direct.now = getattr(direct, "now", False), False
        if now and len(refused) < 5:
            refused.append(1)
            raise RuntimeError(OUTGROWN)
        return written

    def noted(self: Any, part: Any) -> Any:
        taken.append(1)
        return apart(self, part)

    monkeypatch.setattr(Plan, "fill", full)
    monkeypatch.setattr(segments.Segment, "_sizes", within)
    monkeypatch.setattr(segments.Segment, "_apart", noted)
    with sa.options(threads=2, tier="compiled"):
        np.testing.assert_array_equal((a * b).todense(), a.todense() * b.todense())
    assert refused and len(taken) >= len(refused)


def test_blocks_are_written_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block begins with zeros, of which the memory of a segment has enough."""
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    random = np.random.default_rng(1)
    kept = random.random((20, 10)) < 0.4
    dense = np.kron(kept, np.ones((2, 2))) * random.integers(0, 3, (40, 20))
    blocks = sa.formats.Dense(sa.formats.Tiles(height=2, width=2))
    a, b = sa.asarray(dense, format=blocks), sa.asarray(dense[::-1].copy(), format=blocks)
    kept_rooms: list[bool] = []
    append = segments.RisingSegment._append

    def noted(self: Any, part: Any, direct: bool) -> None:
        kept_rooms.append(direct)
        append(self, part, direct)

    monkeypatch.setattr(segments.RisingSegment, "_append", noted)
    for threads in (2, 3):
        with sa.options(threads=threads, tier="compiled"):
            np.testing.assert_array_equal((a + b).todense(), dense + dense[::-1])
            np.testing.assert_array_equal((a * b).todense(), dense * dense[::-1])
    assert kept_rooms and all(kept_rooms)


@given(st.data())
def test_rooms_are_as_they_began_behind_what_was_appended(data: st.DataObject) -> None:
    """Whatever a kernel has written ahead, or before it found no room."""
    child, value = data.draw(st.integers(1, 4)), 7.0
    whole = np.full(40, value)
    room = RisingRoom(Stretch(whole, False, False, 3, 30), Begun(value, child))
    for _ in range(3):
        kept = child * data.draw(st.integers(0, 2))
        room.out()[: kept + child] = 1.0
        if data.draw(st.booleans()):
            room.keep(kept, False)
        else:
            room.clear()
        assert (room.out() == value).all()


@given(st.data())
def test_rooms_that_are_filled_from_the_end_on_end_where_the_next_begins(
    data: st.DataObject,
) -> None:
    """Whatever a part may store, and does, and whether it was computed apart."""
    whole = np.full(40, -1)
    room = FallingRoom(Stretch(whole, False, False, 4, 30))
    wanted: list[int] = []
    for number in range(4):
        size = data.draw(st.integers(0, 7))
        part = [100 * number + k for k in range(size)]
        if data.draw(st.booleans()):
            most = data.draw(st.none() | st.integers(size, 40))
            out = room.out(most)
            out[:size] = part
            room.keep(size)
        else:
            room.add(np.array(part, whole.dtype))
        wanted = [*part, *wanted]
        assert whole[34 - room.at : 34].tolist() == wanted
    assert (whole[:4] == -1).all() and (whole[34:] == -1).all()
    with pytest.raises(Outgrown):
        room.add(np.zeros(31 - room.at, whole.dtype))
