"""Rows of SciPy's matrices whose places are checked: short and empty ones among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._compiler.backend.call import call
from structarr.errors import FormatError

RNG = np.random.default_rng(5)


def falls(ptr: Any, idx: Any, dim: int, kind: str) -> int:
    return int(call("count_falls", (np.array(ptr, kind), np.array(idx, kind), dim), (), len(idx)))


@pytest.mark.parametrize("kind", ["int32", "int64"])
@pytest.mark.parametrize("tier", ["auto", "compiled"])
def test_falls_within_rows_are_counted(kind: str, tier: Any) -> None:
    with sa.options(tier=tier):
        assert falls([0, 0, 0], [], 3, kind) == 0
        assert falls([0, 1], [2], 3, kind) == 0
        assert falls([0, 0, 1, 1], [2], 3, kind) == 0
        assert falls([0, 2, 2, 4, 4], [1, 2, 0, 2], 3, kind) == 0
        assert falls([0, 0, 4], [1, 2, 0, 2], 3, kind) == 1
        assert falls([0, 3, 4], [1, 2, 2, 2], 3, kind) == 1
        assert falls([0, 1, 1, 1, 2, 3], [2, 1, 0], 3, kind) == 0
        assert falls([0, 2], [-1, 2], 3, kind) == falls([0, 2], [1, 3], 3, kind) == -1
        assert falls([0, 3], [1, 3, 2], 3, kind) == -1
        assert falls([0, 2, 2, 4], [1, 2, -1, 0], 3, kind) == -1  # at the ends of rows that rise
        assert falls([0, 2, 2, 4], [1, 3, 0, 2], 3, kind) == -1
        assert falls([0, 2, 2, 4, 4], [1, 2, 0, 3], 3, kind) == -1


@pytest.mark.parametrize("most", [1, 3, 40])
@pytest.mark.parametrize("bad", ["no", "order", "range"])
def test_matrices_of_short_rows_are_read_or_refused(most: int, bad: str) -> None:
    lengths = RNG.integers(0, most + 1, 20_000)
    ptr = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.concatenate([np.sort(RNG.permutation(50)[:one]) for one in lengths])
    if bad == "order":  # in the longest row; of single entries none is out of order
        longest = int(lengths.argmax())
        columns[ptr[longest] : ptr[longest + 1]] = columns[ptr[longest] : ptr[longest + 1]][::-1]
    if bad == "range":
        columns[len(columns) // 2] = 50
    matrix = sp.csr_array((RNG.random(len(columns)), columns, ptr), (20_000, 51))
    matrix.resize(20_000, 50) if bad != "range" else matrix.__dict__.update(_shape=(20_000, 50))
    if bad == "range":
        with pytest.raises(FormatError, match="50"):
            sa.asarray(matrix)
        return
    found = sa.asarray(matrix)
    assert found.format == "csr"
    np.testing.assert_array_equal(found.todense(), matrix.toarray())
