"""Every operation in every format that can be asked for: the format of a result changes no value.

What is skipped between two stored fibers, rows without anything in them, neighbours that are equal
and runs that end where a fiber ends: each is in some of the matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored as tensor_of
from structarr._execute import compute
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Constant,
    Dense,
    Format,
    Hash,
    Level,
    PackBits,
    Pattern,
    Ragged,
    RunList,
    SparseBand,
    SparseList,
    SparseRunList,
    SparseVBL,
    names,
    parse,
)

MATRICES = [
    np.array(rows, float)
    for rows in (
        [[0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]],
        [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 5, 5], [0, 0, 5, 5]],
        [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7]],
    )
]
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum of columns": lambda xp, a: xp.sum(a, axis=0),
    "sum of rows": lambda xp, a: xp.sum(a, axis=1),
    "max of rows": lambda xp, a: xp.max(a, axis=1),
    "min of columns": lambda xp, a: xp.min(a, axis=0),
    "any of rows": lambda xp, a: xp.any(a, axis=1),
    "all of columns": lambda xp, a: xp.all(a, axis=0),
    "product of rows": lambda xp, a: xp.prod(a, axis=1),
    "mean of columns": lambda xp, a: xp.mean(a, axis=0),
    "sum of an expression": lambda xp, a: xp.sum(xp.abs(a) * 2, axis=1),
    "matmul": lambda xp, a: a @ a,
    "matmul with the transpose": lambda xp, a: a @ a.T,
    "matmul of the transpose": lambda xp, a: a.T @ a,
    "masked matmul": lambda xp, a: (a @ a) * a,
    "masked matmul with the transpose": lambda xp, a: (a @ a.T) * a,
    "einsum of rows": lambda xp, a: xp.einsum("ij,kj->i", a, a),
    "einsum of a diagonal": lambda xp, a: xp.einsum("ii->i", a),
    "einsum of three axes": lambda xp, a: xp.einsum("ij,jk->ijk", a, a),
    "einsum of the outer sums": lambda xp, a: xp.einsum("ij,kl->ik", a, a),
    "sum over the middle": lambda xp, a: xp.sum(a[:, :, None] * a[None], axis=1),
    "sum of a union": lambda xp, a: xp.sum(a[:, :, None] + a[None], axis=0),
    "max over the last": lambda xp, a: xp.max(a[:, :, None] * a[None], axis=2),
    "union": lambda xp, a: a + a.T,
    "intersection": lambda xp, a: a * a.T,
    "scaled": lambda xp, a: a * 2.5,
    "shifted": lambda xp, a: a + 1,
    "compared": lambda xp, a: a > 1,
    "transposed": lambda xp, a: a.T,
    "side by side": lambda xp, a: xp.concatenate([a, a], axis=1),
    "one below the other": lambda xp, a: xp.concatenate([a, a], axis=0),
    "chosen": lambda xp, a: xp.where(a > 1, a, a.T),
    "sliced": lambda xp, a: a[1:3, :3],
    "reversed": lambda xp, a: a[::-1, ::2],
    "a row": lambda xp, a: a[1],
    "differences": lambda xp, a: a[1:] - a[:-1],
    "outer": lambda xp, a: a[:, :, None] * a[1],
    "broadcast": lambda xp, a: a + a[1],
    "triangle": lambda xp, a: xp.triu(a) @ a,
    "rolled": lambda xp, a: xp.roll(a, 1, axis=1),
    "padded": lambda xp, a: xp.pad(a, 1),
}
TREES: dict[str, Level] = {
    "lists of runs": SparseList(RunList()),
    "runs of runs": RunList(RunList()),
    "runs of lists": RunList(SparseList()),
    "bitmaps of bitmaps": Bitmap(Bitmap()),
    "bands of lists": SparseBand(SparseList()),
    "rows of one kind": Constant(Dense()),
    "columns of one kind": Dense(Constant()),
}
MORE: dict[int, dict[str, Level]] = {
    1: {},
    2: {
        **TREES,
        "runs of packed bits": RunList(PackBits()),
        "lists of packed bits": SparseList(PackBits()),
        "bands of runs": SparseBand(RunList()),
        "blocks of runs": SparseVBL(RunList()),
        "bitmaps of runs": Bitmap(RunList()),
        "hashed runs": Hash(RunList()),
        "ragged runs": Ragged(RunList()),
        "runs of rows": RunList(Dense()),
        "runs of bands": RunList(SparseBand()),
        "runs of blocks": RunList(SparseVBL()),
        "runs of intervals": RunList(SparseRunList()),
        "runs of bitmaps": RunList(Bitmap()),
        "runs of hashed": RunList(Hash()),
        "lists of rows": SparseList(Dense()),
    },
    3: {
        "runs of runs of runs": RunList(RunList(RunList())),
        "lists of rows of runs": SparseList(Dense(RunList())),
        "lists of runs of lists": SparseList(RunList(SparseList())),
        "rows of lists of runs": Dense(SparseList(RunList())),
        "runs of rows of runs": RunList(Dense(RunList())),
        "bands of lists of runs": SparseBand(SparseList(RunList())),
    },
}
GIVEN = [name for name in names.names_for(2) if name != "list"] + [
    *TREES,
    "csr pattern",
    "coo pattern",
]


def stored(matrix: np.ndarray, given: str) -> tuple[np.ndarray, sa.Array] | None:
    """A matrix in a format, and as it is there; None where it does not fit."""
    if given.endswith("pattern"):
        base = parse(given.split()[0], 2)
        matrix, format = matrix != 0, base.without(range(2), Pattern())
    else:
        format = parse(TREES.get(given, given), 2)
    try:
        return matrix, sa.asarray(matrix).asformat(format).compute()
    except FormatError:
        return None


def formats_asked(ndim: int) -> dict[str, Format]:
    """Formats of results."""
    found: dict[str, str | Level] = {name: name for name in names.names_for(ndim)}
    return {name: parse(spec, ndim) for name, spec in (found | MORE[ndim]).items()}


def check(operation: str, given: str, asked: str, matrix: np.ndarray) -> None:
    """Compare the result in a format with NumPy's, and check its buffers as a stranger's."""
    pair = stored(matrix, given)
    if pair is None:
        return
    apply = OPERATIONS[operation]
    wanted = np.asarray(apply(np, pair[0]))
    format = formats_asked(wanted.ndim)[asked]
    try:
        result = apply(sa, pair[1]).asformat(format).compute()
    except FormatError:
        return  # it does not fit
    case = f"{operation} of {given} as {asked}: {matrix.tolist()}"
    np.testing.assert_array_equal(result.todense(), wanted, err_msg=case)
    tensor = compute.value(result._node)
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)


@pytest.mark.parametrize("asked", ["rle", "packbits", "sparse-rle"])
@pytest.mark.parametrize("given", ["coo", "dcsr", "csr"])
def test_runs_end_where_nothing_is_stored(given: str, asked: str) -> None:
    with sa.options(tier="interpreted"):
        for operation in ("sum of rows", "einsum of rows", "matmul", "masked matmul"):
            for matrix in MATRICES[:2]:
                check(operation, given, asked, matrix)


@pytest.mark.parametrize("asked", ["lists of runs", "runs of lists", "bands of runs"])
def test_trees_with_runs_are_told_of_all_rows(asked: str) -> None:
    with sa.options(tier="interpreted"):
        for operation in ("matmul", "union", "masked matmul"):
            check(operation, "dcsr", asked, MATRICES[0])


@pytest.mark.long
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_format_of_every_result(operation: str, given: str) -> None:
    ndim = np.ndim(OPERATIONS[operation](np, MATRICES[0]))
    with sa.options(tier="interpreted"):
        for asked in formats_asked(ndim):
            for matrix in MATRICES:
                check(operation, given, asked, matrix)


def test_numbers_are_asked_for_dense() -> None:
    """There are no loops, and so none that is innermost."""
    assert (sa.asarray(2.0) * 3).asformat("dense").item() == 6.0


@pytest.mark.parametrize("source", ["dcsr", "coo", "csr"])
def test_tables_of_rows_are_where_they_belong_though_rows_before_them_are_skipped(
    source: str,
) -> None:
    data = np.zeros((8, 5))
    data[2, 1:3], data[6, :4] = 3.0, 2.0
    hashed = Format(Dense(Hash()), (0, 1))
    with sa.options(tier="interpreted"):
        found = tensor_of((sa.asarray(data, format=source) * 2.0).asformat(hashed))
    checked = Tensor.checked(found.format, found.shape, 0.0, found.buffers)  # its tables, too
    np.testing.assert_array_equal(of_tensor(checked).todense(), 2 * data)
