"""Names over the stages of a program: numbers, and what is made anew; beside the functions."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._language.execute import compile
from structarr._scheduler.assemble import Program


@sa.kernel
def numbers(x):
    n = 3
    c = -2.0
    y = np.zeros(n)
    for i in range(n):
        y[i] = c * x[i]
    c = 4
    z = np.zeros(n)
    for i in range(n):
        z[i] = c * y[i]
    return y, z


@sa.kernel
def lengths(x):
    n = len(x) - 1
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i + 1] - x[i]
    return y


@sa.kernel
def a_sum_then_a_number(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = s * x[i]
    s = 2.0
    for i in range(len(x)):
        y[i] += s
    return y


@sa.kernel
def a_sum_made_anew(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = s * x[i]
    s = 0.0
    for i in range(len(x)):
        s += y[i]
    return y, s


@sa.kernel
def an_array_made_anew(x):
    t = np.zeros(len(x))
    for i in range(len(x)):
        t[i] += x[i]
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = 2 * t[i]
    t = np.ones(len(x))
    for i in range(len(x)):
        t[i] += y[i]
    return y, t


@pytest.mark.parametrize("format", ["dense", "list", "rle", "band"])
@pytest.mark.parametrize(
    "kernel",
    [numbers, lengths, a_sum_then_a_number, a_sum_made_anew, an_array_made_anew],
    ids=lambda kernel: kernel.__name__,
)
def test_kernels_give_what_their_functions_give(kernel: Any, format: str) -> None:
    x = np.array([0.0, 1.0, 0.0, 3.0])
    found, wanted = kernel(sa.asarray(x, format=format)), kernel.py_func(x)
    for one, other in zip(
        found if isinstance(found, tuple) else (found,),
        wanted if isinstance(wanted, tuple) else (wanted,),
        strict=True,
    ):
        np.testing.assert_array_equal(one.todense(), other)


def test_numbers_of_texts() -> None:
    x = np.arange(1.0, 5.0)
    assert sa.loops("c = 2; y[i] = c * x[i]", x=x).tolist() == [2.0, 4.0, 6.0, 8.0]
    assert sa.loops("n = 3\nfor i in range(n): y[i] = x[i]", x=x).tolist() == [1.0, 2.0, 3.0]


def columns(A, x):
    y = np.zeros(A.shape[1])
    for i in range(A.shape[1]):
        for j in range(A.shape[0]):
            y[i] += A[j, i] * x[j]
    return y


def test_operands_that_no_order_suits_are_searched(monkeypatch) -> None:
    own, made = compile.assemble_loops, []

    def searching(*given):
        made.append(own(*given[:-1], True))
        return made[-1]

    monkeypatch.setattr(compile, "_indexed", lambda *given: None)
    monkeypatch.setattr(compile, "assemble_loops", searching)
    a, x = np.arange(12.0).reshape(3, 4) % 5, np.arange(3.0)
    with sa.options(tier="interpreted"):
        found = sa.kernel(columns)(sa.asarray(a, format="csr"), x)
        np.testing.assert_array_equal(found.todense(), a.T @ x)
    assert [type(one) for one in made] == [Program]
