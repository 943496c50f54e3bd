"""The number of entries of an array against the list of its entries and SciPy's COO."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from fitting import fitted, formats_for
from hypothesis import given, strategies as st
from stored_cases import array_of, cases

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.coordinates import coordinates
from structarr._storage.nnz import nnz
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Constant,
    Dense,
    Format,
    Function,
    Level,
    Range,
    RunList,
    SparseList,
    SparsePoint,
    Symmetric,
    parse,
)
from structarr.formats.entries import Entries, Fibers, differ, segments

CASES = cases()
SHAPES = [(4,), (3, 4), (4, 4), (2, 3, 4)]


def listed(tensor: Tensor) -> int:
    """The count by the list of all entries."""
    values = coordinates(tensor)[1]
    if tensor.ndim and tensor.format.levels[-2].kind.is_sparse:
        return len(values)
    return int(np.count_nonzero(differ(values, tensor.fill)))


def with_explicit_zeros(tensor: Tensor) -> Tensor:
    """The tensor with every other value replaced by the fill."""
    if not tensor.format.levels[-1].buffers:
        return tensor
    *places, values = tensor.buffers
    changed = values.copy()
    changed[::2] = tensor.fill
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, (*places, changed))


@given(st.data(), st.sampled_from(SHAPES))
def test_any_tree_counts_what_the_list_of_its_entries_has(
    data: Any, shape: tuple[int, ...]
) -> None:
    format = data.draw(formats_for(shape))
    values = data.draw(st.lists(st.integers(0, 2), min_size=5, max_size=5))
    dense = fitted(np.resize(np.array(values, float), shape), format, 0.0)
    with sa.options(tier="interpreted"):
        try:
            tensor = stored(sa.asarray(dense, format=format, fill_value=0))
        except FormatError:
            return
    for one in (tensor, with_explicit_zeros(tensor)):
        assert nnz(one) == listed(one)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("format ")])
def test_each_format_counts_as_scipy_does(name: str) -> None:
    with sa.options(tier="interpreted"):
        tensor = stored(array_of(CASES[name]))
        dense = np.asarray(of_tensor(tensor))
    for one in (tensor, with_explicit_zeros(tensor)):
        assert of_tensor(one).nnz == of_tensor(one).to_scipy("coo").nnz
    assert nnz(tensor) >= sp.coo_array(dense).nnz


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("format ")])
def test_dtypes_fills_and_shapes(name: str) -> None:
    with sa.options(tier="interpreted"):
        tensor = stored(array_of(CASES[name]))
    assert nnz(tensor) == listed(tensor)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "lil", "dok"])
def test_matrices_of_scipy_keep_their_count(layout: str) -> None:
    coords = [0, 0, 1, 3], [0, 2, 1, 3]
    matrix = sp.coo_array(([1.0, 0.0, 2.0, 0.0], coords), shape=(4, 4)).asformat(layout)
    assert sa.asarray(matrix).nnz == matrix.nnz


def test_an_explicit_zero_counts_and_what_a_run_covers() -> None:
    runs = Tensor.checked(parse("sparse-rle", 1), (9,), 0, ([0, 2], [1, 5], [4, 9], [0.0, 2.0]))
    assert (runs.nstored, nnz(runs)) == (2, 7)
    whole = Tensor.checked(parse("rle", 1), (9,), 0, ([0, 2], [4, 9], [0.0, 2.0]))
    assert (whole.nstored, nnz(whole)) == (2, 5)


def test_places_without_an_element_do_not_count() -> None:
    mask = np.array([True, False, True])
    blocks = Tensor.checked(parse("bitmap", 1), (3,), 0, (mask, [1, 2, 0]))
    assert nnz(blocks) == 2
    points = Tensor.checked(parse("point", 2), (3, 4), 0, ([2, -1, 0], [1, 2, 0]))
    assert nnz(points) == 2
    diagonals = sa.asarray(np.diag(np.arange(1.0, 4.0), 1), format="dia")
    assert (diagonals.nstored, diagonals.nnz) == (4, 3)


def test_levels_below_what_counts_several_times() -> None:
    rows = Tensor.checked(
        Format(RunList(SparseList()), (0, 1)),
        (9, 4),
        0,
        ([0, 2], [4, 9], [0, 2, 3], [0, 3, 1], [1.0, 0.0, 5.0]),
    )
    assert nnz(rows) == listed(rows) == 4 * 2 + 5 * 1
    twice = Tensor.checked(
        Format(Dense(Symmetric(Dense())), (0, 1, 2)), (2, 2, 2), 0, [np.arange(6)]
    )
    assert nnz(twice) == listed(twice) == 7
    points = Tensor.checked(
        Format(Dense(SparsePoint(Dense())), (0, 1, 2)), (3, 2, 2), 0, ([1, -1, 0], np.ones(6))
    )
    assert nnz(points) == listed(points) == 4


def test_rules_count_where_they_differ_from_the_fill() -> None:
    assert sa.arange(-300_000, 300_000).nnz == 599_999
    rule = Format(Dense(Function(op="negative")), (0, 1))
    tensor = Tensor.checked(rule, (2, 4), 0, (np.zeros(0),))
    assert nnz(tensor) == listed(tensor) == 6
    marked = Format(RunList(Range()), (0, 1))
    steps = Tensor.checked(marked, (9, 4), 0, ([0, 2], [4, 9], [0, 1, -1, 1]))
    assert nnz(steps) == listed(steps) == 4 * 3 + 5 * 3


class Backwards(Level):
    """Child i of fiber p is at `(p + 1) * dim - 1 - i`, in a format from outside."""

    kind = "computed"

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Any, ...]) -> Entries:
        """Every index."""
        fiber, coordinate, _ = segments(fibers.position, np.full(len(fibers.position), dim))
        return Entries(fiber, coordinate, (fibers.position[fiber] + 1) * dim - 1 - coordinate)


def test_a_level_that_tells_nothing_is_listed() -> None:
    format = Format(Dense(Backwards()), (0, 1))
    tensor = Tensor.checked(format, (2, 3), 0, [np.array([0, 1, 2, 3, 4, 0])])
    assert nnz(tensor) == listed(tensor) == 4


def test_nothing_is_expanded() -> None:
    n = 10**12
    constant = Tensor.checked(parse("constant", 2), (n, n), 0, ([1.0],))
    assert (nnz(constant), constant.nstored) == (n * n, 1)
    filled = Tensor.checked(parse("constant", 2), (n, n), 1, ([1.0],))
    assert nnz(filled) == 0
    nested = Tensor.checked(
        Format(Constant(RunList()), (0, 1)), (n, n), 0, ([0, 2], [7, n], [0.0, 3.0])
    )
    assert nnz(nested) == n * (n - 7)
    rows = Tensor.checked(Format(RunList(Dense()), (0, 1)), (n, 2), 0, ([0, 1], [n], [1.0, 0.0]))
    assert nnz(rows) == n
    packed = Tensor.checked(
        parse("packbits", 1), (n,), 0, ([0, 2], [n - 2, n], [0, 1, 3], [3.0, 0, 1])
    )
    assert nnz(packed) == n - 1
