"""Estimates and choices of the planner, asked one by one: plans show few of their mistakes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import (
    Access,
    Loop,
    Offset,
    Padded,
    Pass,
    Permit,
    Protocol,
    Stride,
    Tensor as Operand,
    Where,
)
from structarr._compiler.ir.expr import Expr, Index, Lit
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._scheduler import cardinality, hoist
from structarr._scheduler.accesses import Operand as Place
from structarr._scheduler.array_expression import _is_joinable
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.bound_terms import is_continued, window_of
from structarr._scheduler.cardinality import Reach
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.indexing import _plain
from structarr._scheduler.loop_order import Schedule, _writes_alike
from structarr._scheduler.machine import Times
from structarr._scheduler.partial_loops import second_loop
from structarr._scheduler.product_loops import Factor, Loops
from structarr._scheduler.push_masks import masked, may_mask
from structarr._scheduler.result_bounds import _found_before_others
from structarr._scheduler.result_structure import _among
from structarr._scheduler.scans import scan_order
from structarr._scheduler.scatter import _is_affine
from structarr._scheduler.split_joined_sums import Term, _merged
from structarr._scheduler.stored_slices import _has_product_of_lists, _searched_often
from structarr._scheduler.structure import _coalesce, _continued
from structarr._scheduler.structure_algebra import DENSE
from structarr._scheduler.takes import _is_copied, formed, is_copied
from structarr._scheduler.weighted_products import STRETCH, _matrices, _stretches
from structarr._storage.tensor import Tensor
from structarr.formats import Dense, Diagonals, Element, Format, Pattern, SparseList, Uniform, parse
from structarr.formats.kind import ModeStructure
from structarr.formats.kinds import BITMAP, KINDS, LIST

NS = Times()


def test_loops_follow_the_shortest_list_and_sweep_what_is_dense() -> None:
    loops = Loops({0: 10.0, 1: 100.0}, NS)
    rows, vector = Factor((0, 1), 50.0, (1,), (0, 1)), Factor((1,), 100.0)
    one, found = loops.times([rows, vector], frozenset({0, 1}), frozenset())
    assert found == (0, 1)
    follow = 10 * (NS.enter + 5 * NS.follow)
    sweep = 10 * NS.sweep
    assert one == pytest.approx(sweep + follow)
    two, _ = loops.times([rows, rows, vector], frozenset({0, 1}), frozenset())
    assert two == pytest.approx(sweep + 10 * (NS.enter + 5 * NS.follow * 1.5))


def test_the_reach_of_neighbours_is_told_by_stretches() -> None:
    data = np.zeros(20)
    data[[3, 4]] = 1.0
    found = cardinality.stored(stored(sa.asarray(data, format="vbl")), 0, 20.0)
    assert (found.turns, found.cover, found.stretches) == (2.0, 0.1, 1.0)
    assert found.price == cardinality.STREAM + cardinality.STRETCH / 2
    assert found.hull == (0.15, 0.25)
    data[4] = 0.0
    found = cardinality.stored(stored(sa.asarray(data, format="vbl")), 0, 20.0)
    assert (found.turns, found.stretches) == (1.0, 0.0)


def test_a_number_without_buffers_of_levels_is_one_entry() -> None:
    number = Tensor.checked(Format(Uniform(), ()), (), 3.0, ([3.0],))
    assert expected_entries(leaf(number)) == 1


@pytest.mark.parametrize(("format", "masks"), [("csr", True), ("dense", False)])
def test_arrays_of_few_elements_mask_sums(format: str, masks: bool) -> None:
    a, b = (sa.asarray(np.ones((4, 4))) for _ in range(2))
    mask = sa.asarray(np.eye(4), format=format)
    assert may_mask((mask * (a @ b))._node) == masks
    assert may_mask(((a @ b) * mask)._node) == masks
    assert may_mask(((a @ b) * np.exp(mask).astype("f4"))._node) == masks
    assert not may_mask((mask * a)._node)


@pytest.mark.parametrize("format", ["csr", "bitmap"])
def test_parts_of_different_fills_are_runs_or_dense(format: str) -> None:
    a = sa.asarray(np.eye(5), format=format)
    b = sa.asarray(1 - np.eye(5), fill_value=1.0, format=format)
    for join in (np.hstack, np.vstack):
        found = join((a, b))
        assert str(found.format) == ("rle" if format == "csr" else "dense")
        np.testing.assert_array_equal(found.todense(), join((np.eye(5), 1 - np.eye(5))))
        assert str(join((a, a)).format) == format
        same = join((b, b))
        assert (str(same.format), same.fill_value) == (format, 1.0)


def test_hashed_arrays_beside_dense_ones_are_hashed() -> None:
    data = np.where(np.arange(20).reshape(4, 5) % 3 == 0, 1.0, 0.0)
    a = sa.asarray(data, format="hash")
    b = sa.asarray(data[::-1].copy(), format="hash")
    dense = sa.asarray(np.full((4, 5), 2.0))
    for found in (a + b, a * b, a * dense, a * 2, a - b):
        assert str(found.format) == "hash"


def test_the_loop_that_fills_a_workspace_is_the_second() -> None:
    i, j = Index("i"), Index("j")
    nothing = Pass(())
    extent = (Lit("int64", 0), Lit("int64", 3))
    fills, reads = Loop(j, *extent, nothing), Loop(i, *extent, nothing)
    assert second_loop(Loop(i, *extent, Where(reads, fills, ()))) is fills
    assert second_loop(Loop(i, *extent, fills)) is fills
    assert second_loop(Loop(i, *extent, nothing)) is None
    assert second_loop(Loop(i, *extent, Where(nothing, fills, ()))) is None


def access(*indices: Expr) -> Access:
    return Access("int64", Operand("A", None, "int64", Lit("int64", 0), ()), indices)


def test_an_operand_is_continued_if_one_index_is() -> None:
    i, j = Index("i"), Index("j")
    padded = Padded(j, "edge", Lit("int64", 4), 0)
    assert [is_continued(access(*two)) for two in ((i, padded), (i, j))] == [True, False]


def test_windows_have_one_index_beside_each_of_the_results() -> None:
    i, j, a, b = map(Index, "ijab")
    assert window_of(access(i + a, j + b), (i, j)) == (a, b)
    assert window_of(access(i + a, j), (i, j)) == ()
    assert window_of(access(i + a, b), (i, j)) == ()
    assert window_of(access(i + j), (i, j)) == ()


def test_modes_that_are_found_before_those_above_are_told() -> None:
    i, j = Index("i"), Index("j")
    read = access(i)
    assert [*_found_before_others(access(i, j), (i, j))] == []
    assert [*_found_before_others(access(i, j), (j, i))] == [j]
    assert [*_found_before_others(access(i, i), (i, j))] == []
    assert [*_found_before_others(access(read, i), (i, j))] == [i]
    assert [*_found_before_others(access(i + j, i), (i, j))] == [i]


def test_neighbours_of_diagonals_are_told_by_the_first() -> None:
    place = Var("int64", "p")
    for offsets, neighbours in (((-1, 0, 1), True), ((2, 3), True), ((-1, 1), False), ((), False)):
        level = Diagonals(Element(), offsets)
        assert level.are_neighbours == neighbours
        if neighbours:
            assert level.offset_at(place, None) == place + offsets[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "searches"), [(1, False), (2, True)])
def test_few_diagonals_are_phases_and_many_are_searched(count: int, searches: bool) -> None:
    n = 12
    data = sum((k + 1) * np.eye(n, k=2 * k - 4) for k in range(count))
    a = sa.asarray(data, format="dia")
    b = sa.asarray(np.eye(n)[::-1].copy(), format="csr")
    kernel = str(sa.explain(a + b).kernel)
    assert ("search_back" in kernel) == searches
    np.testing.assert_array_equal((a + b).todense(), data + np.eye(n)[::-1])


def test_kinds_of_which_a_fiber_holds_one_element_at_most() -> None:
    assert {name for name, kind in KINDS.items() if kind.holds_one} == {"point"}


def test_orders_write_alike_that_write_modes_in_one_order() -> None:
    i, j, k = map(Index, "ijk")
    listed, marked = ModeStructure(LIST), ModeStructure(BITMAP)
    best = Schedule((i, j, k), {i: DENSE, j: listed})
    assert _writes_alike(Schedule((i, k, j), {i: DENSE, j: listed}), best)
    assert not _writes_alike(Schedule((j, k, i), {i: DENSE, j: listed}), best)
    assert not _writes_alike(Schedule((i, k, j), {i: DENSE, j: marked}), best)
    plain = Schedule((i, j, k), {i: DENSE, j: DENSE})
    assert _writes_alike(Schedule((j, k, i), {i: DENSE, j: DENSE}), plain)


def test_functions_in_loops_of_vectors_cost_what_vectors_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hoist, "times", lambda: NS)
    node = np.exp(sa.asarray(np.ones(300)) * sa.asarray(np.arange(300.0)))._node
    assert not hoist._Hoisting(600.0, False, False)._pays(node)
    assert hoist._Hoisting(600.0, False, True)._pays(node)
    assert hoist._Hoisting(6000.0, False, False)._pays(node)


def test_the_reach_of_runs_is_their_share_of_a_fiber() -> None:
    data = np.zeros((4, 20))
    data[:, 5:10], data[2, 5:15] = 3.0, 4.0
    found = cardinality.stored(stored(sa.asarray(data, format="sparse-rle")), 1, 20.0)
    assert (found.turns, found.cover) == (1.0, 25 / 80)


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        *[("c[rows]", True), ("s[:, rows]", True), ("s[rows]", True), ("k[rows]", True)],
        *[("r[rows]", False), ("b[rows]", False), ("(c + r)[rows]", True), ("b[:, rows]", True)],
    ],
)
def test_reads_are_copied_but_of_levels_that_a_kernel_reads(text: str, copied: bool) -> None:
    formats = {"c": "csr", "s": "csc", "k": "coo", "r": "rle", "b": "bitmap"}
    data = np.where(np.arange(12).reshape(4, 3) % 2, 1.0, 0.0)
    given = {name: sa.asarray(data, format=format) for name, format in formats.items()}
    node = eval(text, {**given, "rows": np.array([2, 0])})._node
    assert node.kind == "take"
    assert is_copied(node) == copied


def test_sums_of_products_of_lists_are_told() -> None:
    a, b = (sa.asarray(np.eye(4), format=format) for format in ("csr", "csc"))
    dense = sa.asarray(np.ones((4, 4)))
    for product, told in ((a @ b, True), (a @ dense, False), ((a * b).sum(axis=1), False)):
        assert _has_product_of_lists(product._node) == told


@pytest.mark.parametrize("turned", [False, True])
def test_slices_are_stored_where_any_other_factor_searches_them_often(turned: bool) -> None:
    many, few = np.eye(9) + np.eye(9, k=1), np.eye(9) * (np.arange(9) == 4)
    rows = sa.asarray(many, format="csr")[:, :5]
    factors = [sa.asarray(one, format="csr") for one in (few, many)]
    one, other = factors[::-1] if turned else factors
    assert [found.kind for found in _searched_often(((one + other) @ rows)._node)] == ["slice"]
    assert [*_searched_often((factors[0] @ rows)._node)] == []


def test_arrays_of_places_are_read_without_protocols() -> None:
    i, j = Index("i"), Index("j")
    assert _plain((Protocol(i, "gallop"), j)) == (i, j)


def test_transposes_of_what_is_stored_are_joined() -> None:
    a = sa.asarray(np.eye(4), format="csr")
    for array, told in ((a, True), (a.T, True), (a * 2, True), (a[:, :2], True), (a @ a, False)):
        assert _is_joinable(array._node, 0) == told


@pytest.mark.parametrize("format", ["csr", "bitmap", "dense"])
def test_fibers_that_are_not_found_by_a_level_are_copied(format: str) -> None:
    held = parse(format, 2)
    assert [_is_copied(held, axis) for axis in (0, 1)] == [format != "bitmap", True]


def test_parts_that_end_in_another_number_are_runs() -> None:
    i, simplify = Index("i"), simplifier(rules_in_force())
    given = Input("float64", (False,), 0, parse("list", 1), Lit("float64", 0.0, True))
    held = Access("float64", Place(given), (Permit(i, Lit("int64", 4)),))
    zero, one = Lit("float64", 0.0, True), Lit("float64", 1.0)
    assert _coalesce((held, zero), i, simplify).kind.is_sparse
    assert not _coalesce((held, zero, one), i, simplify).kind.is_sparse


def test_what_is_continued_may_be_stored_at_several_places() -> None:
    assert _continued(LIST, "edge") is DENSE.kind
    assert _continued(LIST, "circular") is LIST.plain.several
    assert _continued(KINDS["runs"], "edge") is KINDS["runs"].plain.several


def test_elements_at_places_are_computed_before_a_sum_of_them() -> None:
    a, x = sa.asarray(np.eye(4), format="csr"), sa.asarray(np.ones(4))
    node = (a[np.array([2, 0])] @ x)._node
    taken: list[Node] = []

    def value(one: Node) -> Tensor:
        taken.append(one)
        return stored(a)

    made = formed(node, value)
    assert made.kind == node.kind == "reduce"
    assert [one.kind for one in taken] == ["take"]
    assert not any(one.kind == "take" for one in nodes_of(made))


def test_sums_are_masked_below_what_multiplies_them() -> None:
    a, b = (sa.asarray(np.ones((4, 4))) for _ in range(2))
    mask = sa.asarray(np.eye(4), format="csr")
    product, whole = (a @ b)._node, (mask * ((a @ b) + 1.0))._node
    assert masked(product) is product
    assert masked(whole) is not whole


def test_modes_beside_runs_leave_nothing_vacant() -> None:
    point, runs = ModeStructure(KINDS["point"]), KINDS["runs"]
    assert _among(point, False, [LIST]) is point
    assert _among(point, False, [LIST, runs]).kind is LIST


def test_places_by_arithmetic_have_offsets_and_strides_alone() -> None:
    i, one = Index("i"), Lit("int64", 1)
    assert _is_affine(i)
    assert _is_affine(Offset(Stride(i, 2, one), one))
    assert not _is_affine(Permit(i, one))
    assert not _is_affine(Offset(Permit(i, one), one))
    assert not _is_affine(access(i))


def test_vectors_along_a_summed_axis_are_multiplied_first() -> None:
    v, w, m = (leaf(stored(sa.asarray(one))) for one in (np.ones(3), np.ones(3), np.ones((2, 3))))
    along, beside, both, pair = (
        [Term(False, *one)]
        for one in (
            ((v,), ((1,),)),
            ((w,), ((1,),)),
            ((m,), ((0, 1),)),
            ((v, w), ((1,), (1,))),
        )
    )
    whole: Any = SimpleNamespace(result=(0,))
    rest, merged = _merged([along, both, beside], whole, lambda node: node)
    assert rest is both
    (product,) = merged[0].nodes
    assert (product.kind, product.data[0].name) == ("map", "multiply")
    assert product.args == (v, w)
    assert merged[0].labels == ((1,),)
    assert _merged([pair, along], whole, lambda node: node) == [pair, along]
    whole.result = (1,)
    assert _merged([along, beside], whole, lambda node: node) == [along, beside]


def test_formats_of_some_modes_keep_their_leaf() -> None:
    whole = Format(Dense(SparseList(Pattern())), (1, 0), "int32")
    assert whole.without((0, 1)) == whole
    assert whole.without((1,)) == Format(SparseList(Pattern()), (0,), "int32")
    assert whole.without((0,), Element()) == Format(Dense(Element()), (1,), "int32")


def test_a_product_of_a_matrix_and_a_stack_that_is_summed_has_room() -> None:
    rng = np.random.default_rng(0)
    a, b = (np.where(rng.random(shape) < 0.5, 1.0, 0.0) for shape in ((4, 5), (5, 6, 7)))
    given = sa.asarray(a, format="csr"), sa.asarray(b, format="csf")
    with sa.options(tier="interpreted"):
        found = sa.einsum("ik,kmj->ij", *given).asformat("csr")
        np.testing.assert_array_equal(found.todense(), np.einsum("ik,kmj->ij", a, b))
        turned = sa.einsum("ik,kj->ji", given[0], given[1][:, 0]).asformat("csr")
        np.testing.assert_array_equal(turned.todense(), (a @ b[:, 0]).T)


def test_products_of_a_list_and_a_dense_array_are_no_products_of_dense_ones() -> None:
    a, b = sa.asarray(np.eye(4), format="csr"), sa.asarray(np.ones((4, 4)))

    def dense(node: Node) -> bool:
        return node.kind == "leaf" and bool(node.data.format.is_dense)

    assert DenseProduct.of((a @ b)._node, dense) is None
    assert DenseProduct.of((b @ a)._node, dense) is None
    assert DenseProduct.of((b @ (b + 1).compute())._node, dense) is not None


def test_scans_go_along_the_last_loop_or_before_one_of_dense_results() -> None:
    i, j = Index("i"), Index("j")
    scanned = Scanned("int64", OPS["add"], Lit("int64", 0), access(i, j), j)
    program: Any = SimpleNamespace(value=scanned)
    listed, dense = {i: DENSE, j: ModeStructure(LIST)}, {i: DENSE, j: DENSE}
    assert scan_order(program, (i, j), listed) == 1
    assert scan_order(program, (j, i), listed) is None
    assert scan_order(program, (j, i), dense) == 0
    program.value = access(i, j)
    assert scan_order(program, (i, j), listed) == 2


def test_matrices_with_weights_share_one_axis() -> None:
    def found(*labels: tuple[int, ...], result: tuple[int, ...] = (0, 1)) -> Any:
        lengths = dict.fromkeys([one for some in labels for one in some], 3)
        whole: Any = SimpleNamespace(labels=labels, result=result, lengths=lengths)
        return _matrices(whole)

    assert found((0, 2), (1, 2), (2,)) == (0, 1)
    assert found((2,), (2, 1), (0, 2), (2,)) == (2, 1)
    assert found((0, 2), (1, 2), (0,)) is None
    assert found((0, 1, 2), (2,)) is None
    assert found((0, 2), (2, 3), (3, 1)) is None
    assert found((0, 2), (1, 2), (3,)) is None
    assert found((0, 2), (0, 2), (1, 2)) is None
    assert found((0, 1, 2)) is None


def test_a_merge_searches_where_one_of_its_operands_is_one_stretch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    single, stretch = Reach(9.0, 0.1), Reach(9.0, 0.1, stretches=1.0)
    cases = [[single, single], [single, stretch], [stretch, stretch]]
    before = [cardinality._merge(one)[1] for one in cases]
    monkeypatch.setattr(cardinality, "SEARCHES", cardinality.SEARCHES + 1000)
    dearer = [cardinality._merge(one)[1] > old for one, old in zip(cases, before, strict=True)]
    assert dearer == [False, True, True]


@pytest.mark.parametrize(("columns", "stretches"), [(STRETCH, 3), (2 * STRETCH, 3), (1, 1)])
def test_a_stretch_of_rows_has_one_at_least(columns: int, stretches: int) -> None:
    assert len(_stretches(np.broadcast_to(0.0, (3, columns)))) == stretches
