"""NumPy's functions beyond the array API on our arrays, against the same calls on its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from example_counts import examples
from hypothesis import given, strategies as st

import structarr as sa
from structarr.errors import FormatError

DTYPES = ("bool", "int8", "int64", "uint64", "float32", "float64", "complex128")
FORMATS = ("dense", "csr", "list", "rle", "bitmap", "band")
METHODS = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf"),
    *("hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher"),
    *("midpoint", "nearest"),
)
shapes = st.sampled_from([(), (0,), (1,), (4,), (7,), (0, 3), (3, 0), (1, 3), (3, 4), (2, 3, 2)])
axes = st.sampled_from([None, 0, -1, 5, (0, 1)])


@st.composite
def stored(draw: Any, shape: tuple[int, ...], dtypes: tuple[str, ...] = DTYPES) -> tuple[Any, Any]:
    """An array of ours in some format and with some fill, and NumPy's of the same value."""
    dtype, fill = draw(st.sampled_from(dtypes)), draw(st.sampled_from([0, 0, 1, np.nan]))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    dense = np.asarray(rng.integers(0, 4, shape) * (rng.random(shape) < 0.5), dtype)
    if dense.dtype.kind in "fc":
        dense = np.asarray(
            np.where(rng.random(shape) < draw(st.sampled_from([0, 0.3])), np.nan, dense), dtype
        )
    name = draw(st.sampled_from(FORMATS))
    known = fill == fill or dense.dtype.kind in "fc"
    try:
        return sa.asarray(dense, format=name, fill_value=fill if known else 0), dense
    except FormatError:  # not for so many axes
        return sa.asarray(dense), dense


def plain(value: Any) -> Any:
    return value.todense() if isinstance(value, sa.Array) else np.asarray(value)


def same(function: Callable[[Any], Any], ours: Any, dense: Any) -> None:
    """Compare results, or that both sides refuse."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = function(dense)
        except ZeroDivisionError:  # NumPy's average of nothing, where ours is as empty as the mean
            return
        except (TypeError, ValueError, IndexError) as error:
            with pytest.raises((TypeError, ValueError, type(error))):
                plain(function(ours))
            return
        got = function(ours)
        pairs = zip(
            *[x if isinstance(x, (tuple, list)) else [x] for x in (got, wanted)], strict=True
        )
        for one, other in pairs:
            one, other = plain(one), np.asarray(other)
            assert one.shape == other.shape
            assert one.dtype.name == other.dtype.name.replace("float16", "float32")
            tolerance = 1e-2 if other.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


@given(data=st.data())
def test_medians_and_quantiles(data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes)))
    axis, keep = data.draw(axes), data.draw(st.booleans())
    name = data.draw(st.sampled_from(["median", "nanmedian"]))
    same(lambda x: getattr(np, name)(x, axis=axis, keepdims=keep), ours, dense)
    q = data.draw(st.sampled_from([0.3, 0, 1, [0.0, 0.5, 0.9], np.float32(0.4), 1.5]))
    method = data.draw(st.sampled_from(METHODS))
    name = data.draw(st.sampled_from(["quantile", "nanquantile"]))
    same(lambda x: getattr(np, name)(x, q, axis, method=method, keepdims=keep), ours, dense)
    percents = np.multiply(q, 100).tolist()  # of NaN, NumPy forgets the dtype of percents
    name = name.replace("quantile", "percentile")
    same(lambda x: getattr(np, name)(x, percents, axis, method=method), ours, dense)


REDUCTIONS = (
    *("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"),
    *("mean", "var", "std", "average", "ptp"),
)


@examples(0.3)
@pytest.mark.parametrize("name", REDUCTIONS)
@given(data=st.data())
def test_reductions(name: str, data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes)))
    axis, keep = data.draw(axes), data.draw(st.booleans())
    same(lambda x: getattr(np, name)(x, axis=axis, keepdims=keep), ours, dense)


@examples(0.3)
@pytest.mark.parametrize("name", ["nansum", "nanmean", "nanvar", "mean", "var", "std"])
@given(data=st.data())
def test_masked_reductions(name: str, data: Any) -> None:
    shape = data.draw(st.sampled_from([(4,), (3, 4), (0, 3)]))
    ours, dense = data.draw(stored(shape))
    mask = data.draw(st.integers(0, 9)) < np.arange(dense.size).reshape(shape)
    same(lambda x: getattr(np, name)(x, axis=0, where=mask), ours, dense)


CALLS: dict[str, Callable[[Any], Any]] = {
    "gradient": lambda x: np.gradient(x, 2.0),
    "gradient at coordinates": lambda x: np.gradient(
        x, np.cumsum(1.0 + np.arange(len(x)) % 3), axis=0, edge_order=2
    ),
    "trapezoid": lambda x: np.trapezoid(x, axis=0),
    "cov": lambda x: np.cov(x, rowvar=False),
    "corrcoef": np.corrcoef,
    "bincount": lambda x: np.bincount(x, minlength=2),
    "histogram": lambda x: np.histogram(x, 4),
    "histogram of a range": lambda x: np.histogram(x, 4, (0, 2), density=True),
    "histogram by edges": lambda x: np.histogram(x, [0, 1, 2, 5]),
    "histogram_bin_edges": lambda x: np.histogram_bin_edges(x, "auto"),
    "select": lambda x: np.select([x > 1, x == 0], [x, x * 2], 7),
    "choose": lambda x: np.choose(x, [1, x, 2.5], mode="clip"),
    "choose or raise": lambda x: np.choose(x, [1, x, 2.5]),
    "piecewise": lambda x: np.piecewise(x, [x < 1, x > 2], [lambda part: part + 1, 3]),
    "polyval": lambda x: np.polyval([1, 0, 2.5], x),
    "resize": lambda x: np.resize(x, (2, 5)),
    "rollaxis": lambda x: np.rollaxis(x, -1),
    "apply_over_axes": lambda x: np.apply_over_axes(np.sum, x, [0, -1]),
    "apply_along_axis": lambda x: np.apply_along_axis(lambda part: part.sum(), 0, x),
    "interp": lambda x: np.interp(x, [0, 1, 2], [3, 4, 7]),
    "average": lambda x: np.average(x, axis=0, weights=1 + np.arange(len(x)), returned=True),
    "sum by name": lambda x: np.sum(a=x, axis=0),
    "tile by name": lambda x: np.tile(A=x, reps=2),
}
CALLS |= {
    name: getattr(np, name)
    for name in (
        *("isreal", "iscomplex", "isposinf", "isneginf", "real_if_close", "sinc", "modf", "frexp"),
        *("diagflat", "i0", "vander", "unwrap", "atleast_2d"),
    )
}


# In these, a zero that is not stored annihilates a NaN beside it, unless it is told not to.
PRODUCTS = ("cov", "corrcoef")


@examples(0.3)
@pytest.mark.parametrize("name", CALLS)
@given(data=st.data())
def test_calls(name: str, data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes)))
    if dense.ndim:
        with sa.options(strict_ieee=name in PRODUCTS):
            same(CALLS[name], ours, dense)


def test_a_zero_that_is_not_stored_annihilates_a_nan_in_covariances() -> None:
    rows = np.array([[0.0, 0.0, 0.0], [np.nan, 2.0, 0.0], [1.0, 0.0, 3.0]])
    ours, wanted = sa.asarray(rows.T, format="bitmap"), np.cov(rows)
    assert np.isnan(wanted[0, 1])
    assert np.cov(ours, rowvar=False)[0, 1] == 0
    with sa.options(strict_ieee=True):
        np.testing.assert_allclose(np.cov(ours, rowvar=False).todense(), wanted)


@examples(0.3)
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "logical_or"])
@given(data=st.data())
def test_methods_of_ufuncs(name: str, data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(st.sampled_from([(4,), (3, 4), (3, 0), (2, 3, 2)]))))
    ufunc, axis = getattr(np, name), data.draw(st.sampled_from([0, -1, 4]))
    same(lambda x: ufunc.accumulate(x, axis), ours, dense)
    same(lambda x: ufunc.reduceat(x, [0, 1, 0]), ours, dense)
    same(lambda x: ufunc.reduce(x, axis, keepdims=True), ours, dense)
    same(lambda x: ufunc.reduce(x, 0, initial=1), ours, dense)
    same(lambda x: ufunc.outer(x, [1, 2]), ours, dense)


@given(data=st.data())
def test_elements_and_rows(data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes)))
    np.testing.assert_array_equal(ours.flatten(), dense.flatten())
    np.testing.assert_array_equal(ours.tolist(), dense.tolist())
    for place in range(-dense.size, dense.size):
        np.testing.assert_array_equal(ours.item(place), dense.item(place))
    for index in np.ndindex(*dense.shape):
        np.testing.assert_array_equal(ours.item(*index), dense.item(*index))
    if dense.ndim:
        assert len(ours) == len(dense)
        for row, wanted in zip(ours, dense, strict=True):
            np.testing.assert_array_equal(row, wanted)
