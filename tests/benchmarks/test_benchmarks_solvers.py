"""The programs of `solvers` give the same with SciPy's arrays and ours, in every run."""

from __future__ import annotations

import pytest

from benchmarks.solvers import _cases, compared

CASES = list(_cases(quick=True))


@pytest.mark.parametrize("case", CASES, ids=[program.__name__ for program, _ in CASES])
def test_programs_agree(case) -> None:
    program, (matrix, vector) = case
    rows = list(compared(program, matrix, vector, 0.0))
    assert [one.variant for one in rows] == ["first", "second", "later"]
    assert all(one.checked for one in rows)
