"""Choices and limits that NumPy refuses for their dtypes."""

from typing import Any

import numpy as np
import pytest

import structarr as sa

FLAGS = np.array([True, False, False])


def select(value: Any, dtype: str, make: Any) -> Any:
    """One of a number and an array; where neither is chosen, zero."""
    return np.select([make(FLAGS), make(~FLAGS)], [value, make(np.ones(3, dtype))], 0)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint64", "float32", "complex64"])
@pytest.mark.parametrize("value", [False, 0, -1, 2.5, 1j])
def test_select_between_a_number_and_an_array(value: Any, dtype: str) -> None:
    try:
        want = select(value, dtype, np.asarray)
    except TypeError:
        with pytest.raises(TypeError, match="give choice 0 as an array of"):
            select(value, dtype, sa.asarray)
        return
    got = select(value, dtype, sa.asarray)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got.todense(), want)


@pytest.mark.parametrize("format", ["dense", "list"])
def test_booleans_are_not_clipped_by_nothing(format: str) -> None:
    with pytest.raises(TypeError):
        np.clip(FLAGS, None, None)
    with pytest.raises(TypeError, match="positive"):
        np.clip(sa.asarray(FLAGS, format=format), None, None)
    kept = np.clip(sa.asarray(FLAGS, format=format), False, None)
    assert kept.dtype == bool
    np.testing.assert_array_equal(kept.todense(), FLAGS)
