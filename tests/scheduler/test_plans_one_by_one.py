"""Steps of planning, called by themselves: a whole plan shows few of their mistakes."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Permit,
    Protocol,
    Tensor as Named,
)
from structarr._compiler.ir.expr import Call, Expr, Index, Lit
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._execute.executor import Executor
from structarr._execute.steps import last_call
from structarr._lazy.graph import leaf
from structarr._lazy.node import nodes_of
from structarr._scheduler import cardinality, cost_model
from structarr._scheduler.accesses import Operand
from structarr._scheduler.array_expression import scans_of
from structarr._scheduler.assemble import Program
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.cardinality import Reach
from structarr._scheduler.code_digest import digest
from structarr._scheduler.fuse_results import fused
from structarr._scheduler.gallop import _leaping
from structarr._scheduler.inputs import input_of, positioned
from structarr._scheduler.loop_order import _scaling
from structarr._scheduler.number_fills import with_fills
from structarr._scheduler.reorder_products import Product
from structarr._scheduler.results_unformatted import is_whole
from structarr._scheduler.scatter import _is_free
from structarr._scheduler.split_sums import _formed, multiplied
from structarr._scheduler.structure import _coalesce, annihilates
from structarr._scheduler.sum_terms import Term
from structarr.errors import DensificationError
from structarr.formats import (
    Dense,
    Format,
    Hash,
    Level,
    RunList,
    SparseInterval,
    SparseList,
    parse,
)
from structarr.formats.kinds import BAND, BLOCKS

SIMPLIFY = simplifier(rules_in_force())
ROW, COLUMN, BETWEEN = map(Index, "ijk")


def read(number: int, format: str, *indices: Expr) -> Access:
    fill = Lit("float64", 0.0, True)
    held = parse(format, len(indices))
    return Access("float64", Operand(Input("float64", (False,), number, held, fill)), indices)


call = partial(Call, "float64")


def test_stretches_that_meet_have_their_common_neighbours_visited() -> None:
    one, other = Reach(10.0, 0.1, stretches=2.0), Reach(8.0, 0.1, stretches=3.0)
    turns, price = cardinality._merge([one, other])
    assert turns == 2 + 3 + 8
    assert price * turns == pytest.approx(
        cardinality.START + 5 * cardinality.STEP + 8 * cardinality.STREAM
    )
    single = Reach(8.0, 0.1)
    turns, price = cardinality._merge([one, single])
    assert turns == 2 + 8


def test_a_row_of_a_triangle_is_one_stretch_of_its_half() -> None:
    held = stored(sa.asarray(np.triu(np.ones((4, 4))), format="triu"))
    found = cardinality.stored(held, 1, 4.0)
    assert (found.turns, found.cover, found.stretches) == (2.0, 0.5, 1.0)
    assert found.price == cardinality.STREAM + cardinality.STRETCH / 2


def test_what_an_operand_annihilates_is_told_by_its_fill_alone() -> None:
    """The structure of a result depends on no value, even if all of another operand is known."""
    lists, other, no = read(0, "list", ROW), read(1, "list", ROW), Lit("bool", False)
    both, either = (partial(Call, "bool", OPS[f"logical_{name}"]) for name in ("and", "or"))
    assert annihilates(both((lists, other)), 0, SIMPLIFY)
    assert annihilates(either((lists, no)), 0, SIMPLIFY)
    assert not annihilates(either((lists, both((other, Lit("bool", False, True))))), 0, SIMPLIFY)


def test_parts_side_by_side_are_several_and_parts_below_each_other_are_not() -> None:
    four = Lit("int64", 4)
    beside, below = (
        Coalesce("float64", tuple(read(number, "band", *indices) for number in (0, 1)))
        for indices in ((ROW, Permit(COLUMN, four)), (Permit(ROW, four), COLUMN))
    )
    assert _coalesce(beside.args, COLUMN, SIMPLIFY).kind is BLOCKS
    assert _coalesce(below.args, COLUMN, SIMPLIFY).kind is BAND


def test_a_product_of_terms_that_are_subtracted_has_their_sign() -> None:
    matrices = [leaf(stored(sa.asarray(np.ones((3, 3)), format="csr"))) for _ in range(3)]
    whole: Any = SimpleNamespace(
        dtype=np.dtype("f8"), add="add", labels=[(0, 1), (1, 2), (2, 3)], result=(0, 3),
        lengths={0: 3, 1: 3, 2: 3, 3: 3},
    )  # fmt: skip
    for signs in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)):
        terms = [
            Term(bool(sign), (node,), (labels,))
            for sign, node, labels in zip(signs, matrices, whole.labels, strict=True)
        ]
        found = multiplied(whole, [*enumerate(terms)], ())
        assert found is not None
        assert found[0] == (sum(signs) in (1, 3))


def test_sums_of_what_one_array_stores_are_not_computed_in_steps() -> None:
    """Where several are combined, the part whose fill is not zero is a value of its own."""
    data = np.where(np.arange(10**6) % 97 == 0, 1.0, 0.0).reshape(1000, 1000)
    a, x = sa.asarray(data, format="csr"), sa.asarray(np.ones(1000))
    alone, beside = ((a <= 0.5).sum()._node, ((a <= 0.5) * x).sum(axis=1)._node)
    assert with_fills(alone, lambda node: stored(a)) is alone
    made = with_fills(beside, lambda node: stored(a))
    assert [one.kind for one in nodes_of(made)].count("first") == 1


def test_only_vectors_scale_matrices() -> None:
    a, b = read(0, "csr", ROW, BETWEEN), read(1, "csr", BETWEEN, COLUMN)
    vector, matrix = read(2, "dense", BETWEEN), read(3, "dense", ROW, COLUMN)
    for extra, scaling in ((vector, {vector}), (matrix, set())):
        value = call(OPS["multiply"], (call(OPS["multiply"], (a, b)), extra))
        program: Any = SimpleNamespace(value=value)
        assert _scaling(program, SIMPLIFY) == scaling


def test_positions_have_the_dtype_that_is_asked_for() -> None:
    lists, dense = parse("csr", 2), parse("dense", 2)
    for index in ("int32", "int64"):
        assert positioned(lists, index).index == index
    assert positioned(dense, "int32") is dense


def test_fills_are_known_of_which_rules_speak() -> None:
    held = stored(sa.asarray([5.0, 2.0, 5.0], fill_value=5.0, format="list"))
    assert input_of(held, 0, frozenset()).fill is None
    assert input_of(held, 0, frozenset({2.0})).fill is None
    assert input_of(held, 0, frozenset({5.0})).fill == Lit("float64", 5.0, True)


def test_a_dense_product_is_refused_by_the_limit_of_each_call() -> None:
    column, row = sa.asarray(np.ones((300, 1))), sa.asarray(np.ones((1, 300)))
    found = DenseProduct.of((column @ row)._node, lambda one: True)
    assert found is not None
    with sa.options(densify_limit=1000), pytest.raises(DensificationError, match="dense product"):
        found[0](stored(column), stored(row))
    assert found[0](stored(column), stored(row)).shape == (300, 300)


def test_levels_that_operands_share_are_kept_if_they_hold_any_result() -> None:
    data = np.zeros((6, 6))
    data[1, 2:4], data[4, :5] = 3.0, 2.0
    hashed: dict[Level, Level] = {
        Hash(Hash()): Hash(Hash()), Hash(SparseInterval()): SparseList(SparseInterval()),
    }  # fmt: skip
    for level, kept in hashed.items():
        a = sa.asarray(data, format=level)
        assert parse((a * a).format, 2).root == kept
        np.testing.assert_array_equal((a * a).todense(), data * data)


def test_programs_of_other_loops_are_not_fused() -> None:
    def program(*indices: Index, body: Any = None) -> Any:
        stmt: Any = body or Assign(read(0, "dense", ROW), None, Lit("float64", 1.0))
        for index in indices:
            stmt = Loop(index, Lit("int64", 0), Lit("int64", 4), stmt)
        return Program(stmt, (), {}, {})

    one, other = program(ROW), program(COLUMN)
    assert fused([one, one]) is not None
    assert fused([one, other]) is None
    several = program(ROW, body=Multi((one.stmt.body, one.stmt.body)))
    assert fused([one, several]) is None


def test_leaping_lists_leap_where_they_meet() -> None:
    for format, meeting, leaping in (
        ("dcsr", {COLUMN}, [False, True]),
        ("dcsr", {ROW, COLUMN}, [True, True]),
        ("csr", {ROW, COLUMN}, [False, True]),
    ):
        zero, dims = Lit("float64", 0.0), (Lit("int64", 4),) * 2
        held = Named("A", parse(format, 2), "float64", zero, dims, "in")
        found = _leaping(Access("float64", held, (ROW, COLUMN)), meeting)
        assert [one.has(Protocol) for one in found.indices] == leaping


def test_scans_below_operations_are_computed_with_them() -> None:
    a = sa.asarray(np.tri(3, 4), format="csr")
    scan = np.cumsum(a, axis=1)
    for node in (scan, scan * 2.0 + a, scan.astype("f4")):
        assert [one.kind for one in scans_of(node._node)] == ["scan"]
    assert scans_of((scan @ np.ones(4))._node) == []


def test_products_in_a_sum_take_the_time_to_form_them() -> None:
    node = (sa.asarray(np.ones((3, 4))) @ sa.asarray(np.ones((4, 5))))._node
    whole = Product.of(node)
    assert whole is not None
    term = Term(False, tuple(whole.nodes), tuple(whole.labels))
    single = Term(False, (whole.nodes[0],), (whole.labels[0],))
    assert _formed(whole, [term, single]) > 0
    assert _formed(whole, [single, single]) == _formed(whole, [term]) == 0


def test_rows_that_a_list_finds_are_as_far_apart_as_the_array_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[float, float]] = []
    monkeypatch.setattr(cost_model, "jump_time", lambda *sizes: seen.append(sizes) or 1.0)
    given: Any = SimpleNamespace(extents=(), sizes=(), tensors=())
    program: Any = SimpleNamespace(lengths=(), inputs=())
    dims = Lit("int64", 30), Lit("int64", 7)
    held = Named("A", parse("dense", 2), "float64", Lit("float64", 0.0), dims, "in")
    body = Assign(read(1, "dense"), None, Access("float64", held, (ROW, COLUMN)))
    loop = Loop(ROW, Lit("int64", 0), dims[0], body)
    assert cost_model._Count(program, given, SIMPLIFY)._jumps(loop) == 1.0
    assert seen == [(8.0 * 30 * 7, 8.0 * 7)]


def test_values_that_may_be_missing_assign_to_no_whole_result() -> None:
    four = Lit("int64", 4)
    made: Any = SimpleNamespace(dims=(four,))
    loop = SimpleNamespace(index=ROW, lo=Lit("int64", 0), hi=four)
    for value, whole in (
        (read(0, "dense", ROW), True),
        (read(0, "dense", Permit(ROW, four)), False),
    ):
        assign = SimpleNamespace(value=value, target=SimpleNamespace(indices=(ROW,)))
        assert is_whole(made, SimpleNamespace(assign=assign, loops=(loop,))) is whole  # type: ignore[arg-type]


def test_operators_are_told_by_their_names_and_functions() -> None:
    assert digest(OPS["add"]) == digest(OPS["add"]) != digest(OPS["multiply"])


@pytest.mark.parametrize(("format", "overwritten"), [("dense", True), ("csr", False)])
def test_dense_results_that_loops_store_need_not_be_cleared(format: str, overwritten: bool) -> None:
    a = sa.asarray(np.eye(4), format=format)
    with sa.options(tier="interpreted"):
        call = last_call(Executor().planner.plan((a * a[::-1])._node))
    assert call is not None
    (place,) = call.pick.plan.places
    assert place.result.overwritten is overwritten


def test_an_operand_leads_where_a_level_stores_each_visit() -> None:
    rows, runs = Dense(SparseList()), Dense(RunList())
    for level, index, free in ((rows, COLUMN, True), (runs, COLUMN, False), (rows, ROW, True)):
        output = SimpleNamespace(modes=(ROW, COLUMN), format=Format(level, (0, 1)))
        program: Any = SimpleNamespace(outputs=(output,))
        assert _is_free(program, index) is free
