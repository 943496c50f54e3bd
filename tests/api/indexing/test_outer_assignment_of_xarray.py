"""Assignment as xarray's adapter for the array API calls it: by arrays of places of each axis."""

import numpy as np
import pytest

import structarr as sa

# The adapter's method, in a module of its name.
ADAPTER = {"__name__": "xarray.core.indexing"}
exec("def _oindex_set(array, key, value):\n    array[key] = value", ADAPTER)

KEYS = [
    (np.array([0, 1]), np.array([1, 2]), slice(None)),
    (np.array([0, 2]), np.array([1, 3, 0]), np.array([1])),
    (np.array([0, 2]), slice(0, 3, 2), np.array([0, 1])),
    (slice(None), np.array([3]), np.array([1, 0])),
    (np.array([2, 0]), 1, np.array([1, 0])),
    (np.array([2, 0]), slice(1, 3), slice(None)),
    (1, slice(None), 0),
]


def outer(data, key, value):
    """What an outer index assigns to, axis by axis."""
    places = [np.atleast_1d(np.arange(n)[part]) for part, n in zip(key, data.shape, strict=True)]
    want = data.copy()
    region = want[np.ix_(*places)]
    want[np.ix_(*places)] = np.broadcast_to(value, _kept(key, data.shape)).reshape(region.shape)
    return want


def _kept(key, shape):
    parts = (np.arange(n)[part] for part, n in zip(key, shape, strict=True))
    return tuple(len(part) for part in parts if part.ndim)


@pytest.mark.parametrize("format", ["dense", "list", "coo"])
@pytest.mark.parametrize("key", KEYS)
def test_outer_assignment_reaches_every_pair_of_places(format, key):
    data = np.arange(24.0).reshape(3, 4, 2) % 5
    shape = _kept(key, data.shape)
    for value in (np.full((1,) * len(shape), 7.0), 10 + np.arange(np.prod(shape)).reshape(shape)):
        a = sa.asarray(data, format=format)
        ADAPTER["_oindex_set"](a, key, value)
        assert np.array_equal(a.todense(), outer(data, key, value))


def test_others_pair_the_places_as_numpy_does():
    a, want = sa.asarray(np.zeros((3, 4)), format="csr"), np.zeros((3, 4))
    a[np.array([0, 1]), np.array([1, 2])] = np.array([[7.0]])
    want[np.array([0, 1]), np.array([1, 2])] = np.array([[7.0]])
    assert np.array_equal(a.todense(), want)
    a[np.ix_([0, 1], [1, 2])] = 7.0
    assert a.nstored == 4
