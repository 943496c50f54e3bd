"""How many pieces a call is worth."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import partition_cuts
from structarr._execute.partition_cuts import STREAMING, Cut, fewer, pieces_of, streamed
from structarr._execute.partition_split import Split
from structarr._scheduler.operands import Operands
from structarr._testing.forcing import witnessed
from structarr._testing.fuzz.pieces import in_pieces

SUMMED, ROWS = Split(0, frozenset({0}), ("add",)), Split(0, frozenset({0}), (None,))


def test_results_that_each_piece_has_for_itself_make_pieces_fewer() -> None:
    """Adding up the results of pieces takes less time than the pieces do."""
    large = (100_000, 64)
    assert pieces_of(SUMMED, [(10,)], 0.015) == 16
    assert pieces_of(SUMMED, [large], 0.045) == 2
    assert pieces_of(SUMMED, [large], 0.015) == 0
    assert pieces_of(ROWS, [large], 0.015) == 16
    listed = ROWS._replace(join=("append",), partial=True, whole=True)
    assert [pieces_of(listed, [(rows,)], 0.03) for rows in (10, 10**6)] == [32, 2]


def test_few_pieces_are_a_power_of_two() -> None:
    seconds = (1e-4, 6e-4, 3.2e-3, 4.1e-3, 0.05, 0.2)
    assert [pieces_of(ROWS, [(9,)], one) for one in seconds] == [0, 2, 16, 16, 64, 400]


def test_short_pieces_are_few_and_others_longer() -> None:
    assert [pieces_of(ROWS, [(9,)], one) for one in (1.7e-3, 6e-3, 1.7e-2)] == [8, 16, 32]


def test_whole_rows_are_put_together_where_a_thread_would_have_many_pieces() -> None:
    cuts = [Cut(0), Cut(2), Cut(3, (5,)), Cut(4), Cut(6), Cut(8), Cut(9)]
    assert fewer(cuts, 2, 4) == cuts
    assert fewer(cuts, 2, 1) == [Cut(0), Cut(3, (5,)), Cut(4), Cut(9)]


@pytest.mark.parametrize(
    ("pieces", "threads", "each", "want"),
    [
        (8, 2, 4, [2, 1, 1, 2, 1, 1]),
        (16, 2, 4, [4, 2, 2, 4, 2, 2]),
        (64, 2, 8, [16, 8, 4, 4, 16, 8, 4, 4]),
        (64, 3, 8, [10, 5, 3, 3, 10, 5, 3, 3, 11, 5, 3, 3]),
        (3, 2, 4, [1, 1, 1]),
        (2, 8, 4, [1, 1]),
        (5, 1, 4, [2, 2, 1]),
    ],
)
def test_the_last_pieces_of_a_share_are_short(
    pieces: int, threads: int, each: int, want: list[int]
) -> None:
    found = [cut.row for cut in fewer([Cut(row) for row in range(pieces + 1)], threads, each)]
    assert np.diff(found).tolist() == want
    assert (found[0], found[-1]) == (0, pieces)


def test_dense_operands_along_the_loop_are_read_from_the_memory() -> None:
    vector, matrix = (
        stored(sa.asarray(np.ones(1000))),
        stored(sa.asarray(np.eye(100), format="csr")),
    )
    given = Operands([vector, matrix], (), (), (1000,), {})
    reads = {0: frozenset({0}), 1: frozenset({0, 1, 2})}
    assert streamed(Split(0, frozenset({0, 1}), (None,)), given, reads) == STREAMING * 8000
    assert streamed(Split(0, frozenset({1}), (None,)), given, reads) == 0
    assert streamed(None, given, reads) == 0


def test_sparse_operands_count_where_they_do_not_fit_in_a_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matrix = stored(sa.asarray(np.eye(100), format="csr"))
    given = Operands([matrix], (), (), (100,), {})
    split, all_of = Split(0, frozenset({0}), (None,)), {0: frozenset({0, 1, 2})}
    monkeypatch.setattr(partition_cuts, "CACHE", matrix.nbytes)
    assert streamed(split, given, all_of) == 0
    monkeypatch.setattr(partition_cuts, "CACHE", matrix.nbytes - 1)
    assert streamed(split, given, all_of) == STREAMING * matrix.nbytes
    monkeypatch.setattr(partition_cuts, "CACHE", 0)
    values = matrix.buffers[-1].nbytes
    assert streamed(split, given, {0: frozenset({2})}) == STREAMING * values


def test_a_call_of_a_compiled_kernel_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    a = sa.asarray(np.eye(50), format="csr")
    with in_pieces(), sa.options(threads=1, tier="compiled"):
        wanted = a.sum(axis=0).compute()
        monkeypatch.setattr(threading.Thread, "start", lambda self: pytest.fail("a thread"))
        np.testing.assert_array_equal(a.sum(axis=0).compute(), wanted)


def test_cuts_are_remembered_by_what_stores_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vector of each call's own makes no new ones; another matrix does."""
    a, b = [sa.asarray(np.eye(9) * k, format="csr") for k in (1, 2)]
    made: list[int] = []
    cuts = partition_cuts._cuts

    def noted(*args: Any) -> Any:
        made.append(1)
        return cuts(*args)

    monkeypatch.setattr(partition_cuts, "_cuts", noted)
    with witnessed(lambda call: None, pieces=3), sa.options(threads=2, tier="interpreted"):
        for k in range(3):
            wanted = np.eye(9) * np.arange(k, k + 9.0)
            np.testing.assert_array_equal(
                (sa.asarray(np.arange(k, k + 9.0)) @ a).todense(), wanted.sum(axis=0)
            )
        assert made == [1]
        for other, count in ((b, 2), (b, 2), (a, 3)):
            (a + other).compute()
            assert len(made) == count


def test_rows_that_store_alike_are_cut_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition_cuts, "rows_at", _not_asked)
    split = Split(0, frozenset({0, 1}), (None,))
    given = Operands([stored(sa.asarray(np.ones(1000)))] * 2, (), (), (1000,), {})
    cuts = partition_cuts.cuts_of(split, given, 7)
    assert [cut.row for cut in cuts] == [1000 * piece // 7 for piece in range(8)]
    assert not any(cut.divides for cut in cuts)


def _not_asked(*_: Any) -> Any:
    raise AssertionError("a search of rows")


def test_short_rows_are_divided_by_no_cut() -> None:
    """What is told of stretches of rows holds of the cuts, and even rows need none."""
    random = np.random.default_rng(0)
    split = Split(0, frozenset({0}), (None,), within=frozenset({0}))
    told = []
    for skew in (0.0, 1.0, 2.0, 4.0, 8.0, 30.0):
        rows = (3_000 * random.random(20_000) ** (1 + skew)).astype(int)
        matrix = sa.from_coordinates(
            (rows, random.integers(0, 9_000, len(rows))), np.ones(len(rows)), (3_000, 9_000)
        ).asformat("csr")
        for pieces in (0, 1, 2, 3, 8, 16, 64):
            given = Operands([stored(matrix)], (), (), (3_000,), {})
            none = partition_cuts.divides_none(split, given, pieces)
            divided = [cut for cut in partition_cuts.cuts_of(split, given, pieces) if cut.divides]
            assert not (none and divided)
            told.append((none, bool(divided)))
    assert (True, False) in told and (False, True) in told


def test_one_thread_searches_no_cuts_of_short_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    count, n = 100_000, 10_000
    matrix = sa.from_coordinates(
        tuple(random.integers(0, n, (2, count))), np.ones(count), (n, n)
    ).asformat("csr")
    dense = random.random((n, 16))
    monkeypatch.setattr(partition_cuts, "cuts_of", None)
    with sa.options(threads=1, tier="compiled"):
        found = np.asarray(matrix @ dense)
    np.testing.assert_allclose(found, matrix.to_scipy() @ dense)
