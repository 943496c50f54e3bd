"""Assignment to lists: points, rows, columns, blocks, masks and combinations of places."""

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage.tensor import Tensor

RANDOM = np.random.default_rng(0)
ALL = slice(None)
MATRIX = np.where(RANDOM.random((7, 9)) < 0.35, RANDOM.integers(1, 9, (7, 9)), 0.0)
MATRIX[2] = 0
R, C = RANDOM.integers(-7, 7, 11), RANDOM.integers(-9, 9, 11)
UP, RIGHT = np.unique(R % 7), np.unique(C % 9)
POINTS = [(0, 0), (-1, -1), (R, C), MATRIX > 3, MATRIX == 0, (R[:, None], C), (R, -1), ([], [])]
POINTS += [(np.arange(7), np.arange(7)), (R[None], C[:, None])]
REGIONS = [0, -1, (ALL, 0), slice(0, 2), (slice(0, 2), slice(0, 3)), (slice(None, None, -2), ALL)]
REGIONS += [UP, (ALL, C), np.ix_(UP, RIGHT), (R, slice(1, 3)), (R, ALL), ..., (None, R)]
REGIONS += [(slice(2, 2), ALL), (slice(None, None, 3), slice(None, None, -2))]
FORMATS = ["csr", "csc", "coo", "dcsr", "bsr"]


def agrees(array, dense, key, value):
    array, dense = array.copy(), dense.copy()
    array[key] = value
    dense[key] = value.todense() if isinstance(value, sa.Array) else value
    tensor = stored(array)
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
    assert np.array_equal(array.todense(), dense), (key, value)
    return array


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("fill", [0, 2])
def test_elements_are_numpys(format, fill):
    dense = np.where(MATRIX == 0, fill, MATRIX)
    with sa.options(tier="interpreted"):
        array = sa.asarray(dense, format=format, fill_value=fill)
        for key in POINTS + REGIONS:
            shape = dense[key].shape
            given = RANDOM.integers(0, 3, shape).astype(float)
            for value in (fill, 5.0, given):
                found = agrees(array, dense, key, value)
                assert found.format == format
            if len(shape) == 2:
                agrees(array, dense, key, sa.asarray(given, format="csr"))
                agrees(array, dense, key, given[:1])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("fills", [0, 1, 2, 9], ids=lambda count: f"{count} fills")
def test_values_of_which_a_few_are_fill(format, fills):
    """Then all are put at once; where many are, their entries are taken out before."""
    with sa.options(tier="interpreted"):
        array = sa.asarray(MATRIX, format=format)
        for key in (2, -1, (ALL, 0), (slice(0, 3), slice(1, 6)), (UP, slice(0, 3)), ([3, 3], ALL)):
            given = np.arange(1.0, MATRIX[key].size + 1)
            given[np.linspace(0, len(given) - 1, min(fills, len(given))).astype(int)] = 0
            found = agrees(array, MATRIX, key, given.reshape(MATRIX[key].shape))
            if format != "bsr":
                assert found.nstored == np.count_nonzero(found.todense())


def test_what_is_assigned_the_fill_is_not_stored():
    with sa.options(tier="interpreted"):
        for format in ("csr", "csc", "coo"):
            for key in (MATRIX > 3, (R, C), (ALL, C), np.ix_(UP, RIGHT), 3):
                array, dense = sa.asarray(MATRIX, format=format), MATRIX.copy()
                array[key] = dense[key] = 0
                assert array.nstored == np.count_nonzero(dense)


def test_vectors():
    dense = MATRIX.ravel()
    with sa.options(tier="interpreted"):
        for format in ("list", "coo"):
            array = sa.asarray(dense, format=format)
            for key in (3, -1, slice(2, 9), slice(None, None, -3), C, dense > 3, [], ...):
                for value in (0.0, 5.0, RANDOM.integers(0, 3, dense[key].shape) * 1.0):
                    agrees(array, dense, key, value)


def test_values_are_cast_and_the_last_one_stands():
    array = sa.asarray(sa.eye(4, dtype="int32"), format="csr")
    with sa.options(tier="interpreted"):
        array[[0, 0, 1, 1], [1, 1, 1, 1]] = [3.7, 4.2, 9, 0]
        assert array.dtype == "int32"
        assert array.tolist() == [[1, 4, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_lists_of_long_axes():
    n = 10**9
    with sa.options(tier="interpreted"):
        array = sa.from_coordinates(([5, n], [n, 7]), [1.0, 2.0], (2 * n, 2 * n))
        array[[n, 5, 0], [7, n, 9]] = [8.0, 0.0, 4.0]
        assert float(array.sum()) == 12 and array.nstored == 2
        array[n] = 0.0
        assert float(array.sum()) == 4


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ((R, [9]), 1.0, "index 9 is out of bounds for axis 1 with size 9"),
        ((7, 0), 1.0, "index 7 is out of bounds for axis 0 with size 7"),
        ((R, C), np.ones(3), r"could not broadcast .* from shape \(3,\) into shape \(11,\)"),
        (0, np.ones(4), r"could not broadcast input array from shape \(4,\) into shape \(9,\)"),
        (MATRIX[:3] > 3, 1.0, "boolean index did not match"),
    ],
)
def test_nothing_is_assigned_where_something_does_not_fit(key, value, says):
    array = sa.asarray(MATRIX, format="csr")
    with pytest.raises((IndexError, ValueError), match=says):
        array[key] = value
    assert np.array_equal(array.todense(), MATRIX)


@pytest.mark.parametrize("form", ["coo", "dcsr", "csr"])
@pytest.mark.parametrize("fill", [0, 1])
def test_a_row_of_another_array_is_assigned(form: str, fill: int) -> None:
    """What is assigned is a view of a value that is not computed yet."""
    plain = np.arange(18).reshape(3, 6) % 4
    wanted = np.eye(3, 6, dtype=int)
    with sa.options(tier="interpreted"):
        given = sa.asarray(plain, format=form, fill_value=fill)
        array = sa.asarray(wanted, format="dcsr")
        array[1], wanted[1] = given.copy()[2], plain[2]
        assert array.todense().tolist() == wanted.tolist()
