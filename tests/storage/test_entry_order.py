"""The order of entries by their coordinates."""

from itertools import pairwise

import numpy as np
import pytest

import structarr as sa
from structarr._storage.entry_order import FEW, are_in_order, changes, entry_order, steps

LENGTHS = [(5,), (3, 4), (2**20, 7), (1, 2**40), (2, 3, 2**17)]


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("count", [0, 1, 2, 60, FEW + 9])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_entries_are_sorted_stably_by_numpy_and_by_helpers(
    lengths: tuple[int, ...], count: int, dtype: type
) -> None:
    rng = np.random.default_rng(count)
    most = np.iinfo(dtype).max
    axes = [rng.integers(0, min(length, most), count).astype(dtype) for length in lengths]
    axes[0][count // 2 :] = axes[0][: count - count // 2]
    expected = np.lexsort(axes[::-1])
    with sa.options(tier="interpreted"):
        assert entry_order(axes, count).tolist() == expected.tolist()
        assert entry_order(axes, count, lengths).tolist() == expected.tolist()


@pytest.mark.parametrize("top", [100, 10**9])
@pytest.mark.parametrize("axes", [1, 2])
def test_entries_nearly_in_order_are_sorted(top: int, axes: int) -> None:
    rng = np.random.default_rng(top)
    key = np.sort(rng.integers(0, top, 2 * FEW))
    key[[5, 70, 900]] = key[[900, 5, 70]]
    keys = [key, *[rng.integers(0, 3, len(key))] * (axes - 1)]
    expected = np.lexsort(keys[::-1])
    assert entry_order(keys, len(key)).tolist() == expected.tolist()


def test_short_coordinates_are_sorted() -> None:
    assert entry_order([np.array([200, 7, 200, 0], np.uint8)], 4).tolist() == [3, 1, 0, 2]


def test_entries_without_axes_stay_as_they_are() -> None:
    assert entry_order([], 3).tolist() == [0, 1, 2]


def test_entries_are_compared_with_the_one_before() -> None:
    axes = [np.array([0, 0, 0, 1, 1]), np.array([2, 2, 3, 0, -1])]
    rises, same = steps(axes, 5)
    assert rises.tolist() == [False, True, True, False]
    assert same.tolist() == [True, False, False, False]
    assert changes(axes, 5).tolist() == [True, False, True, True, True]
    assert changes([axes[0][:0]], 0).tolist() == []
    assert changes([], 2).tolist() == [True, False]


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_few_entries_are_in_order_as_their_coordinates_are(axes: int) -> None:
    random = np.random.default_rng(axes)
    for _ in range(200):
        count = int(random.integers(0, 5))
        given = random.integers(0, 3, (axes, count))
        places = list(zip(*given.tolist(), strict=True))
        wanted = all(one < other for one, other in pairwise(places))
        assert are_in_order(list(given), count) == wanted
