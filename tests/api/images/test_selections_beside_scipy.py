"""Medians, histograms, places of values, and functions of a user, under labels, beside SciPy."""

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

INDICES = (None, 1, 2, 0, -1, 9, [1, 2], [2, 0, 7, -1, 1, 2], np.arange(4), range(1, 3), [])
FORMATS = [("dense", "sparse-rle"), ("sparse-rle", "rle"), ("rle", "dense"), ("csr", "dense")]


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _theirs(name, *args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return getattr(ndi, name)(*args)


def _equal(found, wanted):
    assert np.shape(found) == np.shape(wanted)
    if np.ndim(wanted) and wanted.dtype == object:
        assert found.dtype == object
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)
            assert (one is None) == (other is None)
    else:
        np.testing.assert_array_equal(found, wanted)


def _summary(values, places=None):
    """A number for values and their places, in whatever order SciPy has sorted them."""
    order = np.argsort(values if places is None else places)
    weights = np.arange(1, len(values) + 1) if places is None else 1 + places[order]
    return float(values[order].astype(float) @ weights)


@pytest.mark.parametrize("formats", FORMATS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_selections_are_scipys(formats, data):
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 8)))
    dtype = data.draw(st.sampled_from(["int16", "uint8", "float32", "float64", "bool"]))
    image = data.draw(arrays(np.int8, shape, elements=st.integers(0, 9))).astype(dtype)
    labels = data.draw(arrays(np.int8, shape, elements=st.integers(-1, 3)))
    stored, own = sa.asarray(image, format=formats[0]), sa.asarray(labels, format=formats[1])
    for index in INDICES:
        listed = list(index) if isinstance(index, range) else index
        found = ndimage.median(stored, own, index)
        if np.ndim(found):
            there = np.isin(listed, labels)
            wanted = _theirs("median", image, labels, np.array(listed, int))
            assert found.dtype == wanted.dtype
            _equal(found, np.where(there, wanted, np.nan))
        else:
            _equal(found, _theirs("median", image, labels, listed))
        if isinstance(index, list) and not index:
            continue  # SciPy raises an error of its own
        wanted = _theirs("histogram", image, 0, 8, 5, labels, listed)
        _equal(ndimage.histogram(stored, 0, 8, 5, own, index), wanted)
        for places in (False, True):
            args = (listed, _summary, float, -1.0, places)
            wanted = _theirs("labeled_comprehension", image, labels, *args)
            _equal(ndimage.labeled_comprehension(stored, own, *args), wanted)
    _equal(ndimage.median(stored), _theirs("median", image))
    _equal(ndimage.histogram(stored, 1, 7, 3), _theirs("histogram", image, 1, 7, 3))
    args = (None, None, _summary, float, 0, True)
    _equal(
        ndimage.labeled_comprehension(stored, *args), _theirs("labeled_comprehension", image, *args)
    )


@pytest.mark.parametrize("shape", [(9,), (6, 7), (3, 4, 5), (1, 8), (8, 1)])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64"])
def test_places_of_values_are_scipys(shape, dtype):
    labels = np.random.default_rng(0).choice([0, 0, 0, 1, 2, 7], shape).astype(dtype)
    for ignored in (None, 0, 2, 5):
        wanted = ndi.value_indices(labels, ignore_value=ignored)
        for format in ("dense", "sparse-rle", "rle"):
            found = ndimage.value_indices(sa.asarray(labels, format=format), ignore_value=ignored)
            assert sorted(found) == sorted(wanted)
            for value, places in wanted.items():
                assert all(map(np.array_equal, found[value], places))
    assert ndimage.value_indices(np.zeros((2, 0), int)) == {}
    with pytest.raises(TypeError, match="integers"):
        ndimage.value_indices([1.5])


def test_values_may_be_no_numbers():
    image, labels = np.array([3.0, np.nan, 1.0, 5.0, np.nan, 4.0]), [1, 1, 1, 2, 0, 2]
    for one in (image, sa.asarray(image, format="rle")):
        assert np.isnan(ndimage.median(one, labels, 1))  # as SciPy: NaN wins for one label
        np.testing.assert_array_equal(ndimage.median(one, labels, [1, 2]), [3, 4.5])
        np.testing.assert_array_equal(
            ndimage.histogram(one, 0, 6, 3, labels), ndi.histogram(image, 0, 6, 3, labels)
        )


def test_an_index_needs_labels():
    with pytest.raises(ValueError, match="labels"):
        ndimage.labeled_comprehension([1, 2], None, 1, np.sum, int, 0)


def test_what_a_function_returns_may_be_any_object():
    found = ndimage.labeled_comprehension([4, 5, 6], [2, 1, 2], [1, 2, 3], list, object, None)
    assert found.tolist() == [[5], [4, 6], None]


def test_arguments_are_scipys():
    for name in ("median", "histogram", "labeled_comprehension", "value_indices"):
        own = inspect.signature(getattr(ndimage, name)).parameters
        assert list(own) == list(inspect.signature(getattr(ndi, name)).parameters)
