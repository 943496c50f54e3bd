"""Ufuncs of `scipy.special` on our arrays: the structure of one operand stays.

The tests run under SCIPY_ARRAY_API, by which the functions of that name go another way.
"""

from typing import Any

import numpy as np
import pytest
import scipy.special._ufuncs as special

import structarr as sa
from structarr.errors import DensificationError

DENSE = np.array([[0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.5, 0.0, 0.0, 0.0]])


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("name", ["erf", "expit", "gammaln", "log_ndtr", "j0"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "band", "bitmap", "dense"])
def test_functions_of_one_array_keep_its_format(name: str, format: str) -> None:
    function = getattr(special, name)
    found = function(sa.asarray(DENSE, format=format))
    assert isinstance(found, sa.Array) and found.format == format
    assert found.fill_value == function(0.0)
    np.testing.assert_array_equal(found.todense(), function(DENSE))


def test_functions_of_an_array_and_a_number() -> None:
    array = sa.asarray(DENSE, format="csr")
    for found, wanted in (
        (special.xlogy(array, 3.0), special.xlogy(DENSE, 3.0)),
        (special.boxcox1p(array + 2, 0.5), special.boxcox1p(DENSE + 2, 0.5)),
    ):
        assert found.format == "csr"
        np.testing.assert_array_equal(found.todense(), wanted)


def test_functions_of_several_arrays_are_dense_below_the_limit() -> None:
    array = sa.asarray(np.abs(DENSE), format="csr")
    found = special.xlogy(array, np.ones((3, 4)))
    np.testing.assert_array_equal(found.todense(), special.xlogy(abs(DENSE), np.ones((3, 4))))
    wide = sa.from_coordinates(([0], [5]), [1.0], (10**7, 10**7))
    with pytest.raises(DensificationError, match="xlogy"):
        special.xlogy(wide, wide)
    assert special.erf(wide).nnz == 1


def test_stored_values_that_are_not_elements() -> None:
    for array in (sa.arange(4000), sa.eye(3), sa.asarray([[1, 1j], [-1j, 2]], format="hermitian")):
        with np.errstate(all="ignore"):
            wanted = special.expit(array.todense().real)
        found = special.expit(array.real)
        np.testing.assert_allclose(found.todense(), wanted)
