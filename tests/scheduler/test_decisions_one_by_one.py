"""Decisions of the planner, asked one by one: few of them show in a value."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Sieve, Tensor, Where
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Call, Expr, Index, Lit
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._compiler.rules.written import reads
from structarr._scheduler import assemble, indexing, seen_counts, takes
from structarr._scheduler.accesses import Operand
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.loop_order import MIRROR, TRANSPOSE, _access_price, _together
from structarr._scheduler.reorder_products import _may_gain
from structarr._scheduler.result_bounds import _scattered
from structarr._scheduler.weighted_products import WeightedProduct, _matrices
from structarr._scheduler.whole_sums import _fill, _is_one_each
from structarr.errors import DensificationError
from structarr.formats import Dense, Diagonals, Element, Format, parse

SIMPLIFY = simplifier(rules_in_force())
ROW, COLUMN, BETWEEN = map(Index, "ijk")
call = partial(Call, "float64")


def read(number: int, format: str, *indices: Expr) -> Access:
    fill = Lit("float64", 0.0, True)
    held = parse(format, len(indices))
    return Access("float64", Operand(Input("float64", (False,), number, held, fill)), indices)


@pytest.mark.parametrize("kind", [DenseProduct, WeightedProduct])
def test_products_are_refused_before_their_factors_are_computed(kind: Any) -> None:
    a, w = sa.asarray(np.ones((2, 300))), sa.asarray(np.ones(2))
    product = a.T @ (a if kind is DenseProduct else w[:, None] * a)
    assert kind.of(product._node, lambda one: True) is not None
    with sa.options(densify_limit=1000), pytest.raises(DensificationError):
        kind.of(product._node, lambda one: True)


def test_weights_have_the_axis_that_is_summed_over() -> None:
    for weight, pair in (((1,), (0, 1)), ((), None)):
        labels = [(1, 0), (1, 2), weight]
        whole: Any = SimpleNamespace(lengths={0: 3, 1: 4, 2: 5}, result=(0, 2), labels=labels)
        assert _matrices(whole) == pair


def test_loops_go_along_all_operands_as_they_are_stored() -> None:
    every = (BETWEEN, COLUMN, ROW)
    assert _together([[ROW, COLUMN], [COLUMN, BETWEEN]], every) == (ROW, COLUMN, BETWEEN)
    assert _together([[ROW, COLUMN], [COLUMN, ROW]], every) is None


def test_lists_are_turned_where_loops_have_another_order() -> None:
    place = {ROW: 0, COLUMN: 1, BETWEEN: 2}
    assert _access_price(read(0, "csr", ROW, COLUMN), place) == 0.0
    assert _access_price(read(0, "csr", COLUMN, ROW), place) == TRANSPOSE != MIRROR
    assert _access_price(read(0, "csr", COLUMN, ROW + BETWEEN * 2 - BETWEEN), place) != TRANSPOSE
    summed = read(0, "dcsr", BETWEEN, ROW + COLUMN)
    assert _access_price(summed, place) is None


@pytest.mark.parametrize(
    ("format", "apart"),
    [("csr", True), ("coo", True), ("dense", False), ("symmetric", False)],
)
def test_stored_values_are_reduced_alone_if_they_are_one_an_element(
    format: str, apart: bool
) -> None:
    assert _is_one_each(parse(format, 2)) is apart


def test_fills_of_operations_are_known() -> None:
    a = sa.asarray(np.eye(3), format="csr")
    for expression, fill in ((a * 2.0, 0.0), (a + 1.0, 1.0)):
        found = _fill(expression._node)
        assert isinstance(found, Lit)
        assert found.value == fill


def test_operands_are_copied_into_workspaces_where_nothing_else_is_added() -> None:
    zero, dims = Lit("float64", 0.0), (Lit("int64", 4),)
    temp = Tensor("w", parse("dense", 1), "float64", zero, dims, "temp")
    held = Tensor("A", parse("list", 1), "float64", zero, dims, "in")
    target, value = Access("float64", temp, (ROW,)), Access("float64", held, (ROW,))
    for op, copied in ((None, [(7, (ROW,))]), (OPS["add"], [])):
        stmt = Where(Pass(()), Assign(target, op, value), (temp,))
        program: Any = SimpleNamespace(stmt=stmt, inputs={"A": SimpleNamespace(number=7)})
        assert [*_scattered(program)] == copied


def test_two_operands_with_every_axis_have_one_order() -> None:
    a, b = (sa.asarray(np.eye(3), format="csr") for _ in range(2))
    assert not _may_gain((a * b).sum()._node)
    assert _may_gain((a * b * a).sum()._node)


def test_of_what_has_no_structure_nothing_is_expected() -> None:
    seen_counts.expect(0, "a product", 5.0)
    nothing: Any = SimpleNamespace(number=0)
    assert not seen_counts.note(nothing, 10**6)
    assert seen_counts.seen("a product") is None


def test_terms_of_whole_sums_have_loops_of_their_own_if_all_are_sparse() -> None:
    whole: Any = SimpleNamespace(result=(), op=OPS["add"])
    rows: Any = SimpleNamespace(result=(ROW,), op=OPS["add"])

    def held(name: str, format: str) -> Access:
        dims = (Lit("int64", 4),) * 2
        tensor = Tensor(name, parse(format, 2), "float64", Lit("float64", 0.0), dims, "in")
        return Access("float64", tensor, (ROW, COLUMN))

    a, b, dense = held("A", "csr"), held("B", "csr"), held("D", "dense")
    both, mixed = call(OPS["add"], (a, b)), call(OPS["add"], (a, dense))
    assert assemble._summands(whole, both) == [a, b]
    assert assemble._summands(rows, both) == [both]
    assert assemble._summands(whole, mixed) == [mixed]


def test_the_fill_of_a_result_is_a_number_like_others() -> None:
    program: Any = SimpleNamespace(value=read(0, "csr", ROW, COLUMN), start=None)
    found = assemble._fill(program, SIMPLIFY)
    assert isinstance(found, Lit)
    assert not found.structural


def test_symmetric_matrices_keep_their_format_beside_the_main_diagonal_alone() -> None:
    matrix = np.array([[1.0, 2, 3], [2, 4, 5], [3, 5, 6]])
    a = sa.asarray(matrix, format="symmetric")
    for offset, kept in ((0, True), (1, False)):
        diagonal = np.diag(np.ones(3 - offset), offset)
        format = Format(Dense(Diagonals(Element(), (offset,))), (0, 1))
        found = a + sa.asarray(diagonal, format=format)
        assert (found.format == "symmetric") is kept
        np.testing.assert_array_equal(found.todense(), matrix + diagonal)


def test_more_axes_than_there_are_letters() -> None:
    assert len({*indexing._indices(30)}) == 30


@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_parts_of_joins_that_are_padded_are_around_their_fill(fill: float) -> None:
    data = np.full((3, 4), fill)
    data[1, 2] = 5.0
    a = sa.asarray(data, fill_value=fill, format="csr")
    with sa.options(tier="interpreted"):
        found = np.concatenate([np.pad(a, ((1, 1), (0, 0))), np.pad(a, ((0, 2), (0, 0)))], axis=1)
        np.testing.assert_array_equal(
            np.asarray(found),
            np.concatenate([np.pad(data, ((1, 1), (0, 0))), np.pad(data, ((0, 2), (0, 0)))], 1),
        )


def test_operations_are_done_where_they_are_padded() -> None:
    a = sa.asarray(np.eye(4), format="csr")
    assert "negative(A[permit(" in str(sa.explain(np.pad(np.negative(a), 1)))


@pytest.mark.parametrize(
    ("format", "dtype", "kept"),
    [
        ("hermitian", "complex64", True),
        ("hermitian", "float64", False),
        ("symmetric", "float32", True),
        ("triu", "float32", True),
    ],
)
def test_only_conjugates_are_lost_with_the_imaginary_part(
    format: str, dtype: str, kept: bool
) -> None:
    data = np.triu(np.ones((3, 3))) if format == "triu" else np.ones((3, 3))
    held = data.astype(complex) if format == "hermitian" else data
    with np.errstate(all="ignore"), sa.options(tier="interpreted"):
        found = sa.asarray(held, format=format).astype(dtype)
        assert (found.format == format) is kept
        np.testing.assert_array_equal(found.todense(), data)


def test_results_of_loops_are_stored_as_the_loops_go() -> None:
    data = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
    with sa.options(tier="interpreted"):
        for outer, inner, format in (("i", "j", "dcsr"), ("j", "i", "dcsc")):
            turned = sa.asarray(data, format=format)
            ends = {"i": 2, "j": 3}
            program = (
                "c = np.zeros((2, 3))\n"
                f"for {outer} in range({ends[outer]}):\n"
                f"    for {inner} in range({ends[inner]}):\n"
                "        c[i, j] = a[i, j] * 2"
            )
            found = sa.loops(program, a=turned)
            assert found.format == format
            np.testing.assert_array_equal(found.todense(), data * 2)


def test_a_bound_of_a_loop_reads_what_it_names() -> None:
    count, index, target = Var("int64", "n"), Index("i"), Access("int64", Var("int64", "x"), ())
    body, zero = Assign(target, None, Lit("int64", 1)), Lit("int64", 0)
    assert reads(Loop(index, zero, count, body), count)
    assert reads(Loop(index, count, count + 1, body), count)
    assert reads(Sieve(lt(0, count), body), count)
    assert not reads(Loop(index, zero, zero + 5, body), count)


def test_an_array_at_places_is_read_as_it_is() -> None:
    a = sa.asarray(np.eye(4), format="csr")
    node = np.take(a, np.array([2, 0]), axis=0)._node
    assert node.kind == "take"
    assert takes.placed(node, stored) is node  # type: ignore[arg-type]
