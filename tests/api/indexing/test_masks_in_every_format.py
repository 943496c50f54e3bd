"""Masks of all axes, and the places of what is not zero, in every format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

FORMATS = (
    *("csr", "csc", "coo", "dcsr", "band", "dia", "vbl", "rle", "sparse-rle", "packbits", "bitmap"),
    *("symmetric", "hash", "dense", "constant"),
)
N = 6
MASK = np.random.default_rng(5).random((N, N)) < 0.4
CALLS: dict[str, Callable[[Any], Any]] = {
    "nonzero": np.nonzero,
    "argwhere": np.argwhere,
    "flatnonzero": np.flatnonzero,
    "of a comparison": lambda a: np.nonzero(a > 1.5),
    "of a comparison that is true where nothing is stored": lambda a: np.nonzero(a < 1.5),
    "where": lambda a: np.where(a),
    "of a transpose": lambda a: np.nonzero(a.T),
    "of nothing": lambda a: np.nonzero(a[2:2]),
    "masked": lambda a: a[MASK],
    "masked by itself": lambda a: a[a > 1.5],
    "masked where nothing is stored": lambda a: a[a < 1.5],
    "extracted": lambda a: np.extract(a != 2, a),
    "columns": lambda a: a[:, [5, 0, 0]],
}


def matrix(name: str, fill: float) -> np.ndarray:
    random = np.random.default_rng(3)
    data = np.where(random.random((N, N)) < 0.5, random.integers(1, 4, (N, N)) + 0.0, fill)
    match name:
        case "band" | "dia":
            return np.where(abs(np.subtract.outer(range(N), range(N))) < 2, data, fill)
        case "symmetric":
            return np.where(np.tri(N, dtype=bool), data, data.T)
        case "constant":
            return np.full((N, N), 2.0)
    return data


def check(name: str, fill: float) -> None:
    data = matrix(name, fill)
    with sa.options(tier="interpreted"):
        a = sa.asarray(data, format=name, fill_value=fill)
        for what, call in CALLS.items():
            found, expected = call(a), call(data)
            if not isinstance(expected, tuple):
                found, expected = (found,), (expected,)
            for mine, theirs in zip(found, expected, strict=True):
                assert mine.dtype == theirs.dtype, what
                np.testing.assert_array_equal(mine.todense(), theirs, err_msg=what)


@pytest.mark.parametrize("name", ["csr", "rle", "band", "symmetric", "constant"])
def test_places_and_elements_are_numpys(name: str) -> None:
    check(name, 0)


@pytest.mark.long
@pytest.mark.parametrize("fill", [0, 2.0, np.nan])
@pytest.mark.parametrize("name", FORMATS)
def test_they_are_so_in_every_format(name: str, fill: float) -> None:
    if fill == 0 or name not in ("band", "dia", "constant"):
        check(name, fill)


def test_stored_elements_that_are_false_have_no_place() -> None:
    levels = sa.formats.SparseList(sa.formats.Element())
    tree = sa.formats.SparseVBL(sa.formats.SparseBand(levels))
    data = np.array([[[1.0, 0, 3.0]]])
    a = sa.asarray(data, format=sa.formats.Format(tree, (1, 2, 0)))
    with sa.options(tier="interpreted"):
        for mask in (a > 2, (a > 2).compute()):
            assert [place.tolist() for place in np.nonzero(mask)] == [[0], [0], [2]]
            assert a[mask].tolist() == [3.0]
