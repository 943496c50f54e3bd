"""Pieces: each level tells where its children are, and cells are counted from them."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._storage.binned import binned
from structarr._storage.pieces import Finder
from structarr._storage.tensor import Tensor
from structarr.formats import Format, parse
from structarr.formats.name_table import NAMES

RNG = 0
LISTED = ("1-bit", "2-bit")  # their elements are decoded one by one
KNOWN = [
    (name, ndim)
    for name, known in NAMES.items()
    for ndim in (1, 2, 3)
    if known.takes(ndim) and name not in LISTED
]


def fitting(name: str, ndim: int) -> Any:
    """An array that a format holds."""
    rng = np.random.default_rng(RNG)
    dense = rng.integers(1, 4, (6,) * ndim) * (rng.random((6,) * ndim) < 0.5)
    match name:
        case "symmetric" | "hermitian":
            return dense + dense.T
        case "triu":
            return np.triu(dense)
        case "tril":
            return np.tril(dense)
        case "constant":
            return np.full_like(dense, 3)
        case "point":
            return dense * ((np.cumsum(dense != 0, -1) == 1) & (dense != 0))
        case "interval":
            dense[:] = 0
            dense[..., 2:5] = 7
    return dense


def stored_as(name: str, dense: Any, index: str = "int64") -> Tensor:
    named = parse(name, dense.ndim)
    tensor = sa.asarray(dense).asformat(Format(named.root, named.order, index))._tensor
    assert tensor is not None
    return tensor


def painted(tensor: Tensor) -> Any:
    finder = Finder(tensor)
    assert finder.knows
    assert finder._listed is None
    found = finder.at(np.arange(finder.count))
    out = np.full(tensor.shape, tensor.fill, tensor.dtype)
    for start, stop, value in zip(found.starts, found.stops, found.values, strict=True):
        out[tuple(map(slice, start, stop))] = value
    return out


@pytest.mark.parametrize(("name", "ndim"), KNOWN)
@pytest.mark.parametrize("index", ["int64", "int32"])
def test_pieces_are_the_array(name: str, ndim: int, index: str) -> None:
    dense = fitting(name, ndim)
    with sa.options(tier="interpreted"):
        found = painted(stored_as(name, dense, index))
    if name in ("symmetric", "hermitian"):  # the half that is stored
        found = np.tril(found) + np.tril(found, -1).T
    np.testing.assert_array_equal(found, dense)


def test_a_rule_is_evaluated_where_it_is_asked() -> None:
    tensor = sa.arange(5, 5 + 2 * 10**9, 2).compute()._tensor
    assert tensor is not None
    found, is_all = Finder(tensor).ends(2)
    assert not is_all
    assert found.values.tolist() == [5, 7, 2 * 10**9 + 1, 2 * 10**9 + 3]


def test_vacant_children_are_passed_over() -> None:
    marks = np.zeros(5000, int)
    marks[[3000, 4000]] = 1, 2
    found, is_all = Finder(stored_as("bitmap", marks)).ends(1)
    assert is_all
    assert found.start[0].tolist() == [3000, 4000]


@pytest.mark.parametrize("name", ["csr", "csc", "rle", "sparse-rle", "dense", "bitmap", "vbl"])
def test_cells_are_those_of_the_dense_array(name: str) -> None:
    dense = np.random.default_rng(RNG).integers(0, 3, (13, 17))
    dense[3:6, 2:9] = 5
    with sa.options(tier="interpreted"):
        cells = binned(stored_as(name, dense), 5, 4, chosen=True)
    assert cells is not None
    rows, columns = cells.row_edges, cells.column_edges
    expected = [
        [(dense[a:b, c:d] != 0).mean() for c, d in pairwise(columns)] for a, b in pairwise(rows)
    ]
    np.testing.assert_allclose(cells.share, expected)


def test_outer_axes_are_counted_together() -> None:
    tensor = sa.full((4, 6, 8), 2.0).compute()._tensor
    assert tensor is not None
    cells = binned(tensor, 3, 2)
    assert cells is not None
    np.testing.assert_array_equal(cells.share, np.ones((3, 2)))


def test_some_of_many_stand_for_all() -> None:
    tensor = stored_as("csr", np.eye(600))
    cells = binned(tensor, 2, 2, most=100)
    assert cells is not None
    assert cells.sampled
    np.testing.assert_allclose(cells.share, np.eye(2) / 300, rtol=0.1)
