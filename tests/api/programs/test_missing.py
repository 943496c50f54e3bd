"""What is computed with `missing` is missing in every format: no fill annihilates it."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import structarr as sa

A = np.array([0.0, 2.0, 0.0, 0.0, 3.0, 0.0])
X = np.array([0.0, 5.0, 0.0, 7.0, 0.0, 9.0])
OPERATORS = {
    "a[i] * x[permit(i + {k})]": np.multiply,
    "a[i] + x[permit(i + {k})]": np.add,
    "maximum(a[i], x[permit(i + {k})])": np.maximum,
    "2.0 * (a[i] * x[permit(i + {k})])": lambda a, x: 2.0 * (a * x),
    "where(a[i] > 1.0, x[permit(i + {k})], 4.0)": lambda a, x: np.where(a > 1.0, x, 4.0),
}
FORMATS = ("dense", "list", "rle", "band", "bitmap", "interval", "sparse-rle", "vbl")


def _there(k: int) -> list[tuple[int, int]]:
    return [(i, i + k) for i in range(len(A)) if 0 <= i + k < len(X)]


QUICK = ("dense", "list", "rle", "band")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", OPERATORS)
@pytest.mark.parametrize(
    "format",
    [pytest.param(f, marks=[] if f in QUICK else pytest.mark.long) for f in FORMATS],
)
def test_a_fill_beside_what_is_missing(text: str, format: str) -> None:
    values = np.where(A > 0, 2.0, 0.0) if format == "interval" else A
    values = values * (np.arange(6) < 3) if format == "interval" else values
    a = sa.asarray(values, format=format)
    for number, (other, k) in enumerate(product(("dense", "list", "rle"), (-3, 1, 7))):
        instead = (0.0, 5.0)[number % 2]
        expected = np.full(len(A), instead)
        for i, j in _there(k):
            expected[i] = OPERATORS[text](values[i], X[j])
        source = f"y[i] = coalesce({text.format(k=k)}, {instead})"
        with sa.options(tier="interpreted"):
            found = sa.loops(source, a=a, x=sa.asarray(X, format=other))
            np.testing.assert_array_equal(found.todense(), expected, err_msg=f"{source} {other}")


@pytest.mark.parametrize("format", ["csr", "dcsr", "dense", "band", "rle"])
def test_a_fill_of_a_matrix_beside_what_is_missing(format: str) -> None:
    m = np.outer(A > 0, A)
    d = np.arange(1.0, 37.0).reshape(6, 6)
    expected = np.full((6, 6), 5.0)
    for (i, p), (j, q) in product(_there(-1), _there(2)):
        expected[i, j] = m[i, j] * d[p, q]
    source = "y[i, j] = coalesce(m[i, j] * d[permit(i - 1), permit(j + 2)], 5.0)"
    with sa.options(tier="interpreted"):
        found = sa.loops(source, m=sa.asarray(m, format=format), d=d)
    np.testing.assert_array_equal(found.todense(), expected)


@sa.kernel
def greatest(a: Any, x: Any) -> Any:
    y = -100.0
    for i in range(6):
        y = max(y, a[i] * x[sa.permit(i + 3)])
    return y


@pytest.mark.parametrize("format", ["dense", "list", "band", "rle"])
def test_an_update_by_what_is_missing_does_nothing(format: str) -> None:
    a = sa.asarray(np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]), format=format)
    with sa.options(tier="interpreted"):
        assert float(greatest(a, np.arange(-1.0, -7.0, -1.0))) == -8.0


@sa.kernel
def slid(a: Any, x: Any) -> Any:
    y = np.zeros(4)
    for i in range(4):
        for j in range(6):
            y[i] += a[j] * x[sa.permit(i + j)]
    return y


def test_sums_still_visit_what_is_stored_alone() -> None:
    a = sa.asarray(A, format="list")
    expected = [sum(A[j] * X[i + j] for j in range(6) if i + j < 6) for i in range(4)]
    np.testing.assert_allclose(slid(a, X).todense(), expected)
    kernel = sa.explain(slid, a, X).kernel
    assert "search(a0_idx" in kernel
    assert "x_val[u(a_i + i)]" in kernel


@pytest.mark.parametrize("format", ["csc", "csr", "dcsr", "dense"])
def test_rows_that_are_looked_up_have_room(format: str) -> None:
    d = np.array([[5.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    expected = np.zeros((5, 2))
    expected[0, 0] = 5.0
    found = sa.loops(
        "y[i, j] += d[permit(2 * i), permit(i + j)]",
        d=sa.asarray(d, format=format),
        extents={"i": 5, "j": 2},
    )
    np.testing.assert_array_equal(found.todense(), expected)


PLACES = np.array([0, 1, 3, 2])
VALUES = np.array([5.0, 1.0, 7.0, 2.0])
INDICES = {
    "f[permit(i)]": lambda i: PLACES[i],
    "permit(f[permit(i)] + 1)": lambda i: PLACES[i] + 1,
    "permit(2 * f[permit(i)] - 1)": lambda i: 2 * PLACES[i] - 1,
    "permit(max(f[permit(i)], 1))": lambda i: max(PLACES[i], 1),
    "coalesce(f[permit(i)], 2)": lambda i: PLACES[i] if i < 4 else 2,
}


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("format", ["dense", "list", "rle"])
def test_what_is_read_at_a_missing_index_is_missing(index, format):
    at = [INDICES[index](i) if i < 4 or "coalesce" in index else 9 for i in range(5)]
    with sa.options(tier="interpreted"):
        found = sa.loops(
            f"y[i] = coalesce(x[{index}], 9.0)",
            x=sa.asarray(VALUES, format=format),
            f=sa.asarray(PLACES, format=format),
            extents={"i": 5},
        )
        assert found.tolist() == [VALUES[k] if 0 <= k < 4 else 9.0 for k in at]


def test_nothing_is_written_at_a_missing_index():
    with sa.options(tier="interpreted"):
        found = sa.loops("for i in range(6):\n    y[f[permit(i)]] += i", y=np.ones(4), f=PLACES)
    assert found.tolist() == [1.0, 2.0, 4.0, 3.0]


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("fmt", [one for one in FORMATS if one != "interval"])
def test_a_temporary_that_nothing_is_added_to_is_missing_outside(fmt: str, tier: str) -> None:
    text = """
def program(a, v):
    for i in range(len(a)):
        t = np.zeros(3)
        for k in range(3):
            t[k] = t[k] + a[i]
        for k in range(2):
            v[i, k] = coalesce(t[permit(i + k)], 1.0)
    return v
"""
    v = np.full((6, 2), 5.0)
    with sa.options(tier=tier):
        got = sa.kernel(text)(a=sa.asarray(A, format=fmt), v=v.copy())
    want = [[A[i] if i + k < 3 else 1.0 for k in range(2)] for i in range(6)]
    np.testing.assert_array_equal(np.asarray(got), want)
