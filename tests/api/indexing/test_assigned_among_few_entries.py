"""Elements that are assigned are found among entries, of which there may be fewer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.indexing import region

PLACES = np.arange(60)
BACK = PLACES[::-1]
TWICE = np.concatenate((PLACES, PLACES[10:30]))
KEYS: tuple[Any, ...] = (
    (PLACES, PLACES),
    (BACK, PLACES),
    (TWICE, TWICE[::-1]),
    (PLACES - 60, PLACES),
    (PLACES[:0], PLACES[:0]),
    (slice(None), PLACES[3:40:2]),
    (7, slice(None)),
    (slice(None), 9),
    (slice(5, 50), slice(20, 21)),
    (slice(50, 4, -3), slice(None, None, 7)),
    (slice(-9, None), PLACES),
)


@pytest.mark.parametrize("kind", ["coo", "csr"])
def test_values_are_those_of_numpy(kind: str) -> None:
    random = np.random.default_rng(0)
    dense = np.where(random.random((60, 60)) < 0.005, random.integers(1, 9, (60, 60)), 0)
    with sa.options(tier="interpreted"):
        for dtype in ("float64", "int32"):
            for key in KEYS:
                for value in (1, 0, np.arange(dense[key].size).reshape(dense[key].shape) % 5):
                    expected = dense.astype(dtype)
                    a = sa.asarray(expected, format=kind)
                    a[key] = value
                    expected[key] = value
                    np.testing.assert_array_equal(a.todense(), expected)


def test_of_more_places_than_have_numbers() -> None:
    """Axes whose elements int64 does not number are ranked."""
    n = 2**40
    rows, columns = np.array([5, n - 1, 7]), np.array([n - 2, 3, 7])
    a = sa.from_coordinates((rows, columns), np.array([1.0, 2.0, 3.0]), (n, n))
    a[np.array([7, 9, 7]), np.array([7, 9, 7])] = np.array([4.0, 5.0, 6.0])
    found = [float(a[i, j]) for i, j in ((5, n - 2), (n - 1, 3), (7, 7), (9, 9))]
    assert found == [1.0, 2.0, 6.0, 5.0]


def test_no_table_of_all_places_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """`isin` hashes all places: of five for each entry it took ten times as long."""
    a = sa.from_coordinates((np.array([3, 5]), np.array([3, 9])), np.ones(2), (5000, 5000))
    monkeypatch.setattr(region.np, "isin", None)
    places = np.arange(5000)
    a[places, places] = 2.0
    a[places[::-1], places] = 3.0
    assert float(a.sum()) == 5000 * 5.0 + 1.0
