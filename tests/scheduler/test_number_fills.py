"""Where a number decides that nothing is stored elsewhere, no loop goes over all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((60, 50)) < 0.1, RNG.standard_normal((60, 50)), 0.0)
OTHER = np.where(RNG.random((60, 50)) < 0.1, 1.0, 0.0)
V, Y = RNG.random(50), RNG.random((50, 4))

EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "compared": lambda a, b, t: (a > t) @ V,
    "equal": lambda a, b, t: (a == t) @ Y,
    "clipped": lambda a, b, t: np.clip(a, t, 2.0) @ Y,
    "thresholded": lambda a, b, t: np.maximum(a - t, 0) @ V,
    "chosen": lambda a, b, t: np.where(a > t, 1.0, 0) @ V,
    "of itself": lambda a, b, t: ((a > t) * 1.0).T @ ((a > t) * 1.0),
    "beside another": lambda a, b, t: ((a > t) & (b > t)).sum(axis=1),
    "weighted": lambda a, b, t: ((a > t) * V).sum(),
    "elementwise": lambda a, b, t: (a > t) * V,
}


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "sparse-rle", "vbl"])
@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.sampled(9)
def test_any_number_gives_what_numpy_gives(name: str, format: str, tier: str) -> None:
    run = EXPRESSIONS[name]
    traced = sa.jit(run)
    a, b = (sa.asarray(one, format=format) for one in (DENSE, OTHER))
    with sa.options(tier=tier):
        for number in (0.5, -0.5, 0.5, 0.0, -0.5, np.nan, 1e9, 0.5):
            wanted = run(DENSE, OTHER, number)
            for found in (run(a, b, number), traced(a, b, number)):
                assert found.dtype == wanted.dtype
                np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_loops_visit_what_is_stored(name: str) -> None:
    run = EXPRESSIONS[name]
    few = np.zeros((400, 300))
    few[::40, ::30] = 1.0
    a, b = (sa.asarray(few, format="csr") for _ in range(2))
    if "V" in run.__code__.co_names or "Y" in run.__code__.co_names:
        a, b = a[:, :50], b[:, :50]
    with sa.options(tier="interpreted"):
        plan = sa.explain(run(a, b, 0.5))
    assert "0.0 > scalar" not in plan.source()


def test_a_product_has_the_format_that_it_has_with_values_in_between() -> None:
    a = sa.asarray(DENSE, format="csr")
    mask = (a > 0.5) * 1.0
    kept = ((a > 0.5) * 1.0).compute()
    assert (mask.T @ mask).format == (kept.T @ kept).format == "csr"


def test_one_stored_array_is_read_once() -> None:
    a = sa.asarray(DENSE, format="csr")
    source = sa.explain(np.where(a > 0.5, a, 0.0)).source()
    assert "B_val" not in source
