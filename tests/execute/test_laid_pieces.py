"""Pieces that are laid out beforehand give what pieces that Python calls do, for the same bits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._execute import laid_pieces, laid_rows, threads
from structarr._execute.laid_pieces import Numbers, begin_of, piece_of
from structarr._testing.fuzz.pieces import in_pieces

N = 60


def matrix(seed: int, dtype: str = "float64") -> Any:
    rng = np.random.default_rng(seed)
    made = sp.random_array((N, N), density=0.2, rng=rng, format="csr")
    made.data = (made.data * 9 - 4).astype(dtype)
    return sa.asarray(made)


def one_row(seed: int) -> Any:
    """A matrix with one row that is longer than a piece."""
    dense = np.zeros((N, N))
    dense[7] = np.random.default_rng(seed).random(N)
    return sa.asarray(sp.csr_array(dense))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many pieces each call has that is laid out from now on."""
    found: list[int] = []
    run = laid_pieces.Laid.run

    def noted(self: Any, *args: Any) -> None:
        found.append(self.pieces)
        run(self, *args)

    monkeypatch.setattr(laid_pieces.Laid, "run", noted)
    with in_pieces(), sa.options(tier="compiled"):
        yield found


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "rows": lambda a, b: a.sum(axis=1),
    "rows of products": lambda a, b: (a * b).sum(axis=1),
    "a sum": lambda a, b: (a * b).sum(),
    "columns": lambda a, b: a.sum(axis=0),
    "shared places": lambda a, b: 2 * a,
    "shared places by rows": lambda a, b: a * np.arange(N)[:, None],
    "products": lambda a, b: a @ np.arange(N * 3.0).reshape(N, 3),
    "products from the left": lambda a, b: a.T @ np.arange(N * 3.0).reshape(N, 3),
    "dense rows": lambda a, b: a @ b.todense(),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("make", [matrix, one_row])
def test_bits_are_those_of_pieces_that_python_calls(
    name: str, make: Callable[[int], Any], runs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def buffers(count: int) -> list[bytes]:
        with sa.options(threads=count):
            result = CASES[name](make(0), make(1)).compute()
        return [one.tobytes() for one in stored(result).buffers]

    found = [buffers(count) for count in (1, 2, 3)]
    assert max(runs) > 1
    monkeypatch.setattr(laid_rows, "piece_of", lambda compiled: 0)
    count = len(runs)
    assert found == [buffers(1)] * 3
    assert len(runs) == count


@pytest.mark.parametrize("dtype", ["float32", "int8", "int32", "int64", "complex64", "complex128"])
def test_any_dtype_is_laid_out(dtype: str, runs: list[int]) -> None:
    a = matrix(0, dtype)
    scale = a.dtype.type(3)
    with sa.options(threads=2):
        for made, wanted in (
            ((a * scale).compute(), a.todense() * scale),
            (a.sum(axis=1).compute(), a.todense().sum(axis=1)),
            (a.sum(), a.todense().sum()),
        ):
            assert made.dtype == wanted.dtype
            np.testing.assert_allclose(np.asarray(sa.asarray(made).todense()), wanted, rtol=1e-5)
    assert runs


def test_booleans_are_laid_out(runs: list[int]) -> None:
    a = matrix(0)
    assert np.asarray((a > 1).any(axis=1)).tolist() == (a.todense() > 1).any(axis=1).tolist()
    assert runs


def test_other_operands_that_are_cut_alike_have_tables_of_their_own(runs: list[int]) -> None:
    """Pieces of lists have pointers of their own, which belong to one operand."""
    x = np.arange(float(N))
    for turn in range(6):
        a = matrix(turn % 3)
        np.testing.assert_allclose(np.asarray(a @ x), a.todense() @ x, rtol=1e-12)
        np.testing.assert_allclose(np.asarray(a @ x), a.todense() @ x, rtol=1e-12)
    assert runs


def test_operands_of_the_same_lengths_share_a_table() -> None:
    """As rows of one element each are cut by their number, new operands find their pieces."""
    rng = np.random.default_rng(0)
    size = 400_000
    with sa.options(tier="compiled", threads=2):
        for _ in range(4):
            codes, y = rng.integers(0, 50, size), rng.integers(0, 9, size).astype(float)
            made = np.asarray(sa.one_hot(codes, 50).T @ y)
            assert made.tolist() == np.bincount(codes, y, 50).tolist()


def test_parts_that_are_forgotten_are_made_again(runs: list[int]) -> None:
    a, x = matrix(0), np.arange(float(N))
    wanted = np.asarray(a @ x).tolist()
    for name in ("rows", "laid"):
        stored(a).memo.pop(name, None)
        assert np.asarray(a @ x).tolist() == wanted


def test_where_progress_is_told_python_calls_pieces(runs: list[int]) -> None:
    with sa.options(progress=lambda text: None):
        np.asarray(matrix(0).sum(axis=1))
    assert not runs


def test_an_error_of_a_piece_is_raised_and_nobody_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(head: Any, shares: Any, *others: Any) -> int:
        seen.append(shares)
        raise IndexError("no such piece")

    from structarr._compiler.backend.native import piece_runner

    seen: list[Any] = []
    monkeypatch.setattr(piece_runner, "runner", lambda: refused)
    raised = pytest.raises(IndexError, match="no such piece")
    with in_pieces(), sa.options(tier="compiled", threads=3), raised:
        matrix(0).sum(axis=1).compute()
    assert seen and not any(shares[:, 1].any() for shares in seen)


def test_numbers_take_two_words_each() -> None:
    dtypes = ["int64", "float64", "bool", "complex64", "complex128", "float32", "uint8", "uint64"]
    values = [-3, 0.5, True, 1 + 2j, 3 - 4j, np.float32(0.25), np.uint8(200), 2**64 - 1]
    words = Numbers(dtypes).words(values)
    assert len(words) == 2 * len(dtypes)
    for k, (dtype, value) in enumerate(zip(dtypes, values, strict=True)):
        assert words[2 * k : 2 * k + 2].tobytes()[: np.dtype(dtype).itemsize] == (
            np.array(value, dtype).tobytes()
        )


def test_beginnings_are_compiled_once() -> None:
    begin = begin_of("float32")
    out = np.zeros(5, np.float32)
    begin(out, 1.5)
    assert out.tolist() == [1.5] * 5
    assert begin_of("float32") is begin and piece_of(begin)


def test_threads_work_together() -> None:
    seen: list[tuple[int, int]] = []
    threads.together(lambda number: seen.append((number, threading.get_ident())), 3)
    assert (0, threading.get_ident()) in seen
    assert len({number for number, _ in seen}) == len(seen) <= 3
    seen.clear()
    threads.together(lambda number: seen.append((number, threading.get_ident())), 2, waits=True)
    assert sorted(number for number, _ in seen) == [0, 1]
    assert threading.get_ident() not in {thread for _, thread in seen}


@pytest.mark.parametrize("waits", [False, True])
def test_an_error_of_any_thread_is_raised(waits: bool) -> None:
    def work(number: int) -> None:
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        threads.together(work, 2, waits)


def test_without_room_for_threads_the_caller_works(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def submit(self, job: Any) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_pool", lambda *_: Full())
    for waits in (False, True):
        seen: list[int] = []
        threads.together(seen.append, 3, waits)
        assert seen == [0]
