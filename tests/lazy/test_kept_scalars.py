"""Scalars that operations keep: one object from the second time on, and never another number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

NUMBERS = [2.0, 0.0, -0.0, 1.0, float("nan"), -1.0, float("inf"), 2, 0, 1, True, False, -2]
NUMBERS += [2j, complex(0.0, -0.0), complex(1.0, -0.0), complex(1.0, 0.0), 2.0, -0.0, 0.0, 1]

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "left": lambda x, value: value * x,
    "right": lambda x, value: x * value,
    "quotient": lambda x, value: x / value,
    "blend": lambda x, value: value * x + 3.0,
    "two": lambda x, value: (x + value) * value,
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("format", ["dense", "list"])
def test_numbers_of_one_operation_stay_apart(name: str, format: str) -> None:
    """Zeros of both signs, and numbers that Python takes for equal, one after another."""
    data = np.array([0.0, 1.5, 0.0, -2.0])
    x = sa.asarray(data, format=format)
    for value in [*NUMBERS, *NUMBERS[::-1]]:
        found, want = np.asarray(OPERATIONS[name](x, value)), OPERATIONS[name](data, value)
        np.testing.assert_array_equal(found, want, repr(value))
        assert found.dtype == want.dtype
        if format == "list":
            continue  # zeros that are not stored have no sign
        both = [np.signbit(part) for one in (found, want) for part in (one.real, one.imag)]
        unlike = np.isnan(want)  # whose signs nobody promises
        np.testing.assert_array_equal(both[0] | unlike, both[2] | unlike, repr(value))


def test_many_numbers_are_right() -> None:
    x = sa.asarray([1.0, 0.0, 2.0], format="list")
    for value in np.linspace(-3, 3, 301).tolist():
        np.testing.assert_array_equal(
            np.asarray(x * value + value), np.array([1.0, 0, 2]) * value + value
        )
