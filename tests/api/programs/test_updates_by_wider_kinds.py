"""Updates by numbers that the dtype of what is updated does not hold."""

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

GIVEN = {
    "bool": np.array([True, False, True]),
    "int8": np.array([-2, 1, 3], np.int8),
    "uint8": np.array([2, 1, 3], np.uint8),
    "float32": np.array([-2.0, 1.0, 0.5], np.float32),
}


def _updated(dtype: str, update: str) -> tuple[np.ndarray, np.ndarray]:
    """A result of the library, and of plain Python."""
    text = f"def program(y):\n    for i in range(3):\n        {update}\n    return y\n"
    names: dict = {}
    exec(text, names)
    with sa.options(tier="interpreted"):
        got = sa.kernel(text)(y=GIVEN[dtype]).todense()
    return got, names["program"](GIVEN[dtype].copy())


@pytest.mark.parametrize(
    ("dtype", "update"),
    [
        ("bool", "y[i] &= 2"),
        ("bool", "y[i] ^= i"),
        ("bool", "y[i] += i"),
        ("bool", "y[i] = min(y[i], -1)"),
        ("int8", "y[i] += 1.7"),
        ("int8", "y[i] *= i / 2"),
        ("uint8", "y[i] += 0.5"),
        ("float32", "y[i] += 1j"),
    ],
)
def test_what_python_would_compute_in_another_dtype_is_refused(dtype: str, update: str) -> None:
    with pytest.raises(ProgramError, match=f"values do not go into y, which is {dtype}"):
        _updated(dtype, update)


@pytest.mark.parametrize(
    ("dtype", "update"),
    [
        ("bool", "y[i] &= 1"),
        ("bool", "y[i] |= i < 2"),
        ("bool", "y[i] = 2"),
        ("int8", "y[i] += 2.0"),
        ("int8", "y[i] = 1.7"),
        ("uint8", "y[i] = max(y[i], i)"),
        ("float32", "y[i] += i * 0.5"),
    ],
)
def test_what_fits_is_what_python_computes(dtype: str, update: str) -> None:
    got, want = _updated(dtype, update)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


def test_booleans_are_not_subtracted() -> None:
    with pytest.raises(ProgramError, match="y is bool, and NumPy subtracts no booleans"):
        _updated("bool", "y[i] -= True")
