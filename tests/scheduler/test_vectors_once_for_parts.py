"""Vectors that several blocks of a joined array need: computed once, before the blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._scheduler import hoist
from structarr._scheduler.machine import Times
from structarr._testing.forcing import witnessed

ROWS = 60
RNG = np.random.default_rng(0)
CODES = [RNG.integers(0, n, ROWS) for n in (2, 3, 5, 2, 4)]
NUMBERS = RNG.standard_normal((ROWS, 2))
Y, V, S = RNG.random(ROWS), RNG.random(ROWS), RNG.random((ROWS, 2))


def design() -> sa.Array:
    return sa.concatenate([NUMBERS, *[sa.one_hot(one, one.max() + 1) for one in CODES]], axis=1)


B = 0.1 * RNG.standard_normal(design().shape[1])


def weighted(x: Any, b: Any, y: Any, v: Any) -> Any:
    w = v * np.exp(x @ b)
    return x.T @ (w[:, None] * x)


PRODUCTS: dict[str, Callable[..., Any]] = {
    "weights": weighted,
    "a vector": lambda x, b, y, v: x.T @ (y - 1 / (1 + np.exp(-(x @ b)))),
    "beside a matrix": lambda x, b, y, v: x.T @ (np.exp(v)[:, None] * S),
    "along the join": lambda x, b, y, v: x @ np.exp(b),
    "of centred columns": lambda x, b, y, v: (x - 0.5).T @ np.exp(v),
}


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls take no time, so that small vectors are worth one."""
    monkeypatch.setattr(hoist, "times", lambda: Times(call=0.0))
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("name", PRODUCTS)
def test_values_are_numpys(name: str) -> None:
    product, x = PRODUCTS[name], design()
    wanted = product(x.todense(), B, Y, V)
    for given in ((B, Y, V), tuple(map(sa.asarray, (B, Y, V)))):
        np.testing.assert_allclose(np.asarray(product(x, *given)), wanted)
    traced = sa.jit(product)
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(traced(x, B, Y, V)), wanted)


def test_functions_are_computed_by_one_kernel() -> None:
    traced = sa.jit(weighted)
    for _ in range(2):
        calls: list[Any] = []
        with witnessed(calls.append):
            traced(design(), B, Y, V).compute()
        assert sum("exp" in str(one.program) for one in calls) == 1
