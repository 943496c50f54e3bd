"""Rows of unlike lengths, and where arrays store something."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.errors import FormatError
from structarr.formats import names_for

ROWS = [[3.0, 1.0], [], [5.0], [2.0, 2.0, 7.0]]


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


def padded(rows: list[list[float]], fill: float = 0) -> np.ndarray:
    made = np.full((len(rows), max(map(len, rows), default=0)), fill)
    for place, row in enumerate(rows):
        made[place, : len(row)] = row
    return made


def test_lists_of_unlike_lengths() -> None:
    array = sa.asarray(ROWS)
    assert array.format == "ragged" and array.nstored == 6
    np.testing.assert_array_equal(array.todense(), padded(ROWS))
    filled = sa.asarray(ROWS, fill_value=np.nan)
    np.testing.assert_array_equal(filled.todense(), padded(ROWS, np.nan))
    assert sa.asarray(ROWS, dtype="float32").dtype == np.float32
    assert sa.asarray(ROWS, format="csr").format == "csr"
    deep = sa.asarray([[[1], [2, 3]], [], [[4]]])
    assert deep.shape == (3, 2, 2) and deep.nstored == 4
    assert deep.tolist() == [[[1, 0], [2, 3]], [[0, 0], [0, 0]], [[4, 0], [0, 0]]]
    assert sa.asarray([np.arange(3), np.arange(1)]).tolist() == [[0, 1, 2], [0, 0, 0]]


@pytest.mark.parametrize("bad", [[[1], 2], [[[1]], [2]], [["a"], ["b", "c"]], [[{}], [{}, {}]]])
def test_lists_that_are_no_rows(bad: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        sa.asarray(bad)


def test_values_and_offsets() -> None:
    values, offsets = np.array([3.0, 1.0, 5.0, 2.0, 2.0, 7.0]), np.array([0, 2, 2, 3, 6])
    array = sa.from_ragged(values, offsets)
    np.testing.assert_array_equal(array.todense(), padded(ROWS))
    assert array._tensor.buffers[-1].ctypes.data == values.ctypes.data
    assert sa.from_ragged(values, offsets + 0, shape=(4, 9)).shape == (4, 9)
    assert sa.from_ragged(values, [2, 3], fill_value=7).tolist() == [[5.0]]
    assert sa.from_ragged([1, 2, 3], [[0, 1, 1], [0, 3]]).tolist() == [[[1, 2, 3]], [[0, 0, 0]]]
    offsets[1] = 100  # what was checked stays
    np.testing.assert_array_equal(array.todense(), padded(ROWS))


@pytest.mark.parametrize(
    "offsets", [[0, 2, 1], [-1, 2], [0, 100], [], [0.5, 1.5], [[0, 1], [0, 9]], 3]
)
def test_bad_offsets(offsets: Any) -> None:
    with pytest.raises((FormatError, ValueError)):
        sa.from_ragged([1.0, 2.0], offsets)
    with pytest.raises(FormatError, match="row of 2 elements"):
        sa.from_ragged([1.0, 2.0], [0, 2], shape=(1, 1))


CASES = [
    np.array([[0, 2, 2, 0, 0.0], [0, 0, 0, 0, 0], [1, 0, 3, 3, 0]]),
    np.diag([1.0, 2.0, 3.0]),
    np.triu(np.arange(1.0, 10).reshape(3, 3)),
    np.zeros((3, 4)),
]


@pytest.mark.parametrize("name", names_for(2))
@pytest.mark.parametrize("case", range(len(CASES)))
def test_what_is_stored_in_each_format(name: str, case: int) -> None:
    try:
        array = sa.asarray(CASES[case]).asformat(name)
    except FormatError:
        pytest.skip("the format does not hold these elements")
    there = sa.stored(array)
    assert there.dtype == bool and there.shape == array.shape
    assert np.all(there.todense() | (array.todense() == array.fill_value))
    for axis in (0, 1):
        assert array.getnnz(axis).sum().item() == array.nnz
    if array.nnz == there.sum().item():  # otherwise the format has every element
        np.testing.assert_array_equal(array.getnnz(0).todense(), there.todense().sum(axis=0))


def test_statistics_of_what_is_stored() -> None:
    array = sa.asarray(ROWS)
    there = sa.stored(array)
    assert str(there.format).startswith("ragged") and there.nbytes < array.nbytes
    full = [row for row in ROWS if row]
    found = array.mean(axis=1, where=there).todense()
    np.testing.assert_allclose(found[[0, 2, 3]], [np.mean(row) for row in full])
    assert array.min(axis=1, where=there, initial=np.inf).tolist() == [1.0, np.inf, 5.0, 2.0]
    assert array.var(axis=1, where=there).todense()[3] == pytest.approx(np.var(ROWS[3]))
    assert there.sum(axis=1).tolist() == [2, 0, 1, 3]


def test_find() -> None:
    dense = CASES[0]
    for format in ("csr", "csc", "rle", "dense"):
        *places, values = sa.find(sa.asarray(dense, format=format))
        np.testing.assert_array_equal(np.array(places), np.array(dense.nonzero()))
        np.testing.assert_array_equal(values, dense[dense.nonzero()])
