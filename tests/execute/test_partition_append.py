"""What threads append to segments comes to lie together, whatever is done first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import structarr as sa
from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute import call_size, partition_append, partition_cuts, partition_rooms
from structarr._execute.plan import Plan


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
    append_all, apart = partition_append._Segment.append_all, partition_append._Segment._apart
    taken: list[Any] = []

    def noted(self: Any, part: Any) -> Any:
        taken.append(part)
        return apart(self, part)

    def lazy(self: Any) -> None:
        if self.left and self.left[0][0].row // 20 != idle:
            append_all(self)

    monkeypatch.setattr(partition_append._Segment, "append_all", lazy)
    monkeypatch.setattr(partition_append._Segment, "_apart", noted)
    with sa.options(threads=3, tier="compiled"):
        for got, wanted in ((a + b, dense + dense[::-1]), (a * b, dense * dense[::-1])):
            np.testing.assert_array_equal(got.todense(), wanted)
    assert len(taken) >= 2 * 20


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
    monkeypatch.setattr(partition_append, "moves", lambda *args: pytest.fail("it was moved"))
    with sa.options(threads=3, tier="compiled"):
        np.testing.assert_array_equal((a * x).todense(), a.todense() * x)


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
    fill, apart = Plan.fill, partition_append._Segment._apart
    refused: list[int] = []
    taken: list[int] = []

    def full(self: Any, given: Any, outs: Any) -> Any:
        """The first calls write something, and then find no room."""
        written = fill(self, given, outs)
        if len(refused) < 5 and len(outs[0][-1]) > 100:
            refused.append(1)
            raise RuntimeError(OUTGROWN)
        return written

    def noted(self: Any, part: Any) -> Any:
        taken.append(1)
        return apart(self, part)

    monkeypatch.setattr(Plan, "fill", full)
    monkeypatch.setattr(partition_append._Segment, "_apart", noted)
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
    append = partition_append._Segment._append

    def noted(self: Any, part: Any, direct: bool) -> None:
        kept_rooms.append(direct)
        append(self, part, direct)

    monkeypatch.setattr(partition_append._Segment, "_append", noted)
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
    room = partition_rooms.Room(whole, False, False, partition_rooms.Begun(value, child), 3, 30)
    for _ in range(3):
        kept = child * data.draw(st.integers(0, 2))
        room.out()[: kept + child] = 1.0
        if data.draw(st.booleans()):
            room.keep(kept, False)
        else:
            room.clear()
        assert (room.out() == value).all()
