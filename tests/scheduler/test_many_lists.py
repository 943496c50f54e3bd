"""Merges of many lists, of which parts are computed first."""

from functools import reduce

import numpy as np
import pytest

import structarr as sa
from structarr._execute.stand_ins import is_alike
from structarr._lazy.node import nodes_of
from structarr._scheduler.many_lists import _Bounding, bounded

RANDOM = np.random.default_rng(11)
DENSE = [RANDOM.random((6, 30)) * (RANDOM.random((6, 30)) < 0.2) for _ in range(20)]


def _firsts(array: sa.Array) -> int:
    made = bounded(array._node, is_alike)
    return sum(one.kind == "first" for one in nodes_of(made))


@pytest.mark.parametrize("format", ["csr", "coo", "vbl", "rle", "bitmap"])
@pytest.mark.parametrize("count", [6, 11])
def test_sums_are_those_of_numpy_to_the_bit(format: str, count: int) -> None:
    arrays = [sa.asarray(one, format=format) for one in DENSE[:count]]
    total = sum(arrays[1:], arrays[0])
    assert np.array_equal(np.asarray(total), sum(DENSE[1:count], DENSE[0]))
    assert total.format == (arrays[0] + arrays[1]).format


@pytest.mark.parametrize(
    "function", [np.maximum, np.minimum, np.subtract, np.logical_or, np.not_equal]
)
def test_other_operators_are_those_of_numpy(function: np.ufunc) -> None:
    arrays = [sa.asarray(one - 0.5 * (one > 0.6), format="csr") for one in DENSE[:9]]
    expected = reduce(function, [one - 0.5 * (one > 0.6) for one in DENSE[:9]])
    assert np.array_equal(np.asarray(reduce(function, arrays)), expected)


def test_parts_come_first_only_beyond_five_lists() -> None:
    arrays = [sa.asarray(one, format="csr") for one in DENSE]
    assert [_firsts(sum(arrays[1:k], arrays[0])) for k in (2, 5, 6, 9, 10)] == [0, 0, 1, 1, 2]


def test_products_have_one_arm() -> None:
    arrays = [sa.asarray(one, format="csr") for one in DENSE[:9]]
    assert _firsts(reduce(np.multiply, arrays)) == 0
    mixed = arrays[0] * sum(arrays[2:], arrays[1])
    assert _firsts(mixed) > 0
    assert np.array_equal(np.asarray(mixed), DENSE[0] * sum(DENSE[2:9], DENSE[1]))


@pytest.mark.parametrize("turned", [False, True])
def test_arrays_side_by_side_have_the_arms_of_the_one_with_most(turned: bool) -> None:
    arrays = [sa.asarray(one, format="csr") for one in DENSE[:6]]
    parts = [sum(arrays[1:5], arrays[0]), arrays[5]]
    bounding = _Bounding()
    found = bounding.of(np.concatenate(parts[::-1] if turned else parts)._node)
    assert bounding._arms[id(found)] == 31


def test_operations_of_one_array_are_one_list() -> None:
    a = sa.asarray(DENSE[0], format="csr")
    total = sum([k * a for k in range(2, 12)], a)
    assert _firsts(total) == 0
    assert np.allclose(np.asarray(total), 66 * DENSE[0])


@pytest.mark.parametrize("format", ["csr", "coo", "rle"])
def test_rows_of_one_array_are_lists_of_their_own(format: str) -> None:
    a = sa.asarray(DENSE[0], format=format)
    assert [_firsts(sum(a[1:], a[0])), _firsts(sum(sa.asarray(DENSE[0].T, format=format)))] == [
        1,
        7,
    ]
    assert np.array_equal(np.asarray(sum(a)), sum(DENSE[0]))


def test_slices_that_begin_elsewhere_are_lists_of_their_own() -> None:
    x, dense = sa.asarray(DENSE[0][0], format="list"), DENSE[0][0]
    assert _firsts(sum([x[k : k + 20] for k in range(9)], x[:20])) == 2
    assert _firsts(sum([k * x[3:] for k in range(9)], x[3:])) == 0
    total = sum([x[k : k + 20] for k in range(9)], x[1:21])
    assert np.allclose(np.asarray(total), sum([dense[k : k + 20] for k in range(9)], dense[1:21]))


def test_sums_within_sums() -> None:
    arrays = [sa.asarray(one, format="csr") for one in DENSE[:8]]
    total = (sum(arrays[1:], arrays[0]) ** 2).sum(axis=0)
    assert np.allclose(np.asarray(total), (sum(DENSE[1:8], DENSE[0]) ** 2).sum(axis=0))
