"""Calls in pieces of the outermost loop, by any number of threads, give the same to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from example_counts import examples
from hypothesis import given, settings, strategies as st
from strategies import checked

import structarr as sa
from structarr._array import stored
from structarr._execute import call_size, partition_cuts, partition_rooms

MATRIX = ("csr", "dense", "bitmap", "rle", "ragged", "csc", "band", "vbl", "dcsr", "bsr")
EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "multiply": lambda a, b, x: a * b,
    "add": lambda a, b, x: a + b,
    "matvec": lambda a, b, x: a @ x,
    "matmul": lambda a, b, x: a @ b,
    "rows": lambda a, b, x: (a * b).sum(axis=1),
    "columns": lambda a, b, x: (a * b).sum(axis=0),
    "all": lambda a, b, x: (a * x).sum(),
    "most": lambda a, b, x: (a + b).max(),
    "mixed": lambda a, b, x: a * 2 + x,
    "masked": lambda a, b, x: (a @ b) * a,
    "masked by a pattern": lambda a, b, x: (np.maximum(a @ b, 2) + 1) * a,
    "sliced": lambda a, b, x: a[1:] * b[1:],
    "transposed": lambda a, b, x: a.T * b,
}


@contextmanager
def in_pieces(threads: int) -> Iterator[None]:
    """Within, every call that can be cut is cut into single rows."""
    with pytest.MonkeyPatch.context() as patch, sa.options(threads=threads, tier="auto"):
        patch.setattr(call_size, "LARGE", -1)
        patch.setattr(partition_cuts, "WORK", 1e-12)
        patch.setattr(partition_cuts, "COMBINING", 0.0)
        patch.setattr(partition_rooms, "LEAST", 1)
        yield


@settings(examples(0.5), deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_pieces_give_the_same(name: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    share = data.draw(st.sampled_from([0.1, 0.5, 1.0]))
    denses = [np.where(rng.random((n, n)) < share, rng.integers(-3, 4, (n, n)), 0) for _ in "ab"]
    a, b = [sa.asarray(one, format=data.draw(st.sampled_from(MATRIX))) for one in denses]
    x = rng.integers(-3, 4, n)
    want = EXPRESSIONS[name](*denses, x)
    with in_pieces(data.draw(st.integers(1, 4))):
        for _ in range(2):  # the second time threads may know how much they store
            got = EXPRESSIONS[name](a, b, sa.asarray(x))
            tensor = checked(stored(got))
            np.testing.assert_array_equal(got.todense(), want)
            assert tensor.shape == np.shape(want)


SEVERAL: dict[str, Callable[[Any, Any], tuple[Any, ...]]] = {
    "sums": lambda a, b: (a.sum(axis=0), a.sum(axis=1), a.sum()),
    "maps": lambda a, b: (a * 2 + 1, a > 1),
    "of both kinds": lambda a, b: (a + 1.5, (a + 1.5).sum(axis=1), a.max(axis=0)),
    "of two": lambda a, b: (a * b, (a * b).sum(), (a * b).sum(axis=0)),
}


@settings(deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", SEVERAL)
def test_pieces_give_several_results(name: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    denses = rng.integers(-3, 4, (2, n, n))
    a, b = [sa.asarray(one, format=data.draw(st.sampled_from(MATRIX[:4]))) for one in denses]
    with in_pieces(data.draw(st.integers(1, 3))):
        got = sa.compute(*SEVERAL[name](a, b))
    for one, want in zip(got, SEVERAL[name](*denses), strict=True):
        np.testing.assert_array_equal(one.todense(), want)


def test_a_sum_does_not_depend_on_the_number_of_threads() -> None:
    rng = np.random.default_rng(0)
    x = sa.asarray(rng.random((2000, 600)))
    totals = set()
    for threads in (1, 2, 3):
        with sa.options(threads=threads, tier="compiled"):
            totals.add(float((x * x + 0.1).sum()))
    assert len(totals) == 1


def test_options_hold_in_threads() -> None:
    """What a piece may take is what the caller allows."""
    x = sa.asarray(np.ones((3000, 700)))
    with sa.options(threads=2, tier="compiled", densify_limit=10**9):
        assert (x + 1.0).compute().shape == (3000, 700)
