"""Loops over adjacent fibers are one loop over all children, where these read no fiber's place."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Buffer, Call, Lit
from structarr._compiler.ir.kernel import For, If, Set
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.adjacent_loops import join_adjacent_loops


@pytest.mark.parametrize("scaled", [False, True])
def test_a_maximum_goes_over_all_children_at_once(scaled: bool) -> None:
    """Whether a fiber lacks any is asked in a loop of its own, if that lets the others be one."""
    dense = np.eye(6, 7) - 3 * np.eye(6, 7, 1)
    array = sa.asarray(dense, format="csr")
    greatest = (array * np.arange(6.0)[:, None]).max() if scaled else array.max()
    kernel = sa.explain(greatest).kernel
    depths = [line.index("for ") // 4 for line in kernel.splitlines() if "for " in line]
    assert depths == ([1, 2] if scaled else [1, 1])
    assert float(greatest) == (dense * np.arange(6)[:, None] if scaled else dense).max()


def test_updates_that_do_not_commute_stay_in_their_order() -> None:
    ptr, val = Buffer("A_ptr", "int64", True), Buffer("A_val", "float64")
    row, at, end = (Var("int64", name) for name in ("i", "q", "q_end"))
    total, one = Var("float64", "s"), Lit("int64", 1)
    for name, whole in (("maximum", True), ("add", False)):
        own, other = (
            Call("float64", OPS[name], (total, x)) for x in (Lit("float64", 0.0), val[at])
        )
        lacks = If(((lt(end - at, Var("int64", "j_n")), (Set(total, own),)),))
        inner = For(at, at, end, (Set(total, other),))
        body = (Set(at, ptr[row]), Set(end, ptr[row + one]), lacks, inner)
        loop = For(row, Lit("int64", 0), Var("int64", "i_n"), body)
        assert (join_adjacent_loops((loop,)) != (loop,)) is whole
