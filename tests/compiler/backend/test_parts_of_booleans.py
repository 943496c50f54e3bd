"""Truth values have parts in compiled kernels, as helpers take numbers of any type apart."""

from __future__ import annotations

from typing import Any

import pytest

import structarr._compiler.backend.numba.jitted  # noqa: F401  which tells Numba of them

numba = pytest.importorskip("numba")


def parts(value: Any) -> Any:
    return value.real, value.imag


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_has_parts(value: bool) -> None:
    assert numba.njit(parts)(value) == (value, False)
