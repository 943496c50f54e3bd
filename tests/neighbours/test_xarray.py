"""Labelled arrays of xarray over ours: what they read and assign by outer indices."""

import numpy as np
import pytest
import xarray

import structarr as sa

KEYS = [{"t": [0, 1], "x": [1, 2]}, {"t": [2, 0]}, {"t": 1, "x": [0, 3]}, {"x": slice(1, 3)}]


def labelled(data):
    return xarray.DataArray(data, dims=("t", "x"))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("format", ["csr", "dense", "rle"])
def test_outer_indices_are_those_of_numpys_arrays(key, format):
    data = np.arange(12.0).reshape(3, 4) % 5
    ours, theirs = labelled(sa.asarray(data, format=format)), labelled(data)
    assert np.array_equal(ours[key].data.todense(), theirs[key].data)
    for value in (7.0, theirs[key].data * 10):
        ours, theirs = labelled(sa.asarray(data, format=format)), labelled(data.copy())
        ours[key] = value
        theirs[key] = value
        assert isinstance(ours.data, sa.Array)
        assert np.array_equal(ours.data.todense(), theirs.data)
