"""Operations leave their operands as they were, and use them as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._compiler.options import options

DENSE = np.array([[0.0, 2.0, 0.0, 1.0], [1.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0]])
OTHER = np.array([[1.0, 5.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.0, 6.0, 0.0, 7.0]])

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "multiply": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "maximum": np.maximum,
    "greater": lambda a, b: a > b,
    "matmul": lambda a, b: a @ b.T,
    "sum": lambda a, b: (a * b + a).sum(axis=0),
    "concatenate": lambda a, b: sa.concatenate([a, b]),
    "cast": lambda a, b: a.astype(int) + b.astype("float32"),
    "in place": lambda a, b: a.__iadd__(b),
    "other formats": lambda a, b: a.asformat("rle") * b.asformat("bitmap"),
}


def unsorted(layout: str, data: np.ndarray) -> Any:
    """A SciPy array; of compressed ones, the entries of each row fall and come in halves."""
    if layout not in ("csr", "csc"):
        return scipy.sparse.coo_array(data).asformat(layout)
    major = data if layout == "csr" else data.T
    rows, columns = np.nonzero(major)
    order = np.lexsort((-columns, rows))
    rows, columns = rows[order], columns[order]
    values = major[rows, columns] / 2
    again = np.repeat(np.arange(len(rows)), 2)  # SciPy sums entries that are given twice
    pointers = np.r_[0, 2 * np.cumsum(np.bincount(rows, minlength=len(major)))]
    kind = scipy.sparse.csr_array if layout == "csr" else scipy.sparse.csc_array
    return kind((values[again], columns[again], pointers), shape=data.shape)


def parts(matrix: Any) -> dict[str, bytes]:
    """Every buffer of a SciPy array to the bit."""
    names = ("data", "indices", "indptr", "row", "col", "offsets", "rows")
    found = {name: getattr(matrix, name) for name in names if hasattr(matrix, name)}
    return {
        name: repr(list(value)).encode() if value.dtype == object else value.tobytes()
        for name, value in found.items()
    } | ({"items": repr(sorted(matrix.items())).encode()} if matrix.format == "dok" else {})


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_arrays_from_scipy_are_never_written(name: str, layout: str) -> None:
    first, second = unsorted(layout, DENSE), unsorted(layout, OTHER)
    before = parts(first), parts(second)
    with options(tier="interpreted"):
        got = OPERATIONS[name](sa.asarray(first), sa.asarray(second)).todense()
        want = OPERATIONS[name](sa.asarray(DENSE), sa.asarray(OTHER)).todense()
    np.testing.assert_array_equal(got, want)
    assert (parts(first), parts(second)) == before
    np.testing.assert_array_equal(first.toarray(), DENSE)


@pytest.mark.parametrize("size", [4, 20_000])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_a_later_change_of_an_operand_is_not_seen(layout: str, size: int) -> None:
    """Whether it is copied or computed with at once, is a question of size."""
    matrix = scipy.sparse.diags_array([np.arange(1.0, size + 1)], offsets=[0]).asformat(layout)
    a, x = sa.asarray(matrix), np.ones(size)
    with options(tier="compiled" if size > 4 else "interpreted"):
        y = a @ x
        z = a * x
        x += 1
        want = np.arange(1.0, size + 1)
        np.testing.assert_array_equal(np.asarray(y), want)
        assert float(z.sum()) == want.sum()
        np.testing.assert_array_equal(np.asarray(a @ x), 2 * want)


def test_a_chain_uses_what_its_operands_were() -> None:
    a, x = sa.asarray(DENSE).asformat("csr").compute(), np.ones(4)
    with options(tier="interpreted"):
        first = a @ x
        second = (a * x).sum(axis=1) + first
        x[:] = 0
        np.testing.assert_array_equal(np.asarray(second), 2 * DENSE.sum(axis=1))
        np.testing.assert_array_equal(np.asarray(first), DENSE.sum(axis=1))
