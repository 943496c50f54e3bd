"""Conditions around loops that append, and starts below zero: kernels beside their own function."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

DENSE = np.array(
    [[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [4.0, 0.0, -5.0], [6.0, 7.0, 0.0]]
)
WEIGHTS = np.array([9.0, 1.0, 9.0, 9.0, 1.0])


@sa.kernel
def kept_rows(A, w):
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        if w[i] > 5:
            for j in range(A.shape[1]):
                B[i, j] = A[i, j]
    return B


@sa.kernel
def normalized_rows(A, w):
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[i, j]
        if total != 0:
            for j in range(A.shape[1]):
                B[i, j] = w[i] * A[i, j] / total
    return B


@sa.kernel
def greatest_from_below(A, w):
    y = np.full(A.shape[0], -np.inf)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i] = max(y[i], A[i, j] - w[i])
    return y


@sa.kernel
def greatest_by_a_temporary(A, w):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        most = -1.5
        for j in range(A.shape[1]):
            most = max(most, A[i, j] - w[i])
        y[i] = most
    return y


@sa.kernel
def greatest_of_all(A, w):
    most = -np.inf
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            most = max(most, A[i, j] - w[i])
    return most


@pytest.mark.parametrize("format", ["csr", "dcsr", "csc", "band", "vbl", "coo", "rle", "dense"])
@pytest.mark.parametrize(
    "kernel",
    [kept_rows, normalized_rows, greatest_from_below, greatest_by_a_temporary, greatest_of_all],
    ids=lambda kernel: kernel.__name__,
)
def test_kernels_give_what_their_functions_give(kernel: Any, format: str) -> None:
    found = kernel(sa.asarray(DENSE, format=format), WEIGHTS)
    np.testing.assert_array_equal(found.todense(), kernel.py_func(DENSE, WEIGHTS))
