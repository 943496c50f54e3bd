"""Numbers among the arguments of functions under `jit`: their values are those of the call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.errors import TraceError


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        yield


def traces(function: Any) -> int:
    return sum(map(len, function._table.values()))


VALUES = (2.5, 0.0, 1.0, 3, 7.5, -0.0, -1, math.inf, math.nan, 2.5, np.float32(2), np.float64(3.5))


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64"])
def test_numbers_have_the_dtype_that_numpy_gives_them(dtype: str) -> None:
    function = sa.jit(lambda a, x, y: a * x + (1 - a) * y)
    x = np.arange(5).astype(dtype)
    for a in (2.5, 3, np.float32(2), np.float64(3.5), np.int16(2), np.array(1.5), 2j, True, 2.5):
        found, wanted = function(a, x, x[::-1]), function.__wrapped__(a, x, x[::-1])
        assert found.dtype == wanted.dtype, a
        np.testing.assert_allclose(found.todense(), wanted, rtol=1e-6)


def test_special_numbers_decide_fills_and_formats_as_without_traces() -> None:
    def scale(a: Any, x: Any) -> Any:
        return a * x, x + a, np.maximum(x, a), np.where(x > a, x, a), (x.sum(axis=0) * a) @ x

    function, x = sa.jit(scale), sa.asarray([[0, 2.0, 0], [0, 0, -1]], format="csr")
    x = sa.concat([x, x[:1]])
    for a in VALUES:
        for found, wanted in zip(function(a, x), scale(a, x), strict=True):
            assert found.dtype == wanted.dtype
            assert found.format == wanted.format
            assert np.array_equal(found.todense(), wanted.todense(), equal_nan=True)
            assert np.array_equal(found.fill_value, wanted.fill_value, equal_nan=True)
    assert traces(function) < len(VALUES)


def test_masked_sums_are_made_for_one_number() -> None:
    def sampled(a: Any, mask: Any, u: Any, v: Any) -> Any:
        return a * mask * np.maximum(u @ v, a)

    function, mask = sa.jit(sampled), sa.asarray(np.eye(3) * 2, format="csr")
    u = np.arange(9.0).reshape(3, 3)
    for a in (2.0, 0.0, 3.0, -1.0, 0.0):
        found, wanted = function(a, mask, u, u), sampled(a, mask, u, u)
        assert np.array_equal(found.todense(), wanted.todense())
        assert found.format == wanted.format


def test_comparisons_of_numbers_are_repeated() -> None:
    @sa.jit
    def relu(a: Any, x: Any) -> Any:
        if a > 0:
            return x * a, a / 2
        if a:
            return x - a, -a
        return x, a

    for a in (1.5, 2.0, -1.5, 0.0, 4.5, -2.5):
        (found, number), (wanted, other) = relu(a, np.ones(2)), relu.__wrapped__(a, np.ones(2))
        assert np.array_equal(found.todense(), wanted)
        assert (number, type(number)) == (other, float)


def test_arithmetic_of_numbers_is_pythons() -> None:
    @sa.jit
    def mixed(a: Any, b: Any, x: Any) -> Any:
        return x + (a**2 - b) / 3 + abs(-a) % 2 + 7 // b, (a + b, a < b), a * np.float32(2)

    for a, b in ((2.5, 4), (3.5, 5), (-1.5, 2), (9.0, 7), (3, 2), (0.1, 0.2)):
        found, wanted = mixed(a, b, np.ones(2)), mixed.__wrapped__(a, b, np.ones(2))
        assert np.array_equal(found[0].todense(), wanted[0])
        assert found[1:] == wanted[1:]
        assert type(found[2]) is type(wanted[2])


def test_numbers_that_meet_no_array_are_returned() -> None:
    function = sa.jit(lambda x, a, *, b: (x + 1, a / 2, b))
    for a, b in ((2.5, 3), (3.5, 4), (4.5, 5.5), (5.5, 6.5)):
        found, half, other = function(np.ones(1), a, b=b)
        assert (found.tolist(), half, other, type(other)) == ([2], a / 2, b, type(b))


def test_errors_of_numbers_are_raised_at_each_call() -> None:
    function = sa.jit(lambda a, x: x * (1 / a))
    assert function(2.0, np.ones(1)).tolist() == [0.5]
    with pytest.raises(ZeroDivisionError):
        function(0.0, np.ones(1))
    assert function(4.0, np.ones(1)).tolist() == [0.25]
    small = sa.jit(lambda a, x: x + a)
    assert small(2, np.ones(1, np.int8)).tolist() == [3]
    with pytest.raises(OverflowError):
        small(1000, np.ones(1, np.int8))
    power = sa.jit(lambda a, x: x**a)
    assert [power(a, np.arange(3)).tolist() for a in (2, 3)] == [[0, 1, 4], [0, 1, 8]]
    with pytest.raises(ValueError, match="negative integer powers"):
        power(-1, np.arange(3))


def test_comparisons_beyond_a_dtype() -> None:
    function = sa.jit(lambda a, x: x < a)
    for a in (2, 1000, -1000, 1, 2**70):
        assert function(a, np.arange(3, dtype=np.int8)).tolist() == [k < a for k in range(3)]


@pytest.mark.parametrize(
    "function",
    [
        lambda a, x: math.sqrt(a) * x,
        lambda a, x: x * float(a) + int(a),
        lambda a, x: x + np.array([a, a, 1]),
        lambda a, x: x[: int(a)] + a,
        lambda a, x: x * len(str(a)) + hash(a) % 3,
        lambda a, x: x * {2.0: 5, 3.0: 6}.get(a, 7),
        lambda a, x: np.clip(x, 0, a),
        lambda a, x: np.sqrt(a) * x,
        lambda a, x: x + sum(range(int(a))),
        lambda a, x: x * round(a) if isinstance(a, float) else None,
        lambda a, x: x * a.real + a.is_integer(),
        lambda a, x: np.full(3, a) + x,
        lambda a, x: x * float(getattr(x + a, "fill_value", a)),
        lambda a, x: np.add(a, x) + np.multiply(x, a),
    ],
)
def test_whatever_is_asked_of_a_number_is_that_of_the_call(function: Any) -> None:
    traced = sa.jit(function)
    for dtype in (np.float32, np.int64):
        x = np.arange(3).astype(dtype)
        for a in (2.0, 3.0, 2.5, 2.0, 4.0):
            found, wanted = traced(a, x), function(a, x)
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found.todense(), wanted, rtol=1e-6)


def test_integers_count_and_index() -> None:
    @sa.jit
    def repeated(n: Any, x: Any, axis: Any = 0) -> Any:
        for _ in range(n):
            x = x * 2
        return x[:n], x.sum(axis=axis), x[n]

    x = np.arange(12.0).reshape(4, 3)
    for n, axis in ((1, 0), (2, 1), (3, -1), (2, 0)):
        for one, other in zip(repeated(n, x, axis), repeated.__wrapped__(n, x, axis), strict=True):
            assert np.array_equal(one.todense(), other)
    with pytest.raises(np.exceptions.AxisError):
        repeated(1, x, 5)


def test_other_numbers_do_not_trace_again() -> None:
    function = sa.jit(lambda a, b, x: a * x + b)
    for k in range(5):
        wanted = [(2.5 + k) * one + 7.25 * (k + 1) for one in range(3)]
        assert function(2.5 + k, 7.25 * (k + 1), np.arange(3.0)).tolist() == wanted
    assert traces(function) == 1


def test_static_arguments_are_numbers_of_python() -> None:
    @sa.jit(static_argnames=("n", "mode"))
    def power(x: Any, n: int, *, mode: str = "plain") -> Any:
        return x**n if type(n) is int and mode == "plain" else x

    for n in (2, 3, 2):
        assert power(np.arange(3), n).tolist() == [k**n for k in range(3)]
        assert power(np.arange(3), n=n, mode="not").tolist() == [0, 1, 2]
    assert traces(power) == 4
    with pytest.raises(TypeError, match="unhashable"):
        power(np.arange(3), [2])


def test_a_branch_on_an_array_is_refused_whatever_numbers_there_are() -> None:
    @sa.jit
    def branch(a: float, x: Any) -> Any:
        return x if x.sum() * a > 0 else -x

    with pytest.raises(TraceError, match=r"test_jit_numbers.py:\d+: `return x if .*where"):
        branch(2.0, np.ones(2))
