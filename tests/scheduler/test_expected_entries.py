"""What expressions are expected to store."""

from __future__ import annotations

import numpy as np

import structarr as sa
from structarr._scheduler.expected_entries import expected_entries


def _entries(array: sa.Array) -> int:
    return expected_entries(array._node)


def test_places_of_one_array_count_once() -> None:
    a = sa.asarray(np.eye(10), format="csr")
    b = sa.asarray(np.eye(10)[::-1], format="csr")
    assert _entries(a) == 10
    assert _entries(a + a * 2.0) == 10
    assert _entries(sa.where(sa.isnan(a), 0.0, sa.where(a > 1.0, 1.0, a))) == 10
    assert _entries(a + b) == 20
    assert _entries(a + 2.0 * b - b) == 20
    assert _entries(a * b) == 10
    assert _entries(a + sa.ones(10)) == 100


def test_what_a_condition_chooses_is_no_more_than_it_stores() -> None:
    a, row = sa.asarray(np.eye(10), format="csr"), np.arange(10.0)
    full = sa.exp(a - row)
    assert _entries(full) == 100
    assert _entries(sa.where(a != 0, full, 0.0)) == 10
    assert _entries(sa.where(a != 0, 0.0, full - 1.0)) == 100


def test_a_matrix_of_one_element_stores_as_much_as_it_is_repeated() -> None:
    full, one = (sa.asarray(np.ones(shape), format="csr") for shape in ((4, 5), (1, 1)))
    assert _entries(full * one) == 20
