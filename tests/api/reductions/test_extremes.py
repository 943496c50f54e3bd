"""Greatest and least elements: of what is stored, and of what is not, which is looked at once."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Lit
from structarr._compiler.ir.kernel import Set, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.dead_code import drop_dead_code

VALUES = (-2.0, -1.0, 0.5, 3.0, np.inf, -np.inf, np.nan)


FORMATS = ("dense", "csr", "csc", "dcsr", "vbl", "bitmap")
TIERS = [("interpreted", format) for format in FORMATS] + [
    pytest.param("compiled", format, marks=[] if format in ("csr", "vbl") else pytest.mark.long)
    for format in FORMATS
]


@pytest.mark.parametrize(("tier", "format"), TIERS)
def test_rows_of_every_length(format: str, tier: str) -> None:
    rng = np.random.default_rng(1)
    for length in (1, 2, 3, 4, 5, 9, 17):
        dense = rng.choice(VALUES[:5], (6, length))
        dense[rng.random(dense.shape) < 0.5] = 0
        dense[0], dense[1] = 0, -3  # a row that stores nothing, and one that stores everything
        dense[2, -1] = np.nan
        array = sa.asarray(dense, format=format)
        with sa.options(tier=tier):
            for name in ("max", "min"):
                for axis in (0, 1, None):
                    got = getattr(sa, name)(array, axis=axis).todense()
                    np.testing.assert_array_equal(got, getattr(np, name)(dense, axis=axis))


@pytest.mark.usefixtures("as_shipped")
def test_what_is_not_stored_is_looked_at_once_a_row() -> None:
    array = sa.asarray(np.eye(6), format="csr")
    kernel = sa.explain(array.max()).kernel
    assert "idx" not in kernel  # how many are stored says whether anything is not
    assert "rmax" in kernel
    assert "break" in kernel  # one row with such an element is enough


def test_extremes_of_columns_take_the_matrix_by_columns() -> None:
    """Row by row each of them would visit every column."""
    array = sa.from_coordinates(([5, 7], [1, 2]), [1.0, -2.0], (10**6, 4), format="csr")
    assert sa.explain(array.max(axis=0)).cost < 10**6
    assert array.max(axis=0).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert array.min(axis=0).tolist() == [0.0, 0.0, -2.0, 0.0]


def test_a_loop_that_nothing_reaches_is_dropped() -> None:
    var = Var(INDEX, "x", True)
    assert drop_dead_code((While((Set(var, Lit(INDEX, 1)),)),)) == ()


def test_fibers_of_a_cursor_are_gone_through_once() -> None:
    """The cursor over the outer fibers stands at their end after a loop over them."""
    formats = sa.formats
    dense = np.array([[0.0, 0, 0], [0, 0, 0], [5, 0, -2.5]])
    root = formats.RunList(formats.SparseList(formats.Element()))
    array = sa.asarray(dense, format=formats.Format(root, (1, 0), "int64"))
    assert float(array.max()) == 5.0
    assert float(array.min()) == -2.5
