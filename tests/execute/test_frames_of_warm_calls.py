"""Python's frames of calls that were made before: what is asked at each call is asked of tables.

A walk over an expression's nodes at each look would add tens of frames, and microseconds, to all
that users do with small arrays.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import python_frames
import scipy.sparse as sp

import structarr as sa
from structarr import _value
from structarr._api.jit import jit
from structarr._execute import compute

WARM = 60
"""Calls after which nothing is planned or compiled any more."""

MATRIX = sp.random_array((30, 30), density=0.1, rng=np.random.default_rng(0), format="csr")
VECTOR = np.random.default_rng(1).random(30)
SCALAR = np.float64(2.5)

a, b = sa.asarray(MATRIX), sa.asarray(MATRIX.T.tocsr())
step = sa.jit(lambda a, x: 0.85 * (a @ x) + 0.15)

LONG = np.random.default_rng(2).random(40_000)  # which is read where it lies
TALL = sp.random_array((40_000, 3), density=0.001, rng=np.random.default_rng(3), format="csc")
tall = sa.asarray(TALL)

ROWS = np.array([1, 4, 5, 20])
ENTRIES = (np.repeat(np.arange(30), 3), np.tile([1, 7, 9], 30)), np.ones(90)

CALLS: dict[str, tuple[Callable[[], Any], int]] = {
    "np.multiply(a, b).compute()": (lambda: np.multiply(a, b).compute(), 23),
    "np.asarray(a @ x)": (lambda: np.asarray(a @ VECTOR), 23),
    "np.asarray(a.T @ x)": (lambda: np.asarray(a.T @ VECTOR), 29),
    "np.asarray(a.T @ long)": (lambda: np.asarray(tall.T @ LONG), 26),
    "np.asarray(0.85 * (a @ x) + 0.15)": (lambda: np.asarray(0.85 * (a @ VECTOR) + 0.15), 39),
    "np.asarray(a.sum(axis=0))": (lambda: np.asarray(a.sum(axis=0)), 18),
    "float(a.sum())": (lambda: float(a.sum()), 19),
    "np.asarray(a.diagonal())": (lambda: np.asarray(a.diagonal()), 18),
    "float(norm(a))": (lambda: float(sa.linalg.norm(a)), 15),
    "a * 2.0, stored": (lambda: (a * 2.0).compute(), 22),
    "np.trace(a.T @ a)": (lambda: np.asarray(np.trace(a.T @ a)), 36),
    "np.asarray(a.sum(axis=0) + scalar)": (lambda: np.asarray(a.sum(axis=0) + SCALAR), 34),
    "jit": (lambda: step(a, VECTOR), 13),
    "asarray(copy=True)": (lambda: sa.asarray(MATRIX, copy=True), 68),
    "from_coordinates": (lambda: sa.from_coordinates(*ENTRIES, shape=(30, 30)), 84),
    "a[rows]": (lambda: a[ROWS].compute(), 70),
    "a[:, columns]": (lambda: a[:, ROWS].compute(), 70),
    "np.average(a, weights=x)": (lambda: np.asarray(np.average(a, 0, VECTOR)), 218),
}
"""Calls, and the most frames of Python that they take."""


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that do not ask for what other tests leave: files, known values."""
    for module in (_value, compute, jit):
        monkeypatch.setattr(module, "FILES", {})
    monkeypatch.setattr(_value, "KNOWN", set())


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    with sa.options(tier="compiled"):
        yield


def frames_of(call: Callable[[], Any]) -> int:
    """The frames of Python that a call makes, those of generators at each of their steps."""
    return python_frames.frames_of(call).total()


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", CALLS)
def test_warm_calls_take_few_frames(name: str) -> None:
    call, most = CALLS[name]
    for _ in range(WARM):
        call()
    assert min(frames_of(call) for _ in range(9)) <= most


def test_a_value_that_nobody_needs_costs_no_walk() -> None:
    def later() -> np.ndarray:
        return np.asarray(0.85 * (a @ VECTOR) + 0.15)

    for _ in range(WARM):
        later()
    alone = min(frames_of(later) for _ in range(9))
    part = a.sum(axis=0)
    whole = 2 * part
    part.compute()  # whose value is known to `whole` from now on
    for _ in range(WARM):
        later()
    assert np.array_equal(whole, 2 * MATRIX.sum(axis=0))
    del part, whole
    assert min(frames_of(later) for _ in range(9)) <= alone
