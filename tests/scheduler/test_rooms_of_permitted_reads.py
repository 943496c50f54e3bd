"""Room for what is read at indices that may be outside: fills and gaps of results are their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import (
    Dense,
    Format,
    Level,
    Ragged,
    SparseBand,
    SparseList,
    SparsePoint,
    SparseVBL,
)

TREES = [
    SparsePoint(SparseList()),
    SparsePoint(SparseBand()),
    SparseVBL(SparseVBL()),
    SparseVBL(SparseList()),
    SparseBand(SparseBand()),
    SparseBand(SparseList()),
    SparseList(SparsePoint()),
    SparseList(Ragged()),
    Dense(Ragged()),
]
TEXTS: dict[str, Callable[[Any, Any], Any]] = {
    "B[i, permit(j - 1)]": lambda p, q: p,
    "B[i, permit(j - 1)] * 2": lambda p, q: p * 2,
    "B[i, permit(j - 1)] * x[j]": lambda p, q: p * np.arange(1.0, 6.0),
    "sqrt(B[i, permit(j - 1)])": lambda p, q: np.sqrt(p),
    "max(B[i, permit(j - 1)], 0)": lambda p, q: p,
    "B[i, permit(j - 1)] * B[i, permit(j - 2)]": lambda p, q: p * q,
    "coalesce(B[i, permit(j - 1)], B[i, permit(j - 2)])": lambda p, q: np.where(
        (np.arange(5) >= 1) & (np.arange(5) <= 3), p, q
    ),
    "coalesce(B[i, permit(j - 1)], 0) * 2": lambda p, q: p * 2,
}


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    """The tier that checks bounds."""
    with sa.options(tier="interpreted"):
        yield


ONE_ROW = np.array([[0.0, 0, 0], [4, 0, 0], [0, 0, 0], [0, 0, 0]])
TWO_ROWS = np.array([[0.0, 0, 0], [4, 0, 0], [1, 9, 0], [0, 0, 0]])


@pytest.mark.parametrize("tree", TREES, ids=repr)
@pytest.mark.parametrize("data", [ONE_ROW, TWO_ROWS, np.zeros((4, 3))], ids=["one", "two", "none"])
def test_rows_of_fill_are_not_opened(tree: Level, data: Any) -> None:
    if data is TWO_ROWS and any("Point" in type(one).__name__ for one in (tree, tree.child)):
        data = data * [[1], [0], [1], [1]] * [1, 0, 1]
    given = {"B": sa.asarray(data).asformat(tree), "extents": {"j": 5}}
    p, q = np.pad(data, ((0, 0), (1, 1))), np.pad(data, ((0, 0), (2, 0)))
    for text, want in TEXTS.items():
        names = {**given, "x": np.arange(1.0, 6.0)} if "x[" in text else given
        found = sa.loops(f"y[i, j] = {text}", **names)
        np.testing.assert_array_equal(found.todense(), want(p, q), err_msg=text)


def test_a_ragged_array_that_is_moved_from_its_start_is_a_band() -> None:
    data = np.array([[4.0, 5, 0], [1, 0, 0]])
    R = sa.asarray(data, format="ragged")
    later = sa.loops("y[i, j] = B[i, permit(j - 1)]", B=R, extents={"j": 5})
    assert later.format == "band"
    np.testing.assert_array_equal(later.todense(), np.pad(data, ((0, 0), (1, 1))))
    earlier = sa.loops("y[i, j] = B[i, permit(j + 1)]", B=R, extents={"j": 3})
    assert earlier.format == "ragged"
    np.testing.assert_array_equal(earlier.todense(), np.pad(data[:, 1:], ((0, 0), (0, 1))))


X = np.array([7.0, 7, 1, 7, 2, 7])


@pytest.mark.parametrize("out", ["list", "coo", "hash", "rle", "sparse-rle", "bitmap"])
@pytest.mark.parametrize("format", ["list", "sparse-rle", "vbl", "band", "hash", "coo", "rle"])
def test_fills_that_are_not_those_of_the_result_have_room(format: str, out: str) -> None:
    x = sa.asarray(X, format=format, fill_value=7.0)
    given = {"x": x, "extents": {"i": 8}, "out": out}
    found = sa.loops("y[i] = x[permit(i - 1)]", **given)
    np.testing.assert_array_equal(found.todense(), np.pad(X, 1))
    found = sa.loops("y[i] = x[permit(i - 1)] + a", a=3.0, **given)
    np.testing.assert_array_equal(found.todense(), np.pad(X + 3, 1))


@pytest.mark.parametrize("format", ["rle", "packbits", "sparse-rle", "dense"])
@pytest.mark.parametrize("out", ["rle", "sparse-rle"])
def test_runs_of_fill_stand_around_what_is_there(format: str, out: str) -> None:
    data = np.array([[5.0, 2, 2, 9], [1, 2, 3, 4]])
    x = sa.asarray(data, format=format)
    given = {"x": x, "extents": {"j": 6}, "out": out}
    found = sa.loops("y[i, j] = x[i, permit(j - 1)]", **given)
    np.testing.assert_array_equal(found.todense(), np.pad(data, ((0, 0), (1, 1))))
    given["extents"] = {"i": 4, "j": 6}
    found = sa.loops("y[i, j] = x[permit(i - 1), permit(j - 1)]", **given)
    np.testing.assert_array_equal(found.todense(), np.pad(data, 1))


@pytest.mark.parametrize("row", ["i", "1"])
def test_a_ragged_axis_is_read_from_its_start_by_a_loop_that_begins_further_on(row: str) -> None:
    data = np.array([[0.0], [1.0], [0.0]])
    kernel = sa.kernel(
        f"""
        def shifted(A):
            y = np.zeros((6, 6), np.float64)
            for i in range(0, 3):
                for j in range(2, 3):
                    y[i, j] = A[{row}, j - 2]
            return y
        """
    )
    want = np.zeros((6, 6))
    want[:3, 2:3] = data if row == "i" else data[1]
    found = kernel(sa.asarray(data, format="ragged"))
    assert found.format == ("band" if row == "i" else SparseBand(SparseBand()))
    np.testing.assert_array_equal(found.todense(), want)


@pytest.mark.parametrize("level", [SparseVBL(), SparseBand(), SparseList()], ids=repr)
@pytest.mark.parametrize(
    ("row", "f"), [("f[i]", np.zeros(4, int)), ("permit(i - f[i])", np.arange(4))], ids=["f", "-f"]
)
def test_a_fiber_that_is_found_by_its_elements_index_is_looked_up(
    level: Level, row: str, f: Any
) -> None:
    """The loop is around what finds the fiber, so it goes to indices of no elements as well."""
    tensor = sa.asarray(ONE_ROW[1:, ::-1]).asformat(Format(Dense(level), (0, 1), "int64"))
    text = f"y[i] = coalesce(B[{row}, permit(i - 1)], 0)"
    found = sa.loops(text, extents={"i": 4}, B=tensor, f=sa.asarray(f))
    np.testing.assert_array_equal(found.todense(), [0, 0, 0, 4])
