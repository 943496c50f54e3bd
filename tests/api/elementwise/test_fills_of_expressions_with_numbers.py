"""What is not stored in an expression with numbers: computed when its kernel is called."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "the least of both": lambda a: np.minimum(a, 3) / a,
    "the greatest of both": lambda a: np.maximum(a, -3) / a,
    "a product": lambda a: (a * 3) / a,
    "an angle": lambda a: np.arctan2(a, 3) // a,
    "a remainder": lambda a: (a * 2.5) % a,
    "a product with infinity": lambda a: (a * 3) * (1 / a),
    "clipped": lambda a: np.clip(a, None, 3) / a,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("format", ["list", "sparse-rle"])
def test_fills_are_numpys_under_strict_ieee(name: str, format: str) -> None:
    data = np.array([0.0, 0.0, 2.0, 0.0])
    with sa.options(tier="interpreted", strict_ieee=True), np.errstate(all="ignore"):
        lazy = EXPRESSIONS[name](sa.asarray(data, format=format))
        known = lazy.fill_value
        result = lazy.compute()
        np.testing.assert_array_equal(result.todense(), EXPRESSIONS[name](data))
        np.testing.assert_array_equal(result.fill_value, known)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_structural_zeros_annihilate_by_default(name: str) -> None:
    data = np.array([0.0, 0.0, 2.0, 0.0])
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        result = EXPRESSIONS[name](sa.asarray(data, format="list")).compute()
        assert result.fill_value == 0
        np.testing.assert_array_equal(result.todense()[2], EXPRESSIONS[name](data)[2])
