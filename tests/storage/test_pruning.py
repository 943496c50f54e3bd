"""Stored elements that equal the fill: left out by conversions, in whatever order of the axes."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.kept_entries import MANY, kept_entries, kept_rows
from structarr._storage.transpose import pruned


@pytest.mark.parametrize("fill", [0, 7])
@pytest.mark.parametrize("target", ["csr", "csc", "coo", "dcsr"])
@pytest.mark.parametrize("source", ["csr", "csc", "coo", "dcsc"])
def test_conversions_leave_out_what_equals_the_fill(source: str, target: str, fill: int) -> None:
    dense = np.random.default_rng(0).integers(fill, fill + 4, (40, 30))
    a = sa.asarray(dense, format=source, fill_value=fill)
    marked = sa.where(a == fill + 1, fill, a).compute()
    want = np.where(dense == fill + 1, fill, dense)
    if marked.format == target:
        return  # it is as it was
    made = marked.asformat(target)
    np.testing.assert_array_equal(made.todense(), want)
    assert made.nstored == np.count_nonzero(want != fill)
    assert made.format == target


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "list"])
def test_lists_are_pruned(format: str) -> None:
    places = [np.array([0, 0, 2, 2]), np.array([1, 3, 0, 2])][: 1 if format == "list" else 2]
    places[0] = np.arange(4) if format == "list" else places[0]
    shape = (4,) * len(places)
    ones = sa.from_coordinates(tuple(places), np.array([5, 9, 9, 6]), shape, format=format)
    a = sa.where(ones == 9, 0, ones).compute()
    tensor = stored(a)
    kept = of_tensor(pruned(tensor))
    np.testing.assert_array_equal(kept.todense(), a.todense())
    assert (tensor.nstored, kept.nstored) == (4, 2)
    assert stored(kept).format == tensor.format


@pytest.mark.parametrize("target", ["csc", "coo"])
@pytest.mark.parametrize("some", [None, 0.0, -0.0, np.nan])
@pytest.mark.parametrize("fill", [0.0, np.nan])
def test_many_entries(target: str, some: float | None, fill: float) -> None:
    random = np.random.default_rng(1)
    places = np.divmod(random.permutation(40_000)[: MANY + 1], 200)
    values = random.integers(1, 9, MANY + 1).astype(float)
    if some is not None:
        values[::7] = some
    a = sa.from_coordinates(places, values, (200, 200), format="csr", fill_value=fill)
    for strict in (False, True):
        with sa.options(strict_ieee=strict):
            made = a.asformat(target)
            assert made.nstored == len(values) - np.sum(_is_same(values, fill))
            found, wanted = made.todense(), a.todense()
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize("target", ["csc", "coo"])
@pytest.mark.parametrize("zero", [None, 0.0, complex(0.0, -0.0), complex(np.nan, 0.0)])
def test_many_complex_entries(target: str, zero: complex | None) -> None:
    """A zero of another sign is no fill of zero, which conversions keep."""
    places = np.divmod(np.random.default_rng(1).permutation(40_000)[: MANY + 1], 200)
    values = np.arange(1, MANY + 2) * 1j
    if zero is not None:
        values[::7] = zero
    a = sa.from_coordinates(places, values, (200, 200), format="csr")
    made = a.asformat(target)
    left_out = len(values[::7]) if zero is not None and not np.signbit(zero.imag) else 0
    assert made.nstored == len(values) - (0 if zero != zero else left_out)
    np.testing.assert_array_equal(made.todense(), a.todense())
    np.testing.assert_array_equal(np.signbit(made.todense().imag), np.signbit(a.todense().imag))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int32, np.float32, np.complex128])
@pytest.mark.parametrize("source", ["csr", "coo"])
def test_many_entries_of_other_dtypes(source: str, dtype: type) -> None:
    """Rows without entries among them, and the last entries are left out."""
    random = np.random.default_rng(2)
    places = np.divmod(np.sort(random.permutation(80_000)[: 2 * MANY]), 100)
    values = random.integers(0, 3, 2 * MANY).astype(dtype)
    values[-3:] = 0
    a = sa.from_coordinates(places, values, (900, 100), format=source)
    for target in {"csr", "csc", "coo", "dcsr"} - {source}:
        made = a.asformat(target)
        assert made.nstored == np.count_nonzero(values)
        np.testing.assert_array_equal(made.todense(), a.todense())
    np.testing.assert_array_equal((a != 0).todense(), a.todense() != 0)


@pytest.mark.parametrize("count", [0, 1, MANY + 5])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_kept_parts_are_those_of_the_mask(count: int, share: float) -> None:
    random = np.random.default_rng(3)
    kept = random.random(count) < share
    row = np.sort(random.integers(0, 50, count)).astype(np.int32)
    ptr = np.searchsorted(row, np.arange(52)).astype(np.int32)  # the last row is empty
    idx, val = random.integers(0, 9, count).astype(np.int32), random.random(count)
    entries = kept_entries(row, idx, val, kept)
    for found, part in zip(entries, (row, idx, val), strict=True):
        np.testing.assert_array_equal(found, part[kept])
        assert found.dtype == part.dtype
    rows = kept_rows(ptr, idx, val, kept)
    np.testing.assert_array_equal(rows[0], np.searchsorted(row[kept], np.arange(52)))
    np.testing.assert_array_equal(rows[1], idx[kept])
    np.testing.assert_array_equal(rows[2], val[kept])
    assert rows[0].dtype == ptr.dtype


def _is_same(values: np.ndarray, fill: float) -> np.ndarray:
    """Where values are the fill, by the sign of zeros too."""
    signs = np.signbit(values) == np.signbit(fill)
    return np.isnan(values) if np.isnan(fill) else (values == fill) & signs
