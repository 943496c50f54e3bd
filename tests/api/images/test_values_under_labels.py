"""Sums, means, extremes and centers under labels, beside SciPy on pixels."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import scipy.ndimage as ndi
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import structarr as sa
from structarr import ndimage

NUMBERS = ("sum", "sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum")
PLACES = ("minimum_position", "maximum_position", "extrema", "center_of_mass")
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
INDICES = (None, 1, 2, 0, -1, 9, [1, 2], [2, 0, 7, -1, 1], [[1], [2]], np.arange(4), range(1, 3))


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _theirs(name, *given):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return getattr(ndi, name)(*given)


def _check(image, labels, index, formats):
    stored = sa.asarray(image, format=formats[0])
    own = None if labels is None else sa.asarray(labels, format=formats[1])
    if labels is None or index is None or np.isscalar(index):
        inside = np.ones(image.shape, bool) if labels is None else labels > 0
        if labels is not None and index is not None:
            inside = labels == index
        is_empty = not inside.any()
    else:
        is_empty = False
    listed = list(index) if isinstance(index, range) else index
    for name in NUMBERS:
        ours = getattr(ndimage, name)
        if is_empty and name in ("minimum", "maximum"):
            with pytest.raises(ValueError, match="no extreme"):
                ours(stored, own, index)
            continue
        wanted, found = _theirs(name, image, labels, listed), ours(stored, own, index)
        assert np.shape(found) == np.shape(wanted)
        there = np.isin(listed, labels) if np.ndim(wanted) else True
        wanted = np.where(there | (name not in NUMBERS[2:5]), wanted, np.nan)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5, err_msg=name)
        if name in ("minimum", "maximum"):
            assert found.dtype == image.dtype


@pytest.mark.parametrize(
    "formats", [("dense", "sparse-rle"), ("sparse-rle", "rle"), ("csr", "dense")]
)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_numbers_are_scipys(formats, data):
    shape = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 7)))
    dtype = data.draw(st.sampled_from(["int16", "uint8", "float32", "float64", "bool"]))
    image = data.draw(arrays(np.int8, shape, elements=st.integers(0, 9))).astype(dtype)
    labels = data.draw(arrays(np.int8, shape, elements=st.integers(-1, 3)))
    for index in INDICES:
        _check(image, labels, index, formats)
        _check(image, None, index, formats)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(9,), (6, 7), (3, 4, 5), (2, 3, 2, 4), (1, 8), (8, 1)])
def test_places_of_labels_of_any_dtype(shape, dtype):
    rng = np.random.default_rng(len(shape))
    labels = rng.integers(0, 3, shape).astype(dtype)
    image = rng.permutation(np.prod(shape)).reshape(shape) - 4  # no two are equal
    for given_image in (image, sa.asarray(image, format="coo")):
        for index in (None, 1, [1, 0], np.array([1])):
            for name in PLACES:
                wanted = _theirs(name, image, labels, index)
                found = getattr(ndimage, name)(given_image, sa.asarray(labels), index)
                assert type(found) is type(wanted) and len(found) == len(wanted)
                for one, other in zip(found, wanted, strict=True):
                    np.testing.assert_allclose(one, other)


def test_labels_far_apart_and_none_at_all():
    labels = np.array([[0, 10**12, 10**12], [-5, -5, 10**12]])
    image = np.array([[1.0, 2, 3], [4, 5, 6]])
    index = [10**12, -5, 3, 0]
    np.testing.assert_array_equal(ndimage.sum(image, labels, index), [11, 9, 0, 1])
    large = np.where(labels > 0, np.uint64(2**63 + 1), np.uint64(5))
    index = np.array([2**63 + 1, 5, 2**63], np.uint64)
    np.testing.assert_array_equal(ndimage.sum(image, large, index), [11, 10, 0])
    np.testing.assert_array_equal(ndimage.sum(image, large, [-1, 0, 5]), [0, 0, 10])
    narrow = np.array([-128, 127, 0], np.int8)
    index = [127, -128, -200, 2**40]
    np.testing.assert_array_equal(ndimage.sum([1, 2, 3], narrow, index), [2, 1, 0, 0])
    assert ndimage.sum(image, labels, []).shape == (0,)
    assert ndimage.center_of_mass(image, labels, []) == []
    assert ndimage.sum(np.zeros((0, 3)), np.zeros((0, 3), int)) == 0
    assert np.isnan(ndimage.mean(np.zeros((3, 0)), np.zeros((3, 0), int)))
    assert ndimage.minimum_position(image, labels, [3]) == [(0, 0)]


def test_labels_and_values_are_broadcast():
    labels, image = np.array([0, 1, 1, 2]), np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(
        ndimage.sum(image, labels, [1, 2]), ndi.sum(image, labels, [1, 2])
    )
    np.testing.assert_array_equal(ndimage.sum(1, labels, [1, 2]), [2, 1])


def test_values_may_be_no_numbers():
    image = np.array([3.0, np.nan, 1.0, -np.inf, 5.0, np.inf])
    labels = [1, 1, 1, 2, 2, 3]
    for one in (image, sa.asarray(image, format="sparse-rle")):
        np.testing.assert_array_equal(
            ndimage.minimum(one, labels, [1, 2, 3]), [np.nan, -np.inf, np.inf]
        )
        np.testing.assert_array_equal(ndimage.maximum(one, labels, [1, 2, 3]), [np.nan, 5, np.inf])


def test_objects_are_slices():
    rng = np.random.default_rng(0)
    for shape in ((12,), (5, 6), (3, 4, 5)):
        labels = rng.choice([-1, 0, 0, 2, 3, 5], shape)
        for most in (0, 3, 9):
            found = ndimage.find_objects(sa.asarray(labels, format="sparse-rle"), most)
            assert found == ndi.find_objects(labels, most)
    assert ndimage.find_objects(np.zeros((3, 4), int)) == []


def test_arguments_are_scipys():
    for name in (*NUMBERS, *PLACES, "find_objects"):
        theirs = inspect.signature(getattr(ndi, name)).parameters
        assert list(inspect.signature(getattr(ndimage, name)).parameters) == list(theirs)
    with pytest.raises(TypeError, match="labels are integers"):
        ndimage.mean(np.ones(3), np.ones(3), 1)
    with pytest.raises(TypeError, match="real numbers"):
        ndimage.mean(1j * np.ones(3), np.ones(3, int), 1)
    with pytest.raises(ValueError, match="broadcast"):
        ndimage.mean(np.ones(3), np.ones(4, int), 1)
