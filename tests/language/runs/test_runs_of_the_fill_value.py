"""Arrays computed of others may store runs of their fill value, which programs do not see."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as ndi

import structarr as sa
from structarr import masks, ndimage, runs


@sa.kernel
def _counted(rows):
    """How many runs there are, and the elements that they cover."""
    found = np.zeros(2, np.int64)
    for i in range(rows.shape[0]):
        for start, stop, _value in runs(rows[i]):
            found[0] += 1
            found[1] += stop - start
    return found


def _pair(dtype, fill):
    rng = np.random.default_rng(0)
    pixels = [rng.integers(0, 2, (6, 11)).astype(dtype) for _ in range(2)]
    return pixels, [sa.asarray(one, format="sparse-rle", fill_value=fill) for one in pixels]


@pytest.mark.parametrize("fill", [0, 1])
@pytest.mark.parametrize("dtype", [bool, np.int16, np.float32])
def test_programs_leave_out_what_has_the_fill_value(dtype, fill):
    pixels, (one, other) = _pair(dtype, fill)
    for change in (np.minimum, np.maximum, np.multiply, np.not_equal):
        array, wanted = change(one, other), change(*pixels)
        again = sa.asarray(wanted, format="sparse-rle", fill_value=array.fill_value)
        assert _counted(array).tolist() == _counted(again).tolist()
        assert _counted(array).tolist() == _counted(again).tolist()  # what the array remembers
        np.testing.assert_array_equal(array.todense(), wanted)


def test_components_and_regions_of_what_was_computed():
    (a, b), (one, other) = _pair(bool, 0)
    for found, wanted in ((one ^ other, a ^ b), (one & ~other, a & ~b), (~one | other, ~a | b)):
        np.testing.assert_array_equal(ndimage.label(found)[0].todense(), ndi.label(wanted)[0])
        grown = ndimage.binary_dilation(found, size=3)
        wide = ndi.binary_dilation(wanted, np.ones((3, 3)))
        np.testing.assert_array_equal(grown.todense(), wide)
        assert masks.area(found).tolist() == [wanted.sum()]
        assert masks.to_rle(found) == masks.to_rle(wanted)
    labels = sa.asarray(ndi.label(a)[0], format="sparse-rle") * other
    assert ndimage.regions(labels)["label"].tolist() == np.unique(ndi.label(a)[0] * b)[1:].tolist()
    numbered = ndimage.label(labels, by_value=True)[0].todense()
    assert not numbered[labels.todense() == 0].any()


def test_runs_of_fill_between_nan():
    row = sa.asarray(np.array([[np.nan, 1.0, 1.0, np.nan]]), format="sparse-rle", fill_value=np.nan)
    assert _counted(row * 1.0).tolist() == [1, 2]
