"""Sums of looked up values are added up by pairs, in rows of any length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import Buffer, Helper
from structarr._compiler.ir.kernel import Break, Set
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.paired_sums import _looks_up

ROWS = np.array([0, 1, 2, 3, 4, 7, 0, 8])


def _rows(dtype: Any) -> tuple[Any, Any, Any]:
    """A matrix with rows of all small lengths, as CSR too, and a vector."""
    random = np.random.default_rng(3)
    dense = np.zeros((len(ROWS), 9), dtype)
    for row, length in enumerate(ROWS):
        where = random.choice(9, length, replace=False)
        dense[row, where] = random.standard_normal(length)
    return dense, sa.asarray(dense, format="csr"), random.standard_normal(9).astype(dtype)


def _text(lazy: Any) -> str:
    return str(sa.explain(lazy).kernel)


@pytest.mark.usefixtures("as_shipped")
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_rows_of_even_and_odd_lengths(dtype: str) -> None:
    dense, a, x = _rows(dtype)
    product = a @ sa.asarray(x)
    assert ("_odd" in _text(product)) == (dtype != "complex128")
    with sa.options(tier="interpreted"):
        np.testing.assert_allclose(np.asarray(product), dense @ x, rtol=1e-5)
        np.testing.assert_allclose(
            np.asarray((a * x - a).sum(axis=1)), (dense * x - dense).sum(axis=1), rtol=1e-4
        )


@pytest.mark.usefixtures("as_shipped")
def test_the_last_of_an_odd_number_takes_no_branch() -> None:
    _, a, x = _rows("float64")
    assert "c_sum_last if (a_q < a_end) else (-0.0)" in _text(a @ sa.asarray(x))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("value", [np.inf, np.nan, -0.0])
def test_values_that_are_not_plain(value: float, tier: str) -> None:
    dense, a, x = _rows("float64")
    x[:] = value
    with sa.options(tier=tier):
        got = np.asarray(a @ sa.asarray(x))
    wanted = [sum((v * value for v in row[row != 0].tolist()), 0.0) for row in dense]
    np.testing.assert_array_equal(got, wanted)


def test_what_stays_a_straight_loop() -> None:
    """Loops that look nothing up, or compute more for each value than they look up."""
    _, a, x = _rows("float64")
    assert "_odd" not in _text(a.sum(axis=1))
    assert "_odd" not in _text((sa.exp(a) * sa.asarray(x)).sum(axis=1))
    assert "_odd" not in _text((a * sa.asarray(x)).max(axis=1))


def test_loops_that_look_for_something_else_too_are_no_sums() -> None:
    total, most = (Var("float64", name) for name in ("total", "most"))
    looked_up = Buffer("x", "float64")[Buffer("idx", "int64")[Var("int64", "q")]]
    adds = Set(total, Helper("float64", "radd", (total, looked_up)))
    looks = Set(most, Helper("float64", "rmax", (most, looked_up)))
    assert _looks_up((adds,))
    assert not _looks_up((adds, looks))
    assert not _looks_up((looks,))
    assert _looks_up((Break(),)) is False
