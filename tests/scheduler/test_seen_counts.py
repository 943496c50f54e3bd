"""What a first run shows of estimates that were wrong: the next plan is another, values are not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.options import options
from structarr._execute import replay_table
from structarr._execute.expression_key import key_of
from structarr._scheduler import product_order, seen_counts
from structarr._scheduler.machine import Times
from structarr._scheduler.reorder_products import Product

N = 60
HEAVY = np.zeros((N, N))
HEAVY[:, 0] = HEAVY[0] = 1.0  # A @ B stores everything, where an even spread stores little
HALF = np.where(np.random.default_rng(0).random((N, N)) < 0.5, 1.0, 0.0)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    sa.clear_cache()
    monkeypatch.setattr(seen_counts, "LEAST", 1)
    monkeypatch.setattr(product_order, "times", lambda: Times(call=0.0, gather=0.1))
    with sa.options(tier="interpreted"):
        yield
    sa.clear_cache()


def chain() -> sa.Array:
    a, b, c, d = (sa.asarray(one, format="csr") for one in (HEAVY, HEAVY.copy(), HALF, HALF + 0))
    return c @ (a @ b) @ d


def estimates() -> list[float]:
    found = Product.of(chain()._node)
    assert found is not None
    return sorted(one for _, one in found.plan().expected.values())


def is_replayed() -> bool:
    return key_of(chain()._node) in replay_table._recorded


def test_what_was_estimated_badly_is_planned_again() -> None:
    wanted = HALF @ HEAVY @ HEAVY @ HALF
    before, state = estimates(), seen_counts.state()
    np.testing.assert_allclose(chain().todense(), wanted)
    assert seen_counts.state() > state
    assert not is_replayed()  # it is planned again
    assert estimates() != before
    for _ in range(4):  # another plan has other estimates
        np.testing.assert_allclose(chain().todense(), wanted)
    assert is_replayed()


def test_nothing_is_learnt_of_what_is_deterministic() -> None:
    before = estimates()
    with sa.options(deterministic=True):
        chain().compute()
        assert is_replayed()
    chain().compute()
    with sa.options(deterministic=True):
        assert seen_counts.state() == 0
        assert estimates() == before


def test_a_good_estimate_is_no_surprise() -> None:
    a = [sa.asarray(np.eye(N), format="csr") for _ in range(3)]
    state = seen_counts.state()
    (a[0] @ a[1] @ a[2]).compute()
    assert seen_counts.state() == state
    assert replay_table._recorded


def test_deterministic_is_true_or_false() -> None:
    with pytest.raises(TypeError, match="deterministic must be True or False"):
        options(deterministic=1)
