"""Values that programs use twice in every turn: computed at their first use, from the fourth on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import call_sites
from structarr._api.core.call_sites import EXPECTED, OFTEN

RANDOM = np.random.default_rng(0)
DENSE = RANDOM.random((40, 40)) * (RANDOM.random((40, 40)) < 0.2)
X = RANDOM.random(40)


def used_twice(a: sa.Array, x: Any) -> tuple[bool, float, np.ndarray[Any, Any]]:
    """Whether a product was computed when it was used first, and what came of it."""
    product = a @ x
    total = (product * product).sum()
    is_computed = product._tensor is not None
    return is_computed, float(total), np.asarray(product + 1.0)


def used_once_or_twice(a: sa.Array, x: Any, twice: bool) -> bool:
    """Whether a product was computed when it was used first, by one line for both."""
    product = a @ x
    doubled = 2.0 * product
    is_computed = product._tensor is not None
    if twice:
        np.testing.assert_allclose(np.asarray(product + 1.0), DENSE @ X + 1.0)
    np.testing.assert_allclose(np.asarray(doubled), 2.0 * (DENSE @ X))
    return is_computed


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "band", "rle"])
def test_what_is_used_again_is_computed_at_once(format: str) -> None:
    a = sa.asarray(DENSE, format=format)
    found = [used_twice(a, X) for _ in range(5)]
    assert [one[0] for one in found] == [False, False, False, True, True]
    for _, total, more in found:
        np.testing.assert_allclose(total, ((DENSE @ X) ** 2).sum())
        np.testing.assert_allclose(more, DENSE @ X + 1.0)


def test_it_is_expected_of_any_structure() -> None:
    found = [used_twice(sa.asarray(DENSE, format="csr"), X)[0] for _ in range(3)]
    found += [used_twice(sa.asarray(DENSE, format=one), X)[0] for one in ("csc", "coo", "dia")]
    assert found == [False, False, False, True, True, True]


def test_what_is_used_once_from_then_on_is_forgotten() -> None:
    a = sa.asarray(DENSE, format="csr")
    found = [used_once_or_twice(a, X, True) for _ in range(4)]
    assert found == [False, False, False, True]
    assert EXPECTED
    found = [used_once_or_twice(a, X, False) for _ in range(3 * OFTEN)]
    assert found[0] and not found[-1]
    assert not EXPECTED
    found = [used_once_or_twice(a, X, True) for _ in range(3 * OFTEN)]
    assert not found[1] and found[-1]


def test_what_is_watched_and_used_again_is_expected_of_more() -> None:
    a = sa.asarray(DENSE, format="csr")
    found = [used_once_or_twice(a, X, True) for _ in range(5 * OFTEN)]
    assert found == [False, False, False, *[True] * (5 * OFTEN - 3)]


def test_nothing_is_learned_where_bits_depend_on_operands_alone() -> None:
    a = sa.asarray(DENSE, format="csr")
    with sa.options(deterministic=True):
        assert not any([used_twice(a, X)[0] for _ in range(4)])
    for _ in range(4):
        used_twice(a, X)
    assert EXPECTED
    with sa.options(deterministic=True):
        assert not used_twice(a, X)[0]


def test_traces_do_not_depend_on_it() -> None:
    a = sa.asarray(DENSE, format="csr")

    def step(a: Any, x: Any) -> Any:
        product = a @ x
        return (product * product).sum() * product

    traced = sa.jit(step)
    before = traced(a, X)
    for _ in range(4):
        np.asarray(step(a, X))
    assert EXPECTED
    again = sa.jit(step)(a, X)
    np.testing.assert_array_equal(np.asarray(before), np.asarray(again))
    assert str(traced.explain(a, X)) == str(sa.jit(step).explain(a, X))


def test_lines_of_a_program_are_told_apart() -> None:
    a = sa.asarray(DENSE, format="csr")
    used_twice(a, X)

    def here() -> int:
        product = a @ X
        assert not np.allclose(np.asarray(product * 2.0), 0)
        return product._site

    def there() -> int:
        product = a @ X
        assert not np.allclose(np.asarray(np.multiply(product, 2.0)), 0)
        return product._site

    assert here() == here() != there() == there()


def test_places_are_asked_for_only_after_a_use_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(call_sites, "_frame", lambda _: asked.append(1))
    a = sa.asarray(DENSE, format="csr")
    for _ in range(3):
        used_once_or_twice(a, X, False)
    assert not asked
    for _ in range(2):
        used_once_or_twice(a, X, True)
    assert asked


def test_nothing_is_learned_without_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_sites, "_frame", None)
    a = sa.asarray(DENSE, format="csr")
    assert not any([used_twice(a, X)[0] for _ in range(4)])
    assert not EXPECTED


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
