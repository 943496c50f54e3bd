"""Values that programs use twice in every turn: computed at their first use, from the third on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import repeated_uses
from structarr._api.core.repeated_uses import REPEATED

RANDOM = np.random.default_rng(0)
DENSE = RANDOM.random((40, 40)) * (RANDOM.random((40, 40)) < 0.2)
X = RANDOM.random(40)


def used_twice(a: sa.Array, x: Any) -> tuple[bool, float, np.ndarray[Any, Any]]:
    """Whether a product was computed when it was used first, and what came of it."""
    product = a @ x
    total = (product * product).sum()
    is_computed = product._tensor is not None
    return is_computed, float(total), np.asarray(product + 1.0)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "band", "rle"])
def test_what_is_used_again_is_computed_at_once(format: str) -> None:
    a = sa.asarray(DENSE, format=format)
    found = [used_twice(a, X) for _ in range(4)]
    assert [one[0] for one in found] == [False, False, True, True]
    for _, total, more in found:
        np.testing.assert_allclose(total, ((DENSE @ X) ** 2).sum())
        np.testing.assert_allclose(more, DENSE @ X + 1.0)


def test_what_is_used_once_from_then_on_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_uses, "FIRST", 2)
    a = sa.asarray(DENSE, format="csr")
    for _ in range(2):
        used_twice(a, X)
    assert len(REPEATED) == 1
    for _ in range(12):
        np.testing.assert_allclose(np.asarray(2.0 * (a @ X)), 2.0 * (DENSE @ X))
    assert not REPEATED
    product = a @ X
    doubled = 2.0 * product
    assert product._tensor is None
    np.testing.assert_allclose(np.asarray(doubled), 2.0 * (DENSE @ X))


def test_what_is_watched_and_used_again_is_expected_of_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeated_uses, "FIRST", 2)
    a = sa.asarray(DENSE, format="csr")
    found = [used_twice(a, X)[0] for _ in range(12)]
    assert found == [False, False, True, False, *[True] * 7, False]


def test_nothing_is_learned_where_bits_depend_on_operands_alone() -> None:
    a = sa.asarray(DENSE, format="csr")
    with sa.options(deterministic=True):
        assert not any([used_twice(a, X)[0] for _ in range(4)])
    for _ in range(3):
        used_twice(a, X)
    assert REPEATED
    with sa.options(deterministic=True):
        assert not used_twice(a, X)[0]


def test_traces_do_not_depend_on_it() -> None:
    a = sa.asarray(DENSE, format="csr")

    def step(a: Any, x: Any) -> Any:
        product = a @ x
        return (product * product).sum() * product

    traced = sa.jit(step)
    before = traced(a, X)
    for _ in range(3):
        used_twice(a, X)
    again = sa.jit(step)(a, X)
    np.testing.assert_array_equal(np.asarray(before), np.asarray(again))
    assert str(traced.explain(a, X)) == str(sa.jit(step).explain(a, X))


def test_loops_of_solvers_are_right_turn_after_turn() -> None:
    system = DENSE @ DENSE.T + 40 * np.eye(40)
    a = sa.asarray(system, format="csr")
    for _ in range(6):
        x, r, p, rr = X * 0, X, X, X @ X
        y, s, q, ss = x, r, p, rr
        for _ in range(5):
            step = a @ p
            alpha = rr / (p @ step)
            x, r = x + alpha * p, r - alpha * step
            new = r @ r
            p, rr = r + (new / rr) * p, new
            other = system @ q
            beta = ss / (q @ other)
            y, s = y + beta * q, s - beta * other
            newer = s @ s
            q, ss = s + (newer / ss) * q, newer
        np.testing.assert_allclose(np.asarray(x), y)
