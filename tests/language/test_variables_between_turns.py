"""Variables that loops read and update: each turn finds what the one before has left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

DATA = np.array([[0, 2.0, 0, 0.5], [0, 0, 0, 0], [1.5, 0, -4, 0.4], [0, 0, 0, 0.2], [0, 0, 3, 0]])
FORMATS = ("csr", "csc", "coo", "sparse-rle", "rle", "band", "bitmap", "dense")


def running(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            t += A[i, j]
            C[i, j] = 2 * t
    return C


def before(A):
    C = np.zeros(A.shape)
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            C[i, j] = t
            t += A[i, j]
        y[i] = t
    return C, y


def largest(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        t = -1.0
        for j in range(A.shape[1]):
            t = max(t, A[i, j])
            C[i, j] = t
    return C


def from_the_last(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        last = 0.0
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] - last
            last = A[i, j]
    return C


def decaying(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            t = 0.5 * t + A[i, j]
            C[i, j] = t
    return C


def counted(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        n = 0
        for j in range(A.shape[1]):
            if A[i, j] > 0.3:
                n += 1
                C[i, j] = n
    return C


def begun_again(A):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        t = 0.0
        for j in range(A.shape[1]):
            if A[i, j] == 0:
                t = 0.0
            t += A[i, j]
            C[i, j] = t
    return C


def kept_unless(A):
    C = np.zeros(A.shape)
    D = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            t = 5.0
            D[i, j] = t
            if A[i, j] > 0.3:
                t = A[i, j]
            C[i, j] = t
    return C, D


def named_alike(A):
    C = np.zeros(A.shape)
    D = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            t = A[i, j]
            C[i, j] = t
            t = 2 * A[i, j]
            D[i, j] = t
    return C, D


PROGRAMS = (
    running,
    before,
    largest,
    from_the_last,
    decaying,
    counted,
    begun_again,
    kept_unless,
    named_alike,
)


def agrees(program: Callable[[Any], Any], name: str) -> list[str]:
    """Compare with Python; return the formats of the results."""
    expected = program(DATA)
    with sa.options(tier="interpreted"):
        found = sa.kernel(program)(sa.asarray(DATA, format=name))
        if not isinstance(found, tuple):
            found, expected = (found,), (expected,)
        formats = []
        for mine, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine.todense(), theirs, atol=1e-15)
            formats.append(str(mine.format))
    return formats


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_do_what_python_does(program: Callable[[Any], Any]) -> None:
    for name in ("csr", "rle", "dense"):
        agrees(program, name)


@pytest.mark.long
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_do_so_in_every_format(program: Callable[[Any], Any], name: str) -> None:
    agrees(program, name)


def test_results_have_the_structure_of_steps() -> None:
    assert agrees(running, "csr") == ["rle"] and agrees(largest, "rle") == ["rle"]
    assert agrees(named_alike, "csr") == ["csr", "csr"]
    assert agrees(counted, "csr") == ["csr"]


def test_a_row_is_not_updated_after_it_was_read() -> None:
    @sa.kernel
    def updated(A):
        C = np.zeros(A.shape)
        for i in range(A.shape[0]):
            w = np.zeros(A.shape[1])
            for j in range(A.shape[1]):
                C[i, j] = w[j]
            for j in range(A.shape[1]):
                w[j] += A[i, j]
        return C

    with pytest.raises(ProgramError, match="w is updated after it was read"):
        updated(sa.asarray(DATA, format="csr"))


def powers(x):
    u = np.full(x.shape[0], 1, np.int64)
    for q in range(21):
        for _ in range(17):
            for i in range(x.shape[0]):
                u[i] *= q + 3
    return u


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_powers_of_places_wrap_around(tier: str) -> None:
    """What is multiplied once more in each turn is a power, in each tier one of int64."""
    x = np.zeros(4)
    with sa.options(tier=tier):
        found = sa.kernel(powers)(sa.asarray(x))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found.todense(), powers(x))
