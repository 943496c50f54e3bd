"""Functions of numbers alone, without an array beside them, called more than once."""

from __future__ import annotations

import numpy as np

import structarr as sa


def test_functions_of_numbers_alone_may_be_called_again() -> None:
    for value in (2.0, 0.5, 2.0):
        assert float(sa.exp(value)) == np.exp(value)
        assert int(sa.negative(3)) == -3
        assert float(sa.multiply(value, 3.0)) == value * 3.0
        assert int(sa.clip(5, 1, 3)) == 3
        assert float(sa.where(True, value, 1.0)) == value
