"""Extremes that pass over NaN are those of NumPy, wherever NaN stands, and if there is no value."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import Buffer, Call, Lit, Load
from structarr._compiler.ir.kernel import For, Set, Store
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.nan_extremes import pass_over_nan

nan = np.nan
VALUES = {
    "plain": [[1.0, -2.0, 3.0], [0.0, 5.0, 0.0], [0.0, 0.0, 0.0], [-1.0, -2.0, -3.0]],
    "some": [[nan, -2.0, 3.0], [0.0, nan, 0.0], [0.0, 0.0, 0.0], [-1.0, nan, -3.0]],
    "rows": [[nan, nan, nan], [0.0, nan, nan], [0.0, 0.0, 0.0], [-np.inf, nan, nan]],
    "all": [[nan, nan]],
    "infinite": [[-np.inf, nan], [np.inf, nan]],
    "none": [[-np.inf, -np.inf]],
}


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense"])
@pytest.mark.parametrize("values", VALUES)
def test_extremes_are_numpys(values: str, format: str) -> None:
    array = np.array(VALUES[values])
    stored = sa.asarray(array, format=format)
    with sa.options(tier="interpreted"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("nanmax", "nanmin"):
            for axis in (None, 0, 1):
                wanted: Any = getattr(np, name)(array, axis=axis)
                got = np.asarray(getattr(sa, name)(stored, axis=axis))
                np.testing.assert_array_equal(got, wanted, err_msg=f"{name} {axis}")


@pytest.mark.usefixtures("as_shipped")
def test_a_straight_loop_is_tried_by_vectors() -> None:
    a = sa.asarray(VALUES["some"], format="csr")
    kernel = str(sa.explain(sa.nanmax(a)).kernel)
    assert "rmax(" in kernel and kernel.count("fmax(") == 3
    assert "rmax(" not in str(sa.explain(sa.nanmax(sa.asarray([[1, 2]], format="csr"))).kernel)


def test_loops_that_read_the_extreme_or_store_are_left_as_they_are() -> None:
    total, term, turn = (
        Var(name, kind) for name, kind in (("float64", "m"), ("float64", "x"), ("int64", "i"))
    )
    read, out = Load(Buffer("A_val", "float64"), turn), Buffer("C_val", "float64")
    last = Set(total, Call("float64", OPS["fmax"], (total, term)))
    others = {
        "plain": Set(term, read),
        "reads": Set(term, total + read),
        "stores": Store(out, turn, read),
    }
    for name, other in others.items():
        loop = For(turn, Lit("int64", 0), Var("int64", "n"), (other, last))
        assert (pass_over_nan((loop,)) == (loop,)) is (name != "plain"), name
