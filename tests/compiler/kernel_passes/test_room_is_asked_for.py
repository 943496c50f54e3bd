"""Kernels give up before they write or read beyond the room of a result, were it too small.

The interpreted tier leaves that to the bounds of its arrays. Here it asks as compiled kernels do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.python import interpret
from structarr._compiler.ir.expr import Lit
from structarr._execute import choices, compute
from structarr._scheduler import result_bounds
from structarr.formats import Dense, Hash, Level, RunList, SparseBand, SparseList, SparseVBL, parse

DATA = np.array([[0.0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]])
VECTORS: list[str | Level] = [
    "list",
    "hash",
    "vbl",
    "band",
    "ragged",
    "rle",
    "sparse-rle",
    "packbits",
]
TREES: list[str | Level] = [
    "csr",
    "coo",
    "csf",
    "rle",
    "packbits",
    "vbl",
    "band",
    "ragged",
    SparseList(Dense()),
    SparseList(RunList()),
    RunList(Dense()),
    RunList(SparseList()),
    SparseBand(SparseBand()),
    SparseBand(SparseList()),
    SparseVBL(SparseVBL()),
    Hash(RunList()),
]
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda a: np.sum(a, axis=1),
    "product": lambda a: a @ a,
    "union": lambda a: a + a.T,
    "joined": lambda a: np.concatenate([a, a]),
    "outer": lambda a: a[:, :, None] * a[1],
}


@pytest.fixture(autouse=True)
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The interpreted tier with the questions that kernels ask."""
    monkeypatch.setattr(
        Kernel, "_as_python", lambda self: interpret.Interpreted(self.source, self.params)
    )
    with sa.options(tier="interpreted"):
        yield


def gives_up(operation: str, given: str, asked: str | Level, room: int) -> bool:
    """Whether a kernel says that a result outgrows its room; nothing else may happen."""
    array = OPERATIONS[operation](sa.asarray(DATA, format=given))
    format = parse(asked, array.ndim)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "_choices", {})
        patch.setattr(result_bounds, "allocation_bound", lambda *args: Lit("int64", room))
        try:
            compute.in_format(array._node, format)
        except RuntimeError as error:
            assert "would outgrow the room" in str(error)
            return True
    return False


@pytest.mark.parametrize("operation", ["sum", "product"])
def test_results_that_outgrow_their_room(operation: str) -> None:
    formats = VECTORS if operation == "sum" else TREES[::2]
    assert any([gives_up(operation, "dcsr", asked, room=0) for asked in formats])


@pytest.mark.long
@pytest.mark.parametrize("room", [0, 1, 2, 3])
@pytest.mark.parametrize("given", ["dense", "csr", "dcsr", "coo", "rle", "vbl", "band", "hash"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_all_results_that_outgrow_their_room(operation: str, given: str, room: int) -> None:
    ndim = np.ndim(OPERATIONS[operation](DATA))
    for asked in {1: VECTORS, 2: TREES, 3: ["csf", "coo", "rle", "vbl", "band"]}[ndim]:
        gives_up(operation, given, asked, room)
