"""Loops that a pass rewrites, each beside one that differs in one respect and stays."""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Buffer, Call, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Do, For, Line, Make, Set, Store, every_line
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.along_diagonals import along_diagonals
from structarr._compiler.kernel_passes.vector_calls import vector_calls
from structarr._compiler.kernel_passes.whole_rows import split_whole_rows

ROW, K, N, Q, END = (Var(INDEX, name) for name in ("i", "k", "n", "q", "end"))
ZERO, FIVE = Lit(INDEX, 0), Lit(INDEX, 5)
A, C, D = (Buffer("val", "float64", False, name) for name in "ACD")


def _of(name: str, *args: Expr) -> Expr:
    return Call("float64", OPS[name], args)


def _vectors(*body: Line) -> list[Line]:
    return list(every_line(vector_calls((For(K, ZERO, N, body),))))


# ------------------------------------------------------------------------- vector_calls


def test_a_function_that_two_lines_call_is_computed_once() -> None:
    found = _vectors(Store(C, K, _of("exp", A[K])), Store(D, K, _of("exp", A[K])))
    assert len([line for line in found if isinstance(line, Do)]) == 1
    assert len([line for line in found if isinstance(line, Make)]) == 1


def test_a_place_that_is_read_besides_holds_no_argument() -> None:
    """`c[k] = exp(a[k]) + c[k]`: with the argument in its place, the old element would be lost."""
    found = _vectors(Store(C, K, _of("add", _of("exp", A[K]), C[K])))
    stores = [line for line in found if isinstance(line, Store) and line.buffer is C]
    assert [line.value.has(Call) for line in stores] == [True]
    assert C[K] in set(stores[0].value.nodes())


# ------------------------------------------------------------------------- along_diagonals


def test_values_of_a_turn_that_read_elements_are_kept_in_it() -> None:
    """A name for what a turn reads does not keep the loops from changing places."""
    taken = Var("float64", "taken")
    each = For(Q, ZERO, FIVE, (Set(taken, A[Q * N + ROW]), Store(C, Q * N + ROW, taken)))
    found = along_diagonals(For(ROW, ZERO, N, (each,)), lambda name: Var(INDEX, name))
    assert found is not None
    assert isinstance(found[-1], For) and found[-1].var is Q


# ------------------------------------------------------------------------- whole_rows


def test_rows_between_bounds_of_which_one_moves_are_not_whole() -> None:
    """Which rows have all of their diagonals is told before the loop over rows."""
    offset, moved = Buffer("offset", INDEX, True), Var(INDEX, "moved")
    each = For(Q, Q, END, (Store(C, Q, A[ROW]),))

    def loops(low: Expr, high: Expr) -> int:
        first = Set(Q, Helper(INDEX, "search", (offset, low - ROW, ZERO, FIVE)))
        last = Set(END, Helper(INDEX, "search_back", (offset, high - ROW, Q, FIVE)))
        turn = (first, last, each, Set(moved, moved + 1))
        return len(split_whole_rows((For(ROW, ZERO, N, turn),)))

    assert loops(ZERO, N) > 1
    assert loops(moved, N) == loops(ZERO, moved) == 1
