"""Powers of booleans by the operator, which NumPy squares in int8, and by the function."""

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
