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


UPDATES = {
    "at two places": ("t = np.zeros(4)", ["t[j] += A[i, j]", "t[3 - j] += A[i, j]"]),
    "by an operator without an identity": ("t = np.ones(4)", ["t[j] <<hypot>>= A[i, j]"]),
    "where nothing is stored": ("t = np.zeros(4)", ["t[j] += A[i, j] + 1"]),
}


@pytest.mark.parametrize("update", UPDATES)
def test_readers_of_a_temporary_have_its_structure_only_if_its_updates_leave_it(
    update: str,
) -> None:
    begin, lines = UPDATES[update]
    dense = np.array([[0, 0, 3, 0], [0, 0, 0, 0], [1, 0, 0, 4], [0, 2, 0, 0]], float)
    x = np.array([1.0, 0, 2, 3])
    make = [f"    {begin}", "    for j in range(4):", *[f"        {one}" for one in lines]]
    program = [
        "for i in range(4):",
        *make,
        "    for j in range(4):",
        "        C[i, j] = t[j] * x[j]",
    ]
    wanted = np.zeros((4, 4))
    for i in range(4):
        t = np.zeros(4) if "zeros" in begin else np.ones(4)
        for j in range(4):
            if "hypot" in lines[0]:
                t[j] = np.hypot(t[j], dense[i, j])
            else:
                t[j] += dense[i, j] + ("+ 1" in lines[0])
            if len(lines) == 2:
                t[3 - j] += dense[i, j]
        wanted[i] = t * x
    with sa.options(tier="interpreted"):
        A = sa.asarray(dense, format="csr")
        found = sa.loops("\n".join(program), A=A, x=sa.asarray(x, format="list"))
        np.testing.assert_allclose(found.todense(), wanted, rtol=1e-15)


@pytest.mark.parametrize("begin", ["0.0", "-0.0", "1.0"])
@pytest.mark.parametrize("update", ["", "t += 0.0", "t += -0.0", "t *= 1.0"])
def test_a_temporary_that_is_set_or_updated_by_numbers_alone(begin: str, update: str) -> None:
    x = np.array([0.0, 1.0, 0.0, -1.0])
    lines = [
        f"    t = {begin}",
        *["    for j in range(4):", f"        {update}"][: 2 * bool(update)],
    ]
    program = "\n".join(["for i in range(x.shape[0]):", *lines, "    y[i] = t + x[i]"])
    with sa.options(tier="interpreted"):
        found = sa.loops(program, x=sa.asarray(x, format="list")).todense()
    np.testing.assert_array_equal(found, float(begin) + x)


def rows_of_sums(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        w = np.zeros(A.shape[1])
        for j in range(A.shape[1]):
            w[j] = A[i, j] + 1.0
        for j in range(A.shape[1]):
            C[i, j] = w[j] * B[i, j]
    return C


def test_a_temporary_that_is_written_everywhere_has_no_list_of_places() -> None:
    a, b = sa.asarray(DATA, format="csr"), sa.asarray(DATA * 2, format="csr")
    explained = sa.explain(sa.kernel(rows_of_sums), a, b)
    assert "w_val" in explained.kernel
    assert "w0_idx" not in explained.kernel
    np.testing.assert_array_equal(sa.kernel(rows_of_sums)(a, b).todense(), (DATA + 1) * DATA * 2)
