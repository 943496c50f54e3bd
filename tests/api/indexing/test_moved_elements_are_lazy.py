"""Elements repeated, left out and put in between: read at places, and fused with what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

DATA = np.array([[0, 2.0, 0, 0.5], [0, 0, 0, 0], [1.5, 0, -4, 0.5], [0, 0, 3, 3]])
FORMATS = ("csr", "csc", "coo", "band", "vbl", "rle", "sparse-rle", "bitmap", "dia", "dense")
CALLS: dict[str, Callable[[Any], Any]] = {
    "repeated": lambda a: np.repeat(a, 3, axis=0),
    "each": lambda a: np.repeat(a, [0, 2, 1, 3], axis=1),
    "deleted": lambda a: np.delete(a, [1, -1], axis=0),
    "deleted by a slice": lambda a: np.delete(a, slice(None, None, 2), axis=1),
    "deleted by a mask": lambda a: np.delete(a, np.array([True, False, False, True]), axis=1),
    "inserted": lambda a: np.insert(a, 1, np.arange(4.0), axis=0),
    "inserted at several places": lambda a: np.insert(a, [3, 0, 3], 7.0, axis=1),
    "inserted nothing": lambda a: np.insert(a, np.zeros(0, int), 7.0, axis=0),
    "padded by edges": lambda a: np.pad(a, 2, mode="edge"),
    "of all elements": lambda a: np.repeat(a, 2),
}


@pytest.mark.parametrize("name", FORMATS)
def test_they_are_numpys(name: str) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(DATA, format=name)
        for what, call in CALLS.items():
            np.testing.assert_array_equal(call(a).todense(), call(DATA), err_msg=what)


def test_they_are_fused_with_what_follows() -> None:
    a, x = sa.asarray(DATA, format="csr"), np.arange(4.0)
    with sa.options(tier="interpreted"):
        for call in (lambda a: np.repeat(a, 2, axis=0), lambda a: np.delete(a, 1, axis=0)):
            text = str(sa.explain(call(a) @ x).kernel)
            assert text.count("def kernel") == 1 and "B" in text
            np.testing.assert_array_equal(call(a) @ x, call(DATA) @ x)


def test_axes_far_longer_than_what_is_stored_are_not_listed() -> None:
    a = sa.from_coordinates([[3, 10**11]], [2.0, 0.5], (10**12,), format="list")
    assert np.repeat(a, 2).nstored == 4 and np.delete(a, 0).nstored == 2
    assert float(np.insert(a, 4, 9.0)[4]) == 9
