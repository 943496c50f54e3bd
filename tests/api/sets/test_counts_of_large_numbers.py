"""Counts for each number up to the largest, which an array of a few numbers does not announce."""

import numpy as np
import pytest

import structarr as sa
from structarr.errors import DensificationError


@pytest.mark.parametrize("format", ["dense", "list"])
@pytest.mark.parametrize("number", [2**32 - 1, 2**62])
def test_more_counts_than_the_limit_are_refused(number: int, format: str) -> None:
    array = sa.asarray(np.array([0, number, 0]), format=format)
    with pytest.raises(DensificationError, match="a count for each number up to"):
        np.bincount(array)


@pytest.mark.parametrize("format", ["dense", "list"])
def test_counts_within_the_limit_are_numpys(format: str) -> None:
    for numbers in ([0, 5, 0, 2], [True, False], [0, 0], np.zeros(0, np.int64)):
        for least in (0, 9):
            array = sa.asarray(np.asarray(numbers), format=format)
            want = np.bincount(numbers, minlength=least)
            np.testing.assert_array_equal(np.bincount(array, minlength=least).todense(), want)
    with sa.options(densify_limit=8 * 5):
        few = sa.asarray(np.array([0, 4, 0]), format=format)
        assert np.bincount(few).tolist() == [2, 0, 0, 0, 1]
