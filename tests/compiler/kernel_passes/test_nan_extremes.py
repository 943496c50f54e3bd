"""Extremes that pass over NaN are those of NumPy, wherever NaN stands, and if there is no value."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import structarr as sa

nan = np.nan
VALUES = {
    "plain": [[1.0, -2.0, 3.0], [0.0, 5.0, 0.0], [0.0, 0.0, 0.0], [-1.0, -2.0, -3.0]],
    "some": [[nan, -2.0, 3.0], [0.0, nan, 0.0], [0.0, 0.0, 0.0], [-1.0, nan, -3.0]],
    "rows": [[nan, nan, nan], [0.0, nan, nan], [0.0, 0.0, 0.0], [-np.inf, nan, nan]],
    "all": [[nan, nan]],
    "infinite": [[-np.inf, nan], [np.inf, nan]],
    "none": [[-np.inf, -np.inf]],
}


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense"])
@pytest.mark.parametrize("values", VALUES)
def test_extremes_are_numpys(values: str, format: str) -> None:
    array = np.array(VALUES[values])
    stored = sa.asarray(array, format=format)
    with sa.options(tier="interpreted"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("nanmax", "nanmin"):
            for axis in (None, 0, 1):
                wanted: Any = getattr(np, name)(array, axis=axis)
                got = np.asarray(getattr(sa, name)(stored, axis=axis))
                np.testing.assert_array_equal(got, wanted, err_msg=f"{name} {axis}")


@pytest.mark.usefixtures("as_shipped")
def test_a_straight_loop_is_tried_by_vectors() -> None:
    a = sa.asarray(VALUES["some"], format="csr")
    kernel = str(sa.explain(sa.nanmax(a)).kernel)
    assert "rmax(" in kernel and kernel.count("fmax(") == 3
    assert "rmax(" not in str(sa.explain(sa.nanmax(sa.asarray([[1, 2]], format="csr"))).kernel)
