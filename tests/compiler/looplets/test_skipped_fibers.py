"""Fibers of a result that the loops skip are empty, however they come to be skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import compute
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Dense,
    Level,
    RunList,
    SparseList,
    SparsePoint,
    SparseRunList,
    SparseVBL,
)

A = np.array([[0.0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0]])
B = np.array([[0.0] * 4, [2] * 4, [2] * 4, [1] * 4, [0] * 4, [0] * 4])
LISTS: dict[str, Level] = {
    "lists of lists": SparseList(SparseList()),
    "lists of rows": SparseList(Dense()),
    "lists of runs": SparseList(SparseRunList()),
}
STRETCHES: dict[str, Level] = {
    "runs of rows": RunList(Dense()),
    "runs of runs": RunList(RunList()),
    "blocks of rows": SparseVBL(Dense()),
    "blocks of lists": SparseVBL(SparseList()),
}
ASKED: dict[str, str | Level | None] = {
    **{name: name for name in ("csr", "sparse-rle", "vbl", "rle", "packbits", "band", "hash")},
    "nothing": None,
    "runs of lists": RunList(SparseList()),
    "points": Dense(SparsePoint()),
}
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda a, b: a * b,
    "product the other way round": lambda a, b: b * a,
    "chosen": lambda a, b: np.where(a != 0, b, 0),
    "product of three": lambda a, b: (a * b) * a,
}


def check(operation: str, left: str, right: str, asked: str) -> None:
    """Compare a result with NumPy's, and check its buffers as a stranger's."""
    apply = OPERATIONS[operation]
    with sa.options(tier="interpreted"):
        a, b = sa.asarray(A).asformat(LISTS[left]), sa.asarray(B).asformat(STRETCHES[right])
        result = apply(a.compute(), b.compute())
        format = ASKED[asked]
        try:
            result = result if format is None else result.asformat(format).compute()
        except FormatError:
            return  # it does not fit
        tensor = compute.value(result._node)
    np.testing.assert_array_equal(
        result.todense(), apply(A, B), err_msg=f"{left}, {right}, {asked}"
    )
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)


@pytest.mark.parametrize("asked", ["csr", "sparse-rle"])
def test_elements_of_a_list_that_find_their_stretch(asked: str) -> None:
    """A list leads and nothing comes out between its elements, whose rows are never opened."""
    for right in STRETCHES:
        check("product", "lists of lists", right, asked)


@pytest.mark.long
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_all_lists_beside_all_stretches(operation: str, asked: str) -> None:
    for left in LISTS:
        for right in STRETCHES:
            check(operation, left, right, asked)


@pytest.mark.parametrize("bounds", [(0, 6), (2, 6), (1, 4)])
def test_a_window_that_is_stored_in_full_has_no_fill(bounds: tuple[int, int]) -> None:
    a = sa.asarray(-np.arange(1.0, 7.0), format="list")
    with sa.options(tier="interpreted"):
        found = sa.loops(f"for i in range{bounds}: y[()] <<max>>= a[i]", a=a)
    assert float(found) == -1.0 - bounds[0]
