"""Products with arrays whose fill is another than zero are split from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.counted_calls import counting

N = 60
RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((N, N)) < 0.05, RNG.integers(1, 5, (N, N)), 0).astype(float)
X, Y = np.linspace(-1.0, 2.0, N), RNG.standard_normal((N, 3))

PRODUCTS: dict[str, Callable[[Any], Any]] = {
    "matvec": lambda a: a @ X,
    "vecmat": lambda a: X @ a,
    "columns": lambda a: a @ Y,
    "transposed": lambda a: a.T @ Y,
    "quadratic": lambda a: X @ a @ X,
    "weighted rows": lambda a: (a * X).sum(axis=1),
    "weighted columns": lambda a: (a * X).sum(axis=0),
    "all": lambda a: (a * X).sum(),
}
FORMATS = ("csr", "csc", "coo", "dcsr", "vbl", "sparse-rle", "bitmap")


def _others(dtype: str, fill: Any) -> np.ndarray:
    return np.where(DENSE == 0, fill, DENSE).astype(dtype)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize(
    "dtype, fill", [("float64", 5.0), ("bool", True), ("int8", -3), ("float32", 1.0)]
)
@pytest.mark.sampled(4)
def test_stored_arrays(format: str, name: str, dtype: str, fill: Any) -> None:
    dense = _others(dtype, fill)
    if dtype == "bool":
        dense = DENSE == 0
    a = sa.asarray(dense, fill_value=dense.dtype.type(fill), format=format)
    made, wanted = PRODUCTS[name](a), PRODUCTS[name](dense)
    assert made.dtype == wanted.dtype
    np.testing.assert_allclose(np.asarray(made), wanted, rtol=1e-12, atol=1e-9)


DECIDED: dict[str, Callable[[Any, Any, float], Any]] = {
    "equal": lambda xp, a, t: a == t,
    "not greater": lambda xp, a, t: ~(a > t),
    "maximum": lambda xp, a, t: xp.maximum(a, t),
    "where": lambda xp, a, t: xp.where(a == t, 1.5, a),
    "plus": lambda xp, a, t: a + t,
    "clip": lambda xp, a, t: xp.clip(a, t, 3.0),
}


@pytest.mark.parametrize("name", DECIDED)
@pytest.mark.parametrize("product", ["matvec", "vecmat", "columns", "weighted columns"])
def test_a_number_decides_the_fill_at_each_call(name: str, product: str) -> None:
    """The expression is the same for numbers by which its fill is zero, and by which it is not."""
    a = sa.asarray(DENSE, format="csr")
    for t in (0.0, 2.0, -1.0, 0.0, 0.5):
        made = PRODUCTS[product](DECIDED[name](sa, a, t))
        wanted = PRODUCTS[product](DECIDED[name](np, DENSE, t))
        np.testing.assert_allclose(np.asarray(made), wanted, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize(
    "text", ["a @ x", "x @ a", "a @ y", "(a == 0) @ x", "np.maximum(a, 2) @ x"]
)
def test_no_loop_goes_over_all_elements(text: str) -> None:
    n = 1000
    stored = (np.arange(n), (7 * np.arange(n)) % n)
    a = sa.from_coordinates(stored, np.full(n, 3.0), (n, n), format="csr")
    if "(" not in text:
        a = sa.where(a != 0, a, 5.0).compute()
    names = {"a": a, "x": np.ones(n), "y": np.ones((n, 2)), "np": np}
    with sa.options(tier="interpreted"), counting() as taken:
        eval(text, names).compute()
    assert sum(one.iterations for one in taken) < 12 * n


def test_infinities_meet_what_is_stored_as_in_numpy() -> None:
    dense = np.ones((3, 4))
    dense[0, 1], dense[2] = 0.0, 2.0
    x = np.array([1.0, np.inf, 2.0, 0.0])
    a = sa.asarray(dense, fill_value=1.0, format="csr")
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(np.asarray(a @ x), dense @ x)
