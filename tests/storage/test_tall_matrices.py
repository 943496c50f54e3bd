"""Tall matrices of few entries by rows: no more than their pointers is made on the way."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage.transpose import relisted
from structarr.errors import DensificationError
from structarr.formats import parse

ROWS = 300_000


def tall(rows: int = ROWS) -> sa.Array:
    random = np.random.default_rng(0)
    places = random.integers(0, rows, 900), random.integers(0, 3, 900)
    return sa.from_coordinates(places, random.random(900), (rows, 3), format="csc")


def test_the_entries_are_those_of_the_columns() -> None:
    columns = tall()
    rows = columns.asformat("csr")
    assert str(rows.format) == "csr"
    np.testing.assert_array_equal(rows.todense(), columns.todense())


def test_pointers_are_made_once() -> None:
    columns = stored(tall())
    wanted = parse("csr", 2)
    relisted(columns, wanted)  # compiles
    tracemalloc.start()
    try:
        made = relisted(columns, wanted)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * made.nbytes


def test_weighted_products_take_no_dense_copy() -> None:
    columns, weights = tall(), np.random.default_rng(1).random(ROWS)

    def product() -> sa.Array:
        return (columns.T @ (weights[:, None] * columns)).asformat("dense")

    dense = columns.todense()
    np.testing.assert_allclose(product(), dense.T @ (weights[:, None] * dense))
    tracemalloc.start()
    try:
        product()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < dense.nbytes


def test_pointers_beyond_memory_are_refused() -> None:
    with pytest.raises(DensificationError, match="pointers to"):
        tall(10**13).asformat("csr")
