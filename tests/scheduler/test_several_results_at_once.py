"""Programs of several results: of the loops that all of them have."""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa
from structarr._array import stored
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.compiled import Request
from structarr._scheduler.fuse_results import fused_programs


def test_results_of_other_loops_have_no_program_together() -> None:
    a = sa.asarray(np.eye(4), format="csr")
    x = sa.asarray(np.arange(4.0))
    builder = Builder(lambda node: stored(sa.Array(node)))

    def programs(*arrays: Any) -> int:
        roots = tuple([builder.root(one._node) for one in arrays])
        return len(fused_programs(roots, Request(roots[0], None, "int64", False)))

    assert programs(a * 2, a * 3) > 0
    assert programs(a * 2, x * 2) == 0
    assert programs(x * 2, a * 2) == 0
