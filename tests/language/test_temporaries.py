"""Temporaries that begin at other than zero, in programs whose results may be sparse."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

DATA = np.array([[0, 2.0, 0], [0, 0, 0], [1.5, 0, -4.0], [0, 0, 0], [0, 0, 3.0]])


def counted_from_one(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 1.0
        for j in range(A.shape[1]):
            t += A[i, j]
        y[i] = t
    return y


def product(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 1.0
        for j in range(A.shape[1]):
            t *= A[i, j]
        y[i] = t
    return y


def least_of_five(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 5.0
        for j in range(A.shape[1]):
            t = min(t, A[i, j])
        y[i] += t
    return y


def two(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t, s = 0.0, 3.0
        for j in range(A.shape[1]):
            t = max(t, A[i, j])
            s += A[i, j]
        y[i] = t * s
    return y


def row_of_ones(A):
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        w = np.ones(A.shape[1])
        for j in range(A.shape[1]):
            w[j] += A[i, j]
        for j in range(A.shape[1]):
            B[i, j] = w[j]
    return B


def chosen(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        if A[i, 0] > 0:  # noqa: SIM108  both arms give the scalar its value
            t = 2.0
        else:
            t = 3.0
        y[i] = t
    return y


def named(A):
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            t = A[i, j] * 2
            B[i, j] = t
    return B


def norms(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            t += A[i, j] * A[i, j]
        s = np.sqrt(t)
        y[i] = s
    return y


PROGRAMS = (counted_from_one, product, least_of_five, two, row_of_ones, chosen, named, norms)


@pytest.mark.parametrize("format", ["dense", "csr", "dcsr", "coo", "rle"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_start_that_is_not_zero_is_no_fill(program, format: str) -> None:
    found = sa.kernel(program)(sa.asarray(DATA, format=format))
    np.testing.assert_allclose(found.todense(), program(DATA))


@pytest.mark.parametrize(
    ("program", "format"), [(named, "csr"), (named, "dcsr"), (norms, "list"), (product, "dense")]
)
def test_a_temporary_hands_on_structure(program, format: str) -> None:
    given = format if format in ("csr", "dcsr") else "dcsr"
    assert sa.kernel(program)(sa.asarray(DATA, format=given)).format == format


def kept_apart(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for _j in range(x.shape[0]):
            t = np.zeros(x.shape[0])
            for k in range(x.shape[0]):
                t[i] += x[k]
            for k in range(x.shape[0]):
                y[k] += t[k]
    return y


@pytest.mark.parametrize("format", ["dense", "list", "rle"])
def test_an_element_of_a_temporary_begins_anew_with_it(format: str) -> None:
    x = np.array([2.0, 1.0, 0.0, 0.0])
    found = sa.kernel(kept_apart)(sa.asarray(x, format=format))
    np.testing.assert_array_equal(found.todense(), kept_apart(x))
