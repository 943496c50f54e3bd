"""Small decisions of the planner and of passes, asked one by one: no result shows them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Assign, Loop, Multi, Pass, Sieve, Stmt, Tensor
from structarr._compiler.ir.conditions import FALSE, TRUE
from structarr._compiler.ir.expr import Buffer, Call, Helper, Index, Lit, scale
from structarr._compiler.ir.kernel import For, If, Invoke, Set, Store, While
from structarr._compiler.ir.missing import Outside
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.dead_code import drop_dead_code
from structarr._compiler.kernel_passes.dead_fills import _stores_all
from structarr._compiler.kernel_passes.outline_loops import _defined
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.scale import Scale
from structarr._compiler.lowering.bounds_checks import out_of_bounds_choice, out_of_bounds_use
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy.graph import Node
from structarr._lazy.structure import NONE
from structarr._scheduler import counts, machine
from structarr._scheduler.accesses import Operand, common_fill
from structarr._scheduler.allocation_bounds import _Bound
from structarr._scheduler.assignments import Written
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.bound_terms import _rows_read, beside_points, hull_of
from structarr._scheduler.cost_model import BEGIN, _Count
from structarr._scheduler.memory_costs import room_time, stride_time
from structarr._scheduler.partial_loops import row_part
from structarr._scheduler.results_unformatted import appends
from structarr._scheduler.signature import signature
from structarr._scheduler.split_joins import _key, applied
from structarr._scheduler.structure import annihilates
from structarr.formats import Dense, Element, Format, SparsePoint, parse
from structarr.formats.bytemap import Bytemap
from structarr.formats.scattered_row import ScatteredRow
from structarr.formats.strided import Strided

ROW, COLUMN = Index("i"), Index("j")
ZERO, FOUR = Lit("int64", 0), Lit("int64", 4)
EXTENTS = {ROW: FOUR, COLUMN: Lit("int64", 5)}


def of_format(number: int, format: Format, *indices: Any, fill: Any = 0.0) -> Access:
    """An operand of a format that is read at some indices."""
    ones = (False,) * len(indices)
    source = Input("float64", ones, number, format, Lit("float64", fill, True))
    return Access("float64", Operand(source), indices)


def read(number: int, format: str, *indices: Any, fill: Any = 0.0) -> Access:
    """An operand that is read at some indices."""
    return of_format(number, parse(format, len(indices)), *indices, fill=fill)


def test_measured_times_are_kept_where_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "directory", lambda: tmp_path)
    place = machine.keep(machine.Times(enter=3.5))
    assert place.parent == tmp_path
    assert json.loads(place.read_text())["enter"] == 3.5
    assert machine.times().enter == 3.5
    machine._read.cache_clear()


def test_a_loop_stores_all_elements_where_it_goes_by_one() -> None:
    buffer, var = Buffer("val", "float64"), Var("int64", "i")
    body = (Store(buffer, var, Lit("float64", 1.0)),)
    assert _stores_all(For(var, ZERO, FOUR, body), buffer, ZERO, FOUR)
    assert not _stores_all(For(var, ZERO, FOUR, body, 2), buffer, ZERO, FOUR)
    assert not _stores_all(For(var, ZERO, FOUR, (*body, *body)), buffer, ZERO, FOUR)
    assert not _stores_all(For(var, ZERO, FOUR, body), buffer, ZERO, Lit("int64", 5))
    assert not _stores_all(None, buffer, ZERO, FOUR)
    other = Store(Buffer("idx", "int64"), var, ZERO)
    assert not _stores_all(For(var, ZERO, FOUR, (other,)), buffer, ZERO, FOUR)
    moved = Store(buffer, var, buffer[FOUR - var])
    assert not _stores_all(For(var, ZERO, FOUR, (moved,)), buffer, ZERO, FOUR)
    apart = Store(buffer, scale(var, 2), ZERO)
    assert not _stores_all(For(var, ZERO, FOUR, (apart,)), buffer, ZERO, FOUR)


@pytest.mark.parametrize(("last", "is_set"), [(TRUE, True), (FALSE, False)])
def test_what_all_branches_set_is_set_where_one_is_taken(last: Any, is_set: bool) -> None:
    value, cond = Var("int64", "v"), Var("bool", "c")
    lines = If(((cond, (Set(value, ZERO),)), (last, (Set(value, FOUR),))))
    unset: set[Any] = set()
    known = _defined((lines, Invoke("part", (value,), ())), set(), unset)
    assert (value in known, value in unset) == (is_set, not is_set)


def test_what_is_out_of_bounds_is_found_on_either_side() -> None:
    outside = Outside("float64", 0, ROW, FOUR)
    result = Tensor("y", parse("dense", 1), "float64", Lit("float64", 0.0), (FOUR,), "out")
    target, number = Access("float64", result, (COLUMN,)), Lit("float64", 1.0)
    assert out_of_bounds_use(Assign(target, None, outside)) is outside
    assert out_of_bounds_use(Assign(Access("float64", outside, ()), None, number)) is outside
    assert out_of_bounds_use(Assign(target, None, number)) is None
    assert out_of_bounds_use(Sieve(outside, Pass(()))) is outside
    cond = Access("bool", result.replace(name="c"), (COLUMN,))
    for sides, chosen in (((outside, number), True), ((number, number), False)):
        choice = Call("float64", OPS["where"], (cond, *sides))
        assert out_of_bounds_choice(Assign(target, None, choice)) is (choice if chosen else None)


def test_joined_parts_have_a_fill_where_theirs_are_equal() -> None:
    zero, also = read(0, "list", COLUMN), read(1, "list", COLUMN)
    one = read(2, "list", COLUMN, fill=1.0)
    assert common_fill([zero, also], "float64") == (Lit("float64", 0.0, True),)
    assert common_fill([zero, one], "float64") == ()
    assert common_fill([zero, Lit("float64", 0.0)], "float64") == ()


def test_functions_of_an_index_bound_no_runs() -> None:
    runs, lists = (
        _Bound((ROW, COLUMN), one, EXTENTS, simplifier(rules_in_force()), frozenset())
        for one in (True, False)
    )
    assert runs._background(COLUMN) is runs.every
    assert runs._background(ROW) is runs.fibers
    assert lists._background(ROW) is lists.every
    assert lists._background(FOUR) == ZERO


def test_running_sums_store_whatever_follows_what_is_stored() -> None:
    value = read(0, "csr", ROW, COLUMN)
    sums = Scanned("float64", OPS["add"], Lit("float64", 0.0), value, COLUMN)
    greatest = Scanned("float64", OPS["maximum"], Lit("float64", 0.0), value, COLUMN)
    simplify = simplifier(rules_in_force())
    lists, runs = (
        _Bound((ROW, COLUMN), one, EXTENTS, simplify, frozenset()) for one in (False, True)
    )
    assert lists(sums) is lists.every
    assert runs(greatest) is runs(value)


def test_a_bound_by_points_asks_what_is_beside_them() -> None:
    simple = read(0, "csr", ROW, COLUMN)
    points = of_format(1, Format(Dense(SparsePoint(Element())), (0, 1)), ROW, COLUMN)
    assert beside_points(simple, points) == [counts.Children(0, 1)]
    assert beside_points(read(0, "rle", ROW, COLUMN), points) == []
    assert beside_points(points, simple) == []


def test_products_of_matrices_alone_are_counted_by_pairs() -> None:
    inner, other = Index("k"), Index("m")
    simplify = simplifier(rules_in_force())
    bound = _Bound((ROW, COLUMN), False, EXTENTS, simplify, frozenset())
    left, right = read(0, "csr", ROW, inner), read(1, "csr", inner, COLUMN)
    assert bound._pairs((left, right)) == [counts.Pairs(0, 1)]
    stack = read(1, "csf", inner, other, COLUMN)
    assert bound._pairs((left, stack)) == []
    elsewhere = read(1, "csr", inner, other)
    assert bound._pairs((left, elsewhere)) == []


def test_statements_together_take_the_time_of_each() -> None:
    given: Any = SimpleNamespace(extents=(), sizes=(), tensors=())
    program: Any = SimpleNamespace(lengths=())
    strided = Format(Strided(Strided(Element(), Lit("int64", 1)), Lit("int64", 1000)), (0, 1))
    dims = Lit("int64", 1000), Lit("int64", 1000)
    matrix = Tensor("A", strided, "float64", Lit("float64", 0.0), dims, "in")
    total = Tensor("y", parse("dense", 0), "float64", Lit("float64", 0.0), (), "out")
    target = Access("float64", total, ())
    update = Assign(target, OPS["add"], Access("float64", matrix, (ROW, COLUMN)))

    def time_of(stmt: Stmt, innermost: Index) -> float:
        count = _Count(program, given, simplifier(rules_in_force()))
        count.innermost = innermost
        count(stmt, 2.0)
        return count.time - BEGIN

    assert time_of(update, COLUMN) == 0
    assert time_of(update, ROW) == 2 * stride_time(1e6)
    assert time_of(Multi((update, update)), ROW) == 2 * time_of(update, ROW)


def test_what_is_read_in_steps_ends_behind_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Any] = []

    def reindexed(body: Run, by: Affine, end: Any, ctx: Any) -> Run:
        ends.append(end)
        return body

    monkeypatch.setattr(Run, "reindexed", reindexed)
    total = Tensor("y", parse("dense", 0), "float64", Lit("float64", 0.0), (), "out")
    context: Any = SimpleNamespace(lower=lambda loop: None)
    for factor, offset in ((2, 1), (-1, 5)):
        scaled = Scale(factor, Lit("int64", offset), Run(Lit("float64", 1.0)))
        body = Assign(Access("float64", total, ()), None, Access("float64", scaled, (ROW,)))
        Scale.lower(Loop(ROW, ZERO, FOUR, body), context)
    assert ends == [Lit("int64", 2 * 3 + 1 + 1), Lit("int64", 5 + 1)]


def test_blocks_of_a_gram_matrix_that_mirror_each_other_are_computed_once() -> None:
    rng = np.random.default_rng(0)
    data = [np.where(rng.random((300, 5)) < 0.3, 1.0, 0.0) for _ in "ab"]
    joined = np.hstack([sa.asarray(one, format="csr") for one in data])
    shapes = []

    def value(node: Node) -> Any:
        shapes.append(node.shape)
        return stored(sa.Array(node))

    found = applied((joined.T @ joined)._node, value, value, False)
    whole = np.hstack(data)
    np.testing.assert_array_equal(stored(sa.Array(found)).buffers[-1], (whole.T @ whole).ravel())
    assert shapes.count((5, 5)) == 3


def test_both_factors_of_a_dense_product_are_dense() -> None:
    a, b = (sa.asarray(np.ones((4, 4))) for _ in "ab")
    product = (a @ b)._node
    assert DenseProduct.of(product, lambda node: True) is not None
    for one in (a, b):
        value = stored(one)
        assert DenseProduct.of(product, lambda node, value=value: node.data is value) is None


def test_products_of_what_has_no_number_are_not_told_from_each_other() -> None:
    one, other = (SimpleNamespace(kind="leaf", number=k, given=()) for k in (7, NONE))

    def key(*nodes: Any) -> Any:
        whole: Any = SimpleNamespace(
            nodes=nodes, labels=((0, 2), (1, 2)), dtype=np.dtype(float), add="add"
        )
        whole.lengths = dict.fromkeys(range(3), 5)
        return _key(whole, (0, 1))

    assert key(one, one) is not None
    assert key(one, other) is None
    assert key(other, other) is None


def test_parameters_of_a_kernel_come_by_their_names() -> None:
    program: Any = SimpleNamespace(outputs=(), temps=())
    ctx: Any = SimpleNamespace(counters={})
    names = [f"{letter}{k}" for k in range(3) for letter in "zyxwvutsrqponmlk"]
    target = Var("float64", "total")
    block = tuple(
        [Set(target, Buffer(f"B{name}", "float64")[Var("int64", name)]) for name in names]
    )
    found = [one.label for one in signature(block, program, ctx).arguments]
    assert found == [*sorted([f"B{name}" for name in names]), *sorted(names)]


@pytest.mark.parametrize("rare", [False, True])
def test_a_mask_is_asked_for_a_branch_where_it_is_rarely_set(rare: bool) -> None:
    mask = Buffer("w_mask", "bool")
    fiber: Any = SimpleNamespace(buffer=lambda name: mask, level=Bytemap(Element(), rare))
    found = Bytemap.reading.there(fiber, ROW)
    assert found is (Helper("bool", "rarely", (mask[ROW],)) if rare else mask[ROW])


def test_fibers_without_a_loop_of_their_own_are_as_many_as_the_last_level_stores() -> None:
    runs, inner = True, Index("k")
    extents = {**EXTENTS, inner: FOUR}
    bound = _Bound((ROW, COLUMN, inner), runs, extents, simplifier(rules_in_force()), frozenset())
    assert bound(read(0, "csr", ROW, COLUMN)) == counts.Children(0, 1)


def test_the_hull_of_bands_is_told_and_that_of_nothing_is_not() -> None:
    band = read(0, "band", ROW, COLUMN)
    found = hull_of([band], (ROW, COLUMN), EXTENTS, True)
    assert isinstance(found, counts.Hull)
    assert [one.number for one in found.bands] == [0]
    assert hull_of([], (ROW, COLUMN), EXTENTS, True) is None


def test_rows_that_are_read_are_told_by_the_first_and_their_distance() -> None:
    three, one = Lit("int64", 3), Lit("int64", 1)
    assert _rows_read(ROW + 3, EXTENTS) == (three, FOUR, 1)
    assert _rows_read(scale(ROW, 2) + 3, EXTENTS) == (three, Lit("int64", 7), 2)
    assert _rows_read(scale(ROW, -1) + 5, EXTENTS) == (Lit("int64", 2), FOUR, 1)
    assert _rows_read(three, EXTENTS) == (three, one, 1)
    assert _rows_read(ROW, EXTENTS) is None  # all of them may be read
    assert _rows_read(ROW + COLUMN, EXTENTS) is None


def test_results_are_written_in_order_by_one_assignment_at_their_loops() -> None:
    made: Any = SimpleNamespace(ndim=2, updated=False)
    out = Tensor("C", parse("csr", 2), "float64", Lit("float64", 0.0), (FOUR, FOUR), "out")
    loops = tuple([Loop(index, ZERO, FOUR, Pass(())) for index in (ROW, COLUMN)])

    def written(*indices: Index) -> Written:
        value = Lit("float64", 1.0)
        return Written(Assign(Access("float64", out, indices), None, value), loops, ())

    assert appends(made, [written(ROW, COLUMN)])
    assert not appends(made, [])
    assert not appends(made, [written(ROW, COLUMN), written(ROW, COLUMN)])
    assert not appends(made, [written(ROW, ROW)])
    assert not appends(SimpleNamespace(ndim=0, updated=False), [written()])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Looping:
    """What a program is of which parts are made."""

    stmt: Stmt
    outputs: tuple[Any, ...]
    lengths: tuple[Any, ...] = ()


def test_results_that_are_written_across_their_rows_are_no_rows() -> None:
    out = Tensor("C", parse("dense", 2), "float64", Lit("float64", 0.0), (FOUR, FOUR), "out")
    output = SimpleNamespace(tensor=out, format=out.format)
    writes = [
        Assign(Access("float64", out, indices), OPS["add"], Lit("float64", 1.0))
        for indices in ((ROW, COLUMN), (COLUMN, ROW))
    ]
    stmt = Loop(ROW, ZERO, FOUR, Loop(COLUMN, ZERO, FOUR, Multi(tuple(writes))))
    program: Any = Looping(stmt, (output,))
    made = row_part(program, False)
    assert made.outputs == (output,)
    assert {*made.stmt.every(Assign)} == {*writes}
    assert len(made.lengths) == 4


@pytest.mark.parametrize(
    "loop", [lambda body: While(body), lambda body: For(Var("int64", "k"), ZERO, FOUR, body)]
)
def test_what_calls_in_a_loop_are_given_may_be_unset(loop: Any) -> None:
    value, unset = Var("int64", "v"), set[Any]()
    _defined((loop((Invoke("part", (value,), ()),)),), set(), unset)
    assert unset == {value}


def test_branches_that_are_always_taken_are_their_lines() -> None:
    store = Store(Buffer("val", "float64"), ZERO, Lit("float64", 1.0))
    assert drop_dead_code((If(((TRUE, (store,)),)),)) == (store,)
    assert drop_dead_code((If(((FALSE, (store,)),)),)) == ()


def test_rooms_take_time_in_proportion() -> None:
    for row in (Bytemap(Element()), ScatteredRow(Element())):
        assert room_time(row, 2000) == 2 * room_time(row, 1000) > 0


def test_numbers_beside_an_operand_decide_what_its_fill_makes() -> None:
    simplify = simplifier(rules_in_force())
    values, one = read(0, "csr", ROW, COLUMN), Lit("float64", 1.0)
    squared = Call("float64", OPS["power"], (values, Lit("float64", 2.0)))
    assert annihilates(squared, 0, simplify)
    assert not annihilates(
        Call("float64", OPS["add"], (values, read(1, "dense", ROW, COLUMN))), 0, simplify
    )
    assert annihilates(Call("float64", OPS["add"], (values, one)), 0, simplify)


def test_what_an_operand_decides_is_asked_whatever_the_others_are() -> None:
    simplify = simplifier(rules_in_force())
    nothing = Call(
        "float64", OPS["multiply"], (read(1, "csr", ROW, COLUMN), Lit("float64", 0.0, True))
    )
    call = Call("float64", OPS["add"], (read(0, "csr", ROW, COLUMN), nothing))
    assert not annihilates(call, 0, simplify)
