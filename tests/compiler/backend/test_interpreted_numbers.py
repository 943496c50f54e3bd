"""The interpreted tier computes with NumPy's numbers where kernels have Python's in their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa

X = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, -1.0]])
N = np.array([[0, 2, 0], [3, 0, -1]])
NONE = np.array([False, False])


@pytest.fixture(
    params=["interpreted", pytest.param("compiled", marks=pytest.mark.long)], autouse=True
)
def tier(request: pytest.FixtureRequest) -> Iterator[None]:
    with sa.options(tier=request.param):
        yield


pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice")

EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "negated": lambda x, n: np.sum(~np.isnan(np.maximum(x * 0.5, x)), axis=0),
    "divided": lambda x, n: np.maximum(n, 0) // np.maximum(n, 0),
    "remainders": lambda x, n: np.minimum(n, 0) % np.minimum(n, 0),
    "floats": lambda x, n: np.fmax(x, 0.0) / np.fmin(x, 0.0),
    "means of nothing": lambda x, n: np.mean(x[:, 1], where=NONE).astype(np.int8),
}


@pytest.mark.parametrize("format", ["dense", "csr", "csc", "packbits", "rle"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_numbers_are_numpys(name: str, format: str) -> None:
    with np.errstate(all="ignore"), sa.options(strict_ieee=True):
        found = EXPRESSIONS[name](sa.asarray(X, format=format), sa.asarray(N, format=format))
        wanted = EXPRESSIONS[name](X, N)
        np.testing.assert_array_equal(np.asarray(found), wanted)


@pytest.mark.parametrize("name", ["negated", "divided"])
def test_compiled_numbers_are_numpys(name: str) -> None:
    with sa.options(tier="compiled"):
        test_numbers_are_numpys(name, "csr")


@pytest.mark.parametrize("format", ["dense", "csr", "dcsr", "vbl", "band", "rle"])
def test_counts_wrap_around(format: str) -> None:
    x = np.zeros((4, 9))
    x[1, 4] = x[3, 2] = 2.5
    with np.errstate(all="ignore"), sa.options(strict_ieee=True):
        for axis in (0, 1):  # of NaN, which is the least integer
            found = np.sum(sa.asarray(x, format=format) % 0.0, axis=axis, dtype=np.int64)
            np.testing.assert_array_equal(found.todense(), np.sum(x % 0.0, axis, np.int64))


NEGATED = """
def program(x, c):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for _j in range(2):
            if i >= i - c:
                y[i] += 1
            else:
                y[i] += 7
    return y
"""


@pytest.mark.parametrize("c", [-1, 0, 2])
def test_a_comparison_of_indices_is_negated_as_a_truth(c: int) -> None:
    found = sa.kernel(NEGATED)(np.zeros(3), c)
    np.testing.assert_array_equal(found.todense(), np.full(3, 2.0 if c >= 0 else 14.0))
