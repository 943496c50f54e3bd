"""Calls whose operands cannot be cut run in pieces that each go along a part of the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from noted_cuts import Cuts, noted_cuts

import structarr as sa
from structarr._array import stored
from structarr._compiler.runtime._mark import BEYOND
from structarr._compiler.runtime.output import OUTGROWN
from structarr._execute import call_size, partial_calls, program_choice
from structarr._execute.joined_lists import STRETCH, put_positions
from structarr._execute.known_lengths import KnownLengths
from structarr._execute.partition_work import counts_in_rows, steps_along, tells_rows
from structarr._execute.segment_rooms import lacked_room
from structarr._storage.tensor import Tensor, counts_by_axis
from structarr._testing.fuzz.pieces import in_pieces

N = 37
RNG = np.random.default_rng(0)
A = np.where(RNG.random((N, N)) < 0.3, RNG.integers(-4, 5, (N, N)), 0).astype(float)
A[5] = np.arange(N)
A[20:24] = 0
B = np.roll(A, 3, axis=0)
X = np.arange(float(N))

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "matvec": lambda xp, a, b: a @ X,
    "vecmat": lambda xp, a, b: X @ a,
    "row sums": lambda xp, a, b: a.sum(axis=1),
    "column sums": lambda xp, a, b: a.sum(axis=0),
    "maxima": lambda xp, a, b: a.max(axis=1),
    "products": lambda xp, a, b: (a * b).sum(axis=1),
    "matmul": lambda xp, a, b: a @ b[:, 2:9],
    "rows from one on": lambda xp, a, b: a[3:] @ X,
    "every third row": lambda xp, a, b: a[::3] @ X,
    "differences": lambda xp, a, b: (a[1:] - b[:-1]).sum(axis=0),
    "product of slices": lambda xp, a, b: a[5:] * b[:-5],
    "matmul of slices": lambda xp, a, b: a[3:] @ b[:, 2:9],
    "reversed": lambda xp, a, b: a[::-1] * b,
    "triangle": lambda xp, a, b: xp.triu(a) @ X,
    "product": lambda xp, a, b: a * b,
    "sum": lambda xp, a, b: a + b,
}
PARTIAL = {
    "bsr": ("matvec", "vecmat", "row sums", "column sums", "maxima", "products", "matmul"),
    "symmetric": ("matvec", "vecmat", "column sums", "maxima", "products", "triangle"),
    "csr": (
        "rows from one on",
        "every third row",
        "differences",
        "product of slices",
        "matmul of slices",
        "reversed",
        "triangle",
    ),
    "csc": ("matmul", "matmul of slices"),
    "coo": ("matmul",),
    "dcsr": ("matmul",),
    "vbl": ("rows from one on", "differences", "triangle"),
    "ragged": ("rows from one on", "differences", "triangle"),
    "hash": ("matvec", "vecmat", "column sums", "matmul", "product", "sum", "product of slices"),
}
CASES = [(format, name) for format, names in PARTIAL.items() for name in names]


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> Cuts:
    """The cuts of each call in pieces that go along parts of the loop."""
    monkeypatch.setattr(call_size, "PARTIAL", 0.0)
    return noted_cuts(monkeypatch, "run_partial", "run_divided")


def operands(format: str) -> tuple[np.ndarray, np.ndarray]:
    return (A + A.T, B + B.T) if format == "symmetric" else (A, B)


@pytest.mark.parametrize(("format", "name"), CASES)
@pytest.mark.sampled(3)
def test_values_and_bits(format: str, name: str, cuts: Cuts) -> None:
    one, other = operands(format)
    results = []
    for threads in (1, 2, 3):
        a, b = [sa.asarray(dense, format=format) for dense in (one, other)]
        with in_pieces(), sa.options(threads=threads, tier="auto"):
            # The second call of some operands knows what each piece stores.
            results += [OPERATIONS[name](sa, a, b).compute() for _ in range(2)]
    wanted = OPERATIONS[name](np, one, other)
    for result in results:
        np.testing.assert_array_equal(result.todense(), wanted)
    assert len(cuts) >= 2 and all(len(made) > 4 for made in cuts)
    first, *others = [[one.tobytes() for one in stored(result).buffers] for result in results]
    assert all(bits == first for bits in others)


@pytest.mark.parametrize(("name", "in_place"), [("sum", True), ("product", False)])
def test_pieces_that_stored_as_much_before_are_written_where_they_belong(
    name: str, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for those of kernels that write ahead."""
    calls: list[str] = []
    for function in ("_in_place", "joined"):
        run = getattr(partial_calls, function)
        monkeypatch.setattr(
            partial_calls,
            function,
            lambda *args, run=run, name=function: calls.append(name) or run(*args),
        )
    a, b = [sa.asarray(dense, format="hash") for dense in (A, B)]
    for _ in range(3):
        with in_pieces(), sa.options(threads=2, tier="compiled"):
            result = OPERATIONS[name](sa, a, b).compute()
        np.testing.assert_array_equal(result.todense(), OPERATIONS[name](np, A, B))
    known = ["_in_place", "_in_place"] if in_place else ["_in_place", "joined", "joined"]
    assert calls == ["joined", *known]


@pytest.mark.parametrize("more", [-1, 1])
def test_pieces_that_store_something_else_than_before_are_joined(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = [sa.asarray(dense, format="hash") for dense in (A, B)]
    known = KnownLengths.of

    def wrong(self: KnownLengths, given: Any) -> Any:
        found = known(self, given)
        if found is None:
            return None
        return [[ptr, idx + more, table + 2 * more, val + more] for ptr, idx, table, val in found]

    monkeypatch.setattr(KnownLengths, "of", wrong)
    for _ in range(3):
        with in_pieces(), sa.options(threads=2, tier="compiled"):
            np.testing.assert_array_equal((a + b).todense(), A + B)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_positions_have_what_is_before_them_added(dtype: str) -> None:
    free = RNG.random(2 * STRETCH + 3) < 0.5
    positions = np.where(free, -1, np.arange(len(free))).astype(dtype)
    wanted = np.where(free, -1, positions + 7)
    apart = np.empty_like(positions)
    put_positions(apart, positions, 7)
    put_positions(positions, positions, 7)
    np.testing.assert_array_equal(apart, wanted)
    np.testing.assert_array_equal(positions, wanted)


@pytest.mark.parametrize("name", ["product", "sum"])
def test_tables_of_listed_rows_are_joined(name: str, cuts: Cuts) -> None:
    format = sa.formats.SparseList(sa.formats.Hash())
    a, b = [sa.asarray(dense, format=format) for dense in (A, B)]
    with in_pieces(), sa.options(threads=2, tier="auto"):
        result = OPERATIONS[name](sa, a, b).compute()
    assert cuts
    tensor = stored(result)
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
    np.testing.assert_array_equal(result.todense(), OPERATIONS[name](np, A, B))


def test_rows_bound_what_pieces_store() -> None:
    """All pieces together have no more room than the whole call."""
    for format in ("hash", "csr", "csc", "bitmap"):
        tensor = stored(sa.asarray(A, format=format))
        assert tells_rows(tensor.format.levels)
        parts = [counts_in_rows(tensor, lo, lo + 1) for lo in range(N)]
        np.testing.assert_array_equal(np.sum(parts, axis=0), counts_by_axis(tensor))
    assert not tells_rows(stored(sa.asarray(A, format="coo")).format.levels)


def test_steps_are_those_of_what_is_stored() -> None:
    """By which pieces are made equal: of blocks, of lists of rows, and of dense rows."""
    dense = np.zeros((12, 12))
    dense[:4] = 1.0
    dense[8, :4] = 1.0
    rows = np.arange(13)
    blocks = sa.asarray(dense, format=sa.formats.Dense(sa.formats.Tiles(height=4, width=4)))
    stored_in_blocks = [0, 12, 24, 36, *[48] * 5, 52, 56, 60, 64]
    np.testing.assert_array_equal(steps_along(stored(blocks))(rows), stored_in_blocks)
    for format in ("csr", "dcsr", "coo"):
        listed = sa.asarray(dense, format=format)
        found = steps_along(stored(listed))(rows)
        np.testing.assert_array_equal(found, [0, 12, 24, 36, *[48] * 5, *[52] * 4])


def test_short_calls_take_no_second_kernel() -> None:
    a = sa.asarray(A, format="bsr")
    with sa.options(threads=2, tier="compiled"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_choice, "run_partial", lambda *_: pytest.fail("it was cut"))
        np.testing.assert_array_equal((a @ X).todense(), A @ X)


@pytest.mark.parametrize(("name", "count"), [("product of slices", 0), ("rows from one on", 1)])
def test_one_thread_takes_what_is_no_sum_whole(name: str, count: int, cuts: Cuts) -> None:
    """Elements are rounded alike by either kernel; sums may not be."""
    a, b = sa.asarray(A, format="csr"), sa.asarray(B, format="csr")
    with in_pieces(), sa.options(threads=1, tier="auto"):
        np.testing.assert_array_equal(
            OPERATIONS[name](sa, a, b).todense(), OPERATIONS[name](np, A, B)
        )
    assert len(cuts) == count


def marks_of(m: Any, x: Any, y: Any) -> Any:
    low = np.clip(np.clip(y, -3, 3), -2, 2)
    sums = (m * x).sum(axis=0)
    outer = np.outer(sums, low)
    more = (outer - -1) @ sums
    total = np.abs(sums).sum()
    found = np.sign(y) * np.abs(more)
    turned = outer[:, ::-1] @ low
    rest = y - total * turned
    return found, rest, outer.T @ rest


def test_rows_of_marked_elements_stay_whole() -> None:
    """Where a result has marks beside its elements, an element is no result of its own."""
    matrix = np.array([[3.0, 1, 0, 2], [2, 0, 2, 0], [0, 0, 0, -2], [0, 0, 1, 3]])
    x, y = np.zeros(4), np.array([0.0, -3.0, 0.0, 0.0])
    with sa.options(tier="auto", threads=3), in_pieces():
        marked = [sa.asarray(one, format="bitmap") for one in (x, y)]
        found = marks_of(sa.asarray(matrix, format="csr"), *marked)
        for one, want in zip(found, marks_of(matrix, x, y), strict=True):
            np.testing.assert_allclose(np.asarray(one), want)


def test_what_is_refused_by_a_check_is_no_lack_of_room() -> None:
    full = (RuntimeError(OUTGROWN), IndexError("index 3 is out of bounds for axis 0 with size 3"))
    others = (RuntimeError("another"), IndexError(f"{BEYOND} of 3 elements at 3"))
    assert [lacked_room(one) for one in (*full, *others)] == [True, True, False, False]
