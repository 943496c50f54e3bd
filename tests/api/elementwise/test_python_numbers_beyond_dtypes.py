"""Python's numbers that a dtype does not hold: wrapped, converted or refused as NumPy does."""

import warnings

import numpy as np
import pytest

import structarr as sa

NUMBERS = [-1, 300, 70_000, 2**40, 2**63, 2**64, -(2**63) - 1, True, 1.5, -1.5, 1e300, 1j]
NUMBERS += [float("nan"), float("inf")]
DTYPES = ["int8", "uint8", "uint16", "int64", "uint64", "float32", "complex64"]
CONDITION = np.array([True, False, True])


def assigned(x, value, key):
    y = x.copy()
    y[key] = value
    return y


def full(x, value):
    made = sa.full if isinstance(x, sa.Array) else np.full
    return made(3, value, dtype=x.dtype)


CALLS = {
    "where": lambda x, v: np.where(CONDITION, x, v),
    "where, first": lambda x, v: np.where(CONDITION, v, x),
    "add": lambda x, v: x + v,
    "add, first": lambda x, v: v + x,
    "maximum": lambda x, v: np.maximum(x, v),
    "less": lambda x, v: x < v,
    "clip": lambda x, v: np.clip(x, v, None),
    "full": full,
    "full_like": lambda x, v: np.full_like(x, v),
    "assign": lambda x, v: assigned(x, v, 1),
    "assign to a mask": lambda x, v: assigned(x, v, CONDITION),
    "assign a list": lambda x, v: assigned(x, [v, 1], slice(0, 2)),
    "insert": lambda x, v: np.insert(x, 1, v),
    "pad": lambda x, v: np.pad(x, 1, constant_values=v),
    "piecewise": lambda x, v: np.piecewise(x, [x > 1], [v]),
    "initial": lambda x, v: np.max(x, initial=v),
}


def outcome(call, x, value):
    """What a call returns, or the kind of its error."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = call(x, value)
    except (OverflowError, ValueError, TypeError) as refused:
        return type(refused).__name__
    return np.asarray(found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("format", ["dense", "list"])
def test_numbers_beyond_a_dtype(name, format):
    for dtype in DTYPES:
        x = np.array([0, 1, 1], dtype)
        with sa.options(tier="interpreted"):
            a = sa.asarray(x, format=format)
            for value in NUMBERS:
                want, found = outcome(CALLS[name], x, value), outcome(CALLS[name], a, value)
                if isinstance(want, str):
                    assert want == found, (dtype, value)
                else:
                    assert not isinstance(found, str), (dtype, value, found)
                    assert found.dtype == want.dtype
                    assert np.array_equal(found, want, equal_nan=want.dtype.kind in "fc")
