"""Any number of threads gives the same bits, though rows of all lengths are cut into pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.backend.kernel import Kernel
from structarr._execute import call_size, partition, partition_cuts
from structarr._testing.fuzz.pieces import in_pieces

OPERATIONS: dict[str, Callable[..., Any]] = {
    "matvec": lambda a, b, x, y: a @ x,
    "vecmat": lambda a, b, x, y: y @ a,
    "matmat": lambda a, b, x, y: a @ y[:, :3],
    "row sums": lambda a, b, x, y: a.sum(axis=1),
    "column sums": lambda a, b, x, y: a.sum(axis=0),
    "all": lambda a, b, x, y: (a * x).sum(),
    "row sums of a product": lambda a, b, x, y: (a * b).sum(axis=1),
    "row sums of a sum": lambda a, b, x, y: (a + b).sum(axis=1),
    "row maxima": lambda a, b, x, y: a.max(axis=1),
    "row products": lambda a, b, x, y: (a + 1).prod(axis=1),
    "transposed": lambda a, b, x, y: a.T @ x,
    "product": lambda a, b, x, y: a * b,
    "scaled rows": lambda a, b, x, y: a * y[:, :1],
    "scaled columns": lambda a, b, x, y: a * x,
    "sum": lambda a, b, x, y: a + b,
    "matmul": lambda a, b, x, y: a @ b,
    "masked": lambda a, b, x, y: (a @ b) * a,
}
FORMATS = (
    "csr",
    "csc",
    "coo",
    "dcsr",
    "band",
    "vbl",
    "rle",
    "sparse-rle",
    "packbits",
    "ragged",
    "symmetric",
    "bitmap",
    "hash",
    "bsr",
    "dense",
)
ALIKE = ("bitmap", "hash")
"""Formats of results of two operands that both have them."""

SHAPES = ("even", "dense row", "dense column", "power law", "empty rows")
N = 23


def dense_of(shape: str, seed: int) -> np.ndarray:
    """A square matrix whose rows are of lengths of one kind."""
    rng = np.random.default_rng(seed)
    share = np.full((N, 1), 0.2)
    if shape == "power law":
        share = np.minimum(1.5 / np.arange(1, N + 1)[:, None], 1.0)
    elif shape == "empty rows":
        share = np.where(np.arange(N) % 4, 0.0, 0.5)[:, None]
    dense = np.where(rng.random((N, N)) < share, rng.standard_normal((N, N)), 0.0)
    if shape == "dense row":
        dense[N // 2] = rng.standard_normal(N)
    elif shape == "dense column":
        dense[:, N // 2] = rng.standard_normal(N)
    return dense


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are made of what may be compiled, but the tiers round sums differently."""
    monkeypatch.setattr(Kernel, "compile", lambda self: None)
    monkeypatch.setattr(Kernel, "_should_compile", lambda self, work: False)
    monkeypatch.setattr(Kernel, "may_stop", False)


def computed(operation: str, threads: int, operands: tuple[Any, ...]) -> Any:
    with in_pieces(), sa.options(threads=threads, tier="auto"):
        return OPERATIONS[operation](*operands).compute()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.sampled(3)
def test_of_lists(operation: str, shape: str) -> None:
    check(operation, shape, "csr", "csr")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.sampled(8)
def test_of_formats(operation: str, format: str) -> None:
    check(operation, "dense row", format, format if format in ALIKE else "csr")


def check(operation: str, shape: str, one: str, other: str) -> None:
    a, b = dense_of(shape, 0), dense_of(shape, 1)
    if one == "symmetric":
        a = a + a.T
    y = np.random.default_rng(2).standard_normal((N, N))
    x = y[0]
    operands = sa.asarray(a, format=one), sa.asarray(b, format=other), sa.asarray(x), sa.asarray(y)
    # The second call of as many threads knows how long their segments are.
    results = [computed(operation, threads, operands) for threads in (1, 2, 2, 3, 3, 5, 5)]
    wanted = OPERATIONS[operation](a, b, x, y)
    np.testing.assert_allclose(results[0].todense(), wanted, rtol=1e-12, atol=1e-12)
    first, *others = [stored(result).buffers for result in results]
    for other_buffers in others:
        for mine, others_ in zip(first, other_buffers, strict=True):
            assert mine.tobytes() == others_.tobytes()


@pytest.mark.parametrize("operation", ["matvec", "product", "sum", "scaled rows"])
def test_long_rows_are_cut_within(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One full row does not decide how long a piece takes."""
    a = sa.asarray(dense_of("dense row", 0), format="csr")
    cuts = []
    run = partition.run
    monkeypatch.setattr(partition, "run", lambda *args: cuts.append(args[2]) or run(*args))
    b = sa.asarray(dense_of("dense row", 1), format="csr")
    computed(operation, 2, (a, b, np.ones(N), np.ones((N, N))))
    (found,) = cuts
    assert any(cut.at for cut in found)


def test_rows_that_are_appended_are_whole_for_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rounding depends on their parts."""
    a, b = [sa.asarray(dense_of("dense row", seed), format="csr") for seed in (0, 1)]
    monkeypatch.setattr(call_size, "LARGE", -1)
    monkeypatch.setattr(partition_cuts, "WORK", 1e-12)
    monkeypatch.setattr(partition, "run", lambda *args: pytest.fail("it was cut"))
    with sa.options(threads=1, tier="auto"):
        np.testing.assert_array_equal((a * b).todense(), a.todense() * b.todense())
