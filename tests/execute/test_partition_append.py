"""What threads append to segments comes to lie together, whatever is done first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import structarr as sa
from structarr._execute import call_size, partition_append, partition_cuts


@given(st.data())
def test_moves_may_be_done_in_any_order(data: st.DataObject) -> None:
    at, gap = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 40))
    n = data.draw(st.integers(0, 60))
    buffer = np.arange(at + gap + n + 3)
    wanted = buffer.copy()
    wanted[at : at + n] = buffer[at + gap : at + gap + n]
    with pytest.MonkeyPatch.context() as patch, sa.options(threads=data.draw(st.integers(2, 9))):
        patch.setattr(partition_append, "LEAST", 1)
        for job in data.draw(st.permutations(partition_append._moves(buffer, at, at + gap, n))):
            job()
    np.testing.assert_array_equal(buffer[: at + n], wanted[: at + n])


@pytest.mark.parametrize("idle", [0, 1, 2])
def test_pieces_that_others_take_come_to_lie_in_their_places(
    idle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that does nothing for its own segment: others take all of its pieces."""
    random = np.random.default_rng(0)
    dense = np.where(random.random((60, 50)) < 0.2, random.standard_normal((60, 50)), 0.0)
    a, b = sa.asarray(dense, format="csr"), sa.asarray(dense[::-1].copy(), format="csr")
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    append_all, apart = partition_append._Segment.append_all, partition_append._Segment._apart
    taken: list[Any] = []

    def noted(self: Any, part: Any) -> Any:
        taken.append(part)
        return apart(self, part)

    def lazy(self: Any) -> None:
        if self.left and self.left[0][0] // 20 != idle:
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
