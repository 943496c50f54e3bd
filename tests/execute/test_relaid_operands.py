"""Dense matrices beside sparse ones are copied to another order where that takes less time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import planner, relaid_operands, replay_table
from structarr._storage.memo import is_remembered

EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "by columns": lambda a, f, w, x: a @ f,
    "from the left": lambda a, f, w, x: w @ a,
    "transposed": lambda a, f, w, x: a.T @ f,
    "transposed from the left": lambda a, f, w, x: w @ a.T,
    "from the left by columns": lambda a, f, w, x: w.T.copy().T @ a,
    "of both": lambda a, f, w, x: (w @ a) @ f,
    "of a sum": lambda a, f, w, x: (w + 1.0) @ a,
    "masked rows": lambda a, f, w, x: (a * x[:, None]) @ f,
    "one column": lambda a, f, w, x: a @ f[:, :1],
    "largest": lambda a, f, w, x: (a[:, :, None] * f[None, :, :]).max(axis=1),
    "whole": lambda a, f, w, x: (w @ a).sum(),
}


@pytest.fixture(autouse=True)
def copies_always_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaid_operands, "LONG", 0.0)
    monkeypatch.setattr(relaid_operands, "GAIN", 0.0)
    monkeypatch.setattr(
        replay_table, "_recorded", {}
    )  # without what was planned for other constants


def _operands(dtype: str) -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    a = np.where(random.random((30, 30)) < 0.3, random.integers(-3, 4, (30, 30)), 0)
    f, w = random.integers(-3, 4, (30, 5)), random.integers(-3, 4, (4, 30))
    parts = a, np.asfortranarray(f), w, random.integers(-3, 4, 30)
    return tuple(one.astype(dtype) for one in parts)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "band", "vbl"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_products_are_numpys(name: str, format: str) -> None:
    for dtype in ("float64", "int32"):
        a, f, w, x = _operands(dtype)
        stored = sa.asarray(a, format=format)
        with sa.options(tier="interpreted"):
            for _ in range(2):  # planned, and replayed
                got = EXPRESSIONS[name](stored, sa.asarray(f), sa.asarray(w), x)
                wanted = EXPRESSIONS[name](a, f, w, x)
                np.testing.assert_array_equal(np.asarray(got), wanted)
                assert got.dtype == wanted.dtype


@pytest.mark.parametrize("name", ["by columns", "from the left"])
def test_results_are_stored_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def noted(*args: Any) -> Any:
        found.append(relaid_operands.relaid(*args))
        return found[-1]

    monkeypatch.setattr(planner, "relaid", noted)
    a, f, w, x = _operands("float64")
    stored = sa.asarray(a, format="csr")
    with sa.options(tier="interpreted"):
        result = EXPRESSIONS[name](stored, sa.asarray(f), sa.asarray(w), x).compute()
    (way,) = [one for one in found if one is not None]
    assert len(way.orders) == 1
    assert result.format == sa.asarray(np.zeros((2, 2))).format  # of rows, however it came about


def test_a_result_is_turned_where_all_operands_lie_well() -> None:
    a, _, w, _ = _operands("float64")
    stored = sa.asarray(a, format="csr")
    with sa.options(tier="interpreted"):
        text = str(sa.explain(sa.asarray(w.T.copy()).T @ stored))
    assert "loops over k, i, j" in text  # along rows of both, as of the product turned


def test_lists_that_meet_row_by_row_are_multiplied_as_rows_are() -> None:
    one, other = (np.eye(600) + np.eye(600, k=k) for k in (3, 5))
    with sa.options(tier="interpreted"):
        told = []
        for format in ("csr", "coo"):
            a, b = (sa.asarray(dense, format=format).compute() for dense in (one, other))
            told.append(str(sa.explain(a @ b.T)).splitlines()[0])
            found = (a @ b.T).compute()
    assert told[0] == told[1]
    np.testing.assert_array_equal(found.todense(), one @ other.T)


@pytest.mark.parametrize(
    ("format", "product"),
    [
        ("dcsr", lambda a: a @ a.T),
        ("coo", lambda a: a @ a.T),
        ("dcsc", lambda a: a.T @ a),
        ("dcsr", lambda a: (a @ a.T) * 2),
        ("coo", lambda a: np.einsum("ij,kj,j->ik", a, a, a[3])),
    ],
)
def test_lists_that_meet_themselves_are_put_in_the_other_order(
    format: str, product: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaid_operands, "GAIN", 1.25)
    random = np.random.default_rng(0)
    dense = np.where(random.random((400, 400)) < 0.01, random.integers(1, 9, (400, 400)), 0.0)
    a = sa.asarray(dense, format=format)
    for _ in range(2):
        np.testing.assert_array_equal(product(a).todense(), product(dense))
    assert "Arow" not in sa.explain(a @ a.T if format != "dcsc" else a.T @ a).cin


@pytest.mark.parametrize("format", ["csf", "coo", "hash"])
@pytest.mark.parametrize(
    "product",
    [
        lambda a, b: np.einsum("ijk,ljk->il", a, b),
        lambda a, b: np.einsum("ijk,ljk->il", a, a),
        lambda a, b: np.einsum("ijk,ljk,k->il", a, b, np.arange(9.0)),
        lambda a, b: np.einsum("ijk,ilk->ijl", a, b),
        lambda a, b: np.einsum("ijk,ijl->kl", a, b),
        lambda a, b: np.tensordot(a, b, axes=([0, 1], [0, 1])),
        lambda a, b: np.matmul(a, np.swapaxes(b, 1, 2)),
    ],
)
def test_lists_of_three_axes_are_put_in_the_order_of_the_other(
    product: Callable[..., Any], format: str
) -> None:
    random = np.random.default_rng(0)
    one, other = (
        np.where(random.random((6, 7, 9)) < 0.2, random.integers(1, 9, (6, 7, 9)), 0.0)
        for _ in range(2)
    )
    a, b = (sa.asarray(dense, format=format) for dense in (one, other))
    with sa.options(tier="interpreted"):
        for _ in range(2):
            np.testing.assert_array_equal(product(a, b).todense(), product(one, other))


def test_pairs_of_slices_without_a_common_element_are_not_stored() -> None:
    random = np.random.default_rng(0)
    dense = np.where(random.random((60, 40, 50)) < 0.002, 1.0, 0.0)
    a = sa.asarray(dense, format="csf")
    found = np.einsum("ijk,ljk->il", a, a).compute()
    assert found.format.name == "dcsr"
    np.testing.assert_array_equal(found.todense(), np.einsum("ijk,ljk->il", dense, dense))
    assert found.nstored == np.count_nonzero(found.todense())


@pytest.mark.parametrize("format", ["csc", "coo"])
def test_few_entries_follow_the_order_of_a_dense_matrix(format: str) -> None:
    dense = np.zeros((90, 80))
    dense[::9, ::8] = np.arange(1.0, 101.0).reshape(10, 10)
    other = np.random.default_rng(0).random((90, 80))
    few, many = (sa.asarray(one, format="csc") for one in (dense, np.ones((90, 80))))
    few = few if format == "csc" else sa.asarray(dense.T.copy(), format="coo").T
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal((few + other).todense(), dense + other)
        np.testing.assert_array_equal((2.0 * few - other).todense(), 2.0 * dense - other)
        np.testing.assert_array_equal((many + other).todense(), 1.0 + other)
    if format == "csc":
        assert is_remembered(stored(few), "order", (0, 1))
    assert not is_remembered(stored(many), "order", (0, 1))


def test_what_is_relaid_is_shared_with_numpy_where_nobody_else_has_it() -> None:
    a, f, w, _ = _operands("float64")
    with sa.options(tier="interpreted"):
        result = (sa.asarray(w) @ sa.asarray(a, format="csr")).compute()
        assert np.shares_memory(np.asarray(result), stored(result).buffers[-1])
        assert not np.asarray(result).flags.writeable
        fresh = result.todense()
        fresh[:] = 9
        np.testing.assert_array_equal(np.asarray(result), w @ a)
        whole = sa.asarray(f)  # whose memory its owner may write
        assert not np.shares_memory(np.asarray(whole.T), f)
        assert not np.shares_memory(np.asarray(whole[:, None]), f)
