"""Small slices that are read in another order are transposed by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import compute
from structarr._storage.tensor import Tensor
from structarr.formats import Dense, Element, Format, SparseVBL, parse

LEVELS = Dense(Dense(Dense(Dense(SparseVBL(Element())))))

EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "gram of rows": lambda a, b: a[5:9] @ a[5:9].T,
    "two places": lambda a, b: a[5:9] @ a[11:14].T,
    "columns": lambda a, b: a[:, 3:6] @ b[3:6],
    "window": lambda a, b: a[2:5, 7:12].T @ a[2:5, 3:8],
    "every other": lambda a, b: a[::5] @ b[::5].T,
    "backwards": lambda a, b: a[9:5:-1] @ a[9:5:-1].T,
    "with the whole": lambda a, b: a[5:9] @ a.T,
    "with a sum": lambda a, b: a[5:9] @ (a[5:9] * b.sum()).T,
    "half": lambda a, b: a[:10] @ a[:10].T,
    "none": lambda a, b: a[4:4] @ a[4:4].T,
}


def _operands() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    a, b = np.where(random.random((2, 20, 20)) < 0.3, random.standard_normal((2, 20, 20)), 0.0)
    return a, b


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "band"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_slices_of_products(name: str, format: str) -> None:
    a, b = _operands()
    stored = [sa.asarray(one, format=format) for one in (a, b)]
    with sa.options(tier="interpreted"):
        for _ in range(2):
            got = EXPRESSIONS[name](*stored).todense()
            np.testing.assert_allclose(got, EXPRESSIONS[name](a, b), atol=1e-12)


@pytest.mark.parametrize(("name", "rows"), [("gram of rows", 4), ("half", 20)])
def test_what_is_transposed(name: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = compute.reorder, []

    def reorder(tensor: Tensor, *rest: Any) -> Tensor:
        seen.append(max(tensor.shape) if rows == 20 else min(tensor.shape))
        return real(tensor, *rest)

    monkeypatch.setattr(compute, "reorder", reorder)
    a, b = _operands()
    with sa.options(tier="interpreted"):
        EXPRESSIONS[name](sa.asarray(a, format="csr"), sa.asarray(b)).compute()
    assert seen == [rows]


@pytest.mark.parametrize("times", [3, np.array([3, 1, 0, 2]), np.array([2])])
@pytest.mark.parametrize("axis", range(5))
def test_elements_at_places_that_no_order_suits(axis: int, times: Any) -> None:
    """What is put in order is the array then: its elements cannot be computed before it is."""
    dense = np.zeros((2, 3, 1, 4, 2))
    dense[1, 2, 0, 1:3, 0] = [5.0, 6.0]
    dense[0, 0, 0, 3, 1] = 7.0
    a = sa.asarray(dense).asformat(Format(LEVELS, (0, 1, 2, 3, 4)))
    length = dense.T.shape[axis]
    repeats = np.resize(times, length) if isinstance(times, np.ndarray) else times
    with sa.options(tier="interpreted"):
        got = np.repeat(a.T, repeats, axis=axis).todense()
        lists = np.repeat(a.T, repeats, axis=axis).asformat(parse("list", dense.ndim)).todense()
    np.testing.assert_array_equal(got, np.repeat(dense.T, repeats, axis=axis))
    np.testing.assert_array_equal(lists, got)
