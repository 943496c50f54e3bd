"""Arguments of reductions: axes, dtypes, what is written into."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

import structarr as sa

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


def test_reductions_check_their_arguments(csr: sa.Array) -> None:
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds"):
        np.sum(csr, axis=2)
    with pytest.raises(ValueError, match="repeated axis"):
        np.sum(csr, axis=(0, 0))
    with pytest.raises(TypeError):
        np.sum(csr, axis=1.5)
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        np.max(sa.zeros((0, 3)), axis=0)
    assert np.max(sa.zeros((0, 3)), axis=1).shape == (0,)
    assert np.max(sa.zeros(0), initial=-1.0).tolist() == -1
    with pytest.raises(ValueError, match="identity"):
        np.max(csr, where=DENSE > 0)
    with pytest.raises(TypeError, match="must be boolean"):
        np.sum(csr, where=np.array([1, 0, 1]))


def test_reductions_write_and_accumulate(csr: sa.Array) -> None:
    out = np.zeros(3)
    assert np.sum(csr, axis=0, out=out) is out
    assert out.tolist() == [1, 2, 3]
    assert np.sum(sa.asarray([True, True])).dtype == np.int64
    assert np.sum(sa.asarray([200, 100], dtype="uint8")).tolist() == 300
    assert np.sum(sa.asarray([200, 100], dtype="uint8"), dtype="uint8").tolist() == 44


def test_moments() -> None:
    a = sa.asarray(DENSE, format="csr")
    for ddof in (0, 1):
        np.testing.assert_allclose(np.var(a, axis=1, ddof=ddof), DENSE.var(axis=1, ddof=ddof))
    np.testing.assert_allclose(sa.std(a, correction=1.0), DENSE.std(ddof=1))
    np.testing.assert_allclose(np.var(a * 1j), np.var(DENSE * 1j))
    assert np.mean(sa.asarray([1, 2], dtype="int8")).dtype == np.float64
    assert np.mean(sa.asarray([1, 2], dtype="float32")).dtype == np.float32


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "bool"])
def test_averages_do_not_wrap_in_the_dtype_of_the_weights(dtype: str) -> None:
    x = np.array([[1, 100, 90], [3, 100, 127]]).astype(dtype)
    for name in ("dense", "csr", "rle"):
        got = np.average(sa.asarray(x, format=name), axis=1, weights=x)
        np.testing.assert_allclose(got, np.average(x, axis=1, weights=x))
        flipped = np.average(sa.asarray(x, format=name), weights=x[::-1].copy())
        np.testing.assert_allclose(flipped, np.average(x, weights=x[::-1]))


@pytest.mark.parametrize("name", ["mean", "var", "std", "sum", "prod", "max", "any"])
@pytest.mark.parametrize("axis", [None, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [True, False])
def test_methods_of_numpys_arrays_take_our_mask(name: str, axis: object, keepdims: bool) -> None:
    mask = DENSE < 3
    start = {"initial": -1.0} if name == "max" else {}
    wanted = getattr(DENSE, name)(axis=axis, keepdims=keepdims, where=mask, **start)
    found = getattr(DENSE, name)(
        axis=axis, keepdims=keepdims, where=sa.asarray(mask, format="csr"), **start
    )
    assert type(found) is type(wanted) and found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_a_variance_about_a_given_mean_adds_the_parts(dtype: str) -> None:
    parts = [0.0, -1.5, np.inf, np.nan]
    dense = np.array([[complex(a, b)] for a in parts for b in parts], dtype)
    with sa.options(tier="interpreted"):
        for name in ("var", "nanvar", "std"):
            moment = getattr(np, name)
            wanted = moment(dense, axis=1, mean=np.zeros((16, 1)))
            found = moment(sa.asarray(dense, format="csr"), axis=1, mean=np.zeros((16, 1)))
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["mean", "nanmean", "var", "nanvar", "nanstd"])
@pytest.mark.parametrize("given", ["float32", "complex64", "float64", "int32", "bool"])
def test_moments_are_in_the_dtype_asked_for(name: str, given: str) -> None:
    moment = getattr(np, name)
    dense = np.array([[1, 0, 2], [0, 3, 1]]).astype(given)
    centres = (
        [{}] if "mean" in name else [{}, *({"mean": np.ones((2, 1), d)} for d in ("f8", "c16"))]
    )
    for dtype, centre in itertools.product((None, "f4", "i8"), centres):
        with sa.options(tier="interpreted"):
            try:
                wanted = moment(dense, axis=1, dtype=dtype, **centre)
            except TypeError:
                with pytest.raises(TypeError):
                    moment(sa.asarray(dense, format="csr"), axis=1, dtype=dtype, **centre)
            else:
                found = moment(sa.asarray(dense, format="csr"), axis=1, dtype=dtype, **centre)
                assert found.dtype == wanted.dtype
                np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_terms_are_of_the_dtype_of_out_where_that_holds_more() -> None:
    """Products of integers would wrap around, and sums of float32 be rounded to float32."""
    sevens, floats = np.full((30, 2), 7, np.int8), np.arange(1, 61, dtype=np.float32) / 7
    for function in (np.prod, np.cumprod, np.sum, np.cumsum):
        for data in (sevens, floats.reshape(30, 2)):
            wanted = function(data, axis=0)
            outs = np.zeros(wanted.shape), np.zeros(wanted.shape)
            function(data, axis=0, out=outs[0])
            assert function(sa.asarray(data), axis=0, out=outs[1]) is outs[1]
            np.testing.assert_allclose(outs[1], outs[0], rtol=1e-13)
    narrow = np.zeros(2, np.float32)
    np.sum(sa.asarray(sevens) / 2, axis=0, out=narrow)
    np.testing.assert_array_equal(narrow, [105, 105])


def test_a_reduction_begins_with_one_number() -> None:
    with pytest.raises(ValueError, match="initial must be a number"):
        np.sum(sa.asarray([[1.0, 2.0]]), axis=0, initial=[1.0, 2.0])
