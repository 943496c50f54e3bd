"""Prices of the planner, asked one by one: a plan that is a little dearer has the same values."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir import given
from structarr._compiler.ir.arrays import Input, Map
from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Permit, Sieve, Tensor, Where
from structarr._compiler.ir.conditions import le
from structarr._compiler.ir.expr import Call, Expr, Index, Lit, scale
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._execute.executor import Executor
from structarr._execute.steps import last_call
from structarr._scheduler import cardinality
from structarr._scheduler.accesses import Operand
from structarr._scheduler.allocation_bounds import allocation_bound
from structarr._scheduler.cardinality import Reach
from structarr._scheduler.cost_model import _Count, _is_swept
from structarr._scheduler.extents import extent
from structarr._scheduler.inputs import input_of
from structarr._scheduler.loop_order import Schedule, finishing
from structarr._scheduler.machine import Times
from structarr._scheduler.memory_costs import BRANCH, lookup_time
from structarr._scheduler.mirrored import _is_found, _is_turned
from structarr._scheduler.product_loops import Factor, Loops
from structarr._scheduler.product_order import _Orders
from structarr._scheduler.results_unformatted import contents
from structarr._scheduler.structure import _leaves_start
from structarr._scheduler.structure_algebra import DENSE
from structarr.formats import Dense, Element, Format, Level, parse
from structarr.formats.bytemap import Bytemap
from structarr.formats.dense import Side
from structarr.formats.kind import Kind
from structarr.formats.kinds import KINDS
from structarr.formats.strided import Strided
from structarr.formats.workspace import Workspace

ROW, COLUMN = Index("i"), Index("j")
ZERO, ONE = Lit("int64", 0), Lit("int64", 1)
NS = Times()


def whole(value: int) -> Lit:
    return Lit("int64", value)


def tensor(name: str, format: Format, *dims: int) -> Tensor:
    zero = Lit("float64", 0.0)
    return Tensor(name, format, "float64", zero, tuple(map(whole, dims)), "in")


def counted() -> _Count:
    given: Any = SimpleNamespace(extents=(), sizes=(), tensors=())
    program: Any = SimpleNamespace(lengths=(), inputs=())
    return _Count(program, given, simplifier(rules_in_force()))


def read(one: Tensor, *indices: Expr) -> Access:
    return Access("float64", one, indices)


@pytest.mark.parametrize(
    ("row", "held"), [(Workspace(Element()), 10 * (1 - 0.9**20)), (Bytemap(Element()), 10.0)]
)
def test_a_workspace_holds_what_is_written_to_it(row: Level, held: float) -> None:
    """Of 20 writes to any of 10 elements some meet; those of scattered rows never do."""
    space = tensor("w", Format(row, (0,)), 10)
    update = Assign(
        read(space, COLUMN), OPS["add"], read(tensor("A", parse("dense", 2), 20, 10), ROW, COLUMN)
    )
    count = counted()
    count.middle[COLUMN] = 0.0
    count(Where(Pass(()), Loop(ROW, ZERO, whole(20), update), (space,)), 1.0)
    assert count.held[space] == pytest.approx(held)


def test_short_rows_are_updated_by_turns_where_they_are_targets() -> None:
    rows, vector = tensor("C", parse("dense", 2), 8, 3), tensor("x", parse("dense", 1), 3)
    total = tensor("y", parse("dense", 0))
    count = counted()
    count.innermost = ROW

    def unrolls(target: Access, length: float = 3.0) -> bool:
        update = Assign(target, OPS["add"], read(vector, COLUMN))
        return count._is_unrolled(Loop(COLUMN, ZERO, whole(3), update), length)

    assert unrolls(read(rows, ROW, COLUMN))
    assert not unrolls(read(rows, ROW, COLUMN), 1000.0)
    assert not unrolls(read(total))


def test_a_merge_costs_a_step_for_each_turn() -> None:
    one, other = Reach(10.0, 0.1), Reach(30.0, 0.3)
    turns, price = cardinality._merge([one, other])
    assert turns == 40.0
    time = cardinality.START + 40 * cardinality.STEP + 10 * cardinality.TURN
    assert price == pytest.approx(time / 40)


def test_what_follows_something_is_not_merged_with_it() -> None:
    one, other = Reach(1.0, 0.1, price=0.5), Reach(3.0, 0.3, price=0.9)
    found = cardinality.follow([one, other], 20.0)
    assert (found.turns, found.price) == (4.0, pytest.approx(0.8))
    assert cardinality.follow([one], 20.0).price == one.price
    assert found.price < cardinality.unite([one, other], 20.0).price


def test_a_loop_that_reads_one_array_is_swept() -> None:
    x, y, total = (tensor(name, parse("dense", 1), 9) for name in ("x", "y", "s"))
    two = Call("float64", OPS["multiply"], (read(x, ROW), read(y, ROW)))
    for value, swept in ((read(x, ROW), True), (two, False), (read(x, COLUMN), False)):
        body = Assign(read(total, ZERO), OPS["add"], value)
        assert _is_swept(Loop(ROW, ZERO, whole(9), body)) is swept


def test_what_depends_on_a_loop_is_counted_in_the_middle_of_it() -> None:
    count = counted()
    count._loop(Loop(ROW, whole(2), whole(9), Pass(())), 1.0)
    assert count.middle[ROW] == 5.0


def test_one_element_of_each_row_is_no_loop() -> None:
    def seconds(*formats: str) -> float:
        eye = np.eye(64)
        parts = [sa.asarray(eye, format=one) for one in formats]
        whole = parts[0] if len(parts) == 1 else sa.concatenate(parts, axis=1)
        product = whole.T @ sa.asarray(np.ones(64))
        step = last_call(Executor().planner.plan(product._node))
        assert step is not None
        return step.choice.least(step.given)

    point, listed = seconds("point"), seconds("csr")
    assert point < listed
    assert seconds("point", "point") < 2.5 * point


def orders(*factors: Factor) -> _Orders:
    return _Orders(factors, (0, 2), {0: 10.0, 1: 20.0, 2: 30.0}, NS, 0)


@pytest.mark.parametrize("lists", [(), (2,)])
def test_what_a_product_stores_is_written(lists: tuple[int, ...]) -> None:
    left, right = Factor((0, 1), 50.0, (1,), (0, 1)), Factor((1, 2), 60.0, (2,), (1, 2))
    made, kept = orders(left, right), frozenset({0, 2})
    value = Factor((0, 2), 40.0, lists)
    every = frozenset({0, 1, 2})
    turns, order = made._loops.times([left, right], every, kept if lists else frozenset())
    writes = NS.gather if lists else NS.append
    assert made._time([left, right], kept, value, 100.0) == (turns + 40 * writes, order)


def test_products_are_dense_of_one_axis_and_where_no_factor_has_lists() -> None:
    lists, dense = Factor((0, 1), 50.0, (0, 1)), Factor((1, 2), 600.0)
    made = orders(lists, dense)
    assert made._value([lists, dense], frozenset({0}))[0] == Factor((0,), 10.0)
    assert made._value([lists, dense], frozenset({0, 2}))[0].lists == (0,)
    rows = Factor((0, 1), 50.0, (1,))
    assert made._value([rows, dense], frozenset({0, 2}))[0] == Factor((0, 2), 300.0)


def test_a_loop_over_lists_is_led_by_the_shortest() -> None:
    loops, outer = Loops({0: 10.0, 1: 20.0}, NS), frozenset({0})
    few, all_of = Factor((0, 1), 30.0, (1,)), Factor((0, 1), 200.0, (1,))
    assert loops._turns([all_of], outer, 1) == 10 * 20 * NS.sweep
    led = NS.enter + 3 * NS.follow * 1.5
    assert loops._turns([few, all_of], outer, 1) == pytest.approx(10 * led)


def test_values_that_only_bound_a_loop_bound_it_together() -> None:
    half, some = Reach(50.0, 0.5, mask=True), Reach(20.0, 0.2, mask=True)
    assert cardinality.intersect([half, some], 100.0) == Reach(10.0, 0.1, mask=True)


def test_dense_products_are_added_to_in_any_order() -> None:
    left, right = Factor((0, 1), 50.0, (0,), (1, 0)), Factor((1, 2), 60.0, (2,), (1, 2))
    made, kept = orders(left, right), frozenset({0, 2})
    dense, lists = Factor((0, 2), 300.0), Factor((0, 2), 40.0, (2,))
    found = [made._time([left, right], kept, value, 100.0)[1][0] for value in (dense, lists)]
    assert found == [1, 0]


def test_the_weight_of_an_operand_tells_how_much_is_stored() -> None:
    data = np.zeros((40, 50))
    data[::2] = 1.0
    found = {
        one: input_of(stored(sa.asarray(data, format=one)), 0, frozenset()).weight
        for one in ("csr", "dense")
    }
    assert found == {"csr": (1000).bit_length() // 2, "dense": 0}


def test_the_extent_of_a_map_is_a_length_that_an_operand_tells() -> None:
    zero = Lit("float64", 0.0, True)
    matrix = Format(Dense(Side(Element(), 7)), (0, 1))
    told = Input("float64", (False, False), 0, matrix, zero)
    plain = Input("float64", (False, False), 1, parse("dense", 2), zero)
    vector = Input("float64", (False,), 2, Format(Side(Element(), 9), (0,)), zero)

    def of(*args: Input) -> Expr:
        node = Map("float64", (False, False), OPS["add"], args, ("float64",) * len(args))
        return extent(node, 1, COLUMN)

    assert of(plain, told) is whole(7)
    assert of(plain, vector) is whole(9)
    assert not isinstance(of(plain, plain), Lit)


def test_elements_are_found_along_one_index_of_a_pair_at_most() -> None:
    matrix, lists = tensor("A", parse("dense", 2), 4, 5), tensor("B", parse("csr", 2), 4, 5)
    pair, other = (ROW, COLUMN), Index("k")
    assert _is_found(read(matrix, ROW, other), pair)
    assert _is_found(read(matrix, other, COLUMN), pair)
    assert _is_found(read(lists, ROW, other), pair)
    assert not _is_found(read(lists, other, COLUMN), pair)
    assert not _is_found(read(matrix, ROW, COLUMN), pair)
    assert not _is_found(read(matrix, other, COLUMN + 1), pair)
    assert _is_found(read(matrix, other, other + 1), pair)


def test_columns_of_a_row_are_far_from_each_other() -> None:
    """What `_is_unrolled` asks of a target, too."""
    far = Format(Strided(Element(), whole(100)), (0,))
    column, near = tensor("C", far, 3), tensor("D", parse("dense", 1), 3)
    count = counted()
    count.innermost = ROW
    for target, unrolled in ((column, False), (near, True)):
        update = Assign(read(target, COLUMN), OPS["add"], read(near, COLUMN))
        assert count._is_unrolled(Loop(COLUMN, ZERO, whole(3), update), 3.0) is unrolled


def test_a_level_that_is_found_by_arithmetic_has_room_for_all() -> None:
    lists = parse("csr", 2)
    given = Input("float64", (False, False), 0, lists, Lit("float64", 0.0, True))
    value = Access("float64", Operand(given), (ROW, COLUMN))
    extents = {ROW: whole(4), COLUMN: whole(5)}
    simplify = simplifier(rules_in_force())

    def bound(*kinds: Kind, everywhere: bool = False) -> Expr:
        prefix = (ROW, COLUMN)[: len(kinds)]
        return allocation_bound(value, prefix, kinds, extents, simplify, everywhere=everywhere)

    assert bound(KINDS["dense"]) is whole(4)
    assert bound(KINDS["dense"], KINDS["dense"]) is whole(20)
    assert bound(KINDS["dense"], KINDS["list"], everywhere=True) is whole(20)
    assert bound(KINDS["dense"], KINDS["list"]) is not whole(20)


def test_temporaries_that_are_written_before_they_run_have_no_structure() -> None:
    temp = Tensor("t", parse("dense", 0), "float64", Lit("float64", 0.0), (), "temp")
    temp = temp.replace(start=Lit("float64", 0.0))
    target = Access("float64", temp, ())
    given = read(tensor("x", parse("list", 1), 5), ROW)
    begins = Assign(target, None, Lit("float64", 2.0))
    runs = Loop(ROW, ZERO, whole(5), Assign(target, OPS["add"], given))
    simplify = simplifier(rules_in_force())
    plain = contents(Where(runs, Pass(()), (temp,)), simplify)[temp][1]
    begun = contents(Where(runs, begins, (temp,)), simplify)[temp][1]
    assert isinstance(plain, Scanned)
    assert not begun.has(Scanned) and begun.has(Index)


def test_conditions_of_other_loops_change_no_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    count, neighbours = counted(), Reach(4.0, 0.4, stretches=2.0)
    count.middle[ROW] = 2.0
    lists = read(tensor("x", parse("list", 1), 10), COLUMN)
    plain = _Count._value

    def value(self: _Count, node: Expr, index: Index, extent: float) -> Reach:
        return neighbours if node is lists else plain(self, node, index, extent)

    monkeypatch.setattr(_Count, "_value", value)
    loop = Loop(COLUMN, ZERO, whole(10), Pass(()))
    update = Assign(read(tensor("y", parse("dense", 0))), OPS["add"], lists)
    assert count._assigned(update, [le(ROW, whole(3))], loop, 10.0) == neighbours
    half = count._assigned(update, [le(COLUMN, ROW)], loop, 10.0)
    assert (half.turns, half.cover) == (2.0, 0.2)


def test_the_best_order_and_others_finish_one_element_after_the_other() -> None:
    modes = {ROW: DENSE}
    first, other = Schedule((ROW, COLUMN), modes), Schedule((ROW, COLUMN), modes, workspace=False)
    never = Schedule((COLUMN, ROW), modes)
    assert finishing([first, other]) == [first, other]
    assert finishing([first, never, other]) == [first, other]
    assert finishing([never, first]) == []
    assert finishing([]) == []


def test_ragged_fibers_begin_where_loops_do_unless_they_move_back() -> None:
    size = given.size(0)
    assert not _leaves_start(COLUMN, COLUMN)
    assert not _leaves_start(COLUMN + size, COLUMN)
    assert _leaves_start(COLUMN - size, COLUMN)
    assert _leaves_start(COLUMN - 1, COLUMN)
    assert _leaves_start(scale(COLUMN, -1) + size, COLUMN)
    assert _leaves_start(Permit("int64", COLUMN) + size, COLUMN)


def test_temporaries_that_loops_assign_to_have_no_structure() -> None:
    temp = Tensor("t", parse("dense", 0), "float64", Lit("float64", 0.0), (), "temp")
    temp = temp.replace(start=Lit("float64", 0.0))
    target, value = Access("float64", temp, ()), read(tensor("x", parse("list", 1), 5), ROW)
    begins: Any = Assign(target, None, value)
    simplify = simplifier(rules_in_force())

    def content(producer: Any) -> Expr:
        return contents(Where(Pass(()), producer, (temp,)), simplify)[temp][1]

    assert content(begins) is value
    assert content(Loop(ROW, ZERO, whole(5), begins)) is not value
    assert content(Sieve(le(ROW, whole(3)), begins)) is not value


def test_a_branch_is_missed_as_often_as_either_way_is_taken() -> None:
    row = Bytemap(Element(), True)
    at_half, seldom, often = (lookup_time(row, 9.0, cover) for cover in (0.5, 0.25, 0.75))
    assert lookup_time(row, 9.0, 0.0) == lookup_time(row, 9.0, 1.0) == BRANCH < seldom == often
    assert at_half - lookup_time(row, 9.0, 0.0) == pytest.approx(2 * (at_half - seldom))


def test_sums_over_symmetric_matrices_are_turned_where_all_else_is_found() -> None:
    def held(name: str, format: str, *indices: Index) -> Access:
        return Access("float64", tensor(name, parse(format, len(indices)), 4, 4), indices)

    matrix, pair = held("S", "symmetric", ROW, COLUMN), (ROW, COLUMN)
    target = held("C", "dense", ROW)
    for other, turned in (
        (held("B", "dense", COLUMN), True),
        (held("B", "symmetric", ROW, COLUMN), True),
        (held("B", "csr", ROW, COLUMN), False),
        (held("B", "symmetric", COLUMN, ROW), False),
    ):
        value = Call("float64", OPS["multiply"], (matrix, other))
        assert _is_turned(Assign(target, OPS["add"], value), pair) is turned
    for name, op in OPS.items():
        if op.commutative != op.associative:
            assert not _is_turned(Assign(target, op, matrix), pair), name
