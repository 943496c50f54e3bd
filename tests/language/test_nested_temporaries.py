"""Temporaries that are made of others, in loops in each other."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

A = np.array([[0, 2, 0, -1], [1, 0, 3, 3], [0, 0, 0, 0]])
X = np.array([1, 2, 3, -2])

PROGRAMS = {
    "beside the sum that reads them": """
def program(A, x):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            v = A[i, j] * x[j]
            w = v + 1
            t += v * w
        y[i] = t * 2
    return y
""",
    "of rows of one matrix": """
def program(A, x):
    y = np.zeros((A.shape[0], A.shape[0]))
    for i in range(A.shape[0]):
        for k in range(A.shape[0]):
            t = 0
            for j in range(A.shape[1]):
                v = A[i, j] - A[k, j]
                t += v * v
            y[i, k] = t
    return y
""",
    "of sums of their own": """
def program(A, x):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 0
        for j in range(A.shape[1]):
            u = 0
            for k in range(A.shape[0]):
                u += A[k, j]
            v = u * x[j]
            t += v * A[i, j]
        y[i] = t
    return y
""",
}


@pytest.mark.parametrize("format", ["csr", "rle", "coo", "dense"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_temporaries_of_temporaries(name: str, format: str) -> None:
    names = {"np": np}
    exec(PROGRAMS[name], names)
    with sa.options(tier="interpreted"):
        for dtype in ("int64", "float64", "int8"):
            held = A.astype(dtype), X.astype(dtype)
            wanted = names["program"](*held)  # type: ignore[operator]
            found = sa.kernel(PROGRAMS[name])(sa.asarray(held[0], format=format), held[1])
            np.testing.assert_array_equal(np.asarray(found), wanted)


def test_a_name_without_a_value_is_refused() -> None:
    text = PROGRAMS["beside the sum that reads them"].replace("w = v + 1", "z = v + 1")
    with pytest.raises(ProgramError, match="w is not known here"):
        sa.kernel(text)(A, X)


def test_a_temporary_is_read_by_the_index_of_the_loop_that_makes_it() -> None:
    text = """
def program(A, B):
    y = np.zeros(1)
    for p in range(1, A.shape[0]):
        for j in range(1):
            t = np.zeros(1)
            for i in range(1):
                t[i] += B[1, 1]
            for q in range(2):
                if t[walk(j)] != 0:
                    y[j] += 1
    return y
"""
    given = {"A": sa.asarray(np.ones((17, 3))), "B": sa.asarray(np.ones((3, 17)))}
    with sa.options(tier="interpreted"):
        assert sa.kernel(text)(**given).tolist() == [32.0]
