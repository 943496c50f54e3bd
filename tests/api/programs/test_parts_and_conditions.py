"""Loops over parts of extents, and conditions of which one side decides."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

DENSE = np.array([[0, 0, 3, 0], [0, 0, 0, 0], [1, 0, 0, 4], [0, 2, 0, 0]], float)
X = np.array([0.0, 1.0, 0.0, 2.0])


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def test_a_free_index_runs_over_the_part_that_the_call_declares() -> None:
    x, matrix = sa.asarray(X, format="list"), sa.asarray(DENSE, format="csr")
    assert float(sa.loops("y += x[i]", x=x, extents={"i": (1, 3)})) == X[1:3].sum()
    part = {"i": (2, 4), "j": (0, 2)}
    found = sa.loops("y += A[i, j] * x[j]", A=matrix, x=x, extents=part)
    assert float(found) == (DENSE @ np.where(np.arange(4) < 2, X, 0))[2:4].sum()


def test_only_the_side_that_is_needed_is_read() -> None:
    places = np.array([0, 1, 2, 9])
    text = "y[i] = 1.0 if i == 3 or z[f[i]] > 0 else 2.0"
    assert sa.loops(text, z=X, f=places).tolist() == [2.0, 1.0, 2.0, 1.0]


@pytest.mark.parametrize("protocol", ["walk", "gallop", "locate"])
def test_a_computed_index_is_looked_up_whatever_protocol_is_asked_for(protocol: str) -> None:
    text = f"for i in range(4):\n    y[i] = x[{protocol}(f[i])]"
    places = np.array([3, 1, 2, 0])
    assert sa.loops(text, x=sa.asarray(X, format="list"), f=places).tolist() == X[places].tolist()


def test_integers_to_negative_powers_are_truncated() -> None:
    a, b = np.array([-1, -1, 2, 0, 1]), np.array([-1, -2, -1, -1, -3])
    assert sa.loops("y[i] = a[i] ** b[i]", a=a, b=b).tolist() == [-1, 1, 0, 0, 1]


def test_loops_with_bounds_of_their_own_are_priced() -> None:
    x, matrix = sa.asarray(X, format="list"), sa.asarray(DENSE, format="csr")
    text = "for i in range(4):\n    for j in range(i + 1):\n        y[i] += A[i, j] * x[j]"
    np.testing.assert_array_equal(sa.loops(text, A=matrix, x=x).todense(), np.tril(DENSE) @ X)
    assert "for j in [0, i + 1)" in str(sa.explain(text, A=matrix, x=x))
    text = "for i in range(4):\n    for j in range(4):\n        if A[i, j] == 0:\n"
    text += "            y[i] += B[i, j]"
    other = np.arange(16.0).reshape(4, 4)
    found = sa.loops(text, A=matrix, B=other)
    np.testing.assert_array_equal(found.todense(), np.where(DENSE == 0, other, 0).sum(axis=1))
    assert "sieve" in str(sa.explain(text, A=matrix, B=other))
