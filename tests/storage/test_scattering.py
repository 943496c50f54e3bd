"""Stored values at their places in dense arrays, and tiles and diagonals as rows."""

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute.compute import reordered
from structarr._storage.dense import to_dense
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import by_tiles
from structarr.formats import Dense, Element, Format, SparseList, Tiles

RNG = np.random.default_rng(0)
MATRIX = np.where(RNG.random((6, 8)) < 0.3, RNG.standard_normal((6, 8)), 0)
CUBE = np.where(RNG.random((4, 3, 5)) < 0.3, RNG.standard_normal((4, 3, 5)), 0)
LEVELS = {
    "blocks": SparseList(Dense(Dense(Element()))),
    "rows of blocks": Dense(SparseList(Dense(Element()))),
    "lists": "csf",
}


@pytest.mark.parametrize(
    "format", ["csr", "csc", "coo", "dcsr", "dia", Dense(Tiles(height=3, width=4))]
)
def test_matrices(format: object) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(MATRIX).asformat(format)  # type: ignore[arg-type]
        np.testing.assert_array_equal(a.todense(), MATRIX)
        np.testing.assert_array_equal(a.T.compute().todense(), MATRIX.T)
        np.testing.assert_array_equal((a + 1.0).todense(), MATRIX + 1.0)


@pytest.mark.parametrize("name", LEVELS)
def test_arrays_of_three_axes(name: str) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(CUBE).asformat(LEVELS[name])  # type: ignore[arg-type]
        np.testing.assert_array_equal(a.todense(), CUBE)
        for axes in ((2, 0, 1), (1, 0, 2)):
            moved = sa.permute_dims(a, axes).compute()
            np.testing.assert_array_equal(moved.todense(), CUBE.transpose(axes))


def test_blocks_of_no_elements() -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(np.eye(3), format="dcsr") @ np.ones((3, 0))
        assert a.todense().shape == (3, 0)


@pytest.mark.parametrize("format", ["bsr", "dia"])
@pytest.mark.parametrize("shape", [(6, 8), (8, 6)])
def test_tiles_and_diagonals_as_rows(format: str, shape: tuple[int, int]) -> None:
    pytest.importorskip("scipy")
    dense = MATRIX.reshape(shape)
    with sa.options(tier="interpreted"):
        a = sa.asarray(dense).asformat(format)
        for one, wanted in ((a, dense), (a.T.compute(), dense.T)):
            for layout in ("csr", "csc", "coo"):
                found = one.to_scipy(layout)
                assert found.format == layout
                np.testing.assert_array_equal(found.toarray(), wanted)
            np.testing.assert_array_equal(one.nonzero(), wanted.nonzero())
            np.testing.assert_array_equal((one + 1.0).nonzero(), (wanted + 1.0).nonzero())


@pytest.mark.parametrize("format", ["bsr", "dia"])
@pytest.mark.parametrize("shape", [(6, 8), (8, 6)])
def test_tiles_and_diagonals_in_the_other_order(format: str, shape: tuple[int, int]) -> None:
    dense = MATRIX.reshape(shape)
    with sa.options(tier="interpreted"):
        a = sa.asarray(dense).asformat(format).compute()
        moved = reordered(a._tensor, (1, 0))
        assert moved.format.order == (1, 0)
        assert type(moved.format.levels[1]) is type(a._tensor.format.levels[1])
        np.testing.assert_array_equal(to_dense(moved), dense)
        np.testing.assert_array_equal((a + a.T.compute().T).todense(), 2 * dense)


def test_the_transpose_of_a_matrix_by_tiles() -> None:
    x = np.arange(24.0).reshape(4, 6)
    tiles = by_tiles(stored(sa.asarray(x, format=Dense(Tiles(height=2, width=3)))), (2, 3))
    format = Format(tiles.format.root, (1, 0, 3, 2), tiles.format.index)
    turned = Tensor(format, (2, 2, 3, 2), tiles.dtype, tiles.fill, tiles.buffers)
    assert np.array_equal(to_dense(turned).transpose(1, 3, 0, 2).reshape(4, 6), x)
