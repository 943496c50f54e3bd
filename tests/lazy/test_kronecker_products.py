"""Kronecker products: applied to dense arrays without being formed, and formed elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._api.linalg import kron

RNG = np.random.default_rng(0)
A = np.where(RNG.random((4, 5)) < 0.4, RNG.random((4, 5)), 0)
E, X, Y = RNG.random((3, 2)), RNG.random(10), RNG.random((12, 3))
APPLIED: dict[str, Callable[..., Any]] = {
    "to a vector": lambda a, e, x, y: np.kron(e, a) @ x,
    "from the left": lambda a, e, x, y: np.kron(a, e) @ x,
    "to columns": lambda a, e, x, y: np.kron(a, e).T @ y,
    "by a row": lambda a, e, x, y: y.T @ np.kron(e, a),
    "on both sides": lambda a, e, x, y: y.T @ np.kron(a, e) @ x,
    "of two lists": lambda a, e, x, y: np.kron(a, a.T) @ np.ones(20),
    "in an expression": lambda a, e, x, y: 2 * (np.kron(e, a) @ x) + 1,
    "of identities": lambda a, e, x, y: np.kron(sa.eye(2), sa.eye(5)) @ x,
}
FORMED: dict[str, Callable[..., Any]] = {
    "alone": lambda a, e, x, y: np.kron(e, a),
    "elementwise": lambda a, e, x, y: np.kron(e, a) * x + 1,
    "a slice": lambda a, e, x, y: np.kron(a, e)[1:4],
    "twice": lambda a, e, x, y: np.kron(a, e) @ np.kron(a, e).T,
    "its trace": lambda a, e, x, y: np.trace(np.kron(a, a.T)),
    "with a list": lambda a, e, x, y: np.kron(a, e) @ sa.asarray(x, format="list"),
}


@pytest.fixture
def formed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of entries of products that were formed."""
    told: list[int] = []
    plain = kron._formed

    def counted(*given: Any) -> Any:
        found = plain(*given)
        told.append(found.nstored)
        return found

    monkeypatch.setattr(kron, "_formed", counted)
    sa.clear_cache()  # of expressions that refer to the function itself
    return told


def values(expression: Callable[..., Any], format: str) -> list[Any]:
    """The values of two calls, of which the second may be replayed, and NumPy's."""
    plain = [np.asarray(one) for one in (A, E, X, Y)]
    with sa.options(tier="interpreted"):
        ours = [sa.asarray(A, format=format), *map(sa.asarray, (E, X, Y))]
        found = [expression(*ours).compute() for _ in range(2)]
        return [*found, np.asarray(expression(*plain))]


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo"])
@pytest.mark.parametrize("name", [*APPLIED, *FORMED])
def test_values_are_numpys(name: str, format: str, formed: list[int]) -> None:
    first, second, want = values((APPLIED | FORMED)[name], format)
    np.testing.assert_allclose(first.todense(), want)
    np.testing.assert_allclose(second.todense(), want)
    assert first.dtype == want.dtype
    if name in FORMED or format == "csr":
        assert bool(formed) == (name in FORMED or str(first.format) != "dense")


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo"])
@pytest.mark.parametrize("name", APPLIED)
def test_formats_are_those_of_formed_products(name: str, format: str) -> None:
    (found, *_), monkeypatch = values(APPLIED[name], format), pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setattr(kron, "Formed", lambda make, keeps: kron.kronecker.Formed(make, False))
        whole, *_ = values(APPLIED[name], format)
    assert found.format == whole.format


def test_later_writes_do_not_show() -> None:
    factor, vector = np.ones((300, 300)), np.ones(600)
    with sa.options(tier="interpreted"):
        product = np.kron(factor, sa.eye(2))
        applied = product @ vector
        factor[:] = vector[:] = 7.0
        assert applied.todense().tolist() == [300.0] * 600


@pytest.mark.parametrize("first", ["csr", "csc", "coo", "dense"])
@pytest.mark.parametrize("second", ["csr", "csc", "band", "dense"])
def test_a_product_is_numpys_whatever_the_formats(first: str, second: str) -> None:
    with sa.options(tier="interpreted"):
        for dtype in ("bool", "int8", "complex64", "float64"):
            for m, n in ((4, 5), (0, 3), (1, 1)):
                left = (RNG.random((m, n)) < 0.5) * RNG.integers(1, 120, (m, n)).astype(dtype)
                right = (RNG.random((2, 4)) < 0.5) * RNG.integers(1, 120, (2, 4)).astype(dtype)
                operands = sa.asarray(left, format=first), sa.asarray(right, format=second)
                found = np.kron(*operands)
                with np.errstate(all="ignore"):
                    np.testing.assert_array_equal(found.todense(), np.kron(left, right))
                assert found.dtype == left.dtype


def test_a_product_of_columns_is_of_columns() -> None:
    columns, rows = (sa.asarray(A, format=name) for name in ("csc", "csr"))
    dense = sa.asarray(E)
    found = [np.kron(*pair) for pair in ((columns, columns), (dense, columns), (rows, dense))]
    assert [str(one.format) for one in found] == ["csc", "csc", "csr"]


@pytest.mark.parametrize("format", ["csr", "csc", "vbl", "bitmap", "coo"])
def test_a_factor_may_be_one_value(format: str) -> None:
    """In rows it would have the value as the fill, and no entries to multiply."""
    data, five = np.array([[0.0, 2.0], [3.0, 0.0]]), np.full((2, 3), 5.0)
    a, b = sa.asarray(data, format=format), sa.asarray(five, format="constant")
    np.testing.assert_array_equal(sa.kron(a, b).todense(), np.kron(data, five))
    np.testing.assert_array_equal(sa.kron(b, a).todense(), np.kron(five, data))


@pytest.mark.parametrize("format", ["coo", "dcsr", "csr", "csc", "dcsc"])
@pytest.mark.parametrize("rows", [6, 40_000])  # more than are counted one by one
def test_products_that_are_formed_are_in_order(format: str, rows: int) -> None:
    places = np.array([0, 2, rows - 1, rows - 1]), np.array([1, 0, 0, 2])
    sparse = sa.from_coordinates(places, [2.0, 3.0, 0.0, 5.0], (rows, 3), format=format)
    two = np.array([[1.0, 0.0], [0.5, 2.0]])
    wanted = scipy.sparse.kron(two, sparse.to_scipy("coo"), format="csr")
    found = sa.kron(two, sparse).compute()
    assert (abs(found.to_scipy("csr") - wanted)).nnz == 0
    assert found.nstored == two.size * sparse.nstored
    made = sa.kron(sparse, two).compute().to_scipy("csr")
    assert (abs(made - scipy.sparse.kron(sparse.to_scipy("coo"), two, format="csr"))).nnz == 0


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64"])
def test_products_of_integers_wrap_around(dtype: str, tier: str) -> None:
    most = np.iinfo(dtype).max
    a = np.array([[most, 0], [3, most - 1]], dtype)
    with sa.options(tier=tier):
        found = np.kron(sa.asarray(a, format="csr"), sa.asarray(a, format="csr")).todense()
    np.testing.assert_array_equal(found, np.kron(a, a))
    assert found.dtype == dtype


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "complex64"])
def test_factors_of_other_dtypes_are_applied(dtype: str, formed: list[int]) -> None:
    a = (A * 9).astype(dtype)
    found = (sa.kron(sa.asarray(E), sa.asarray(a, format="csr")) @ X).compute()
    wanted = np.kron(E, a) @ X
    assert found.dtype == wanted.dtype and not formed
    np.testing.assert_allclose(found.todense(), wanted, rtol=1e-6)
