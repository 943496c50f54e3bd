"""Products of dense arrays of which one has an axis that is summed alone: in the dtype of both."""

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("text", ["iij,ju->ju", "ij,jk->jk", "bij,bjk->bk", "bijm,bjk->bmk"])
@pytest.mark.parametrize("dtypes", ["??", "?B", "bb", "HB", "fd", "Fd"])
def test_axes_that_one_factor_has_alone(text: str, dtypes: str) -> None:
    one, other = text.partition("->")[0].split(",")
    left = np.arange(2 ** len(one)).reshape((2,) * len(one)).astype(dtypes[0])
    right = np.arange(2 ** len(other)).reshape((2,) * len(other)).astype(dtypes[1])
    want = np.einsum(text, left, right)
    with sa.options(tier="interpreted"):
        lazy = np.einsum(text, sa.asarray(left), sa.asarray(right))
        got = lazy.todense()
        assert got.dtype == lazy.dtype == want.dtype
        np.testing.assert_allclose(got, want)
