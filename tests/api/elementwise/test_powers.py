"""Powers: of booleans, and of integers by negative numbers."""

import numpy as np
import pytest

import structarr as sa

FLAGS = np.array([True, False, True])


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, True, 2.0, np.int64(2)])
@pytest.mark.parametrize("format", ["dense", "list"])
def test_powers_of_booleans(exponent: object, format: str) -> None:
    array = sa.asarray(FLAGS, format=format)
    for got, want in (
        (array**exponent, FLAGS**exponent),
        (np.power(array, exponent), np.power(FLAGS, exponent)),
    ):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.todense(), want)


@pytest.mark.parametrize("format", ["dense", "list"])
def test_negative_powers_of_integers_are_refused_where_there_are_any(format: str) -> None:
    with pytest.raises(ValueError, match="negative integer powers"):
        np.power(sa.asarray([2, 0], format=format), -1)
    nothing = np.power(sa.asarray(np.zeros(0, "int16"), format=format), -1)
    assert nothing.todense().shape == (0,) and nothing.dtype == np.int16
