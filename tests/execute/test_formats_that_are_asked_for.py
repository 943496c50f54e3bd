"""Values in a format that is asked for: it is that very format, whatever the operands have."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Format, SparseList


@pytest.mark.parametrize("shape", [(3, 4), (0, 0)])
@pytest.mark.parametrize("fill", [0.0, np.nan])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_dense_sums_have_the_index_dtype_that_is_asked_for(shape, fill, index):
    values = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    lists = Format(SparseList(SparseList()), (0, 1), "int32")
    array = sa.asarray(values, fill_value=fill).asformat(lists)
    asked = Format(Dense(), (0,), index)
    found = np.einsum("iu->u", array).asformat(asked)
    assert repr(found.format) == repr(sa.zeros(2).asformat(asked).format)
    np.testing.assert_array_equal(found.todense(), values.sum(axis=0))
