"""Arrays side by side as factors of products: what they store, and in which order it is read."""

from __future__ import annotations

import numpy as np

import structarr as sa
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.product_factors import array_of, measured
from structarr._scheduler.reorder_products import Product

ROWS, COLUMNS = 60, 40
RANDOM = np.random.default_rng(0)
CODES = RANDOM.integers(0, COLUMNS, ROWS)
NUMBERS = RANDOM.random((ROWS, 2))


def design() -> sa.Array:
    return sa.concatenate([NUMBERS, sa.one_hot(CODES, COLUMNS).astype(float)], axis=1)


def test_parts_are_counted_by_what_they_store() -> None:
    assert expected_entries(design()._node) == 2 * ROWS + ROWS


def test_loops_follow_the_levels_that_parts_agree_on() -> None:
    found = measured(design()._node, (5, 6))
    assert (found.stored, found.lists, found.nested) == (3 * ROWS, (6,), (5, 6))
    lists = sa.asarray(np.eye(ROWS), format="csc")
    mixed = sa.concatenate([sa.one_hot(CODES, COLUMNS).astype(float), lists], axis=1)
    assert measured(mixed._node, (5, 6)).nested == ()


def test_a_vector_is_spread_to_all_columns_before_rows_are_read() -> None:
    """`x[:, places] @ terms` is `x @ z`: no row goes over all places."""
    rows = 100_000
    codes = np.arange(rows) % COLUMNS
    x = sa.concatenate([np.ones((rows, 2)), sa.one_hot(codes, COLUMNS).astype(float)], axis=1)
    places = np.arange(0, COLUMNS + 2, 2)
    terms = RANDOM.random(len(places))
    spread = sa.one_hot(places, COLUMNS + 2).astype(float)
    product = Product.of((x @ (spread.T @ terms))._node)
    assert product is not None and product.plan().tree == (0, (1, 2))
    assert np.allclose(np.asarray(x[:, places] @ terms), x.todense()[:, places] @ terms)


def test_factors_are_alike_that_are_of_one_array() -> None:
    a = sa.asarray(np.eye(ROWS), format="csr")
    assert array_of(a._node) is a._node.data
    assert array_of(a.astype("f4")._node) == (a._node.data, np.dtype("f4"))
    total = (a + a.T)._node
    assert array_of(total) is total
