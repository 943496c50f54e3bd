"""How the sums of floats in a kernel are cut into blocks, and what keeps their totals."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from structarr._compiler.backend.numba.source import show
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Cast, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocked_sums import _Facts, block_sums
from structarr._compiler.kernel_passes.relax_sums import RELAXED
from structarr._compiler.runtime.accumulate import blocks_to, lost, settled

ZERO = Lit(INDEX, 0)
K, J, N, M = (Var(INDEX, name) for name in ("i", "j", "i_n", "j_n"))


class _Kernel:
    """The parts of a kernel of a dtype."""

    def __init__(self, dtype: str) -> None:
        self.total = Var(dtype, "total", True)
        self.a, self.c = Buffer("A", dtype), Buffer("C", dtype)

    def begin(self, at: Expr = ZERO) -> Line:
        return Set(self.total, self.c[at])

    def add(self, term: Expr) -> Line:
        return Set(self.total, Call(self.total.dtype, OPS["add"], (self.total, term)))

    def end(self, at: Expr = ZERO) -> Line:
        return Store(self.c, at, self.total)


def _text(*lines: Line) -> str:
    return show(block_sums(lines))


def _expected(text: str) -> str:
    return dedent(text).strip("\n")


@pytest.mark.parametrize(("dtype", "wide"), [("float32", "float64"), ("complex64", "complex128")])
def test_a_whole_sum_of_narrow_floats(dtype: str, wide: str) -> None:
    k = _Kernel(dtype)
    text = _text(k.begin(), For(K, ZERO, N, (k.add(k.a[K]),)), k.end())
    nothing = "float32(-0.0)" if dtype == "float32" else "complex64(complex(-0.0, -0.0))"
    assert text == _expected(f"""
        total_wide = {wide}(C[0])
        for i_block in range(0, i_n, 256):
            total_part = {nothing}
            for i in range(i_block, min(i_block + 256, i_n)):
                total_part = radd(total_part, A[u(i)])
            total_wide = total_wide + total_part
        C[0] = {dtype}(total_wide)
        """)


def test_a_whole_sum_of_wide_floats() -> None:
    k = _Kernel("float64")
    text = _text(k.begin(), For(K, ZERO, N, (k.add(k.a[K]),)), k.end())
    assert text == _expected("""
        total = C[0]
        total_low = -0.0
        for i_block in range(0, i_n, 256):
            total_part = -0.0
            for i in range(i_block, min(i_block + 256, i_n)):
                total_part = radd(total_part, A[u(i)])
            total_low = total_low + lost(total, total_part)
            total = total + total_part
        C[0] = settled(total, total_low)
        """)


def test_rows_of_narrow_floats_take_blocks_where_they_are_long() -> None:
    k = _Kernel("float32")
    row = (k.begin(K), For(J, ZERO, M, (k.add(k.a[J]),)), k.end(K))
    assert _text(For(K, ZERO, N, row)) == _expected("""
        for i in range(i_n):
            total = C[u(i)]
            j_blocks = blocks_to(0, j_n, 256)
            total_wide = -0.0
            for j_block in range(0, j_blocks, 256):
                total_part = float32(-0.0)
                for j in range(j_block, j_block + 256):
                    total_part = radd(total_part, A[u(j)])
                total_wide = total_wide + total_part
            for j in range(j_blocks, j_n):
                total = radd(total, A[u(j)])
            if 0 < j_blocks:
                total = float32(total_wide + total)
            C[u(i)] = total
        """)


def test_rows_of_wide_floats_stay() -> None:
    k = _Kernel("float64")
    block = (For(K, ZERO, N, (k.begin(K), For(J, ZERO, M, (k.add(k.a[J]),)), k.end(K))),)
    assert block_sums(block) == block


def test_a_total_of_several_rows_is_wide() -> None:
    k = _Kernel("float32")
    rows = For(K, ZERO, N, (For(J, ZERO, M, (k.add(k.a[J]),)),))
    assert _text(k.begin(), rows, k.end()) == _expected("""
        total_wide = float64(C[0])
        for i in range(i_n):
            j_blocks = blocks_to(0, j_n, 256)
            for j_block in range(0, j_blocks, 256):
                total_part = float32(-0.0)
                for j in range(j_block, j_block + 256):
                    total_part = radd(total_part, A[u(j)])
                total_wide = total_wide + total_part
            total_part = float32(-0.0)
            for j in range(j_blocks, j_n):
                total_part = radd(total_part, A[u(j)])
            total_wide = total_wide + total_part
        C[0] = float32(total_wide)
        """)


def test_a_total_in_branches_is_wide() -> None:
    k = _Kernel("float32")
    turn = (If(((lt(K, N), (k.add(k.a[K]),)),)), If(((lt(N, K), (Break(),)),)))
    assert _text(k.begin(), While(turn), k.end()) == _expected("""
        total_wide = float64(C[0])
        while True:
            if i < i_n:
                total_wide = total_wide + A[u(i)]
            if i_n < i:
                break
        C[0] = float32(total_wide)
        """)


def test_a_loop_that_searches_has_no_blocks() -> None:
    k = _Kernel("float32")
    at = Var(INDEX, "at")
    turn = (Set(at, Helper(INDEX, "bisect", (k.a, K, ZERO, N))), k.add(k.a[at]))
    assert _text(k.begin(), For(K, ZERO, N, turn), k.end()) == _expected("""
        total_wide = float64(C[0])
        for i in range(i_n):
            at = bisect(A, i, 0, i_n)
            total_wide = total_wide + A[u(at)]
        C[0] = float32(total_wide)
        """)


def test_a_total_is_read_in_its_dtype() -> None:
    k = _Kernel("float32")
    b = Buffer("B", "float32")
    loop = For(K, ZERO, N, (k.add(k.a[K]), Store(b, K, k.total)))
    assert _text(k.begin(), loop, k.end()) == _expected("""
        total_wide = float64(C[0])
        for i in range(i_n):
            total_wide = total_wide + A[u(i)]
            B[u(i)] = float32(total_wide)
        C[0] = float32(total_wide)
        """)
    twice = Call("float32", OPS["multiply"], (k.total, k.total))
    row = (k.begin(K), For(J, ZERO, M, (k.add(k.a[J]),)), Store(k.c, K, twice))
    last = _text(For(K, ZERO, N, row)).splitlines()[-1].strip()
    assert last == "C[u(i)] = float32(total) * float32(total)"


def test_what_is_set_otherwise_stays() -> None:
    k = _Kernel("float32")
    scaled = Set(k.total, Call("float32", OPS["multiply"], (k.total, k.a[K])))
    integers = _Kernel("int64")
    for one, more in ((k, (scaled,)), (integers, ())):
        block = (one.begin(), For(K, ZERO, N, (one.add(one.a[K]), *more)), one.end())
        assert block_sums(block) == block


def test_a_bound_that_the_loop_changes_is_read_once() -> None:
    k = _Kernel("float32")
    loop = For(K, ZERO, N, (k.add(Cast("float32", N)), Set(N, N + 1)))
    text = _text(k.begin(), loop, k.end())
    assert "i_end = i_n\nfor i_block in range(0, i_end, 256):" in text


def test_a_start_that_the_loop_changes_is_read_once() -> None:
    k = _Kernel("float32")
    row = (k.begin(K), Set(J, N), For(J, J, M, (k.add(k.a[J]),)), k.end(K))
    text = _text(For(K, ZERO, N, row))
    assert "j_start = j\n    j_blocks = blocks_to(j_start, j_n, 256)" in text
    assert "if j_start < j_blocks:" in text


def test_names_that_are_taken() -> None:
    k = _Kernel("float32")
    taken = Var("float32", "total_wide")
    loop = For(K, ZERO, N, (k.add(taken),))
    shown = _text(k.begin(), loop, k.end())
    assert "total_part = radd(total_part, total_wide_2)" in shown
    assert "total_wide = total_wide + total_part" in shown


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (3, 1), (0, 255), (5, 261), (7, 1000)])
def test_blocks_begin_where_the_range_does(start: int, stop: int) -> None:
    last = blocks_to(start, stop, 256)
    assert (last - start) % 256 == 0
    assert last == start if stop <= start else 0 <= stop - last < 256


def test_what_an_addition_loses() -> None:
    large, small = np.float32(2.0**24), np.float32(1.5)
    assert np.float64(large + small) + lost(large, small) == 2.0**24 + 1.5
    assert lost(large, small) == lost(small, large)
    assert settled(large, np.float32(0.0)) == large
    assert settled(np.float32(np.inf), np.float32(np.nan)) == np.inf
    assert np.signbit(settled(np.float32(-0.0), np.float32(0.0)))


def test_a_total_that_a_line_adds_to_is_added_to_in_several_ways() -> None:
    """One straight loop alone would add to the total of a row, which so may stay narrow."""
    kernel, facts = _Kernel("float32"), _Facts()
    term = Helper("float32", RELAXED["add"], (kernel.total, kernel.a[K]))
    facts.look((Set(kernel.total, term),), True)
    assert kernel.total in facts.several
