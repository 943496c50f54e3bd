"""Products of dense arrays by BLAS: which there are, and that they warn of nothing."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import structarr as sa
from structarr._execute.stand_ins import is_dense
from structarr._scheduler.blas import DenseProduct

RNG = np.random.default_rng(0)


def test_a_number_is_no_factor() -> None:
    """Sums of rows by NumPy, of which that was made, take several times as long as a kernel."""
    t = sa.asarray(RNG.random((40, 16)))
    half = (0.5 * (t * t - t)).sum(axis=1)
    wanted = 0.5 * (t.todense() ** 2 - t.todense()).sum(axis=1)
    assert DenseProduct.of(half._node, is_dense) is None
    np.testing.assert_allclose(np.asarray(half), wanted)
    assert DenseProduct.of((t.T @ t)._node, is_dense) is not None


@pytest.mark.parametrize("shape", [(3,), (3, 4), (2, 3, 4), (300, 200)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
def test_products_are_numpys_and_warn_of_nothing(shape: tuple[int, ...], dtype: str) -> None:
    left = (8 * RNG.random((5, *shape[-1:]))).astype(dtype)
    right = (8 * RNG.random((*shape[:-1], shape[-1]))).astype(dtype)
    if right.ndim > 1:
        right = right.swapaxes(-1, -2)
    if left.dtype.kind != "i":
        left[0, 0] = np.inf
    with np.errstate(all="ignore"):
        wanted = left @ right
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            found = np.asarray((sa.asarray(left) @ sa.asarray(right)).compute())
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    assert found.dtype == wanted.dtype
