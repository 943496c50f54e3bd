"""Functions under `jit`: values beside NumPy, one argument changed after the other, containers."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._support import buffer_pool


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


def sparse(seed: int, stored: int = 20, n: int = 8, **how: Any) -> Any:
    found = sp.random_array((n, n), density=stored / n**2, format="csr", rng=seed)
    return sa.asarray(found.astype(how.pop("dtype", float)), **how)


def dense(value: Any) -> Any:
    return value.todense() if isinstance(value, sa.Array) else np.asarray(value)


def traces(function: Any) -> int:
    """The number of traces; each of them is replayed."""
    entries = [one for found in function._table.values() for one in found]
    assert not any(one.why for one in entries)
    return len(entries)


def check(function: Any, *args: Any, exact: bool = True) -> Any:
    """Call a function three times; each result is NumPy's."""
    wanted = function.__wrapped__(*[dense(one) if np.ndim(one) else one for one in args])
    for _ in range(3):
        found = function(*args)
        assert found.dtype == wanted.dtype
        assert found.shape == np.shape(wanted)
        np.testing.assert_allclose(dense(found), wanted, rtol=0 if exact else 1e-12)
    return found


def test_a_function_is_traced_once_for_a_structure() -> None:
    called = []

    def add(x: Any, y: Any) -> Any:
        called.append(1)
        return x + y

    with pytest.raises(TypeError, match="changes what it reads"):
        sa.jit(add)(np.ones(2), np.ones(2))
    assert len(called) == 1
    function = sa.jit(lambda x, y: x + y)
    for k in range(4):
        check(function, np.arange(3.0) * k, np.ones(3))
    assert traces(function) == 1


LIST = sa.asarray([0.0, 1, 0, 0], format="list")
MATRIX = np.array([[0, 2.0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 4, 0, 0]])
CHANGES = {
    "float32": MATRIX.astype(np.float32),
    "int64": MATRIX.astype(np.int64),
    "bool": MATRIX.astype(bool),
    "complex": MATRIX * 1j,
    "big-endian": MATRIX.astype(">f8"),
    "columns first": np.asfortranarray(MATRIX),
    "strides": np.repeat(MATRIX, 2, axis=1)[:, ::2],
    "backwards": MATRIX[::-1, ::-1],
    "read-only": np.frombuffer(MATRIX.tobytes()).reshape(4, 4),
    "unaligned": np.frombuffer(b"x" + MATRIX.tobytes(), np.uint8)[1:].view(float).reshape(4, 4),
    "ours": sa.asarray(MATRIX),
    "csr": sa.asarray(MATRIX, format="csr"),
    "csc": sa.asarray(MATRIX, format="csc"),
    "coo of fill 2": sa.asarray(MATRIX, format="coo", fill_value=2.0),
    "runs": sa.asarray(MATRIX, format="rle"),
    "a number of entries": sa.asarray(MATRIX + 1, format="csr"),
    "scipy": sp.csr_array(MATRIX),
    "lazy": sa.asarray(MATRIX, format="csr") * 3,
    "a constant": sa.ones((4, 4)),
    "another constant": sa.full((4, 4), 2.0),
    "longer": np.vstack([MATRIX, MATRIX]),
    "empty": MATRIX[:0],
    "plain": MATRIX,
}


@pytest.mark.parametrize("traced", [True, False])
def test_operands_change_one_after_the_other(traced: bool) -> None:
    def step(a: Any, x: Any) -> Any:
        return (a @ x) * 0.5 + a.sum() / a.shape[1]

    function = sa.jit(step) if traced else step
    cases = [*CHANGES.items()]
    for place, (name, a) in enumerate([*cases, *cases[::-1]]):
        values = a.toarray() if sp.issparse(a) else dense(a)
        for x in (np.ones(4), (np.arange(4), LIST)[place % 2]):
            given = a if traced or isinstance(a, sa.Array) else sa.asarray(a)
            found, wanted = function(given, x), step(values, dense(x))
            assert found.dtype == wanted.dtype, name
            np.testing.assert_allclose(dense(found), wanted, err_msg=name)


def test_lengths_that_the_trace_read_are_those_of_the_call() -> None:
    function = sa.jit(lambda x: x.sum() / x.shape[0] + len(x) + x.size + x.ndim)
    for n in (3, 5, 3, 1, 4):
        check(function, np.arange(float(n)))
    assert traces(function) == 3  # the first call of 5 elements and of 4 are watched alone


def test_counts_that_the_trace_read_are_those_of_the_call() -> None:
    function = sa.jit(lambda x: (x * x.nnz, x.nstored, str(x.dtype), x.fill_value))
    few, many = sa.asarray([0, 1.0, 0, 3], format="list"), sa.asarray([5, 1.0, 0, 3], format="list")
    for one in (few, many, few):
        product, stored, dtype, fill = function(one)
        assert (stored, dtype, fill) == (one.nstored, "float64", 0)
        assert np.array_equal(product.todense(), one.todense() * one.nnz)
    assert traces(function) == 2


def test_equal_coordinates_in_the_trace_are_not_taken_for_granted() -> None:
    around = sparse(1)
    same = (around * 3).compute()
    product, total = sa.jit(lambda x: x * around), sa.jit(lambda x, y: x + y)
    for x in (same, sparse(2), around, sparse(3), same):
        assert np.array_equal(product(x).todense(), x.todense() * around.todense())
    for x, y in ((around, same), (around, sparse(2)), (sparse(2), sparse(3)), (same, same)):
        assert np.array_equal(total(x, y).todense(), x.todense() + y.todense())


def test_an_array_that_is_given_twice_is_one() -> None:
    def count(x: Any, y: Any, z: Any) -> Any:
        return np.where(z > (x < y), z, x < y), x @ y

    function, z = sa.jit(count), sa.asarray(MATRIX, format="dcsr")
    one, other = (sa.asarray(MATRIX * k, format="csc") for k in (1, 2))
    for x, y in ((one, other), (one, one), (other, one), (other, other), (MATRIX, MATRIX)):
        ours = [sa.asarray(given) for given in (x, y)]
        for found, wanted in zip(function(x, y, z), count(*ours, z), strict=True):
            assert np.array_equal(found.todense(), wanted.todense())
            if x is not MATRIX:
                assert found.format == wanted.format


def test_views_and_arguments_as_results_are_values() -> None:
    function = sa.jit(lambda x: (x, x.T, x[1:], x[::-1], x.reshape(2, 2)))
    x = np.arange(4.0)
    for _ in range(2):
        found = function(x)
        wanted = [np.array(one) for one in function.__wrapped__(x)]
        x += 1
        for one, other in zip(found, wanted, strict=True):
            assert np.array_equal(dense(one), other)


def test_results_share_nothing_that_can_be_changed() -> None:
    function = sa.jit(lambda x: (sa.asarray([1.0, 2.0]), np.ones(2), x + 1))
    first = function(np.ones(2))
    first[0][0] = 7
    first[1][0] = 7
    again = function(np.ones(2))
    assert again[0].tolist() == [1, 2]
    assert again[1].tolist() == [1, 1]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: sa.concat([x, y, x[1:3]]),
        lambda x, y: np.pad(x, 2) + 1,
        lambda x, y: np.outer(x, y).sum(axis=0),
        lambda x, y: x + sa.ones(8) * 2 + sa.arange(8) + np.arange(8),
        lambda x, y: np.where(x > y, x, np.maximum(y, 0.5)),
        lambda x, y: np.diff(x, n=2) * y[2:],
        lambda x, y: np.convolve(x, y[:3]),
        lambda x, y: (x - x.mean()) / (x.std() + 1),
        lambda x, y: np.linalg.norm(x) * y,
        lambda x, y: sa.asarray(x, dtype=np.float32).copy() * 2,
        lambda x, y: (x + y).astype(np.int16),
        lambda x, y: np.einsum("i,i->", x, y),
        lambda x, y: (x * y).compute() + x,
        lambda x, y: x.reshape(4, 2) @ y.reshape(2, 4),
        lambda x, y: np.sort(x)[::-1] + np.cumsum(y) + x[np.array([3, 0, 1, 1, 7, 6, 5, 2])],
        lambda x, y: np.argsort(y) + np.argmax(x),
        lambda x, y: np.linalg.solve(np.eye(8) * 3 + np.outer(x, x), y),
    ],
)
def test_operations_beside_numpy(function: Callable[..., Any]) -> None:
    traced = sa.jit(function)
    for k in range(3):
        x, y = np.arange(8.0) * k - 3, np.linspace(1, 2, 8) - k
        found = traced(x, y)
        if "sa" in function.__code__.co_names or "compute" in function.__code__.co_names:
            wanted = dense(function(sa.asarray(x), y))
        else:
            wanted = function(x, y)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(dense(found), wanted, rtol=1e-12)
    assert traces(traced) == 1


@pytest.mark.parametrize("fmt", ["csr", "csc", "coo", "dense", "rle", "band", "bitmap", "triu"])
def test_formats_and_fills_are_those_of_the_expression(fmt: str) -> None:
    def function(a: Any, x: Any) -> Any:
        return a * 2.5 + 1, np.minimum(a, a.T), a @ x, a.sum(axis=0), a[1:3], a.asformat("csc")

    traced = sa.jit(function)
    for k in (1, 3):
        a = sa.asarray(np.triu(MATRIX) * k, format=fmt)
        for one, other in zip(traced(a, np.ones(4)), function(a, np.ones(4)), strict=True):
            assert np.array_equal(one.todense(), other.todense())
            assert (one.dtype, one.fill_value) == (other.dtype, other.fill_value)
            assert one.format == other.format


def test_shared_sums_are_those_of_numpy() -> None:
    def step(a: Any, x: Any, r: Any, p: Any, rs: Any) -> Any:
        ap = a @ p
        alpha = rs / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        new = r @ r
        return x, r, r + (new / rs) * p, new

    half = sparse(4).todense()
    matrix = half @ half.T + 8 * np.eye(8)
    right = np.arange(8.0)
    ours = numpys = (right * 0, right, right, right @ right)
    function = sa.jit(step)
    for _ in range(6):
        ours = function(sa.asarray(matrix, format="csr"), *ours)
        numpys = step(matrix, *numpys)
        for one, other in zip(ours, numpys, strict=True):
            np.testing.assert_allclose(dense(one), other, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(dense(ours[0]), np.linalg.solve(matrix, right), rtol=1e-6)
    assert traces(function) == 2  # the first arguments are NumPy's


def test_formats_do_not_depend_on_what_else_is_computed() -> None:
    def several(x: Any, y: Any, z: Any) -> Any:
        square = z * z.T
        compared = x < (x < square)
        np.sort(square, axis=0)
        same = x == 2
        return np.round(compared), same, same.sum(axis=0), np.where(same > square, same, y)

    function = sa.jit(several)
    x, y = sa.asarray(MATRIX > 1, format="csc"), sa.asarray(MATRIX, format="rle")
    z = sa.asarray(MATRIX, format="bitmap")
    for _ in range(2):
        for found, one in zip(function(x, y, z), range(4), strict=True):
            wanted = several(x, y, z)[one]
            assert np.array_equal(found.todense(), wanted.todense())
            assert found.format == wanted.format


def test_long_loops_are_cut_into_steps() -> None:
    def iterate(x: Any, c: float) -> Any:
        for _ in range(100):
            x = x * x * 0.5 + c
        return x

    check(sa.jit(iterate), np.linspace(0, 0.5, 6), 0.1, exact=False)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass(frozen=True)
class Model:
    weights: Any
    rate: float
    name: str = "linear"


def test_containers_go_in_and_out() -> None:
    def update(models: dict[str, Model], pair: Pair, *more: Any, scale: Any) -> Any:
        one = models["one"]
        made = Model(one.weights - one.rate * pair.first * scale, one.rate / 2, one.name)
        return {"one": made, "rest": [pair.second, *more, None]}, Pair(pair.first.sum(), (1, "a"))

    function = sa.jit(update)
    for k in range(1, 4):
        given = {"one": Model(np.arange(3.0), 0.1 * k)}
        pair = Pair(np.ones(3) * k, np.zeros(2))
        args = given, pair, np.arange(2)
        (found, total), (wanted, number) = (one(*args, scale=k) for one in (function, update))
        assert isinstance(found["one"], Model)
        assert np.array_equal(dense(found["one"].weights), wanted["one"].weights)
        assert (found["one"].rate, found["one"].name) == (wanted["one"].rate, "linear")
        assert [np.shape(one) for one in found["rest"]] == [(2,), (2,), ()]
        assert isinstance(total, Pair)
        assert (float(total.first), total.second) == (number.first, (1, "a"))
    assert traces(function) <= 2  # 1 is special


def test_traces_within_a_trace_are_part_of_it() -> None:
    inner = sa.jit(lambda x: x * 2)
    outer = sa.jit(lambda x: inner(x) + inner(x + 1))
    for k in range(3):
        assert outer(np.arange(3.0) * k).tolist() == [2, 2 + 4 * k, 2 + 8 * k]
    assert traces(outer) == 1
    assert traces(inner) == 0


def test_methods_and_decorators() -> None:
    class Layer:
        def __init__(self, weight: float) -> None:
            self.weight = weight

        @sa.jit
        def forward(self, x: Any) -> Any:
            return x * self.weight

        @sa.jit(static_argnames="power")
        def raised(self, x: Any, power: int = 2) -> Any:
            for _ in range(power):
                x = x * self.weight
            return x

    one, other = Layer(2.0), Layer(5.0)
    for _ in range(2):
        assert one.forward(np.ones(2)).tolist() == [2, 2]
        assert other.forward(np.ones(2)).tolist() == [5, 5]
        assert one.raised(np.ones(1)).tolist() == [4]
        assert one.raised(np.ones(1), power=3).tolist() == [8]
        assert one.raised(np.ones(1), 1).tolist() == [2]
    one.weight = 3.0
    assert one.forward(np.ones(2)).tolist() == [3, 3]


def test_traces_are_forgotten_with_all_other_tables() -> None:
    function = sa.jit(lambda x: x + 1)
    assert function(np.ones(1)).tolist() == [2]
    sa.clear_cache()
    assert traces(function) == 0
    assert function(np.ones(1)).tolist() == [2]
    assert traces(function) == 1


@pytest.mark.parametrize("change", [{"strict_ieee": True}, {"default_format": "rle"}])
def test_options_are_those_of_the_call(change: Any) -> None:
    function = sa.jit(lambda a: (a * np.inf, sa.zeros((3, 3)) + 1))
    a = sa.asarray(MATRIX, format="csr")
    for options in ({}, change, {}):
        with sa.options(**options):
            for one, other in zip(function(a), function.__wrapped__(a), strict=True):
                assert np.array_equal(one.todense(), other.todense(), equal_nan=True)
                assert one.format == other.format


def test_memory_of_carried_arrays_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, "LEAST", 64)
    buffer_pool.let_go()
    made: list[int] = []
    fresh = buffer_pool._new
    monkeypatch.setattr(buffer_pool, "_new", lambda *args: made.append(1) or fresh(*args))

    @sa.jit
    def step(x: Any, y: Any) -> Any:
        return x * 0.5 + y

    @sa.jit
    def steps(x: Any, y: Any) -> Any:
        for _ in range(5):
            x = (x * 0.5 + y).compute()
        return x

    x, y = sa.asarray(np.arange(40.0)), np.ones(40)
    for _ in range(2):
        x = steps(step(x, y), y)
    gc.collect()  # what the traces held
    made.clear()
    for _ in range(20):
        x = steps(step(x, y), y)
    wanted = np.arange(40.0)
    for _ in range(22 * 6):
        wanted = wanted * 0.5 + 1
    assert np.array_equal(x.todense(), wanted)
    assert len(made) <= 3


def test_memory_that_something_holds_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, "LEAST", 64)

    @sa.jit
    def step(x: Any) -> Any:
        y = (x * 2).compute()
        return y + 1, y

    kept, x = [], sa.asarray(np.arange(40.0))
    for _ in range(6):
        x, y = step(x)
        kept += [(x, np.array(x)), (np.asarray(y)[3:9], np.array(y)[3:9]), (y.T, np.array(y))]
        del y
    for found, wanted in kept:
        assert np.array_equal(dense(found), wanted)


def test_explanations_tell_what_runs() -> None:
    def step(a: Any, p: Any, rr: Any) -> Any:
        ap = a @ p
        alpha = rr / (p @ ap)
        return alpha * p, alpha * ap

    function, a = sa.jit(step), sa.asarray(MATRIX, format="csr")
    found = function.explain(a, np.ones(4), 2.5)
    assert len(found.stages) == 4
    assert found.replay.count("C[i] += A[i, j] * B[j]") == 1
    assert str(found).startswith("replayed:\nk0, k1, *more")
    assert found.kernel.count("def kernel(") == 4
    assert not found.why
    assert traces(function) == 0
    numbers = iter(range(3))
    found = sa.jit(lambda x: x + next(numbers)).explain(np.ones(2))
    assert str(found).startswith("not replayed: nobody can tell whether")


def test_threads_call_one_function() -> None:
    function = sa.jit(lambda x, c: (x * c, x.sum()))
    failures = []

    def call(seed: int) -> None:
        with sa.options(tier="interpreted"):
            for k in range(20):
                x = np.arange(float(3 + (seed + k) % 3))
                found, total = function(x, float(seed + 2))
                if not np.array_equal(found.todense(), x * (seed + 2)) or total != x.sum():
                    failures.append((seed, k))

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures


def test_compiled_replays_are_those_of_the_interpreter() -> None:
    function = sa.jit(lambda x, c: c * x + 1)
    for tier in ("interpreted", "compiled", "compiled", "interpreted"):
        with sa.options(tier=tier):
            for c in (2.5, 3.5, 4.5):
                assert function(np.arange(4.0), c).tolist() == [c * k + 1 for k in range(4)]
    assert traces(function) == 1
