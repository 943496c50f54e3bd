"""Candidates of expressions: their prices and times, and what stands in the table."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import structarr as sa

N = 1138
A = sp.random_array((N, N), density=0.003, format="csr", rng=np.random.default_rng(0))


def test_orders_of_products_have_prices() -> None:
    a = sa.asarray(A)
    with sa.options(tier="interpreted"):
        explained = sa.explain(a @ a.T @ np.ones(N))
    picked, *refused = explained.candidates
    assert picked.program == "A[i, j] * (A[k, j] * B[k])"
    assert (picked.verdict, picked.measured) == ("picked", None)
    assert "A[i, j] * A[k, j] * B[k]" in [one.program for one in refused]
    assert all(one.seconds > picked.seconds and "times" in one.verdict for one in refused)
    *_, first, second, third = str(explained).splitlines()
    assert first.split()[-1] == "picked"
    assert second.endswith("times the expected time")
    assert third.startswith("B[k] * (A[i, j] * A[k, j]) ")


def test_sums_are_told_as_they_are_multiplied_out() -> None:
    a, mean = sa.asarray(A), np.ones(N)
    with sa.options(tier="interpreted"):
        centred = sa.explain((a - mean) @ mean)
        squares = sa.explain(((a - mean) ** 2).sum())
    assert [one.program for one in centred.candidates] == [
        "A[i, j] * B[j] - B[j] * B[j]",
        "as it is written",
    ]
    assert centred.kernel
    assert squares.candidates[0].program == (
        f"A[i, j] * A[i, j] - 2 * A[i, j] * B[j] + {N} * B[j] * B[j]"
    )


def test_sums_within_products_of_sums_are_told_first() -> None:
    a, mean = sa.asarray(A), np.ones(N)
    with sa.options(tier="interpreted"):
        step = sa.explain((a - mean).T @ ((a - mean) @ mean))
    picked, multiplied_out, whole = [one.program for one in step.candidates]
    assert picked == "A[i, j] * B[j] - B[j] * B[j], then A[i, j] * C[i] - B[j] * (C[i])"
    assert multiplied_out.startswith("A[i, j] * (A[i, k] * B[k]) - (A[i, j]) * (B[k] * B[k]) - ")
    assert whole == "as it is written"


def test_one_way_is_no_table() -> None:
    with sa.options(tier="interpreted"):
        assert "candidate" not in str(sa.explain(sa.asarray(A) @ np.ones(N)))
    assert sa.explain(sa.asarray(A)).candidates == ()


def test_times_are_measured() -> None:
    small = sa.asarray(np.eye(3), format="csr")
    explained = sa.explain(small @ np.ones(3), measure=True)
    assert [one.verdict for one in explained.candidates].count("picked") == 2
    assert all(one.measured is not None and one.measured > 0 for one in explained.candidates)
