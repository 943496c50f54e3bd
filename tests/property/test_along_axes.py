"""Scans, sorting, searching and sets against NumPy, over every tree of levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fitting import fitted, formats_for
from hypothesis import given, strategies as st
from strategies import checked, shapes, stored, values

import structarr as sa
from structarr._array import of_tensor, stored as tensor_of

DTYPES = ("float64", "int64", "bool", "int8", "uint8", "uint64", "float32", "complex128")
REFUSED = (TypeError, ValueError, IndexError)


@st.composite
def arrays(draw: Any, dtypes: tuple[str, ...] = DTYPES) -> tuple[sa.Array, np.ndarray]:
    """An array in any format, NaN among its elements and sometimes its fill, and NumPy's."""
    shape = draw(shapes(draw(st.sampled_from([0, 1, 1, 2, 2, 3]))))
    dtype, fill = draw(st.sampled_from(dtypes)), draw(st.sampled_from([0, 0, 0, 1, 2, -1, np.nan]))
    if np.dtype(dtype).kind not in "fc" and not 0 <= fill <= 1:
        fill = 0
    found = draw(values(shape, dtype, fill if fill == fill else 0))
    if np.dtype(dtype).kind in "fc":
        marks = np.random.default_rng(draw(st.integers(0, 99))).random(shape)
        found = np.where(marks < draw(st.sampled_from([0, 0, 0.2, 0.9])), np.nan, found)
        found = found.astype(dtype)
    fmt = draw(formats_for(shape, "float64" if fill else dtype))
    data = fitted(found, fmt, np.dtype(dtype).type(fill))
    return of_tensor(stored(data, fmt, fill)), data


def compare(call: Callable[..., Any], ours: Any, numpys: Any) -> Any:
    """The results are the same, or both sides refuse; return ours."""
    with np.errstate(all="ignore"):
        try:
            expected = call(numpys)
        except REFUSED:
            with pytest.raises(REFUSED):
                call(ours)
            return None
    got = call(ours)
    parts = zip(got, expected, strict=True) if isinstance(expected, tuple) else [(got, expected)]
    for mine, theirs in parts:
        assert isinstance(mine, sa.Array)
        checked(tensor_of(mine))
        assert mine.dtype == theirs.dtype and mine.shape == np.shape(theirs)
        np.testing.assert_array_equal(mine.todense(), theirs)
    return got


axes = st.sampled_from([None, 0, -1, 1, 2, -2])
flags = st.booleans()


@pytest.mark.parametrize("name", ["argmax", "argmin", "nanargmax", "nanargmin"])
@given(pair=arrays(), axis=axes, keepdims=flags)
def test_searching(name: str, pair: Any, axis: Any, keepdims: bool) -> None:
    compare(lambda x: getattr(np, name)(x, axis=axis, keepdims=keepdims), *pair)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@given(pair=arrays(), axis=axes, dtype=st.sampled_from([None, None, "float32", "int8", "int64"]))
def test_scans(name: str, pair: Any, axis: Any, dtype: Any) -> None:
    if dtype is not None and not np.can_cast(pair[1].dtype, dtype, "same_kind"):
        dtype = None  # what a NaN becomes is not defined
    compare(lambda x: getattr(np, name)(x, axis, dtype), *pair)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@given(pair=arrays(), axis=axes, initial=flags)
def test_cumulative(name: str, pair: Any, axis: Any, initial: bool) -> None:
    compare(lambda x: getattr(np, name)(x, axis=axis, include_initial=initial), *pair)


@given(pair=arrays(), axis=axes)
def test_sort(pair: Any, axis: Any) -> None:
    got = compare(lambda x: np.sort(x, axis=axis), *pair)
    if got is not None:
        backward = sa.sort(pair[0], axis=axis, descending=True)
        np.testing.assert_array_equal(backward.todense(), np.flip(got.todense(), axis or 0))


@given(pair=arrays(), axis=axes)
def test_argsort(pair: Any, axis: Any) -> None:
    compare(lambda x: np.argsort(x, axis=axis, stable=True), *pair)


@given(pair=arrays(("float64", "int8", "bool")), axis=axes)
def test_argsort_descending_is_stable(pair: Any, axis: Any) -> None:
    ours, data = pair
    rising = np.negative(data.astype(float))
    if data.ndim and not np.isnan(data).any() and (axis is None or -data.ndim <= axis < data.ndim):
        got = sa.argsort(ours, axis=axis, descending=True)
        np.testing.assert_array_equal(got, np.argsort(rising, axis=axis, stable=True))


@given(pair=arrays(), kth=st.integers(-3, 3), axis=axes)
def test_partition(pair: Any, kth: int, axis: Any) -> None:
    ours, data = pair
    if data.ndim and (axis is None or -data.ndim <= axis < data.ndim):
        length = data.size if axis is None else data.shape[axis]
        if not length or -length <= kth < length:
            expected = np.sort(data, axis)
            np.testing.assert_array_equal(np.partition(ours, kth, axis), expected)
            places = np.asarray(np.argpartition(ours, kth, axis))
            taken = np.take_along_axis(data.ravel() if axis is None else data, places, axis or 0)
            np.testing.assert_array_equal(taken, expected)
        else:
            with pytest.raises(ValueError, match="out of bounds"):
                np.partition(ours, kth, axis)


@given(pair=arrays(), index=flags, inverse=flags, counts=flags)
def test_unique(pair: Any, index: bool, inverse: bool, counts: bool) -> None:
    compare(lambda x: np.unique(x, index, inverse, counts), *pair)


@given(pair=arrays())
def test_unique_with_each_nan(pair: Any) -> None:
    compare(lambda x: np.unique(x, True, True, True, equal_nan=False), *pair)
    compare(lambda x: tuple(np.unique_all(x)), *pair)
    compare(lambda x: tuple(np.unique_counts(x)), *pair)
    ours, data = pair
    known, numbers = sa.unique_inverse(ours)
    np.testing.assert_array_equal(sa.take(known, numbers.todense()), data)
    np.testing.assert_array_equal(known.todense(), np.sort(np.unique_values(data)))
    np.testing.assert_array_equal(sa.unique_values(ours).todense(), known.todense())


@given(pair=arrays(), axis=axes)
def test_unique_along_an_axis(pair: Any, axis: Any) -> None:
    if pair[1].dtype.kind != "c":  # of which NumPy compares the parts as bytes
        compare(lambda x: np.unique(x, True, True, True, axis=axis), *pair)


@given(pair=arrays(), other=arrays(), unique=flags)
def test_sets(pair: Any, other: Any, unique: bool) -> None:
    both = (pair[0], other[0]), (pair[1], other[1])
    compare(lambda two: np.union1d(*two), *both)
    compare(lambda two: np.setdiff1d(*two), *both)
    compare(lambda two: np.setxor1d(*two), *both)
    compare(lambda two: np.intersect1d(*two, return_indices=True), *both)
    compare(lambda two: np.isin(*two, invert=unique), *both)
    both = tuple(np.unique(one) for one in both[0]), tuple(np.unique(one) for one in both[1])
    compare(lambda two: np.setdiff1d(*two, assume_unique=unique), *both)
    compare(lambda two: np.intersect1d(*two, unique, True), *both)
    compare(lambda two: np.setxor1d(*two, assume_unique=unique), *both)


@given(pair=arrays(), other=arrays(), right=flags)
def test_searchsorted(pair: Any, other: Any, right: bool) -> None:
    side = "right" if right else "left"
    keys, wanted = np.sort(pair[1], axis=None), other[1]
    ours = sa.sort(pair[0], axis=None)
    expected = np.searchsorted(keys, wanted, side)
    np.testing.assert_array_equal(np.searchsorted(ours, other[0], side), expected)
    order = np.argsort(sa.ravel(pair[0]))
    np.testing.assert_array_equal(
        np.searchsorted(sa.ravel(pair[0]), other[0], side, order), expected
    )


@given(pair=arrays(("float64", "int8", "uint64")), right=flags, data=st.data())
def test_digitize(pair: Any, right: bool, data: Any) -> None:
    bins = data.draw(st.lists(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 2.0]), max_size=5))
    if data.draw(flags):
        bins = sorted(bins, reverse=data.draw(flags))
    compare(lambda x: np.digitize(x, np.array(bins), right), *pair)


@given(pair=arrays(), ends=flags)
def test_ediff1d(pair: Any, ends: bool) -> None:
    compare(lambda x: np.ediff1d(x, to_begin=[1, 0] if ends else None), *pair)


@given(pair=arrays())
def test_nonzero(pair: Any) -> None:
    compare(np.nonzero, *pair)
