"""Sums of floats are as exact as NumPy's pairwise ones, in every format and both tiers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import structarr as sa

NARROW = ("float32", "complex64")
ROWS, COLUMNS = 6, 1500  # neither a whole number of blocks nor less than one
TIERS = ("interpreted", "compiled")
SHORT = {("float32", "dense"), ("float32", "csr")}


def _cases(formats: Sequence[str]) -> list[Any]:
    """Dtypes, formats and tiers; most take too long to compile for every run of the tests."""
    return [
        pytest.param(dtype, format, tier, marks=() if quick else pytest.mark.long)
        for dtype, format, tier in product(NARROW, formats, TIERS)
        for quick in [tier == "interpreted" or (dtype, format) in SHORT]
    ]


Array = np.ndarray[Any, np.dtype[Any]]


def _terms(kind: str, size: int) -> Array:
    rng = np.random.default_rng(0)
    made: dict[str, Callable[[], Array]] = {
        "alike": lambda: np.full(size, 0.1),
        "uniform": lambda: rng.random(size),
        "normal": lambda: rng.normal(size=size),
        "decreasing": lambda: 1 / np.arange(1, size + 1.0),
    }
    return made[kind]()


KINDS = ("alike", "uniform", "normal", "decreasing")


def _exact(terms: Array) -> complex:
    """The sum of some terms, rounded once."""
    return complex(
        math.fsum(np.real(terms).astype(float).tolist()),
        math.fsum(np.imag(terms).astype(float).tolist()),
    )


def _error(found: Any, terms: Array) -> float:
    """The error of a sum, in units of what its terms are rounded by."""
    size = math.fsum(np.abs(terms.astype(complex)).tolist())
    return abs(complex(found) - _exact(terms)) / (size * float(np.finfo(terms.dtype).eps))


def _assert_close(found: Any, numpys: Any, terms: Array) -> None:
    assert _error(found, terms) <= 2 * _error(numpys, terms) + 1.5


def _sparse(dense: Array) -> Array:
    return np.where(np.random.default_rng(1).random(dense.shape) < 0.4, dense, 0)


VECTORS = ("dense", "list", "rle", "sparse-rle", "bitmap", "band")
MATRICES = ("dense", "csr", "dcsr", "coo", "rle", "bitmap", "vbl")


@pytest.mark.unchecked("sums of single floats are not in vectors, and less exact")
@pytest.mark.parametrize(("dtype", "format", "tier"), _cases(VECTORS))
def test_vectors(dtype: str, format: str, tier: str) -> None:
    for kind in KINDS:
        dense = _terms(kind, 4000).astype(dtype)
        dense = dense if format in ("dense", "band") else _sparse(dense).astype(dtype)
        if format == "rle":
            dense = np.repeat(dense[::4], 4)
        with sa.options(tier=tier):
            array = sa.asarray(dense, format=format)
            _assert_close(array.sum(), dense.sum(), dense)
            _assert_close(array.mean() * dense.size, dense.mean() * dense.size, dense)
            _assert_close(array @ sa.asarray(dense), dense @ dense, dense * dense)


@pytest.mark.parametrize(("dtype", "format", "tier"), _cases(MATRICES))
@pytest.mark.unchecked("sums of single floats are not in vectors, and less exact")
def test_rows_and_whole_matrices(dtype: str, format: str, tier: str) -> None:
    x = _terms("uniform", COLUMNS).astype(dtype)
    for kind in KINDS:
        dense = _terms(kind, ROWS * COLUMNS).reshape(ROWS, COLUMNS).astype(dtype)
        dense = dense if format == "dense" else _sparse(dense).astype(dtype)
        with sa.options(tier=tier):
            array = sa.asarray(dense, format=format)
            sums, scaled = array.sum(axis=1).todense(), (array * x).sum(axis=1).todense()
            _assert_close(array.sum(), dense.sum(), dense.ravel())
        for found, other, row in zip(sums, scaled, dense, strict=True):
            _assert_close(found, row.sum(), row)
            if format != "dense":  # that is a product of dense arrays, which BLAS computes
                _assert_close(other, (row * x).sum(), row * x)


@pytest.mark.parametrize(("dtype", "format", "tier"), _cases(["list"]))
def test_what_meets_in_branches(dtype: str, format: str, tier: str) -> None:
    dense = _terms("alike", 6000).astype(dtype)
    one, other = _sparse(dense).astype(dtype), dense.copy()
    other[::7] = 0
    with sa.options(tier=tier):
        lists = [sa.asarray(each, format=format) for each in (one, other)]
        _assert_close((lists[0] * lists[1]).sum(), (one * other).sum(), one * other)
        _assert_close((lists[0] + lists[1]).sum(), (one + other).sum(), np.append(one, other))


@pytest.mark.parametrize("tier", [TIERS[0], pytest.param(TIERS[1], marks=pytest.mark.long)])
def test_variances_averages_and_norms(tier: str) -> None:
    eps = float(np.finfo(np.float32).eps)
    for kind in KINDS[1:]:
        dense = _terms(kind, 5000).astype(np.float32)
        wide = dense.astype(float)
        with sa.options(tier=tier):
            array = sa.asarray(dense)
            pairs = [
                (np.var(array), np.var(wide), np.var(dense)),
                (np.std(array), np.std(wide), np.std(dense)),
                (np.linalg.norm(array), np.linalg.norm(wide), np.linalg.norm(dense)),
                (np.nansum(array), np.nansum(wide), np.nansum(dense)),
                (np.average(abs(array), weights=array**2),
                 np.average(abs(wide), weights=wide**2),
                 np.average(abs(dense), weights=dense**2)),
            ]  # fmt: skip
            for found, exact, numpys in pairs:
                scale = max(abs(exact), np.sqrt((wide**2).mean()))
                bound = 2 * abs(float(numpys) - exact) + 4 * eps * scale
                assert abs(float(found) - exact) <= bound


@pytest.mark.parametrize("tier", TIERS)
def test_programs(tier: str) -> None:
    dense = np.full((ROWS, COLUMNS), 0.1, np.float32)
    x = _terms("uniform", COLUMNS).astype(np.float32)
    with sa.options(tier=tier):
        array, vector = sa.asarray(_sparse(dense).astype(np.float32), format="csr"), sa.asarray(x)
        rows = sa.loops("y[i] += a[i, j] * x[j]", a=array, x=vector).todense()
        whole = sa.loops("y += a[i, j] * x[j]", a=array, x=vector).compute()
    stored = array.todense()
    for found, row in zip(rows, stored, strict=True):
        _assert_close(found, row @ x, row * x)
    _assert_close(whole, (stored * x).sum(), (stored * x).ravel())


@pytest.mark.unchecked("sums are not in vectors, and less exact")
@pytest.mark.usefixtures("as_shipped")
@pytest.mark.parametrize("shape", [(4000,), (8, 500)])
@pytest.mark.parametrize(
    ("dtype", "tier"),
    [
        ("float64", "interpreted"),
        ("complex128", "interpreted"),
        ("float64", "compiled"),
        pytest.param("complex128", "compiled", marks=pytest.mark.long),
    ],
)
def test_whole_arrays_of_wide_floats(dtype: str, tier: str, shape: tuple[int, ...]) -> None:
    for kind in KINDS:
        dense = _terms(kind, 4000).astype(dtype).reshape(shape)
        for format in ("dense", "list" if len(shape) == 1 else "csr"):
            with sa.options(tier=tier):
                found = sa.asarray(dense, format=format).sum().compute()
            bound = 2 * _error(dense.sum(), dense.ravel())
            # Blocks are summed from left to right in the interpreted tier.
            assert _error(found, dense.ravel()) <= bound + (40 if tier == TIERS[0] else 1.5)


@pytest.mark.parametrize(("dtype", "tier"), [*product((*NARROW, "float64"), TIERS[:1]),
    ("float32", "compiled"), ("float64", "compiled"), ("complex64", "compiled")])  # fmt: skip
def test_infinities_and_nans(dtype: str, tier: str) -> None:
    for special in (np.inf, -np.inf, np.nan):
        for place in (0, 100, 600):
            dense = np.ones(700, dtype)
            dense[place] = special
            with sa.options(tier=tier):
                array = sa.asarray(dense)
                rows = sa.asarray(dense.reshape(2, 350), format="csr").sum(axis=1)
                np.testing.assert_equal(np.asarray(array.sum()), dense.sum())
                np.testing.assert_equal(rows.todense(), dense.reshape(2, 350).sum(axis=1))
    with sa.options(tier=tier), np.errstate(over="ignore"):
        large = np.full(700, np.finfo(dtype).max, dtype)
        np.testing.assert_equal(np.asarray(sa.asarray(large).sum()).real, np.inf)
        negative = np.full(700, -0.0, dtype)
        assert np.asarray(sa.asarray(negative).sum()) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_pieces(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from structarr._execute import partition_cuts

    monkeypatch.setattr(partition_cuts, "WORK", 1e-9)
    monkeypatch.setattr(partition_cuts, "COMBINING", 0.0)
    dense = np.full((500, 90), 0.1, np.float32)
    with sa.options(tier="compiled", threads=threads):
        array = sa.asarray(dense, format="csr")
        _assert_close((array * array).sum(), (dense * dense).sum(), (dense * dense).ravel())
        _assert_close(array.sum(), dense.sum(), dense.ravel())


@pytest.mark.long
def test_millions_of_terms_alike() -> None:
    for dtype in ("float32", "float64"):
        dense = np.full(16_000_000, 0.1, dtype)
        for format in ("dense", "list"):
            found = sa.asarray(dense, format=format).sum()
            assert _error(found, dense) <= 2
