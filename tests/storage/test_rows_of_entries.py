"""The rows of entries, by pointers to where they begin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structarr._compiler.backend.call import call
from structarr._compiler.runtime.lists import spread_rows

CASES = [(0, 0), (1, 0), (5, 0), (10, 3), (10, 9), (10, 100), (1000, 50), (300, 2400), (10, 500)]


def pointers(rows: int, count: int) -> tuple[Any, Any]:
    """Pointers to rows, of which the first and the last ones are empty, and the rows of entries."""
    random = np.random.default_rng(rows + count)
    found = np.sort(random.integers(rows // 4, max(rows - rows // 4, 1), count))
    return np.searchsorted(found, np.arange(rows + 1)), found


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize(("rows", "count"), CASES)
def test_each_entry_gets_its_row(rows: int, count: int, index: str) -> None:
    ptr, expected = pointers(rows, count)
    ptr = ptr.astype(index)
    compiled, plain = np.full((2, count), -7, index)
    call("spread_rows", (ptr,), (compiled,), 10**9)
    spread_rows(ptr, plain)
    np.testing.assert_array_equal(compiled, expected)
    np.testing.assert_array_equal(plain, expected)
