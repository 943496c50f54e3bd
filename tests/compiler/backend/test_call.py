"""Calls of helpers: on buffers that kernels can read in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend import call as calls
from structarr.formats import Dense, Format, SparseList

APART = {
    "every other element": np.arange(12)[::2],
    "backward": np.arange(6)[::-1],
    "one element again and again": np.broadcast_to(np.array([3]), (6,)),
    "unaligned": np.frombuffer(b"\0" + np.arange(6).tobytes(), "int64", offset=1),
}


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The arguments of kernels of helpers, which run interpreted."""
    told: list[Any] = []
    plain = calls._kernel

    def kernel(*kinds: Any) -> Any:
        def run(args: Any, work: float) -> Any:
            told.extend(args)
            return plain(*kinds)(args, work)

        return run

    monkeypatch.setattr(calls, "_kernel", kernel)
    return told


@pytest.mark.parametrize("name", APART)
def test_what_lies_apart_in_memory_is_copied(name: str, given: list[Any]) -> None:
    array = APART[name]
    calls.call("bisect", (array, 3, 0, len(array)), (), 3)
    found = given[0]
    assert found.flags.c_contiguous and found.flags.aligned
    np.testing.assert_array_equal(found, array)


def test_places_that_are_broadcast(given: list[Any]) -> None:
    data = np.zeros((2, 4, 4, 4))
    data[1, 0, 2, 1] = data[0, 0, 3, 1] = 1
    array = sa.asarray(data).asformat(Format(Dense(Dense(Dense(SparseList()))), (0, 1, 2, 3)))
    key = ([1, -1, 0, 1], -4, slice(2, None), [1])
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(array[key].todense(), data[key])
    assert all(one.flags.c_contiguous for one in given if isinstance(one, np.ndarray))
