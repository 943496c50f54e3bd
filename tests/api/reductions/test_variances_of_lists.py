"""Variances along axes that lists are not stored along: only what is stored is looked at."""

import numpy as np
import pytest

import structarr as sa

RANDOM = np.random.default_rng(0)


def data(dtype, fill):
    dense = np.where(RANDOM.random((6, 7)) < 0.4, RANDOM.integers(1, 9, (6, 7)), fill).astype(dtype)
    dense[:, 3], dense[:, 4] = fill, 7
    if dense.dtype.kind in "fc":
        dense[2, 2], dense[3, 5] = np.nan, np.inf
        dense[:, 1] = 1e30  # whose square is beyond float32
        dense[0, 1] = 2e30
    return dense


FEW = [("float64", 0), ("float32", 1), ("complex64", 0), ("int32", 1), ("bool", 0)]
MANY = [
    pytest.param(dtype, 1 - fill, marks=pytest.mark.long, id=f"{dtype}-{1 - fill}")
    for dtype, fill in FEW
]


@pytest.mark.parametrize(("dtype", "fill"), [*FEW, *MANY])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_variances_are_numpys(dtype, fill):
    dense, close = data(dtype, fill), 1e-5 if dtype in ("float32", "complex64") else 1e-12
    with sa.options(tier="interpreted"):
        for format in ("csr", "csc", "coo"):
            array = sa.asarray(dense, format=format, fill_value=dense.dtype.type(fill))
            for axis, keepdims, ddof in (
                (0, False, 0),
                (0, True, 6),
                (1, False, 1),
                (-2, False, 7),
            ):
                found = array.var(axis=axis, keepdims=keepdims, ddof=ddof)
                want = dense.var(axis=axis, keepdims=keepdims, ddof=ddof)
                assert found.dtype == want.dtype and found.shape == want.shape
                assert np.allclose(found.todense(), want, close, close, equal_nan=True), format
            assert np.allclose(array.std(axis=0), dense.std(axis=0), close, close, equal_nan=True)


def test_no_cell_is_looked_at_that_stores_nothing():
    n = 2000
    with sa.options(tier="interpreted"):
        array = sa.asarray(sa.eye(n), format="csr")
        assert array.var(axis=0).todense() == pytest.approx(np.full(n, (1 - 1 / n) / n))


def test_empty_rows():
    array = sa.asarray(np.zeros((0, 3)), format="csr")
    assert np.isnan(array.var(axis=0).todense()).all()
