"""Where kernels ask for room: before what is appended, and before straight loops, not in them."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import Buffer, Lit, Load
from structarr._compiler.ir.kernel import For, If, Set, Store, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.capacity_checks import check_capacity

SPARSE = np.eye(6) * 2


def _lines(expression: sa.Array) -> list[str]:
    return sa.explain(expression).kernel.splitlines()


def test_a_straight_loop_asks_before_it() -> None:
    lines = _lines(sa.asarray(SPARSE, format="csr")[1:] * SPARSE[1:])
    asked = [k for k, line in enumerate(lines) if "overflow()" in line]
    assert len(asked) == 1
    assert lines[asked[0] - 1].strip() == "if len(C_val) < C1_n + a_end - a_q:"
    assert lines[asked[0] + 1].strip() == "for a_q in range(a_q, a_end):"


@pytest.mark.usefixtures("as_shipped")
def test_a_merge_asks_in_each_turn() -> None:
    a = sa.asarray(SPARSE, format="csr")
    lines = [line.strip() for line in _lines(a + a[:, ::-1].asformat("csr"))]
    assert "if len(C_val) <= C1_n:" in lines[lines.index("while True:") :]


def test_blocks_ask_for_their_width() -> None:
    lines = [line.strip() for line in _lines(sa.asarray(SPARSE, format="vbl") * SPARSE)]
    assert "if len(C_val) < C1_n + a_stop - a_start:" in lines


def test_what_is_dense_asks_nothing() -> None:
    assert not any("overflow" in line for line in _lines(sa.asarray(SPARSE, format="csr") @ SPARSE))


def test_loops_in_a_fiber_ask_whether_all_of_it_fits() -> None:
    runs = sa.asarray(SPARSE, format="rle")
    lines = [line.strip() for line in _lines(runs + np.flip(runs, axis=1).asformat("rle"))]
    asked = lines.index("C1_n_tight = len(C1_stop) <= C1_n + j_n")
    assert lines[asked + 1] == "while True:"
    assert "if C1_n_tight and len(C1_stop) <= C1_n:" in lines[asked:]


def test_loops_over_fibers_ask_in_each() -> None:
    """What is asked of one fiber says nothing of the next."""
    runs = sa.asarray(np.stack([SPARSE, SPARSE.T]), format="rle")
    lines = _lines(runs + np.flip(runs, axis=2).asformat("rle"))
    (asked,) = [k for k, line in enumerate(lines) if "_tight = " in line]
    depth = len(lines[asked]) - len(lines[asked].lstrip())
    around = [line for line in lines[:asked] if line.lstrip().startswith("for ")]
    assert all(len(line) - len(line.lstrip()) < depth for line in around)
    assert len(around) == 2


def test_loops_without_bounds_ask_in_each_turn() -> None:
    """How often a `while` appends is not known before it."""
    val, count, zero = Buffer("C_val", "float64"), Var("int64", "n"), Lit("float64", 1.0)
    body = (Store(val, count, zero), Set(count, count + 1))
    checked = check_capacity((While(body),), frozenset({count}), {})
    assert len(checked) == 1 and isinstance(checked[0], While)
    assert isinstance(checked[0].body[0], If)
    loop = For(Var("int64", "i"), Lit("int64", 0), Var("int64", "i_n"), body)
    assert isinstance(check_capacity((loop,), frozenset({count}), {})[0], If)


def test_places_that_do_not_move_with_the_loop_are_asked_for_in_it() -> None:
    """Where the last of them is is known of those alone that move evenly."""
    val, starts, count = Buffer("C_val", "float64"), Buffer("B_ptr", "int64"), Var("int64", "n")
    turn, stop, moved = (Var("int64", name) for name in ("i", "i_n", "m"))
    change = Set(moved, Load(starts, turn))
    for place, others, before in (
        (count + turn, (), True),
        (count + Load(starts, turn), (), False),
        (count + turn + moved, (), True),
        (count + turn + moved, (change,), False),
        (count + turn + moved, (If(((Load(starts, turn), (change,)),)),), False),
    ):
        store = Store(val, place, Lit("float64", 1.0))
        loop = For(turn, Lit("int64", 0), stop, (*others, store))
        checked = check_capacity((loop,), frozenset({count}), {})
        assert isinstance(checked[0], If) is before
