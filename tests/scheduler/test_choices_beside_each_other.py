"""Choices of the planner, each beside one that differs in one respect and ends elsewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Tensor as Named
from structarr._compiler.ir.expr import Call, Index, Lit, maximum, minimum
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._lazy.node import nodes_of
from structarr._scheduler import pipeline, split_sums
from structarr._scheduler.accesses import Operand
from structarr._scheduler.allocation_bounds import allocation_bound
from structarr._scheduler.bound_terms import times
from structarr._scheduler.cardinality import Reach
from structarr._scheduler.cost_model import _Count
from structarr._scheduler.counts import Children
from structarr._scheduler.many_lists import _lists
from structarr._scheduler.push_masks import masked
from structarr._scheduler.reorder_products import Product
from structarr._scheduler.split_joins import _has_dense_part, applied as split_joined
from structarr._scheduler.stored_slices import _is_product_of_lists, applied
from structarr._scheduler.takes import placed
from structarr.formats import Dense, Format, RunList, SparseList
from structarr.formats.kinds import DENSE

LISTED = np.where(np.arange(40).reshape(8, 5) % 3 == 0, np.arange(40.0).reshape(8, 5), 0)
A = sa.asarray(LISTED, format="csr")


def _stored(array: sa.Array) -> list[str]:
    """The kinds of what is stored first of an expression's slices."""
    seen: list[str] = []

    def value(node: Node) -> Any:
        seen.append(node.kind)
        return stored(sa.Array(node))

    made = applied(array._node, value)
    np.testing.assert_array_equal(np.asarray(sa.Array(made)), np.asarray(array))
    return seen


# ------------------------------------------------------------------------- stored_slices


def test_slices_of_transposes_and_views_of_slices_are_stored() -> None:
    mu = sa.asarray(np.arange(1.0, 9.0))
    assert _stored((A[:3].T - mu[:3]) @ mu[:3]) == ["slice"]
    assert _stored((A.T[:, :3] - mu[:3]) @ mu[:3]) == ["slice"]
    assert _stored((A.T - mu) @ mu) == []


def test_a_vector_beside_a_matrix_of_two_rows_is_read_again_in_each() -> None:
    """Beside one of one row it is read once, as the row is: nothing is repeated."""
    vector = sa.asarray(LISTED[:, 0], format="list")
    for rows, repeated in ((1, False), (2, True), (3, True)):
        matrix = sa.asarray(LISTED.T[:rows], format="csr")
        assert _is_product_of_lists((matrix * vector)._node) is repeated


# ------------------------------------------------------------------------- many_lists


def test_rows_at_other_places_are_other_lists() -> None:
    assert len(_lists((A[[0, 1, 2]] + A[[3, 4, 5]])._node)) == 2
    assert len(_lists((A[[0, 1, 2]] * 2 + abs(A[[0, 1, 2]]))._node)) <= 2
    assert len(_lists((A + abs(A))._node)) == 1


# ------------------------------------------------------------------------- array_expression


@pytest.mark.parametrize("value", [0.0, 5.0])
@pytest.mark.parametrize("width", [((0, 0), (1, 1)), ((1, 2), (0, 0))])
@pytest.mark.parametrize("axis", [0, 1])
def test_joins_of_padded_lists(axis: int, width: Any, value: float) -> None:
    """What is padded along another axis is a list of zeros, if it is padded with zeros."""

    def joined(one: Any) -> Any:
        return np.concatenate([np.pad(one, width, constant_values=value)] * 2, axis=axis) * 2

    np.testing.assert_array_equal(np.asarray(joined(A)), joined(LISTED))
    np.testing.assert_array_equal(joined(A).todense(), joined(LISTED))


# ------------------------------------------------------------------------- pipeline


def test_a_kernel_takes_as_many_axes_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "AXES", 3)
    cube = np.arange(24.0).reshape(2, 3, 4)
    with sa.options(tier="interpreted"):
        found = np.asarray(sa.asarray(cube, format=sa.formats.parse("csf", 3)) * 2.0)
    np.testing.assert_array_equal(found, cube * 2)


# ------------------------------------------------------------------------- takes


def test_a_row_that_is_repeated_is_read_where_it_is_used() -> None:
    """A row that is repeated is found by arithmetic, so that no other array is made of it."""
    row = sa.asarray(LISTED[1], format="list")
    lazy = np.arange(4.0) @ np.repeat(row[None], 4, axis=0)
    made = placed(lazy._node, lambda node: stored(sa.Array(node)))
    assert [one.kind for one in nodes_of(made)].count("take") == 1


def test_as_many_rows_as_there_are_stay_read_at_their_places() -> None:
    """To select one of each row takes more than to read it."""
    lazy = A[np.arange(8)[::-1]].sum()
    assert "A[B[i], j]" in str(sa.explain(lazy).cin)


# ------------------------------------------------------------------------- product_order


@pytest.mark.parametrize("turned", [False, True])
def test_a_matrix_and_its_weights_are_no_product_that_is_made_first(turned: bool) -> None:
    """What sums nothing is multiplied where it is read: each element is read but once."""
    weights = sa.asarray([3, -2, 2, -2])
    one = sa.asarray(np.array([[0, 1], [1, 0], [0, -3], [0, 0]]), format="csr")
    other = sa.asarray(np.array([[3, -3, -1], [1, -2, -1], [3, 2, -1], [-3, -1, 2]]), format="rle")
    pair = (other, one) if turned else (one, other)
    whole = Product.of(((pair[0] * weights[:, None]).T @ pair[1])._node)
    assert whole is not None
    assert whole.plan().tree == (0, 1, 2)


# ------------------------------------------------------------------------- split_sums


def test_sums_of_one_factor_and_of_mixed_dtypes_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GAIN", "SKETCHED", "REFILL", "REFILLED"):
        monkeypatch.setattr(split_sums, name, 0.0)
    wide = np.where(np.arange(800).reshape(40, 20) % 13 == 0, 2.0, 0)
    a, v = sa.asarray(wide, format="csr"), sa.asarray(np.arange(1.0, 21))
    narrow = sa.asarray(wide.astype("f4"), format="csr") - v.astype("f4")
    weighted = (narrow @ v.astype("f4")) * sa.asarray(np.arange(40.0))
    for lazy in ((a - v).sum(axis=1), (a - v) @ v, weighted):
        assert split_sums.split(lazy._node, lambda node: True) is not None


# ------------------------------------------------------------------------- split_joins


def test_parts_of_joins_within_joins_are_joined_first() -> None:
    blocks = np.block([[A, A], [A, A]])
    shapes = []

    def value(node: Node) -> Any:
        shapes.append(node.shape)
        return stored(sa.Array(node))

    made = split_joined((blocks.T @ blocks)._node, value, value, False)
    whole = np.block([[LISTED, LISTED], [LISTED, LISTED]])
    np.testing.assert_array_equal(np.asarray(sa.Array(made)), whole.T @ whole)
    assert (5, 10) in shapes
    assert (10, 10) in shapes


def test_an_array_with_one_dense_part_has_dense_blocks() -> None:
    dense = sa.asarray(np.ones((8, 2)))
    assert _has_dense_part((np.hstack([A, dense]) * 2)._node)
    assert _has_dense_part((np.hstack([A, dense]).T @ np.hstack([A, A]))._node)
    assert not _has_dense_part((np.hstack([A, A]).T @ np.hstack([A, A]))._node)


# ------------------------------------------------------------------------- allocation_bounds


def test_rooms_of_runs_are_told_by_the_innermost_level() -> None:
    rows, columns = Var("int64", "n"), Var("int64", "m")
    i, j = Index("i"), Index("j")
    fill, simplify = Lit("float64", 0.0, True), simplifier(rules_in_force())
    for levels in (Dense(RunList()), SparseList(RunList())):
        held = Format(levels, (0, 1))
        runs = Access("float64", Operand(Input("float64", (False,), 0, held, fill)), (i, j))
        kinds = tuple(level.kind for level in held.levels[:-1])
        room = allocation_bound(runs, (i, j), kinds, {i: rows, j: columns}, simplify)
        counted = Children(0, 1)
        least = counted if kinds[0] is DENSE else rows + counted
        most = maximum(least, rows) if kinds[0] is DENSE else least
        assert room is minimum(most, times((i, j), {i: rows, j: columns}))


def test_rows_of_two_arrays_in_runs_are_stored_again_in_each_piece() -> None:
    """A run of rows of the one that others of the other cut stores its lists again and again."""
    rows, columns = Var("int64", "n"), Var("int64", "m")
    i, j = Index("i"), Index("j")
    fill, simplify = Lit("float64", 0.0, True), simplifier(rules_in_force())
    held, extents = Format(RunList(SparseList()), (0, 1)), {i: rows, j: columns}
    one, other = (
        Access("float64", Operand(Input("float64", (False,), k, held, fill)), (i, j))
        for k in range(2)
    )
    kinds = tuple(level.kind for level in held.levels[:-1])
    both = Call("float64", OPS["add"], (one, other))
    room = allocation_bound(both, (i, j), kinds, extents, simplify)
    assert room is times((i, j), extents)


# ------------------------------------------------------------------------- push_masks


def test_what_is_computed_first_is_masked_by_itself() -> None:
    u, v = sa.asarray(np.ones((4, 3))), sa.asarray(np.ones((3, 4)))
    mask = sa.asarray(np.eye(4), format="csr")
    product = graph.first(((u @ v) * mask)._node)
    whole = graph.elementwise("add", (product, (np.tanh(u @ v) * mask)._node))
    found = masked(whole)
    assert found.args[0] is product
    assert found.args[1] is not whole.args[1]
    beside = graph.elementwise("multiply", (product, graph.leaf(stored(mask))))
    assert masked(graph.elementwise("add", (beside, beside))).args[0] is beside


# ------------------------------------------------------------------------- loop_order


def test_weights_in_runs_leave_a_product_of_lists_sparse() -> None:
    weights = sa.asarray(np.repeat([1.0, 2.0], [3, 2]), format="rle")
    found = np.einsum("ik,k,jk->ij", A, weights, A).compute()
    assert found.format == "csr"
    np.testing.assert_array_equal(
        found.todense(), np.einsum("ik,k,jk->ij", LISTED, np.asarray(weights), LISTED)
    )


# ------------------------------------------------------------------------- cost_model


@pytest.mark.parametrize(("leads", "turns"), [(True, 6.0), (False, 2.0)])
def test_what_is_read_beside_an_operand_that_decides(
    leads: bool, turns: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of its turns if it leads, and the stops that are walked over if it does not."""
    one, other = (
        Access(
            "float64",
            Named(k, Format(SparseList(), (0,)), "float64", Lit("float64", 0.0), (), "in"),
            (Index("i"),),
        )
        for k in "ab"
    )
    reaches = {one: Reach(4.0, 0.4), other: Reach(6.0, 0.6, leads=leads, walked=2.0)}
    known: Any = SimpleNamespace(extents=(), sizes=(), tensors=())
    program: Any = SimpleNamespace(lengths=(), inputs={})
    count = _Count(program, known, simplifier(rules_in_force()))
    monkeypatch.setattr(_Count, "_access", lambda self, access, *rest: reaches[access])
    monkeypatch.setattr(_Count, "_kills", lambda self, call, k, part, index: k == 0)
    value = Call("float64", OPS["multiply"], (one, other))
    found = count._value(value, Index("i"), 10.0)
    assert found.turns == 4.0 + turns
