"""Rows that hold most of what is stored are divided by a kernel for parts of the second loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from noted_cuts import Cuts, noted_cuts

import structarr as sa
from structarr._array import stored
from structarr._testing.fuzz.pieces import in_pieces

N = 40
RNG = np.random.default_rng(0)
A = np.where(RNG.random((N, N)) < 0.06, RNG.integers(-4, 5, (N, N)), 0).astype(float)
A[5] = np.arange(N) - 9.0
A[20:24] = 0
A[30, ::2] = -3.0
B = np.roll(A, 3, axis=1)
X = np.arange(float(N))
Y = RNG.integers(-3, 4, (N, 3)).astype(float)

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "matvec": lambda xp, a, b: a @ X,
    "vecmat": lambda xp, a, b: X @ a,
    "dense product": lambda xp, a, b: a @ Y,
    "row sums": lambda xp, a, b: a.sum(axis=1),
    "column sums": lambda xp, a, b: a.sum(axis=0),
    "row maxima": lambda xp, a, b: a.max(axis=1),
    "column minima": lambda xp, a, b: a.min(axis=0),
    "maximum": lambda xp, a, b: (a + b).max(),
    "differences": lambda xp, a, b: abs(a - b).max(axis=1),
    "inner products": lambda xp, a, b: (a * b).sum(axis=1),
    "one number": lambda xp, a, b: (a * b).sum(),
    "matmul": lambda xp, a, b: a @ b,
    "matmul of columns": lambda xp, a, b: a @ b[:, 2:9],
    "product": lambda xp, a, b: a * b,
    "sum": lambda xp, a, b: a + b,
}
LISTED = (
    *("vecmat", "column sums", "matvec", "row sums", "inner products", "one number"),
    *("product", "sum", "row maxima"),
)
DIVIDED = {
    "csr": ("row maxima", "maximum", "differences", "matmul", "matmul of columns"),
    "csc": ("column minima", "maximum"),
    "vbl": (
        *("matvec", "vecmat", "dense product", "row sums", "column sums", "row maxima"),
        *("inner products", "one number", "differences", "matmul"),
    ),
    "rle": ("matvec", "vecmat", "row sums", "row maxima", "inner products", "differences"),
    "sparse-rle": ("matvec", "vecmat", "dense product", "row sums", "inner products"),
    "bsr": ("matvec", "vecmat", "row sums", "row maxima", "inner products", "matmul"),
    "coo": LISTED,
    "dcsr": LISTED,
}
CASES = [(format, name) for format, names in DIVIDED.items() for name in names]


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> Cuts:
    """The cuts of each call in pieces some of which are parts of rows."""
    return noted_cuts(monkeypatch, "run_divided")


@pytest.mark.parametrize(("format", "name"), CASES)
@pytest.mark.sampled(3)
def test_values_and_bits(format: str, name: str, cuts: Cuts) -> None:
    one, other = (A.T, B.T) if format == "csc" else (A, B)
    results = []
    for threads in (1, 2, 3):
        a, b = [sa.asarray(dense, format=format) for dense in (one, other)]
        with in_pieces(), sa.options(threads=threads, tier="auto"):
            results.append(OPERATIONS[name](sa, a, b).compute())
    wanted = OPERATIONS[name](np, one, other)
    for result in results:
        np.testing.assert_array_equal(result.todense(), wanted)
    assert len(cuts) >= 2 and all(any(cut.column for cut in made) for made in cuts)
    first, *others = [[one.tobytes() for one in stored(result).buffers] for result in results]
    assert all(bits == first for bits in others)


def test_rows_of_a_bitmap_are_divided_though_it_does_not_tell_which_child_is_a_row() -> None:
    bitmap = sa.formats.Format(sa.formats.Bitmap(sa.formats.SparsePoint()), (0, 1), "int64")
    a = np.array([[2.0], [3.0], [0.0]])
    with in_pieces(), sa.options(threads=2, tier="compiled"):
        product = sa.asarray(a, fill_value=2.0).asformat(bitmap) @ sa.asarray(Y[:1], format="csr")
        np.testing.assert_array_equal(product.todense(), a @ Y[:1])


def test_columns_that_are_apart_in_a_result_are_not_divided(cuts: Cuts) -> None:
    a = np.array([[2.0, -2, 1], [4, 4, 4], [3, 4, -2], [0, 0, 0], [4, -3, 1], [2, -3, 3]])
    b = np.array([[0.0], [np.inf], [-1.0]])
    points = sa.formats.Format(sa.formats.Dense(sa.formats.SparsePoint()), (0, 1), "int64")
    with in_pieces(), sa.options(threads=2, strict_ieee=True), np.errstate(invalid="ignore"):
        right = sa.asarray(b, fill_value=np.inf).asformat(points)
        for _ in range(3):
            product = np.diff(np.floor(a), axis=0) @ right
            np.testing.assert_array_equal(product.todense(), np.diff(a, axis=0) @ b)
    assert not any(cut.column for made in cuts for cut in made)


def test_scattered_rows_that_are_read_where_nothing_is_stored_are_not_divided() -> None:
    turned = np.arange(16.0).reshape(4, 4) % 5 - 2
    lists = np.array([[0.0, 2, 0, 0], [0, 0, 0, 3], [0, 0, 0, 0], [1, 0, 0, -2]])
    x = np.array([1.0, -1, 0, 2])

    def computed(m: Any, a: Any, x: Any) -> Any:
        return ((a - x) @ (m @ x[::-1])) @ a

    with in_pieces(), sa.options(threads=1, tier="compiled"):
        found = computed(sa.asarray(turned), sa.asarray(lists, format="csc"), sa.asarray(x))
        np.testing.assert_array_equal(np.asarray(found), computed(turned, lists, x))


ELEMENTWISE: dict[str, Callable[[Any, Any, Any], Any]] = {
    "product": lambda xp, a, b: a * b,
    "sum": lambda xp, a, b: a + b,
    "maximum": lambda xp, a, b: xp.maximum(a, b),
    "marks": lambda xp, a, b: (a != 0) & (b != 0),
    "quotient": lambda xp, a, b: a / (b + 7.0),
}


def _in_stretches(dtype: str, seed: int) -> np.ndarray:
    """A matrix of runs, blocks and gaps, of which some rows are full and some empty."""
    random = np.random.default_rng(seed)
    runs = np.repeat(random.integers(-1, 3, (9, 30)), random.integers(1, 5, 30), axis=1)
    made = (runs * random.integers(0, 2, runs.shape[1])).astype(dtype)
    made[2], made[5] = runs[2] + 2, 0
    made[7] = 3
    if made.dtype.kind == "f":
        made[1, 5:9], made[7, 20:40] = np.nan, -0.0
    return made


@pytest.mark.parametrize("format", ["vbl", "sparse-rle"])
@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("dtype", ["float64", "int8", "complex64"])
@pytest.mark.sampled(3)
def test_stretches_on_both_sides_of_a_bound_are_one(
    format: str, name: str, dtype: str, cuts: Cuts
) -> None:
    one, other = (_in_stretches(dtype, seed) for seed in (0, 1))
    operation = ELEMENTWISE[name]

    def made(threads: int) -> list[bytes]:
        a, b = [sa.asarray(dense, format=format) for dense in (one, other)]
        with sa.options(threads=threads, tier="compiled"):
            result = operation(sa, a, b).compute()
        np.testing.assert_array_equal(result.todense(), operation(np, one, other))
        return [buffer.tobytes() for buffer in stored(result).buffers]

    with in_pieces():
        parts = made(2)
        assert parts == made(1) == made(3)
    assert all(any(cut.column for cut in each) for each in cuts) and cuts
    cuts.clear()
    assert made(1) == parts
    assert not cuts
