"""Points are put into tiles that are there, and into new ones."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr.formats import Dense, Element, Format, Tiles

RNG = np.random.default_rng(0)


def _matrix(tiles: tuple[int, int], transposed: bool) -> tuple[np.ndarray, sa.Array]:
    shape = 6 * tiles[0], 4 * tiles[1]
    dense = np.where(RNG.random(shape) < 0.1, RNG.integers(1, 9, shape), 0).astype(float)
    array = sa.asarray(dense, format=Format(Dense(Tiles(Element(), *tiles)), (0, 1)))
    return (dense.T.copy(), array.T.copy()) if transposed else (dense, array)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("tiles", [(1, 1), (2, 3), (4, 2)])
@pytest.mark.parametrize("count", [0, 1, 5, 40])
def test_points_are_put_as_in_numpy(count: int, tiles: tuple[int, int], transposed: bool) -> None:
    dense, array = _matrix(tiles, transposed)
    before, format = array.copy(), array.format
    rows, columns = (RNG.integers(0, n, count) for n in dense.shape)
    values = RNG.integers(0, 9, count).astype(float)
    unchanged = dense.copy()
    with sa.options(tier="interpreted"):
        array[rows, columns] = dense[rows, columns] = values
    np.testing.assert_array_equal(array.todense(), dense)
    np.testing.assert_array_equal(before.todense(), unchanged)
    assert array.format == format


def test_stored_tiles_share_their_coordinates_and_no_values() -> None:
    dense, array = _matrix((2, 2), False)
    before = stored(array)
    rows, columns = (one[:3] for one in dense.nonzero())
    with sa.options(tier="interpreted"):
        array[rows, columns] = dense[rows, columns] = 0.0
    after = stored(array)
    assert after.buffers[1] is before.buffers[1]
    assert not np.shares_memory(after.buffers[2], before.buffers[2])
    np.testing.assert_array_equal(array.todense(), dense)


def test_other_fills_dtypes_and_bad_places() -> None:
    dense, array = _matrix((2, 3), False)
    shifted, wanted = (array + 1.0).compute(), dense + 1.0
    with sa.options(tier="interpreted"):
        shifted[[0, 11], [11, 0]] = wanted[[0, 11], [11, 0]] = [5.0, 6.0]
        np.testing.assert_array_equal(shifted.todense(), wanted)
        whole = array.astype("int32").compute()
        whole[[1, 1], [2, 2]] = [7, 8]
        assert whole[1, 2].item() == 8 and whole.dtype == np.int32
        with pytest.raises(IndexError, match="12 is out of bounds for axis 0"):
            array[[0, 12], [0, 0]] = 1.0
    np.testing.assert_array_equal(array.todense(), dense)
