"""The benchmarks: that the yardstick is right, and that the command keeps its word."""

from __future__ import annotations

import json
from itertools import cycle

import numpy as np
import pytest

import structarr as sa
from benchmarks import (
    calibrate,
    conversions,
    elementary,
    handwritten,
    matrices,
    report,
    sums,
    timing,
)
from benchmarks.__main__ import main
from benchmarks.timing import race


@pytest.fixture(scope="module")
def operands():
    return matrices.halves(400)


def _buffers(matrix):
    return matrix.indptr, matrix.indices, matrix.data


def _dense(csr, shape):
    out = np.zeros(shape)
    for i in range(shape[0]):
        part = slice(csr[0][i], csr[0][i + 1])
        out[i, csr[1][part]] = csr[2][part]
    return out


@pytest.mark.parametrize("name", ["multiply", "multiply_branching", "add", "add_branching"])
def test_handwritten_merge(operands, name):
    a, b, _ = operands
    wanted = np.multiply if name.startswith("multiply") else np.add
    result = getattr(handwritten, name)(_buffers(a), _buffers(b))
    np.testing.assert_array_equal(_dense(result, a.shape), wanted(a.toarray(), b.toarray()))


def test_handwritten_sums_and_products(operands):
    a, b, c = operands
    x = np.arange(a.shape[1], dtype=float)
    first, second, third = map(_buffers, operands)
    np.testing.assert_allclose(handwritten.sum_rows(first), a.sum(axis=1))
    np.testing.assert_allclose(handwritten.sum_columns(first, a.shape[1]), a.sum(axis=0))
    np.testing.assert_allclose(handwritten.sum_all(first), a.sum())
    np.testing.assert_allclose(handwritten.matvec(first, x), a @ x)
    np.testing.assert_allclose(handwritten.chained(first, second, third), (a * b + c).sum())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_are_those_of_the_peers(dtype):
    for _, calls in sums._cases(np.dtype(dtype), 2000):
        with sa.options(tier="interpreted"):
            ours, theirs = [np.asarray(call()) for call in calls.values()]
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
        assert ours.dtype == theirs.dtype == dtype


def test_random_matrices_overlap_by_half():
    a, b, _ = matrices.halves(20_000)
    assert (a * b).nnz == pytest.approx(a.nnz / 2, rel=0.1)


@pytest.mark.long
def test_every_case_is_checked_against_every_peer(operands):
    libraries = list(elementary._libraries(*operands))
    for case in libraries[0]:
        calls = {each.name: each[case] for each in libraries if case in each}
        rows = list(elementary._compared(case, calls, 1.0, 0.01))
        assert [row.peer for row in rows] == list(calls)[1:]
        assert all(row.checked for row in rows), case


def test_a_wrong_result_is_noticed(operands):
    a, b, _ = operands
    calls = {each.name: each["add"] for each in elementary._libraries(*operands)}
    calls["scipy"] = lambda: a - b
    rows = {row.peer: row for row in elementary._compared("add", calls, 1.0, 0.01)}
    assert not rows["scipy"].checked
    assert rows["handwritten"].checked


def test_race_reports_the_least_time_of_each(monkeypatch):
    clock = {"now": 0.0}
    monkeypatch.setattr(timing, "perf_counter", lambda: clock["now"])

    def lasting(*seconds):
        left = cycle(seconds)
        return lambda: clock.update(now=clock["now"] + next(left))

    assert race({"short": lasting(2.0, 1.0, 4.0), "long": lasting(8.0)}, 100.0) == {
        "short": 1.0,
        "long": 8.0,
    }


def test_rows_are_written_as_json(tmp_path):
    row = report.row("add", "structarr", 0.5, "scipy", 1.0, True)
    report.write(tmp_path / "rows.json", [row])
    (read,) = json.loads((tmp_path / "rows.json").read_text())
    assert list(read) == [
        "case", "variant", "seconds", "peer", "peer_seconds", "ratio", "checked",
    ]  # fmt: skip
    assert read["ratio"] == 2.0


def test_a_missing_folder_is_refused(tmp_path, capsys):
    assert main(["elementary", "--data", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("side", [2, pytest.param(4, marks=pytest.mark.long)])
def test_conversions_are_compared_with_scipy(side):
    given = conversions.Input("blocks", conversions.blocks(400, side), ("csr", "csc"), side)
    for source, target in [("csr", "csc"), ("csc", "coo"), ("coo", "bsr"), ("bsr", "csr")]:
        rows = list(conversions.compared(given, source, target, 0.01))
        assert next(row.peer for row in rows) == "scipy"
        assert all(row.checked for row in rows)


def test_diagonals_are_converted_to_diagonals():
    given = conversions.Input("diagonals", conversions.diagonals(2100), ("csr", "dia"))
    (row,) = conversions.compared(given, "csr", "dia", 0.01)
    assert row.checked


def test_expected_steps_stand_beside_counted_ones() -> None:
    make = calibrate.expressions(10)["few * dense"]
    (steps, touched), last = calibrate._candidate("few * dense", make, 0, quick=True)
    assert (steps.variant, touched.variant, last) == ("steps", "bytes", 0)
    assert steps.checked
    assert steps.seconds == steps.peer_seconds >= 10  # one a row, and one an entry
    assert touched.seconds >= 8 * 10
    assert "expected steps: 1.00" in calibrate.summary([steps])
