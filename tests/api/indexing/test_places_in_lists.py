"""Lists read at arrays of places and at masks, in every form that NumPy has."""

from itertools import permutations

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage.tensor import Tensor
from structarr.formats import Dense, SparseList

RANDOM = np.random.default_rng(0)
MATRIX = np.where(RANDOM.random((7, 9)) < 0.35, RANDOM.integers(1, 9, (7, 9)), 0).astype(float)
MATRIX[2] = 0
BOX = np.where(RANDOM.random((4, 5, 6)) < 0.3, RANDOM.integers(1, 9, (4, 5, 6)), 0)
R, C = RANDOM.integers(-7, 7, 11), RANDOM.integers(-9, 9, 11)
UP, RIGHT = np.unique(R % 7), np.unique(C % 9)
MASK = MATRIX > 3
ALL = slice(None)

ROWS = [
    R,
    UP,
    np.sort(R),
    R.reshape(1, 11),
    [],
    [3],
    np.array(3),
    MASK[:, 3],
    (R, ...),
    (None, R),
    True,
]
COLUMNS = [C, RIGHT, np.arange(9), RANDOM.permutation(9), [4, 4], MASK[0], C[:4].reshape(2, 2)]
POINTS = [(R, C), (R, -1), (0, C), (R[:, None], C), np.ix_(R, C), (R[None], C[:, None]), MASK]
POINTS += [(R[:, None, None], C[None, :, None]), (np.zeros(0, int), C[:0]), (R, None, C)]
CUT = [(R, slice(1, 4)), (slice(1, 5), C), (R, slice(None, None, -2)), (R, slice(2, 2)), (UP, None)]
KEYS = {"rows": ROWS, "columns": [(ALL, one) for one in COLUMNS], "points": POINTS, "cut": CUT}
X, Y, Z = (RANDOM.integers(-4, 4, 8) for _ in BOX.shape)
BOXES = [X, (X, Y), (X, Y, Z), (ALL, Y), (ALL, Y, Z), (X, ALL, Z), (X[:, None], ALL, Z), BOX > 4]
BOXES += [np.ix_(X, Y, Z), (..., Z), (X, slice(1, 3)), (0, Y), (X, 0, Z), (X, None, Y), (ALL, 0, Z)]


def agrees(array, dense, key):
    found, want = array[key], dense[key]
    tensor = stored(found)
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers, tensor.dtype)
    assert found.shape == want.shape and found.dtype == want.dtype, key
    assert np.array_equal(found.todense(), want), key


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bsr", "hash", "rle"])
@pytest.mark.parametrize("keys", KEYS)
def test_matrices(format, keys):
    with sa.options(tier="interpreted"):
        array = sa.asarray(MATRIX, format=format)
        for key in KEYS[keys]:
            agrees(array, MATRIX, key)
            if isinstance(key, np.ndarray) and key.dtype == bool and key.ndim == 2:
                agrees(array, MATRIX, ~key)
                assert np.array_equal(array[sa.asarray(key, format=format)].todense(), MATRIX[key])


@pytest.mark.parametrize("format", ["csf", "coo", "list"])
@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_boxes(format, axes):
    array, dense = sa.asarray(BOX, format=format).transpose(axes), BOX.transpose(axes)
    with sa.options(tier="interpreted"):
        for key in BOXES:
            if isinstance(key, np.ndarray) and key.dtype == bool:
                agrees(array, dense, key.transpose(axes))
                continue
            agrees(array, dense, key)


TREES = {
    SparseList(Dense()): MATRIX,
    SparseList(Dense(Dense())): BOX,
    Dense(SparseList(Dense())): BOX,
    SparseList(SparseList(Dense())): BOX,
    Dense(Dense(SparseList())): BOX,
    SparseList(Dense(SparseList())): BOX,
}


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_lists_above_dense_levels(tree):
    dense = TREES[tree]
    with sa.options(tier="interpreted"):
        for axes in list(permutations(range(dense.ndim)))[:2]:
            array, turned = sa.asarray(dense, format=tree).transpose(axes), dense.transpose(axes)
            for key in BOXES if dense.ndim == 3 else [X, (ALL, Y), (X, Y), np.ix_(X, Y)]:
                agrees(array, turned, turned > 4 if key is BOXES[7] else key)


def test_places_below_a_fill_and_in_a_vector():
    filled = np.where(MATRIX == 0, 2.0, MATRIX)
    with sa.options(tier="interpreted"):
        array = sa.asarray(filled, format="csr", fill_value=2.0)
        for key in (R, (R, C), (ALL, C), MASK):
            agrees(array, filled, key)
            assert array[key].fill_value == 2
        vector = sa.asarray(MATRIX.ravel(), format="list")
        for key in (R, R.reshape(1, 11), MASK.ravel()):
            agrees(vector, MATRIX.ravel(), key)


def test_lists_of_long_axes_are_not_counted_along():
    places = np.array([5, 10**12, 7])
    long = sa.from_coordinates((places, places[::-1]), [1.0, 2.0, 3.0], (2 * 10**12,) * 2)
    with sa.options(tier="interpreted"):
        assert long[:, [7, 0, 10**12, 7]].sum(axis=0).tolist() == [1, 0, 2, 1]
        assert long[[7, 0, -(10**12)]].sum(axis=1).tolist() == [3, 0, 2]
        assert long[places, places].tolist() == [0, 2, 0]
        assert long[np.ix_(places, places)].tolist() == [[0, 0, 1], [0, 2, 0], [3, 0, 0]]


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ((R, [9]), "index 9 is out of bounds for axis 1 with size 9"),
        (([0, 8, -8],), "index 8 is out of bounds for axis 0 with size 7"),
        ((R[:3], C[:2]), r"shape mismatch: .* with shapes \(3,\) \(2,\)"),
        ((MASK[:3],), "boolean index did not match indexed array along axis 0; size of axis is 7"),
    ],
)
def test_what_is_not_there(key, says):
    array = sa.asarray(MATRIX, format="csr")
    for one in (array, MATRIX):
        with pytest.raises(IndexError, match=says):
            one[key]


def test_places_that_are_not_zero():
    with sa.options(tier="interpreted"):
        for dense in (MATRIX, MATRIX.T, BOX, MATRIX[0], np.array(3.0), np.array(0.0), BOX[:0]):
            for format in ("dense", "list", "coo") if dense.ndim else ("dense",):
                array = sa.asarray(dense, format=format)
                assert np.array_equal(np.flatnonzero(array), np.flatnonzero(dense))
                assert np.array_equal(np.argwhere(array), np.argwhere(dense))
                if dense.ndim:
                    for found, want in zip(array.nonzero(), dense.nonzero(), strict=True):
                        assert found.dtype == want.dtype and np.array_equal(found, want)
