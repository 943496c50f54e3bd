"""Results of which loops visit a part: the rest is there, and holds the fill."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import coalesce, permit
from structarr._array import stored
from structarr._storage.tensor import Tensor

D = np.arange(24.0).reshape(4, 6) % 3 * (np.arange(6) > 2)
CUBE = np.zeros((3, 2, 4))
CUBE[:] = [[0, 1, 0, -2], [0, 0, -3, 0]]


def dense_of(array: sa.Array) -> np.ndarray:
    """What an array holds, once its buffers keep all invariants."""
    tensor = stored(array)
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
    return array.todense()


@pytest.mark.parametrize("rows", [(1, 3), (0, 2), (2, 4), (2, 2), (0, 4)])
@pytest.mark.parametrize("format", ["csr", "dcsr", "band", "ragged", "vbl", "rle", "packbits"])
def test_rows_that_no_loop_visits(format: str, rows: tuple[int, int]) -> None:
    @sa.kernel
    def doubled(b: object, lo: object, hi: object) -> object:
        r = np.zeros((4, 6))
        for i in range(lo, hi):  # type: ignore[call-overload]
            for j in range(6):
                r[i, j] = b[i, j] * 2  # type: ignore[index]
        return r

    got = doubled(sa.asarray(D, format=format), *rows)
    want = np.zeros_like(D)
    want[slice(*rows)] = D[slice(*rows)] * 2
    assert np.array_equal(dense_of(got), want)


def test_a_part_of_rows_that_are_all_alike() -> None:
    """A run of children that are themselves lists does not stand directly above a leaf."""

    @sa.kernel
    def copied(a: object) -> object:
        y = np.zeros((3, 3, 4))
        for i in range(3):
            for j in range(2):
                for k in range(4):
                    y[i, j, k] = a[i, j, k]  # type: ignore[index]
        return y

    one = sa.asarray(CUBE[0], format="csr")
    got = copied(sa.broadcast_to(one, (3, 2, 4)).compute())
    assert np.array_equal(dense_of(got)[:, :2], CUBE)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_neighbours_in_bands_of_several_axes(axis: int) -> None:
    """The room of a sum of bands is that of the rows that meet, not of those beside them."""
    dense = np.zeros((3, 4, 9))
    for i, j in np.ndindex(3, 4):
        dense[i, j, (i + 2 * j) % 6 : (i + 2 * j) % 6 + 2] = 1 + i + j
    band = sa.asarray(dense, format=sa.formats.parse("band", 3))
    later = tuple(slice(1, None) if k == axis else slice(None) for k in range(3))
    sooner = tuple(slice(None, -1) if k == axis else slice(None) for k in range(3))
    got = (band[later] + band[sooner]).compute()
    assert np.array_equal(dense_of(got), dense[later] + dense[sooner])


@pytest.mark.parametrize("rows", [(0, 2), (1, 3), (2, 4), (3, 3)])
def test_sums_of_bands_by_loops_shorter_than_they_are(rows: tuple[int, int]) -> None:
    @sa.kernel
    def summed(a: object, b: object, lo: object, hi: object) -> object:
        r = np.zeros((4, 6))
        for i in range(lo, hi):  # type: ignore[call-overload]
            for j in range(5):
                r[i, j] = a[i, j] + b[i, j + 1]  # type: ignore[index]
        return r

    band = sa.asarray(D, format="band")
    got = summed(band, band, *rows)
    want = np.zeros((4, 6))
    want[slice(*rows), :5] = (D[:, :5] + D[:, 1:])[slice(*rows)]
    assert np.array_equal(dense_of(got), want)


@pytest.mark.parametrize("lo", [0, 1, 4])
def test_a_value_around_a_part_takes_room_where_elements_are_updated(lo: int) -> None:
    @sa.kernel
    def counted(z: object, n: object, lo: object) -> object:
        y = np.zeros(n)  # type: ignore[call-overload]
        for i in range(lo, n):  # type: ignore[call-overload]
            y[i] += coalesce(z[permit(i + 1)], 1)  # type: ignore[index]
        return y

    got = counted(sa.asarray([2.0, 1.0], format="list"), 5, lo)
    want = np.concatenate([[1.0], np.ones(4)])
    want[:lo] = 0
    assert np.array_equal(dense_of(got), want)


def test_mirror_images_take_room() -> None:
    """Lists below a symmetric pair are read twice, but for those on the diagonal."""
    formats = sa.formats
    lists = formats.SparseList(formats.Element())
    symmetric = formats.Format(formats.Dense(formats.Symmetric(lists)), (0, 1, 2))
    dense = np.arange(1.0, 13.0).reshape(2, 2, 3)
    dense = dense + dense.swapaxes(0, 1)
    got = (-sa.asarray(dense, format=symmetric)).asformat(
        formats.Format(formats.SparseList(formats.SparseList(lists)), (0, 1, 2))
    )
    assert np.array_equal(dense_of(got), -dense)


@pytest.mark.parametrize("format", ["dcsr", "coo"])
@pytest.mark.parametrize("tier", ["interpreted", "auto"])
def test_a_constant_chosen_where_nothing_is_stored_takes_no_room(format: str, tier: str) -> None:
    dense = np.array([[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [-2.0, 0.0]])
    mask = np.eye(4, 2, -1, dtype=bool)
    with sa.options(tier=tier):
        array, chosen = sa.asarray(dense, format=format), sa.asarray(mask, format="dia")
        got = sa.where(chosen, array, 0).sum(axis=1)
        np.testing.assert_array_equal(got.todense(), np.where(mask, dense, 0).sum(axis=1))


@pytest.mark.parametrize("tier", ["interpreted", "auto"])
def test_reductions_that_the_rules_do_not_drop_where_nothing_is_stored(tier: str) -> None:
    """Their start comes out again, but by computing it: the room is that of all elements."""
    dense = np.zeros((2, 3, 2))
    dense[1, 1, 1] = 3
    mask = np.random.default_rng(0).random((2, 3, 2)) < 0.5
    with sa.options(tier=tier):
        array = sa.asarray(dense, format="list")
        results = (
            (np.hypot.reduce(array, axis=0), np.hypot.reduce(dense, axis=0)),
            (np.where(mask, array, 0.0).sum(axis=0), np.where(mask, dense, 0.0).sum(axis=0)),
            (np.sum(array, axis=0, where=mask), np.sum(dense, axis=0, where=mask)),
        )
        for got, want in results:
            np.testing.assert_array_equal(got.todense(), want)


@pytest.mark.parametrize("stop", ["3", "i", "i + 1"])
def test_elements_that_other_loops_update_too(stop: str) -> None:
    """A row's element is a local of its loop if nothing else updates it there."""
    a, wanted = np.arange(1.0, 10).reshape(3, 3), np.zeros(3)
    for i in range(3):
        for j in range(eval(stop, {"i": i})):
            wanted[i] += a[i, j]
            wanted[j] += 1
    program = f"for i in range(3):\n  for j in range({stop}):\n    y[i] += a[i, j]\n    y[j] += 1"
    with sa.options(tier="interpreted"):
        found = sa.loops(program, a=sa.asarray(a), out=np.zeros(3))
        np.testing.assert_array_equal(np.asarray(found), wanted)
