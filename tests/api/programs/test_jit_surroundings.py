"""What functions under `jit` read from around them: each call has the values of its moment."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

FACTOR = 2.0
WEIGHTS = np.arange(3.0)
OURS = sa.asarray([1.0, 0.0, 2.0], format="list")
TABLE: dict[str, Any] = {"a": 1.0, "b": [2.0, np.ones(3)]}


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


def check(function: Any, *args: Any) -> None:
    found, wanted = function(*args), function.__wrapped__(*args)
    np.testing.assert_allclose(np.asarray(found.todense()), np.asarray(wanted))


def helper(x: Any) -> Any:
    return x * FACTOR


def test_globals(monkeypatch: pytest.MonkeyPatch) -> None:
    function = sa.jit(lambda x: helper(x) + [FACTOR for _ in range(2)][-1])
    x = np.ones(3)
    for factor in (2.0, 3.0, 2, -0.0, 2.0):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        check(function, x)
    monkeypatch.setitem(globals(), "helper", lambda x: x * 100)
    check(function, x)
    assert sum(map(len, function._table.values())) == 5


def test_the_code_of_a_helper() -> None:
    def inner(x: Any) -> Any:
        return x + 1

    def other(x: Any) -> Any:
        return x + 5

    function = sa.jit(lambda x: inner(x))
    check(function, np.ones(2))
    inner.__code__ = other.__code__
    check(function, np.ones(2))


def test_arrays_of_numpy_are_compared() -> None:
    function = sa.jit(lambda x: x * WEIGHTS + WEIGHTS.sum())
    before = WEIGHTS.copy()
    try:
        for k in range(3):
            WEIGHTS[k] += 10
            check(function, np.ones(3))
            check(function, np.ones(3))
    finally:
        WEIGHTS[:] = before


def test_our_arrays_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    function = sa.jit(lambda x: x * OURS + float(OURS[2]))
    check(function, np.ones(3))
    monkeypatch.setitem(globals(), "OURS", sa.asarray([5.0, 6.0, 7.0]))
    check(function, np.ones(3))
    OURS[2] = 9.0
    check(function, np.ones(3))


def test_shared_memory_of_our_arrays() -> None:
    memory = np.arange(3.0)
    shared = sa.asarray(memory)
    lazily, looking = sa.jit(lambda x: x + shared), sa.jit(lambda x: x * float(shared[1]))
    for k in range(3):
        memory[1] = k
        assert lazily(np.ones(3)).tolist() == [1, k + 1, 3]
        assert looking(np.ones(2)).tolist() == [k, k]


def test_closures_and_defaults() -> None:
    scale = 2.0

    def scaled(x: Any, shift: Any = 1.0, *, more: Any = None) -> Any:
        return x * scale + shift + (0 if more is None else more)

    function = sa.jit(scaled)
    for value in (2.0, 3.0, 2.0):
        scale = value
        check(function, np.ones(2))
        check(function, np.ones(2), 5.0)
    assert function(np.ones(2), more=2.0).tolist() == [5, 5]
    scaled.__defaults__ = (7.0,)
    check(function, np.ones(2))


def test_containers_and_objects() -> None:
    config = types.SimpleNamespace(rate=0.5, inner=types.SimpleNamespace(steps=2))

    class Scaler:
        def __init__(self) -> None:
            self.by = 3.0

        def scale(self, x: Any) -> Any:
            return x * self.by

    scaler = Scaler()

    def compute(x: Any) -> Any:
        for _ in range(config.inner.steps):
            x = scaler.scale(x) * config.rate + TABLE["a"] + TABLE["b"][1]
        return x

    function = sa.jit(compute)
    check(function, np.ones(3))
    for change in (
        lambda: setattr(config, "rate", 0.25),
        lambda: setattr(config.inner, "steps", 3),
        lambda: setattr(scaler, "by", 4.0),
        lambda: TABLE.update(a=2.0),
        lambda: TABLE["b"][1].__setitem__(0, 8.0),
        lambda: TABLE["b"].__setitem__(1, np.zeros(3)),
    ):
        change()
        check(function, np.ones(3))
        check(function, np.ones(3))


def test_functions_among_the_arguments() -> None:
    factor = 2.0

    def twice(step: Any, x: Any) -> Any:
        return step(step(x))

    def times(x: Any) -> Any:
        return x * factor

    function = sa.jit(twice)
    for value in (2.0, 3.0):
        factor = value
        check(function, times, np.ones(2))
    check(function, functools.partial(np.add, 1.5), np.ones(2))
    check(function, sa.jit(times), np.ones(2))
    check(function, np.sqrt, np.ones(2) * 16)


def test_modules_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = types.ModuleType("settings_of_mine")
    settings.rate = 2.0  # type: ignore[attr-defined]
    monkeypatch.setitem(globals(), "settings", settings)
    function = sa.jit(eval("lambda x: x * settings.rate", globals()))
    for rate in (2.0, 3.0):
        settings.rate = rate  # type: ignore[attr-defined]
        check(function, np.ones(2))


def test_what_nobody_can_compare_is_read_at_each_call() -> None:
    numbers = iter(range(100))
    function = sa.jit(lambda x: x + next(numbers))
    assert [function(np.zeros(1)).tolist() for _ in range(3)] == [[0], [1], [2]]


def test_a_matrix_of_scipy() -> None:
    matrix = sp.csr_array(np.diag([1.0, 2.0, 0.0]))
    function = sa.jit(lambda x: sa.asarray(matrix) @ x)
    for k in range(3):
        matrix.data[0] = k
        assert function(np.ones(3)).tolist() == [k, 2, 0]
