"""Runs of a row that are written at once, by stretches of their bounds."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

TIERS = ("interpreted", "compiled")


@sa.kernel
def written(low, high, first, last, value, width):
    found = sa.zeros((3, width), dtype=np.int16)
    for i in range(3):
        if i != 1:
            found[i, low[i, first:last] : high[i, first:last]] = value + i
    return found


@sa.kernel
def continued(low, high, width):
    found = sa.zeros((1, width), dtype=np.bool_)
    for i in range(1):
        found[i, 0:2] = True
        found[i, low[0:2] : high[0:2]] = True
        found[i, low[2:4] : high[2:4]] = True
    return found


def _dense(low, high, width, values):
    found = np.zeros((len(low), width), np.int16)
    for i, value in enumerate(values):
        for start, stop in zip(low[i], high[i], strict=True):
            found[i, start:stop] = value
    return found


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_runs_are_those_of_the_bounds(tier, dtype):
    low = np.array([[0, 3, 7], [0, 0, 0], [1, 4, 5]], dtype)
    high = np.array([[2, 5, 9], [0, 0, 0], [1, 5, 9]], dtype)  # one is empty, two touch
    with sa.options(tier=tier):
        found = written(low, high, 0, 3, 4, 9)
        np.testing.assert_array_equal(found.todense(), _dense(low, high, 9, [4, 0, 6]))
        assert found.nstored == 3 + 1  # runs that touch are one
        assert not written(low, high, 2, 2, 4, 9).any()  # none
        assert not written(low, high, 0, 3, -2, 9)[2].any()  # the fill value is not stored


@pytest.mark.parametrize("tier", TIERS)
def test_runs_continue_those_before(tier):
    with sa.options(tier=tier):
        low, high = np.array([2, 5, 6, 9]), np.array([4, 6, 8, 10])
        found = continued(low, high, 12)
    assert found.tolist()[0] == [True] * 4 + [False] + [True] * 3 + [False, True, False, False]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("low", "high", "error", "message"),
    [
        ([3, 4, 5, 6], [4, 5, 6, 13], IndexError, "13"),
        ([-1, 4, 5, 6], [1, 5, 6, 7], IndexError, "-1"),
        ([1, 4, 5, 6], [3, 5, 6, 7], ProgramError, "order"),
        ([4, 2, 5, 6], [5, 3, 6, 7], ProgramError, "order"),
    ],
)
def test_bounds_that_are_refused(tier, low, high, error, message):
    with sa.options(tier=tier), pytest.raises(error, match=message):
        continued(np.array(low), np.array(high), 12)


@sa.kernel
def alternating(bounds, n, width):
    found = sa.zeros((2, width), dtype=np.int16)
    for i in range(2):
        found[i, bounds[i, 0:n:2] : bounds[i, 1:n:2]] = i + 1
    return found


@sa.kernel
def every_third(bounds, first, width):
    found = sa.zeros((1, width), dtype=np.bool_)
    for i in range(1):
        found[i, bounds[first:8:3] : bounds[first + 1 : 8 : 3]] = True
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_starts_and_stops_alternate(tier):
    bounds = np.array([[0, 2, 3, 3, 5, 9], [1, 4, 4, 6, 8, 9]])  # one is empty, two touch
    with sa.options(tier=tier):
        found = alternating(bounds, 6, 10)
        np.testing.assert_array_equal(
            found.todense(), _dense(bounds[:, ::2], bounds[:, 1::2], 10, [1, 2])
        )
        assert found.nstored == 2 + 2
        assert not alternating(bounds, 0, 10).any()
        with pytest.raises(ValueError, match="equally long, not 3 and 2"):
            alternating(bounds, 5, 10)
        with pytest.raises(IndexError, match="7"):
            alternating(bounds, 7, 10)


@pytest.mark.parametrize("tier", TIERS)
def test_bounds_are_some_elements_apart(tier):
    bounds = np.array([1, 2, 99, 4, 6, 99, 7, 8])
    with sa.options(tier=tier):
        found = every_third(bounds, 0, 9)
        assert np.flatnonzero(found.todense()).tolist() == [1, 4, 5, 7]


@pytest.mark.parametrize("tier", TIERS)
def test_there_is_room_for_more_runs_than_are_read(tier):
    low = np.repeat(np.arange(0, 1000, 2)[None], 3, 0)
    with sa.options(tier=tier):
        found = written(low, low + 1, 0, 500, 1, 1000)
    assert np.asarray(found)[:, 0].tolist() == [1, 0, 3] and int((found != 0).sum()) == 1000


def test_what_is_no_pair_of_stretches_is_refused():
    @sa.kernel
    def one_bound(low, n):
        found = sa.zeros((1, n), dtype=np.bool_)
        for i in range(1):
            found[i, low[0:2] : n] = True
        return found

    @sa.kernel
    def into_a_state(low, state):
        for _i in range(1):
            state[low[0:2] : low[0:2]] = 1.0
        return state

    @sa.kernel
    def by_floats(low, n):
        found = sa.zeros((1, n), dtype=np.bool_)
        for i in range(1):
            found[i, low[0:2] : low[0:2]] = True
        return found

    @sa.kernel
    def of_other_lengths(low, n):
        found = sa.zeros((1, n), dtype=np.bool_)
        for i in range(1):
            found[i, low[0:2] : low[0:3]] = True
        return found

    low = np.arange(4)
    with pytest.raises(ProgramError, match="both bounds are stretches"):
        one_bound(low, 9)
    with pytest.raises(ProgramError, match="several runs are written at once"):
        into_a_state(low, np.zeros(9))
    with pytest.raises(ProgramError, match="whole numbers"):
        by_floats(low.astype(float), 9)
    with pytest.raises(ValueError, match="equally long"):
        of_other_lengths(low, 9)
