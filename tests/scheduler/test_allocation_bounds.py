"""Results fit in the room that is made for them, whatever fills and constants do."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Offset, Protocol
from structarr._compiler.ir.expr import Call, Expr, Index, Lit, floor_div
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._execute import bound_values, place
from structarr._execute.executor import Executor
from structarr._execute.steps import last_call
from structarr._scheduler import counts, result_bounds
from structarr._scheduler.accesses import Operand
from structarr._scheduler.allocation_bounds import _Bound
from structarr._scheduler.bound_terms import product
from structarr._storage.tensor import counts_by_axis
from structarr._testing.forcing import by_each_program
from structarr.formats import parse

RNG = np.random.default_rng(0)
DIAGONAL = np.eye(9) * 3
SPARSE = np.where(RNG.random((9, 20)) < 0.2, RNG.random((9, 20)), 0.0)


@pytest.fixture(
    params=["interpreted", pytest.param("compiled", marks=pytest.mark.long)], autouse=True
)
def tier(request: pytest.FixtureRequest) -> Any:
    with sa.options(tier=request.param):
        yield request.param


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "a fill of a scalar": lambda a: a * 0 + 2.5,
    "a product of scalars": lambda a: (a * 0) * 1.5,
    "no bits": lambda a: (a.astype(np.int64) & 0) + 2.5,
    "the greatest": lambda a: np.maximum(a != 0, True) + 5,
    "chosen anyway": lambda a: np.where(a > 1, a, 1) + 0.5,
    "negative": lambda a: -a * 2.5,
}


@pytest.mark.parametrize("fill", [0.0, 1.0])
@pytest.mark.parametrize("format", ["csr", "dcsr", "coo", "rle", "sparse-rle", "band"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_fills_that_depend_on_numbers(name: str, format: str, fill: float) -> None:
    dense = np.where(DIAGONAL == 0, fill, DIAGONAL)
    array = sa.with_fill(sa.asarray(dense - fill, format="csr"), 0.0) + fill
    found = EXPRESSIONS[name](array.asformat(format))
    np.testing.assert_allclose(found.todense(), EXPRESSIONS[name](dense))


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
def test_products_of_lists_that_leave_out_ones(format: str) -> None:
    ones = (sa.asarray(np.zeros((9, 9)), format="csr") + 1.0).asformat(format)
    product = ones @ sa.asarray(SPARSE, format="csr")
    np.testing.assert_allclose(product.todense(), np.ones((9, 9)) @ SPARSE)


ROWS: dict[str, Callable[[Any], Any]] = {
    "some": lambda a: a[2:5],
    "by steps": lambda a: a[1:8:3],
    "backwards": lambda a: a[7:1:-2],
    "one": lambda a: a[4],
    "none": lambda a: a[5:5],
    "of both axes": lambda a: a[3:6, 2:9],
    "of a product": lambda a: a[2:5] * a[3:6],
}


@pytest.mark.parametrize("format", ["csr", "rle"])
@pytest.mark.parametrize("name", ROWS)
def test_rows_take_the_room_of_what_they_store(name: str, format: str) -> None:
    array = sa.asarray(SPARSE, format=format)
    for key in range(2):  # as found out, and as remembered
        found = ROWS[name](array)
        np.testing.assert_array_equal(found.todense(), ROWS[name](SPARSE), err_msg=str(key))
    called = last_call(Executor().planner.plan(ROWS[name](array)._node))
    assert called is not None
    ((*_, values),) = called.pick.plan.rooms(called.given, (found.shape,))
    most = max(array[k : k + 3].nstored for k in range(7))
    assert len(values) <= 2 * most + 4 < array.nstored


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle"])
def test_rows_that_are_repeated(format: str, mode: Any) -> None:
    array = sa.asarray(SPARSE, format=format)
    np.testing.assert_array_equal(
        np.pad(array, 3, mode=mode).todense(), np.pad(SPARSE, 3, mode=mode)
    )
    repeated = np.concatenate([np.broadcast_to(array[:1], (7, 20)), array], 0)
    wanted = np.concatenate([np.broadcast_to(SPARSE[:1], (7, 20)), SPARSE], 0)
    np.testing.assert_array_equal(repeated.todense(), wanted)


@pytest.mark.parametrize("format", ["list", "csr", "coo", "point"])
def test_numbers_that_a_fill_chooses(format: str) -> None:
    rows = np.array([0.0, 2.0, 0.0, 1.0])
    chosen = np.array([[0, 3, 0, 0], [0, 0, 0, 0], [0, 0, 5, 0], [2, 0, 0, 0]])
    dense = np.triu(np.random.default_rng(0).random((4, 4)))
    a, b = sa.asarray(rows, format="list"), sa.asarray(chosen, format=format)
    for c in (sa.asarray(dense, format="triu"), sa.asarray(dense)):
        found = np.tensordot(np.where(a, b, 0), c, axes=([0], [0]))
        wanted = np.tensordot(np.where(rows, chosen, 0), dense, axes=([0], [0]))
        np.testing.assert_allclose(found.todense(), wanted)


@pytest.mark.parametrize("format", ["csr", "rle", "sparse-rle", "vbl", "packbits", "coo", "hash"])
def test_a_room_that_is_too_small_stops_the_kernel(
    monkeypatch: pytest.MonkeyPatch, format: str, tier: str
) -> None:
    _stopped(monkeypatch, format, 0.25 if tier == "compiled" else 0.75)


@pytest.mark.parametrize("format", ["csr", "rle"])
def test_a_room_that_is_too_small_stops_a_compiled_kernel(
    monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    with sa.options(tier="compiled"):
        _stopped(monkeypatch, format, 0.125)


def _stopped(monkeypatch: pytest.MonkeyPatch, format: str, constant: float) -> None:
    """Check an expression with a constant that is used nowhere else, so that none is known."""
    array = sa.asarray(SPARSE, format=format)
    room = result_bounds.allocation_bound
    monkeypatch.setattr(
        result_bounds, "allocation_bound", lambda *about: floor_div(room(*about), 50)
    )
    expression = np.maximum(array, constant) * array + array
    with pytest.raises((RuntimeError, IndexError), match=r"outgrow|out of bounds"):
        expression.asformat(format)


@pytest.mark.parametrize("mask", ["bitmap", "csr", "rle"])
@pytest.mark.parametrize("format", ["band", "sparse-rle", "rle", "csr", "vbl"])
def test_choices_between_a_fill_and_its_equal(format: str, mask: str) -> None:
    for seed in range(6):
        random = np.random.default_rng(seed)
        asked = np.where(random.random((4, 9)) < 0.5, random.integers(0, 4, (4, 9)), 0)
        dense = np.where(random.random((4, 9)) < 0.3, random.integers(2, 6, (4, 9)), 1)
        a = sa.asarray(asked, format=mask)
        b = sa.with_fill(sa.asarray(dense), 1).asformat(format)
        for left, right in ((a > 1, asked > 1), (a[:, :1] > 1, asked[:, :1] > 1)):
            np.testing.assert_array_equal(np.where(left, b, 1).todense(), np.where(right, dense, 1))
            np.testing.assert_array_equal(np.where(left, 1, b).todense(), np.where(right, 1, dense))


@pytest.mark.parametrize("format", ["vbl", "csr", "sparse-rle", "rle", "band"])
def test_choices_by_a_condition_of_shifted_arrays(format: str) -> None:
    """Where the condition is stored and nothing to choose is, blocks hold zeros."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        dense = np.where(random.random((4, 6)) < 0.3, random.integers(-3, 4, (4, 6)), 0.0)
        array = sa.asarray(dense, format=format)
        found = np.where(np.gradient(array)[1] > 0, array, 0)
        np.testing.assert_array_equal(
            found.todense(), np.where(np.gradient(dense)[1] > 0, dense, 0)
        )


BLOCKS = {
    "vbl": "vbl",
    "tiles": sa.formats.Dense(sa.formats.Tiles(height=2, width=2)),
    "lists": "csr",
}


@pytest.mark.parametrize("second", BLOCKS)
@pytest.mark.parametrize("first", BLOCKS)
def test_products_of_few_elements_in_blocks_need_little_room(
    first: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of blocks are counted as lists are: by the rows that their elements meet."""
    random, n = np.random.default_rng(5), 1200
    places, values = random.integers(0, n, (2, 300)), random.integers(1, 9, 300)
    lists = sa.from_coordinates(places, values, (n, n), format="csr").compute()
    a, b = (lists.asformat(BLOCKS[name]) for name in (first, second))
    monkeypatch.setattr(place, "available_for", lambda size: 200 * n)
    with sa.options(densify_limit=200 * n):
        found = (a @ b).compute()
    assert found.nnz > 0
    assert not (found != lists @ lists).any()


@pytest.mark.parametrize(
    "format", ["vbl", "bitmap", "csr", "packbits", "dia", "band", "sparse-rle"]
)
@pytest.mark.parametrize("other", ["vbl", "bitmap", "dia", "band", "dcsr"])
def test_products_of_all_kinds_of_rows_have_room(format: str, other: str) -> None:
    first = np.tri(7, 9, 2) * SPARSE[:7, :9]
    for left in (first, np.ones((7, 9)), np.zeros((7, 9))):
        for right in (np.tri(9, 8, 1), np.eye(9, 8)):
            found = sa.asarray(left, format=format) @ sa.asarray(right, format=other)
            np.testing.assert_allclose(found.todense(), left @ right)


def test_what_is_read_twice_counts_once() -> None:
    a, b = [sa.asarray(np.roll(SPARSE, k), format="csr") for k in (0, 1)]
    step = Executor().planner.plan(sa.where(a > b, a, b)._node)
    call = last_call(step)
    assert call is not None
    (where,) = call.pick.plan.places
    counts = [one.memo.get("by axis") or counts_by_axis(one) for one in call.given.tensors]
    sized = (call.given.tensors, call.given, counts, call.shape)
    room = where.lengths(*sized, lambda entries: True, {})
    assert room is not None
    assert room[-1] <= a.nstored + b.nstored + 1


def test_products_with_few_columns_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = sa.asarray(SPARSE, format="csr"), sa.asarray(SPARSE.T, format="csr")
    wanted = SPARSE @ SPARSE.T[:, :2]
    monkeypatch.setattr(bound_values.np, "diff", lambda *_: pytest.fail("they were counted"))
    product = (a @ b[:, :2].asformat("csr").compute()).compute()
    monkeypatch.undo()
    np.testing.assert_allclose(product.todense(), wanted)


def _combined(name: str, a: Any, b: Any, row: Any) -> Any:
    """A sum in which a row scales what another matrix may store without it."""
    match name:
        case "sum":
            return a * row + b
        case "product":
            return (a * row + b) * a
        case "maximum":
            return np.maximum(a * row, b)
        case "slices":
            return a[6:11] * b[6] + b[4:9]
        case "outer":
            return a[:, :, None] * row + b[:, None, :]
    return np.where(row > 0, a, 0) + b


@pytest.mark.parametrize("name", ["sum", "product", "maximum", "slices", "outer", "where"])
@pytest.mark.parametrize("seed", range(2))
def test_rows_that_are_looked_up_do_not_bound_what_is_stored_beside_others(
    name: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    a, b = [np.where(random.random((12, 7)) < 0.4, 1.0 + seed, 0.0) for _ in range(2)]
    row = np.where(np.arange(7) == 3, 2.0, 0.0)
    ours = [sa.asarray(one, format="csr") for one in (a, b)]
    wanted = _combined(name, a, b, row)
    for found in by_each_program(
        lambda: _combined(name, *ours, sa.asarray(row, format="list")).todense()
    ):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("modes", [2, 3])
def test_operands_of_some_modes_cover_a_result_together(modes: int) -> None:
    """One of all modes bounds it alone, one of none not at all: no product with these is less."""
    prefix = tuple(map(Index, "ijk"[:modes]))
    extents = {one: Lit("int64", 4 + k) for k, one in enumerate(prefix)}
    bound = _Bound(prefix, False, extents, simplifier(rules_in_force()), frozenset())

    def lists(number: int, *indices: Index) -> Access:
        format = parse("list", len(indices))
        ones = (False,) * len(indices)
        given = Input("float64", ones, number, format, Lit("float64", 0.0, True))
        return Access("float64", Operand(given), indices)

    def covers(*factors: Access) -> list[Expr]:
        value = reduce(lambda one, other: Call("float64", OPS["multiply"], (one, other)), factors)
        return bound._covers(value)

    every = product([counts.Children(number, 0) for number in range(modes)])
    assert covers(*map(lists, range(modes), prefix)) == [every]
    assert covers(lists(0, *prefix), lists(1, prefix[0])) == []
    assert covers(lists(0, *prefix), lists(1, Index("l"))) == []


def test_an_operand_that_is_looked_up_along_one_mode_bounds_nothing() -> None:
    row, column = Index("i"), Index("j")
    extents = {row: Lit("int64", 4), column: Lit("int64", 5)}
    bound = _Bound((row, column), False, extents, simplifier(rules_in_force()), frozenset())
    lists = Operand(Input("float64", (False,) * 2, 0, parse("csr", 2), Lit("float64", 0.0, True)))
    for indices in ((row, Protocol(column, "locate")), (Protocol(row, "locate"), column)):
        assert bound(Access("float64", lists, indices)) is bound.every
    assert bound(Access("float64", lists, (row, column))) is not bound.every


def test_a_window_over_lists_has_a_place_for_each_element() -> None:
    row, column, down, right = map(Index, "ijab")
    extents = {one: Lit("int64", 4) for one in (row, column)} | {
        one: Lit("int64", 3) for one in (down, right)
    }
    bound = _Bound((row, column), False, extents, simplifier(rules_in_force()), frozenset())

    def read(number: int, format: str, *indices: Expr) -> Access:
        given = Input("float64", (False,) * 2, number, parse(format, 2), Lit("float64", 0.0, True))
        return Access("float64", Operand(given), indices)

    held = read(0, "csr", Offset(row, down), Offset(column, right))
    weights = read(1, "dense", down, right)
    found = bound._shifted(Call("float64", OPS["multiply"], (held, weights)))
    assert len(found) == 1 and found[0].has(counts.Elements)
    assert bound._shifted(Call("float64", OPS["multiply"], (weights, held))) == []


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
def test_a_product_of_two_matrices_is_repeated_along_other_axes(format: str) -> None:
    data = np.eye(2), np.eye(2), np.ones((2, 30))
    with sa.options(tier="interpreted"):
        found = np.einsum("bk,kj,bi->bij", *[sa.asarray(one, format=format) for one in data])
        np.testing.assert_array_equal(found.todense(), np.einsum("bk,kj,bi->bij", *data))


def test_a_product_of_slices_has_room_for_what_lies_in_them() -> None:
    """The rows of the second factor that a sum visits are counted, not all that are stored."""
    dense = np.where(np.arange(800).reshape(40, 20) % 3 == 0, 1.0, 0)
    a, b = sa.asarray(dense.T.copy(), format="csr"), sa.asarray(dense, format="csr")
    product = a[:, 3:5] @ b[3:5]
    called = last_call(Executor().planner.plan(product._node))
    assert called is not None
    found = product.compute()
    ((*_, values),) = called.pick.plan.rooms(called.given, (found.shape,))
    assert found.nstored <= len(values) <= 20 * np.count_nonzero(dense[3:5]) + 1 < 400
    np.testing.assert_array_equal(found.todense(), dense.T[:, 3:5] @ dense[3:5])
