"""Calls of NumPy's functions warn of nothing, whatever callers and finalizers do."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from structarr._support.quiet import quietly


def _nan() -> float:
    return float(quietly(np.multiply, np.inf, 0.0))


def test_nothing_is_warned_of_and_the_callers_state_stays() -> None:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert np.isnan(_nan())
        assert np.isnan(quietly(_nan))  # within another call, as a finalizer may be
        with ThreadPoolExecutor(2) as pool:
            assert np.isnan([one.result() for one in [pool.submit(_nan) for _ in range(4)]]).all()
        with pytest.raises(FloatingPointError):
            np.multiply(np.inf, 0.0)


def test_errors_of_the_function_are_raised() -> None:
    with pytest.raises(ValueError, match="core dimension"):
        quietly(np.matmul, np.ones(2), np.ones(3))
