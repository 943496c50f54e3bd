"""Sums of runs and fills: a value counted is what adding it up gives, infinities of numbers too."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

PARTS = (0.0, -1.5, np.inf, -np.inf, np.nan)
VALUES = [complex(re, im) for re in PARTS for im in PARTS]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.float64])
@pytest.mark.parametrize("format", ["dense", "csr", "rle", "sparse-rle", "band", "constant"])
def test_sums_of_equal_elements(format: str, dtype: type[np.inexact]) -> None:
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        for value in VALUES:
            one = np.array(value).astype(dtype) if dtype is not np.float64 else value.real
            dense = np.full((3, 5), one, dtype)
            array = sa.asarray(dense, format=format)
            for axis in (0, 1, None):
                got = np.asarray(sa.sum(array, axis=axis))
                np.testing.assert_array_equal(got, dense.sum(axis=axis), err_msg=f"{one} {axis}")


def test_complex_elements_are_not_multiplied_by_one() -> None:
    array = sa.asarray(np.eye(6) * 1j, format="csr")
    assert "*" not in sa.explain(array.sum(axis=1)).kernel
