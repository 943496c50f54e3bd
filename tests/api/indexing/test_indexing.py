"""Indexing: what it keeps of the structure, what is fused, what is refused, assignment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from structure import SIZE, matrix, table, values

import structarr as sa

NAMES = [row[0] for row in table("| slice |")[1:]]
COLUMNS: dict[str, Callable[[Any], Any]] = {
    "a[1:]": lambda a: a[1:],
    "a[:, 1:]": lambda a: a[:, 1:],
    "a[:, ::-2]": lambda a: a[:, ::-2],
    "a[1]": lambda a: a[1],
    "a[:, 1]": lambda a: a[:, 1],
    "a[[2, 0, 0]]": lambda a: a[[2, 0, 0]],
    "a[:, [2, 0, 0]]": lambda a: a[:, [2, 0, 0]],
    "np.pad(a, 1)": lambda a: np.pad(a, 1),
}


@pytest.fixture
def csr() -> sa.Array:
    return matrix("csr")


@pytest.mark.parametrize("name", NAMES)
def test_what_indexing_keeps(name: str) -> None:
    header, *rows = table("| slice |")
    said = dict(zip(header, next(row for row in rows if row[0] == name), strict=True))
    for column, take in COLUMNS.items():
        result, expected = take(matrix(name)), take(values(name))
        np.testing.assert_array_equal(result.todense(), expected)
        assert said[column] == str(result.format), column


def test_slices_are_fused() -> None:
    a, b = matrix("csr"), matrix("band")
    cin = sa.explain((a[1:] * b[:-1]).sum()).cin
    assert cin.count("for ") == 2 and "A[i + size0, j] * B[i + size1, j]" in cin
    dense = values("csr")[1:] * values("band")[:-1]
    assert float((a[1:] * b[:-1]).sum()) == dense.sum()


def test_slices_of_slices_are_one(csr: sa.Array) -> None:
    part = csr[1:][::-2][1:]
    assert part._node.kind == "slice" and part._node.args[0].kind == "leaf"
    np.testing.assert_array_equal(part.todense(), values("csr")[1:][::-2][1:])


def test_starts_share_a_kernel(csr: sa.Array) -> None:
    assert sa.explain(csr[1:4]).kernel == sa.explain(csr[2:5]).kernel


def test_a_slice_of_an_expression_computes_no_more_than_it_shows(csr: sa.Array) -> None:
    cin = sa.explain((csr * 2 + csr)[1:3]).cin
    assert cin.count("size") >= 1 and cin.count("for ") == 2


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (SIZE, "index 6 is out of bounds for axis 0 with size 6"),
        ((0, -SIZE - 1), "index -7 is out of bounds for axis 1 with size 6"),
        ([0, SIZE], "index 6 is out of bounds for axis 0 with size 6"),
        ((0, 0, 0), "too many indices for array: array is 2-dimensional, but 3 were indexed"),
        ((..., ...), "single ellipsis"),
        (1.0, "only integers"),
        ("a", "only integers"),
        (np.array([1.0]), "integer .or boolean. type"),
        (np.ones(4, bool), "boolean index did not match.*axis is 6.*axis is 4"),
        (([0, 1], [0, 1, 2]), "could not be broadcast together with shapes"),
    ],
)
def test_bad_indices_are_named(csr: sa.Array, key: Any, says: str) -> None:
    with pytest.raises(IndexError, match=says):
        csr[key]
    with pytest.raises(IndexError, match=says):
        csr.copy()[key] = 1.0


def test_masks_of_others(csr: sa.Array) -> None:
    dense = values("csr")
    mask = scipy.sparse.csr_array(dense > 1)
    np.testing.assert_array_equal(csr[mask].todense(), dense[dense > 1])
    np.testing.assert_array_equal(csr[dense > 1].todense(), dense[dense > 1])
    np.testing.assert_array_equal(csr[csr == 0].todense(), dense[dense == 0])
    assert str(csr[csr > 1].format) == "list"


def test_a_mask_of_nearly_all_takes_no_dense_memory() -> None:
    n = 2**20
    a = sa.from_coordinates(([5, 7], [6, 8]), [1.0, 2.0], (n, n), format="dcsr")
    rest = a[a != 1.0]
    assert rest.shape == (n * n - 1,) and rest.nstored == 1 and float(rest.sum()) == 2.0


def test_places_of_a_large_array() -> None:
    n = 2**20
    a = sa.from_coordinates(([5, 7], [6, 8]), [1.0, 2.0], (n, n))
    assert a[[7, 5, 7]].nstored == 3 and a[:, [8]].nstored == 1
    assert a[::-1, ::3].shape == (n, -(-n // 3)) and float(a[::-1, ::3].sum()) == 1.0
    assert a.reshape(n // 2, -1).nstored == 2 and np.roll(a, 9, axis=1).nstored == 2


def test_constants_stay_constant() -> None:
    a = sa.full((10**6, 10**6), 7)
    assert a[5:, ::3].nbytes == 8 and a[[1, 2, 1]].nbytes == 8 and a[:, 3].nbytes == 8


# --------------------------------------------------------------- assignment


def test_assignment_changes_no_other_array(csr: sa.Array) -> None:
    a = csr.copy()
    lazy, same, part = a + 0, a[...], a[1:]
    a[1:3, ::2] = 9.0
    expected = values("csr").copy()
    expected[1:3, ::2] = 9.0
    np.testing.assert_array_equal(a.todense(), expected)
    assert str(a.format) == "csr"
    for other in (lazy, same):
        np.testing.assert_array_equal(other.todense(), values("csr"))
    np.testing.assert_array_equal(part.todense(), values("csr")[1:])


def test_assignment_does_not_write_what_was_given() -> None:
    given = np.zeros((200, 200))
    a = sa.asarray(given)
    a[0] = 1.0
    assert given.sum() == 0.0 and float(a.sum()) == 200.0


def test_the_last_of_several_assignments_stands(csr: sa.Array) -> None:
    a = csr.copy()
    a[[0, 0], [1, 1]] = [5.0, 6.0]
    assert float(a[0, 1]) == 6.0


def test_assigning_the_fill_stores_nothing(csr: sa.Array) -> None:
    a = csr.copy()
    a[:] = 0.0
    assert a.nstored == 0


@pytest.mark.parametrize("value", [-1, 300, 2**70, 1e30, float("nan"), -1.0, 1j])
def test_a_number_that_the_dtype_cannot_hold_is_refused_as_by_numpy(value: complex) -> None:
    dense = np.array([0, 1, 0], np.uint8)
    array = sa.asarray(dense, format="list")
    with pytest.raises((OverflowError, ValueError, TypeError)) as theirs:
        dense[0] = value
    with pytest.raises(theirs.type):
        array[0] = value
    assert array.tolist() == [0, 1, 0]


def test_assignment_that_does_not_fit(csr: sa.Array) -> None:
    with pytest.raises(ValueError, match=r"shape \(2,\) into shape \(6, 6\)"):
        csr.copy()[:] = [1.0, 2.0]


# ------------------------------------------------------------ manipulations


MANIPULATIONS: list[Callable[[Any], Any]] = [
    lambda a: np.pad(a, ((1, 2), (0, 3)), constant_values=((1, 2), (3, 4))),
    lambda a: np.pad(a, {1: (2, 1)}, mode="edge"),
    lambda a: np.pad(a, ((2, 1), (0, 3)), mode="wrap"),
    lambda a: np.pad(a, ((2, 1), (0, 3)), mode="reflect"),
    lambda a: np.pad(a, ((20, 1), (0, 3)), mode="symmetric"),
    lambda a: np.pad(a, 1).sum(axis=1),
    lambda a: np.roll(a, (1, -2), (0, 1)),
    lambda a: np.roll(a, 5),
    lambda a: np.rot90(a),
    lambda a: np.rot90(a, -1),
    lambda a: np.flip(a),
    lambda a: np.tile(a, (2, 1, 2)),
    lambda a: np.repeat(a, [0, 1, 2, 1, 0, 3], axis=0),
    lambda a: np.diff(a, 2, axis=0, prepend=0),
    lambda a: np.reshape(a, (4, -1)),
    lambda a: np.reshape(a, (4, 9), order="F"),
    lambda a: np.reshape(a, (2, 3, 6)),
    lambda a: np.ravel(a),
    lambda a: np.take(a, [[3, -1], [17, 0]]),
    lambda a: np.take(a, [-9, 9], axis=1, mode="clip"),
    lambda a: np.take_along_axis(a, np.array([[1], [0], [2], [3], [5], [5]]), axis=1),
    lambda a: np.delete(a, slice(1, 4), axis=1),
    lambda a: np.insert(a, [1, 1, 4], [[5.0], [6.0], [7.0]], axis=0),
    lambda a: np.insert(a, 2, 7.0, axis=1),
    lambda a: np.append(a, [1.0, 2.0]),
    lambda a: np.compress([True, False, True], a, axis=0),
    lambda a: np.extract(a > 0, a),
    lambda a: np.nonzero(a)[1],
    lambda a: np.argwhere(a),
    lambda a: np.trim_zeros(a),
    lambda a: np.array_split(a, 4, axis=1)[1],
    lambda a: np.split(a, [2, -1])[1],
    lambda a: np.hsplit(a, 3)[2],
    lambda a: np.unstack(a, axis=1)[2],
    lambda a: np.dstack([a, a]),
    lambda a: np.column_stack([a, a[0]]),
    lambda a: np.block([[a, a], [a, a]]),
    lambda a: a[1:-1, 1:-1] * 4 - a[2:, 1:-1] - a[:-2, 1:-1] - a[1:-1, 2:] - a[1:-1, :-2],
]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        *("dense", "csr", "rle"),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("csc", "band", "bitmap", "coo")),
    ],
)
def test_manipulations_give_what_numpy_gives(name: str) -> None:
    for number, function in enumerate(MANIPULATIONS):
        result, expected = function(matrix(name)), function(values(name))
        assert isinstance(result, sa.Array) and result.dtype == expected.dtype, number
        np.testing.assert_array_equal(result.todense(), expected, err_msg=str(number))


@pytest.mark.parametrize("name", ["point", "interval", "triu", "symmetric", "dia"])
def test_inserted_elements_need_not_fit_the_format(name: str) -> None:
    array, data = matrix(name), values(name)
    with sa.options(tier="interpreted"):
        for axis in (0, 1):
            found = np.insert(array, 2, np.arange(6.0), axis=axis)
            np.testing.assert_array_equal(found.todense(), np.insert(data, 2, np.arange(6.0), axis))


def test_manipulations_check_their_arguments(csr: sa.Array) -> None:
    for call, says in (
        (lambda: np.pad(csr, -1), "negative"),
        (lambda: np.pad(csr, 1.5), "integral"),
        (lambda: np.pad(csr, 1, mode="mean"), "todense"),
        (lambda: np.split(csr, 4), "equal division"),
        (lambda: np.rot90(csr, axes=(0, 0)), "different"),
        (lambda: np.diff(csr, -1), "non-negative"),
        (lambda: np.take(csr, [0.5], axis=0), "integers"),
        (lambda: np.take(csr, [9], axis=0), "out of bounds"),
        (lambda: np.tile(csr, -1), "-1 times"),
        (lambda: np.block([[csr], csr]), "nested"),
    ):
        with pytest.raises((ValueError, TypeError, IndexError, NotImplementedError), match=says):
            call()


@pytest.mark.parametrize("target", ["band", "ragged", "vbl"])
def test_what_is_bent_fits_the_room_made_for_it(target: str) -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((5, 9)) < 0.3) * rng.integers(1, 3, (5, 9)).astype(float)
    for source in ("csr", "dcsr", "coo", "vbl", "rle", "band", "ragged"):
        array = sa.asarray(dense).asformat(source)
        for bent in (
            lambda a: a[1:],
            lambda a: a[:, ::-1],
            lambda a: a[:, 1::2],
            lambda a: np.pad(a, 2),
        ):
            np.testing.assert_array_equal(bent(array).asformat(target).todense(), bent(dense))


def test_the_sum_of_shifted_bands_takes_the_room_of_its_hulls() -> None:
    n = 200_000
    ones = np.ones(n - 1)
    band = sa.diags([ones, np.full(n, 2.0), ones], [-1, 0, 1]).asformat("band")
    found = (band[1:] + band[:-1]).compute()
    assert found.format == "band" and found.nstored == 4 * n - 6


def test_of_no_elements_nobody_asks_where_arrays_say_that_they_are() -> None:
    dense = np.zeros((3, 0, 2))
    array = sa.asarray(dense)
    assert array[[], [5]].shape == dense[[], [5]].shape
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 1 with size 0"):
        array[[], 5]


@pytest.mark.parametrize("format", ["bsr", "triu", "dia", "symmetric", "band", "ragged", "rle"])
@pytest.mark.parametrize("key", [(slice(2), True), (None, [0, 0]), (slice(None), None, [1, 2])])
def test_a_new_axis_beside_arrays(format: str, key: Any) -> None:
    """Levels that stand below one axis alone are given up where another comes above."""
    dense = np.diag([1.0, 2.0, 3.0, 4.0])
    array: Any = sa.asarray(dense, format=format)
    np.testing.assert_array_equal(array[key].todense(), dense[key])


@pytest.mark.parametrize("format", ["dense", "csr"])
def test_threads_assign_to_parts_of_one_array(format: str) -> None:
    a = sa.asarray(np.zeros((8, 40)), format=format)

    def fill(row: int) -> None:
        for column in range(40):
            a[row, column] = row + 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fill, range(8)))
    np.testing.assert_array_equal(a.todense(), np.repeat(np.arange(1.0, 9), 40).reshape(8, 40))


@pytest.mark.parametrize("length", [1, 3])
@pytest.mark.parametrize("format", ["list", "rle", "dense"])
def test_one_value_that_is_an_array_is_assigned_everywhere(format: str, length: int) -> None:
    for key in (slice(None), np.ones(length, bool), np.arange(length)):
        array = sa.asarray(np.zeros(length), format=format)
        array[key] = sa.asarray(2.0)
        assert array.tolist() == [2.0] * length
