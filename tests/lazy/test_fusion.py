"""Chains of operations are one kernel, and no intermediate result is stored."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array
from structarr._compiler.options import options
from structarr._execute import plan

RNG = np.random.default_rng(5)
DENSE = np.where(RNG.random((6, 7)) < 0.4, RNG.integers(1, 5, (6, 7)), 0).astype(float)
RUNS = np.repeat(np.arange(12.0).reshape(6, 2), 4, axis=1)[:, :7]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shape of each result that a kernel was run for."""
    shapes: list[tuple[int, ...]] = []
    plain = plan.Plan.__call__

    def counted(self: plan.Plan, given: plan.Operands, shape: tuple[int, ...]) -> object:
        shapes.append(shape)
        return plain(self, given, shape)

    monkeypatch.setattr(plan.Plan, "__call__", counted)
    return shapes


def arrays() -> tuple[Array, Array, Array]:
    csr = sa.asarray(DENSE).asformat("csr").compute()
    rle = sa.asarray(RUNS).asformat("rle").compute()
    band = sa.asarray(DENSE).asformat("band").compute()
    return csr, rle, band


A, B, C = DENSE, RUNS, DENSE
CHAINS: dict[str, tuple[Callable[..., Array], np.ndarray, tuple[int, ...]]] = {
    "multiply, add, sum": (lambda a, b, c: (a * b + c).sum(), (A * B + C).sum(), ()),
    "sum over an axis": (lambda a, b, c: (a * b + c).sum(axis=1), (A * B + C).sum(1), (6,)),
    "maximum": (lambda a, b, c: np.maximum(a * b, 2.5) * c, np.maximum(A * B, 2.5) * C, (6, 7)),
    "where": (lambda a, b, c: np.where(a > b, c, 0.0), np.where(A > B, C, 0.0), (6, 7)),
    "any": (lambda a, b, c: (a * c > 3).any(), (A * C > 3).any(), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_one_kernel_and_no_temporary(name: str, calls: list[tuple[int, ...]]) -> None:
    make, want, shape = CHAINS[name]
    operands = arrays()
    calls.clear()
    with options(tier="interpreted"):
        got = make(*operands).compute()
    assert calls == [shape]
    np.testing.assert_allclose(got.todense(), want)


def test_a_concatenation_is_summed_by_parts(calls: list[tuple[int, ...]]) -> None:
    """One sum, and the other with what is done to both: the parts are never put together."""
    a, b, _ = arrays()
    calls.clear()
    with options(tier="interpreted"):
        total = (sa.concatenate([a * 2.0, b]) * 3.0).sum().compute()
    assert calls == [(), ()]
    assert float(total) == 3 * (2 * A.sum() + B.sum())


def test_sampled_products_never_form_the_dense_product(calls: list[tuple[int, ...]]) -> None:
    """The values of a sum are asked for where the other operand is stored only."""
    a, b, _ = arrays()
    calls.clear()
    with options(tier="interpreted"):
        result = (a * (b + 1.0)).compute()
    assert calls == [(6, 7)]
    assert result.format == "csr"


def test_nothing_is_computed_before_it_is_observed(calls: list[tuple[int, ...]]) -> None:
    a, b, c = arrays()
    calls.clear()
    lazy = (a * b + c).sum()
    assert calls == []
    assert lazy.shape == ()
    float(lazy)
    float(lazy)
    assert calls == [()]


def test_many_accesses_in_one_expression() -> None:
    """More than there are letters to name them by, in a time that is bounded."""
    parts = [np.arange(3), np.arange(4) * 2, np.arange(5) % 3]
    got = sa.diff(sa.asarray(parts[1]), n=3, prepend=parts[0], append=parts[2])
    want = np.diff(parts[1], n=3, prepend=parts[0], append=parts[2])
    np.testing.assert_array_equal(got.todense(), want)
    for k in range(len(want)):
        assert got[k] == want[k]
    many = sum((sa.asarray(DENSE[:, k % 7]) for k in range(30)), sa.zeros(6))
    np.testing.assert_array_equal(many.todense(), sum(DENSE[:, k % 7] for k in range(30)))


@pytest.mark.parametrize("number", [np.inf, np.nan, -1.0, 0.0])
def test_the_fill_is_known_before_the_value(number: float) -> None:
    a = sa.asarray([[0.0, 1.0], [2.0, 0.0]], format="csr")
    for product in (a * number, np.where(a > 0, a, number), (a + number) * 0.0):
        fill = product.fill_value
        np.testing.assert_array_equal(fill, product.compute().fill_value)
        assert np.signbit(fill) == np.signbit(product.compute().fill_value)


def test_sums_are_made_everywhere_where_a_mask_decides_nothing() -> None:
    rng = np.random.default_rng(0)
    u = rng.random((6, 2)) + 1.0
    m = np.where(rng.random((6, 6)) < 0.3, 1.0, 0.0)
    product = np.tanh(sa.asarray(u) @ u.T) * (sa.asarray(m, format="csr") * np.inf)
    with np.errstate(invalid="ignore"):
        wanted = np.tanh(u @ u.T) * (m * np.inf)
    np.testing.assert_array_equal(product.todense(), wanted)
