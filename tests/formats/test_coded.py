"""Formats of one and two bits an element."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._storage import encoding
from structarr.errors import FormatError
from structarr.formats import Dense, Element, TwoBit
from structarr.formats.coded import decoded, encoded

GENOTYPES = np.random.default_rng(0).choice(np.array([0, 1, 2, -9], np.int8), (30, 13))
MISSING = np.where(GENOTYPES < 0, np.nan, GENOTYPES).astype(np.float32)
FLAGS = GENOTYPES > 0


@pytest.mark.parametrize(
    ("name", "values"),
    [("2-bit", GENOTYPES), ("2-bit", MISSING), ("1-bit", FLAGS), ("2-bit", FLAGS)],
)
def test_values_come_back(name: Any, values: Any, tmp_path: Path) -> None:
    a = sa.asarray(values, format=name)
    assert str(a.format) == name
    np.testing.assert_array_equal(a.todense(), values)
    np.testing.assert_array_equal(sa.asarray(values.T, format=name).todense(), values.T)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(a)).todense(), values)
    sa.save(tmp_path / "a.npz", a)
    np.testing.assert_array_equal(sa.load(tmp_path / "a.npz").todense(), values)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_long_rows_that_begin_with_any_place(dtype: Any) -> None:
    random = np.random.default_rng(3)
    values = random.choice(GENOTYPES.ravel(), (5, 1027))
    own, x, y = sa.asarray(values, format="2-bit"), random.random(1027), random.random(5)
    x, y = x.astype(dtype), y.astype(dtype)
    for first in (0, 1, 3, 4, 300):  # blocks of sums begin within bytes
        cut, rest = own[:, first:], values[:, first:]
        np.testing.assert_allclose(cut @ x[first:], rest @ x[first:], rtol=1e-5, atol=1e-4)
        np.testing.assert_allclose(cut.T @ y, rest.T @ y, rtol=1e-5, atol=1e-4)
    np.testing.assert_array_equal((own == 2).sum(axis=0), (values == 2).sum(axis=0))


def test_values_are_chosen_and_not_looked_up() -> None:
    packed = sa.asarray(GENOTYPES, format="2-bit")
    told = sa.explain(packed.astype(np.float32) @ np.ones(13, np.float32)[:, None]).kernel
    assert "A_val" not in told
    assert "float32(1.0) if" in told  # converted when the kernel is made


def test_bytes() -> None:
    values = np.zeros((100, 400), np.int8)
    assert sa.asarray(values, format="2-bit").nbytes == values.nbytes // 4 + 4
    assert sa.asarray(values != 0, format="1-bit").nbytes == values.nbytes // 8 + 2


def test_products_counts_and_correlations() -> None:
    own, dense = sa.asarray(MISSING, format="2-bit"), MISSING.astype(float)
    random = np.random.default_rng(1)
    x, y = random.random(13), random.random(30)
    known = sa.asarray(GENOTYPES, format="2-bit")
    with sa.options(tier="interpreted"):
        np.testing.assert_allclose(known @ x, GENOTYPES @ x)
        np.testing.assert_allclose(known.T @ y, GENOTYPES.T @ y)
        np.testing.assert_array_equal((known == 1).sum(axis=0), (GENOTYPES == 1).sum(axis=0))
        np.testing.assert_array_equal(np.isnan(own).sum(axis=1), np.isnan(dense).sum(axis=1))
        np.testing.assert_allclose(np.nanmean(own, axis=0), np.nanmean(dense, axis=0), rtol=1e-6)
        squares = known.astype(float).T @ known.astype(float)
        np.testing.assert_allclose(squares, GENOTYPES.T.astype(float) @ GENOTYPES.astype(float))
        np.testing.assert_allclose(
            np.corrcoef(known, rowvar=False), np.corrcoef(GENOTYPES, rowvar=False), atol=1e-12
        )


def test_by_kernels_as_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is computed is written by a kernel, a dense array by NumPy: to the same bytes."""
    a = sa.asarray(GENOTYPES, format="csr")
    with sa.options(tier="interpreted"):
        one, other = a.asformat("2-bit"), sa.asarray(GENOTYPES, format="2-bit")
        both = (a * 1).asformat("2-bit")
    for found in (one, both):
        assert found.format == other.format
        for mine, theirs in zip(found._tensor.buffers, other._tensor.buffers, strict=True):  # type: ignore[union-attr]
            np.testing.assert_array_equal(mine, theirs)


def test_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "CHUNK", 20)
    np.testing.assert_array_equal(sa.asarray(GENOTYPES, format="2-bit").todense(), GENOTYPES)


@pytest.mark.parametrize("listed", [False, True])
def test_further_values_are_refused_by_place(listed: bool) -> None:
    values = np.zeros((2, 5))
    values[1] = [1, 2, 3, 0, 4]
    source = sa.asarray(values, format="csr") if listed else sa.asarray(values)
    with pytest.raises(FormatError, match=r"a\[1, 4\] = 4.0 is a further value"):
        source.asformat("2-bit")
    with pytest.raises(FormatError, match=r"a\[1, 1\] = 2.0 is a further value"):
        source.asformat("1-bit")
    with pytest.raises(FormatError, match=r"a\[1, 2\] = 3.0 is a further value"):
        source.asformat(Dense(TwoBit(Element(), ("1.0", "2.0"))))


def test_other_fills() -> None:
    a = sa.asarray(GENOTYPES, fill_value=-9).asformat("2-bit")
    assert a.fill_value == -9
    np.testing.assert_array_equal(a.todense(), GENOTYPES)


@pytest.mark.parametrize("bits", [1, 2])
@pytest.mark.parametrize("dim", [0, 1, 7, 8, 9])
def test_codes(bits: int, dim: int) -> None:
    codes = np.random.default_rng(0).integers(0, 1 << bits, (3, dim)).astype(np.uint8)
    packed = encoded(codes, bits)
    assert packed.shape == (3, -(-dim * bits // 8))
    np.testing.assert_array_equal(decoded(packed, dim, bits), codes)


def test_fibers_of_codes_below_no_rows() -> None:
    plain = np.zeros((3, 6), np.float32)
    for above in (sa.formats.Hash, sa.formats.SparseList):
        form = above(sa.formats.TwoBit(sa.formats.Element()))
        with sa.options(tier="interpreted"):
            stored = sa.asarray(plain).asformat(form)
            assert stored.todense().tolist() == plain.tolist()
            assert (stored + 1).sum().item() == 18.0
