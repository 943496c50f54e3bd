"""Memory of results is used again, but never while anybody holds it."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support import buffer_pool

FLOAT = np.dtype(np.float64)
SIZE = 1000


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(buffer_pool, "LEAST", 1)
    monkeypatch.setattr(buffer_pool, "_waiting", deque())
    yield
    gc.collect(1)  # the old generation is large, and has nothing of this test


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_memory_comes_back() -> None:
    first = buffer_pool.empty(SIZE, FLOAT)
    first[:] = 3.0
    known = _address(first)
    del first
    size = 3 * SIZE // 2
    again = buffer_pool.empty(size, np.dtype(np.int32))  # three quarters of the bytes
    assert _address(again) == known
    assert (again.shape, again.dtype, again.flags.writeable) == ((size,), np.int32, True)
    assert _address(buffer_pool.empty(SIZE, FLOAT)) != known


@pytest.mark.parametrize("size", [SIZE - 1, SIZE])
def test_zeros_are_zeros_in_memory_used_before(size: int) -> None:
    assert not buffer_pool.zeros(size, FLOAT).any()
    used = buffer_pool.empty(SIZE, FLOAT)
    used[:] = 3.0
    known = _address(used)
    del used
    again = buffer_pool.zeros(size, FLOAT)
    assert (_address(again), again.any(), again.shape) == (known, False, (size,))


def test_copies_are_in_c_order_and_apart() -> None:
    array = np.arange(12.0).reshape(3, 4).T
    copy = buffer_pool.copied(array)
    assert copy.flags.c_contiguous and copy.flags.writeable
    assert np.array_equal(copy, array) and not np.shares_memory(copy, array)


@pytest.mark.parametrize("rows", [3, SIZE])
def test_flat_copies_are_in_c_order_and_apart(rows: int) -> None:
    array = np.arange(4.0 * rows).reshape(4, rows).T
    copy = buffer_pool.flattened(array)
    assert np.array_equal(copy, array.flatten()) and not np.shares_memory(copy, array)
    assert buffer_pool.flattened(np.array(3.0)).shape == (1,)


def test_memory_begins_with_a_line_of_the_cache() -> None:
    held = [buffer_pool.empty(size, FLOAT) for size in (1, 3, 1001)]
    assert [_address(one) % buffer_pool.ALIGNED for one in held] == [0, 0, 0]


HOLDERS: dict[str, Any] = {
    "a slice": lambda array: array[3:5],
    "a view of another dtype": lambda array: array.view(np.int64),
    "a view in another shape": lambda array: array.reshape(10, -1).T,
    "a memoryview": memoryview,
    "dlpack": lambda array: np.from_dlpack(array),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_memory_that_is_held_stays(name: str) -> None:
    array = buffer_pool.empty(SIZE, FLOAT)
    known, held = _address(array), HOLDERS[name](array)
    del array
    assert _address(buffer_pool.empty(SIZE, FLOAT)) != known
    del held
    assert known in [one.address for one in buffer_pool._waiting]


@pytest.mark.parametrize("size", [SIZE // 3, 3 * SIZE])
def test_memory_of_another_size_waits(size: int) -> None:
    known = _address(buffer_pool.empty(SIZE, FLOAT))
    assert _address(buffer_pool.empty(size, FLOAT)) != known
    assert _address(buffer_pool.empty(SIZE, FLOAT)) == known


def test_of_about_the_size_the_newest_is_taken() -> None:
    """It may be in the caches."""
    close = SIZE + 8
    held = [buffer_pool.empty(size, FLOAT) for size in (SIZE, 3 * SIZE // 2, close)]
    known = [_address(one) for one in held]
    while held:
        del held[0]
    assert _address(buffer_pool.empty(SIZE, FLOAT)) == known[2]


def test_what_waits_is_bounded_with_blocks_that_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffer_pool, "KEPT", 1 << 20)
    sizes = [1 << 8, 1 << 13, 1 << 8, 1 << 15, 1 << 8, 1 << 14, 1 << 8] * 20
    held = [buffer_pool.empty(size, FLOAT) for size in sizes]
    while held:
        held.pop()
        waiting = [one.size for one in buffer_pool._waiting]
        assert sum(waiting) <= 1 << 20 and len(waiting) <= buffer_pool.BLOCKS
    assert len({*waiting}) == 4


@pytest.mark.parametrize(("name", "most"), [("KEPT", 20 * SIZE), ("BLOCKS", 2)])
def test_what_waits_is_bounded(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, name, most)
    held = [buffer_pool.empty(SIZE, FLOAT) for _ in range(5)]
    known = [_address(one) for one in held]
    while held:
        del held[0]
    assert [one.address for one in buffer_pool._waiting] == known[-2:]
    buffer_pool.let_go()
    assert not buffer_pool._waiting


def test_less_is_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, "LEAST", 8 * SIZE + 1)
    assert buffer_pool.empty(SIZE, FLOAT).base is None
    assert buffer_pool.empty(SIZE + 1, FLOAT).base is not None


def test_memory_that_ran_out_is_asked_for_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    del (known := [buffer_pool.empty(SIZE, FLOAT)])[0]
    real, failed = np.empty, []

    def empty(*args: Any) -> Any:
        if not failed:
            failed.append(len(buffer_pool._waiting))
            raise MemoryError
        return real(*args)

    monkeypatch.setattr(np, "empty", empty)
    assert buffer_pool.empty(8 * SIZE, FLOAT).shape == (8 * SIZE,)
    assert not known and failed == [1]
    assert [one.size >= 8 * SIZE * FLOAT.itemsize for one in buffer_pool._waiting] == [True]


def _operands(seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    dense = np.where(random.random((30, 30)) < 0.2, random.standard_normal((30, 30)), 0.0)
    return dense, sa.asarray(dense, format=random.choice(["csr", "csc", "coo", "vbl", "dense"]))


EXPRESSIONS: tuple[Any, ...] = (
    lambda a, b: (a @ b) @ a,
    lambda a, b: (a * b) @ (a + b),
    lambda a, b: (a @ b) * a + b,
    lambda a, b: a.T @ b,
    lambda a, b: (a @ b).sum(axis=0),
    lambda a, b: (a * 2 + b) * 3,
    lambda a, b: a[::-1] @ b[:, 3:9],
)


def _held(seed: int) -> list[tuple[Any, Any]]:
    """Results of many expressions, of which every other is forgotten, and what they are."""
    found = []
    for k in range(3 * len(EXPRESSIONS)):
        (left, a), (right, b) = _operands(seed + k), _operands(seed + k + 1)
        make = EXPRESSIONS[k % len(EXPRESSIONS)]
        result = make(a, b).compute()
        if k % 2:
            found.append((result, make(left, right)))
    return found


def test_results_that_are_held_stay_as_they_are() -> None:
    for result, wanted in _held(1):
        np.testing.assert_allclose(result.todense(), wanted, atol=1e-12)
    assert buffer_pool._waiting


def test_threads_never_write_to_what_others_hold() -> None:
    with ThreadPoolExecutor(4) as pool:
        for each in pool.map(_held, range(0, 28, 7)):  # expressions of the same structures
            for result, wanted in each:
                np.testing.assert_allclose(result.todense(), wanted, atol=1e-12)


def test_temporaries_take_the_memory_of_earlier_ones() -> None:
    """Three products in a chain: the third takes what the first had."""
    (left, a), (right, b) = _operands(5), _operands(6)
    taken: list[bool] = []
    take = buffer_pool._take
    for _ in range(2):
        chain = ((a @ b) * 2 @ a) * 3 @ b
        chain.compute()
    with pytest.MonkeyPatch.context() as patched:
        buffer_pool.let_go()
        patched.setattr(buffer_pool, "_take", lambda size: _noted(take(size), taken))
        chain = ((a @ b) * 2 @ a) * 3 @ b
        np.testing.assert_allclose(chain.todense(), ((left @ right) * 2 @ left) * 3 @ right)
    assert any(taken)


def _noted(found: Any, taken: list[bool]) -> Any:
    taken.append(found is not None)
    return found
