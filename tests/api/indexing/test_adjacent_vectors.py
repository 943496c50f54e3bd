"""Indices of slices, of vectors and lists side by side, and of all combinations of places."""

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.indexing import keys

random = np.random.default_rng(0)
CUBE = np.where(random.random((6, 7, 8)) < 0.4, random.integers(1, 9, (6, 7, 8)), 0)
ROWS, COLUMNS, FEW = np.array([4, 0, -1]), np.array([1, 6, 2]), [2, -1, 2]

KEYS: tuple[Any, ...] = (
    ROWS,
    FEW,
    [3],
    (FEW, FEW),
    (ROWS, COLUMNS),
    (ROWS, ROWS),
    (ROWS, slice(1, 5)),
    (slice(1, 5), FEW),
    (slice(None, None, -2), COLUMNS),
    (slice(4, 1), COLUMNS),
    (slice(0, 3), COLUMNS.astype(np.uint8), slice(2, None, 3)),
    (slice(None), slice(1, 4), FEW),
    (slice(1, 4), ROWS, COLUMNS),
    (ROWS, slice(None), COLUMNS),
    (ROWS, slice(1, 4), COLUMNS),
    np.ix_([4, 0, -1], [1, 6]),
    np.ix_([4, 0], [5]),
    np.ix_([1, 1, 2], [0, 3], [7, -8, 2]),
    np.ix_(CUBE[:, 0, 0] > 0, [2, 0]),
)


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indices_are_read_as_numpy_reads_them(key: Any) -> None:
    expected = CUBE[key]
    for fmt in ("csf", "coo", "dense", "bitmap"):
        found = sa.asarray(CUBE, format=fmt)[key]
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found.todense(), expected)


@pytest.mark.parametrize("key", [key for key in KEYS if type(key) is not tuple or len(key) < 3])
def test_matrices_take_the_same(key: Any) -> None:
    matrix = np.ascontiguousarray(CUBE[:, :, 0])
    if isinstance(key, tuple) and len(key) == 2 and key[0] is ROWS and key[1] is ROWS:
        key = (ROWS % 6, ROWS % 6)
    for fmt in ("csr", "csc", "coo", "dcsr"):
        np.testing.assert_array_equal(sa.asarray(matrix, format=fmt)[key].todense(), matrix[key])


@pytest.mark.parametrize(
    "key",
    [
        [0, 6],
        (slice(1, 3), [0, 7]),
        (ROWS, np.array([0, -8, 1])),
        np.ix_([0, 1], [2, 9]),
        np.ix_([0, -7], [2, 9]),
        (ROWS, np.array([0, 1])),
        (slice(0, 2), slice(0, 2), slice(0, 2), ROWS),
    ],
    ids=str,
)
def test_what_numpy_refuses_is_refused_in_its_words(key: Any) -> None:
    with pytest.raises(IndexError) as theirs:
        CUBE[key]
    with pytest.raises(IndexError) as ours:
        sa.asarray(CUBE, format="csf")[key].compute()
    assert str(ours.value).split(":")[0] == str(theirs.value).split(":")[0]


@pytest.mark.parametrize(
    "key",
    [FEW, (slice(1, 5), COLUMNS), (ROWS, slice(1, 5)), np.ix_([4, 0], [1, 6])],
    ids=str,
)
def test_common_indices_take_no_general_parse(key: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = sa.asarray(CUBE[:, :, 1], format="csr")
    monkeypatch.setattr(keys, "_advanced", None)
    np.testing.assert_array_equal(matrix[key].todense(), CUBE[:, :, 1][key])


def test_places_of_an_index_are_its_own() -> None:
    rows = np.array([1, 2])
    for key in ((slice(0, 3), rows), np.ix_(rows, rows)):
        found = sa.asarray(CUBE[:, :, 2], format="csr")[key]
        expected = CUBE[:, :, 2][key]
        rows[0] = 0
        np.testing.assert_array_equal(found.todense(), expected)
        rows[0] = 1
