"""Elements that a loop updates: in a local, unless another write of the loop may be to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

X = np.arange(1.0, 5.0)


def _behind(x: Any) -> Any:
    y = np.zeros((4, 4))
    for j in range(1, 4):
        y[0, 0] += x[j]
        y[j - 1, 0] += 2 * x[j]
    return y


def _in_the_row(x: Any) -> Any:
    y = np.zeros((4, 4))
    for j in range(4):
        y[1, 0] += x[j]
        y[1, j] += 10 * x[j]
    return y


def _vector_behind(x: Any) -> Any:
    y = np.zeros(4)
    for j in range(1, 4):
        y[0] += x[j]
        y[j - 1] += 2 * x[j]
    return y


@pytest.mark.parametrize("program", [_behind, _in_the_row, _vector_behind])
def test_an_element_that_another_write_may_be_to_is_updated_in_its_place(program: Any) -> None:
    with sa.options(tier="interpreted"):
        found = sa.kernel(program)(sa.asarray(X))
    np.testing.assert_array_equal(np.asarray(found), program(X))


def test_a_format_that_is_written_in_order_is_by_its_last_level_too() -> None:
    """Runs of the rows come in order, but each row comes once for each turn of a loop in it."""
    a, b = sa.asarray(np.ones((2, 3))), sa.asarray(np.ones((3, 4)))
    runs = sa.formats.RunList(sa.formats.RunList())
    text = (
        "for i in range(2):\n    for k in range(3):\n        for j in range(4):\n"
        "            C[i, j] += A[i, k] * B[k, j]"
    )
    with pytest.raises(sa.errors.ProgramError, match="the write is not concordant"):
        sa.loops(text, A=a, B=b, out=runs)


def test_the_fill_of_a_value_is_no_fill_where_loops_leave_elements_alone() -> None:
    def program(x: Any) -> Any:
        y = np.zeros(4)
        for i in range(2):
            y[i] = x[i] + 5
        return y

    found = sa.kernel(program)(sa.asarray([0.0, 2.0, 0.0, 0.0], format="list"))
    assert found.fill_value == 0
    np.testing.assert_array_equal(np.asarray(found), [5, 7, 0, 0])


def test_results_that_are_written_by_columns_are_stored_by_columns() -> None:
    """The loops are those of the program, as two results are written in them."""

    def program(a: Any) -> Any:
        c, total = np.zeros((3, 4)), np.zeros(4)
        for j in range(4):
            for i in range(3):
                c[i, j] = a[i, j] * 2
                total[j] += a[i, j]
        return c, total

    dense = np.where(np.arange(12) % 3 == 0, np.arange(12.0), 0).reshape(3, 4)
    found, total = sa.kernel(program)(sa.asarray(dense, format="csc"))
    assert found.format == "csc"
    np.testing.assert_array_equal(found.todense(), dense * 2)
    np.testing.assert_array_equal(np.asarray(total), dense.sum(axis=0))
