"""Bounds of what results store, computed of operands."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from structarr._execute.bound_values import _within


def test_children_of_each_nth_row_of_a_range() -> None:
    """Rows out of bounds have none."""
    lengths = [3, 0, 1, 2, 5]
    tensors: Any = [SimpleNamespace(buffers=(np.cumsum([0, *lengths], dtype=np.int32),))]
    for first, count, step in product(range(-4, 8), range(-1, 9), (1, 2, 3)):
        rows = range(first, first + count, step)
        wanted = sum(lengths[row] for row in rows if 0 <= row < len(lengths))
        assert _within(tensors, 0, first, count, step) == wanted
