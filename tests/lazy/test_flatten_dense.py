"""Elementwise expressions of dense arrays have one loop, however many axes there are."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (2, 1, 3, 2), (1, 1), (4, 0, 2)])
@pytest.mark.parametrize("dtype", ["float64", "uint8", "bool", "complex64"])
def test_values_shapes_and_formats_are_those_of_all_axes(
    shape: tuple[int, ...], dtype: str
) -> None:
    rng = np.random.default_rng(0)
    dense = [(9 * rng.random(shape)).astype(dtype) for _ in range(2)]
    a, b = map(sa.asarray, dense)
    for _ in range(2):  # the second time by what was remembered
        for function in (np.add, np.multiply, lambda p, q: np.where(p == q, p, q) + p):
            wanted = function(*dense)
            found = function(a, b).compute()
            np.testing.assert_array_equal(found.todense(), wanted)
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            assert found.format == "dense"
        assert (a == b).sum() == np.sum(dense[0] == dense[1])
        if dtype == "float64":
            np.testing.assert_allclose(float((a * b).sum()), (dense[0] * dense[1]).sum())


def test_there_is_one_loop() -> None:
    a = sa.asarray(np.random.default_rng(0).random((2, 3, 4)))
    assert sa.explain(a * 2.0 + a).kernel.count("for ") == 1
    assert sa.explain((a * a).sum()).kernel.count("for j") == 0
    assert sa.explain(a.sum()).kernel.count("for j") == 0


def test_the_sum_of_what_dense_sums_make_has_one_loop() -> None:
    rng = np.random.default_rng(0)
    dense, thin = rng.random((4, 5)), rng.random((5, 3))
    a, y = sa.asarray(dense, format="csr"), sa.asarray(thin)
    for function in (lambda t: np.exp(t).sum(), lambda t: np.abs(t - 1).max()):
        assert "j_n" not in sa.explain(function(a @ y)).kernel
        np.testing.assert_allclose(float(function(a @ y)), function(dense @ thin))


def test_what_is_no_vector_keeps_its_axes() -> None:
    dense = np.random.default_rng(0).random((3, 4))
    a = sa.asarray(dense)
    rows, columns = sa.asarray(dense[:, :1]), sa.asarray(np.asfortranarray(dense))
    np.testing.assert_array_equal((a + rows).todense(), dense + dense[:, :1])
    np.testing.assert_array_equal((a + columns).todense(), dense + dense)
    np.testing.assert_array_equal((a.T * 2).todense(), dense.T * 2)
    np.testing.assert_allclose((a * 2).sum(axis=0).todense(), (dense * 2).sum(axis=0))


def test_the_fill_stays() -> None:
    a = sa.asarray(np.random.default_rng(0).random((3, 4)))
    assert (a + 2.0).compute().fill_value == (a + 2.0).fill_value == 2.0


def test_what_is_refused_is_refused_by_its_own_shape() -> None:
    a = sa.asarray(np.ones((30, 40), np.uint8))
    with (
        sa.options(densify_limit=1000),
        pytest.raises(sa.errors.DensificationError, match=r"shape \(30, 40\)"),
    ):
        (a + 0.5).compute()
