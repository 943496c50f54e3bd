"""Windows of sparse rows are sought from where they were found for the element before."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

import structarr as sa
from structarr._compiler.ir.expr import Lit, maximum
from structarr._compiler.ir.kernel import For, Set
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.resume_searches import _FingerSearches

WINDOW = """
C[i, k] += (
    (A[i, k] != 0)
    * coalesce(A[permit(offset(1 - i, j)), permit(offset(2 - k, l))], 0)
    * coalesce(F[permit(j), permit(l)], 0)
)
"""


def _grid(seed: int, shape: tuple[int, int], density: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.where(random.random(shape) < density, random.integers(1, 9, shape), 0).astype(float)


def _job(grid: np.ndarray, square: np.ndarray, format: str = "csr") -> dict[str, object]:
    extents = {"j": square.shape[0], "l": square.shape[1]}
    stored = sa.asarray(grid, format=format)
    return {"A": stored, "F": square, "order": "ikjl", "extents": extents}


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("shape", [(9, 40), (1, 7), (30, 3), (6, 0)])
@pytest.mark.parametrize("density", [0.0, 0.2, 1.0])
def test_windows_are_those_of_dense_arrays(
    density: float, shape: tuple[int, int], tier: str
) -> None:
    grid, square = _grid(1, shape, density), _grid(2, (3, 5), 1.0)
    with sa.options(tier=tier):
        found = sa.loops(WINDOW, **_job(grid, square))
    wanted = np.zeros(shape)
    if grid.size:
        wanted = ndimage.correlate(grid, square, mode="constant") * (grid != 0)
    np.testing.assert_array_equal(found.todense(), wanted)


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo", "vbl", "band", "rle", "sparse-rle"])
def test_every_format_has_the_same_windows(format: str) -> None:
    grid, square = _grid(3, (8, 12), 0.4), _grid(4, (3, 5), 1.0)
    found = sa.loops(WINDOW, **_job(grid, square, format))
    wanted = ndimage.correlate(grid, square, mode="constant") * (grid != 0)
    np.testing.assert_array_equal(found.todense(), wanted)


@pytest.mark.usefixtures("as_shipped")
def test_rows_have_fingers() -> None:
    kernel = sa.explain(WINDOW, **_job(_grid(1, (9, 9), 0.3), _grid(2, (3, 5), 1.0))).kernel
    assert "fingers = new_fingers(" in kernel
    assert kernel.count("search_near(") == 1
    assert " search(" not in kernel  # the end of a window is met entry by entry


def test_elements_may_come_in_any_order() -> None:
    """The windows of columns that an index names, which go forth and back."""
    grid, places = _grid(5, (6, 30), 0.5), np.array([20, 3, 25, 3, 0, 29, 11])
    text = "y[k] += coalesce(A[permit(j), permit(p[k] + l)], 0) * w[j, l]"
    weights = _grid(6, (6, 4), 1.0)
    found = sa.loops(
        text, A=sa.asarray(grid, format="csr"), p=places, w=weights, order="kjl", extents={}
    )
    padded = np.pad(grid, ((0, 0), (0, 4)))
    wanted = [(padded[:, p : p + 4] * weights).sum() for p in places]
    np.testing.assert_array_equal(found.todense(), wanted)


def test_fingers_end_where_the_matrix_does() -> None:
    """The weights have more rows than the matrix, which has no beginnings of them."""
    grid, weights = _grid(7, (3, 30), 0.5), _grid(8, (5, 4), 1.0)
    text = "y[k] += coalesce(A[permit(j), permit(k + l)], 0) * w[j, l]"
    stored = sa.asarray(grid, format="csr")
    extents = {"k": 27}
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            found = sa.loops(text, A=stored, w=weights, order="kjl", extents=extents)
        padded = np.pad(grid, ((0, 2), (0, 4)))
        wanted = [(padded[:, k : k + 4] * weights).sum() for k in range(27)]
        np.testing.assert_array_equal(found.todense(), wanted)


def test_rows_of_a_matrix_that_stores_none_are_not_counted_by_its_entries() -> None:
    """How many rows are sought is read from the matrix, where there is nothing to read."""
    text = """
def program(x, B, y):
    for q in range(len(x)):
        for j in range(min(q + 2, 2)):
            for k in range(x.shape[0]):
                y[k, j] *= abs(coalesce(B[permit(offset(1, k)), q], 0) * x[symmetric(q + k - 1)])
    return y
"""
    grid = sa.asarray(np.zeros((2, 4), "f4"), format="dcsr")
    x = sa.asarray(np.array([np.inf, -1, -1.5, np.inf]), format="rle", fill_value=np.inf)
    with sa.options(tier="interpreted", strict_ieee=True):
        found = sa.kernel(text)(x=x, B=grid, y=np.ones((4, 2)))
    assert np.isnan(found.todense()).any()


def test_fingers_have_names_of_their_own() -> None:
    """Beside variables that the kernel only reads, and those that it only sets."""
    read, made = Var("int64", "fingers"), Var("int64", "last")
    block = (Set(made, read + 1),)
    assert {read, made} <= _FingerSearches(block, block)._taken


def test_rows_that_may_begin_below_zero_have_no_room() -> None:
    """A finger is kept at the number of its row."""
    row, start, stop = (Var("int64", name) for name in ("i", "start", "stop"))
    zero, body = Lit("int64", 0), (Set(Var("int64", "n"), Lit("int64", 1)),)
    room = _FingerSearches((), ())._room
    assert room(For(row, zero, stop, body), set()) is stop
    assert room(For(row, maximum(start, zero), stop, body), set()) is stop
    assert room(For(row, start, stop, body), set()) is None
    assert room(For(row, Lit("int64", -1), stop, body), set()) is None
