"""Kernels of looplets that meet: what is known of them saves searches, loops and branches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from handmade import Made, call, text, total

import structarr as sa
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.switch import Case, Switch

pytestmark = pytest.mark.usefixtures("as_shipped")

LIST = np.zeros(12)
LIST[[1, 4, 5, 9]] = 1.0, 2.0, 3.0, 4.0
RUNS = np.repeat([1.0, 2.0, 3.0], 4)
BLOCKS = np.where(np.arange(12) % 6 > 2, np.arange(12.0), 0.0)
POINT = np.where(np.arange(12) == 7, 5.0, 0.0)
MATRIX = np.where(np.arange(36).reshape(6, 6) % 4 == 0, 1.0, 0.0)


def _made(dense: np.ndarray, format: str) -> Any:
    return sa.asarray(dense, format=format)


def _text(lazy: Any) -> str:
    return str(sa.explain(lazy).kernel)


def test_an_element_of_a_diagonal_is_searched_once() -> None:
    """The row is not gone along: what is there is chosen before the result is opened."""
    text = _text(np.diagonal(_made(MATRIX, "csr")))
    assert text.count("bisect(") == 1
    assert " search(" not in text
    assert text.count("for ") == 1


def test_between_elements_that_a_point_leaves_alone_nothing_is_visited() -> None:
    """An element of the list at the point is the only one of its region, or there is none."""
    text = _text(_made(LIST, "list") + _made(POINT, "point"))
    assert text.count("in range(i_here") == 1


def test_a_region_of_one_element_is_named_by_its_begin() -> None:
    text = _text(sa.eye(6) * _made(MATRIX, "csr"))
    assert "search(B1_idx, lo + 1," in text
    assert "hi =" not in text


def test_elements_before_a_block_pass_no_blocks() -> None:
    text = _text(_made(LIST, "list") * _made(BLOCKS, "vbl"))
    assert 0 < text.index("if b_start <= a_i:") < text.index("while True:")


def test_elements_find_their_runs_without_turns_of_the_runs() -> None:
    text = _text(_made(LIST, "list") * _made(RUNS, "rle"))
    assert "elif" not in text
    assert "for a_q in range(a_q, a_end):" in text


def test_a_list_read_from_its_begin_is_not_searched() -> None:
    """Moved behind another one, too."""
    one = _made(LIST, "list")
    lazy = np.tile(one, 2)
    assert "search" not in _text(lazy)
    assert "offset(0" not in str(sa.explain(lazy).cin)
    np.testing.assert_array_equal(lazy.todense(), np.tile(LIST, 2))


def test_what_is_searched_is_opened_before_what_leads() -> None:
    """LLVM makes an inner loop of the steps of the cursor that is set last."""
    for lazy in (
        sa.gallop(_made(LIST, "list")) * _made(LIST[::-1].copy(), "list"),
        sa.gallop(_made(MATRIX, "csr")) * _made(MATRIX.T.copy(), "csr"),
    ):
        text = _text(lazy)
        assert "B" in text and text.index("b_end =") < text.index("a_end =")


def test_a_condition_that_does_not_hold_is_not_asked_again() -> None:
    """Two arrays with marks of one array: where it is not there, neither is the other."""
    cond = lt(Var("int64", "x"), 1)

    def either(first: float, second: float) -> Made:
        cases = [Run(Lit("float64", one)) for one in (first, second)]
        return Made(Switch((Case(cond, cases[0]), Case(TRUE, cases[1]))), np.zeros(0))

    stmt, out = total(call("multiply", either(1, 2).at(), either(3, 4).at()))
    assert text(stmt, out).count("if x") == 1
