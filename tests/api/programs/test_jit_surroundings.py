"""What functions under `jit` read from around them: each call has the values of its moment."""

from __future__ import annotations

import functools
import os
import sys
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


def test_what_nobody_can_compare_any_more() -> None:
    found: list[Any] = [2.0]
    function = sa.jit(lambda x: x * found[0])
    assert function(np.ones(1)).tolist() == [2]
    found.append(iter([5.0]))
    for value in (3.0, 4.0):
        found[0] = value
        assert function(np.ones(1)).tolist() == [value]


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


class Config:
    rate = 2.0

    def __init__(self, bias: float = 0.0) -> None:
        self.bias = bias

    def draws(self) -> Any:  # which nothing calls
        return np.random.rand()

    def scaled(self, x: Any) -> Any:
        return x * FACTOR * self.rate

    @property
    def shift(self) -> float:
        return FACTOR + self.bias

    @staticmethod
    def halved(x: Any) -> Any:
        return x / FACTOR


def test_classes_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config()
    named = sa.jit(lambda x: x * Config.rate)
    called = sa.jit(lambda x: config.scaled(x) + Config.halved(x) + config.shift)
    made = sa.jit(lambda x: Config(3.0).scaled(x) + Config(2.0).shift)
    passed = sa.jit(lambda one, x: one.scaled(x) + getattr(one, "shift"))  # noqa: B009

    def check_all() -> None:
        for function in (named, called, made):
            check(function, np.ones(2))
            check(function, np.ones(2))
        check(passed, config, np.ones(2))

    check_all()
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    check_all()
    monkeypatch.setattr(Config, "rate", 7.0)
    check_all()
    config.bias = 1.5
    check_all()
    monkeypatch.setattr(Config, "scaled", lambda self, x: x - FACTOR)
    check_all()


def test_what_is_read_in_ways_that_code_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = types.ModuleType("settings_of_mine")
    settings.rate = 2.0  # type: ignore[attr-defined]
    monkeypatch.setitem(globals(), "settings", settings)
    monkeypatch.setitem(sys.modules, "settings_of_mine", settings)
    monkeypatch.setenv("RATE_OF_MINE", "2")

    def imported(x: Any) -> Any:
        import settings_of_mine  # type: ignore[import-not-found]

        return x * settings_of_mine.rate

    def aliased(x: Any) -> Any:
        alias = globals()["settings"]
        return x * alias.rate

    def evaluated(x: Any) -> Any:
        return x * eval("settings.rate")

    def environment(x: Any) -> Any:
        return x * float(os.environ["RATE_OF_MINE"])

    functions = [sa.jit(one) for one in (imported, aliased, evaluated, environment)]
    for rate in (2.0, 3.0):
        settings.rate = rate  # type: ignore[attr-defined]
        monkeypatch.setenv("RATE_OF_MINE", str(rate))
        for function in functions:
            check(function, np.ones(2))


def test_a_method_of_a_captured_list_writes() -> None:
    found: list[int] = []
    append = found.append

    def appending(x: Any) -> Any:
        append(1)
        return x

    with pytest.raises(TypeError, match="changes what it reads"):
        sa.jit(appending)(np.ones(2))


def test_static_values_are_told_apart_by_type() -> None:
    function = sa.jit(lambda x, n: x * n if type(n) is int else x, static_argnames="n")
    number = sa.jit(lambda x, n: x * n if type(n) is int else x)
    for n in (2, 2.0, True, 2):
        for one in (function, number):
            assert one(np.ones(1), n).tolist() == [2.0 if type(n) is int else 1.0]
