"""The order of products: priced by loops that lists can be read in."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr._array import stored
from structarr._execute.program_choice import Call
from structarr._lazy.rewrite.push_views import pushed
from structarr._scheduler.product_loops import Factor
from structarr._scheduler.product_order import best, ranked
from structarr._scheduler.reorder_products import Product
from structarr._storage.statistics import fullest, skews
from structarr._testing.forcing import witnessed
from structarr.formats import kinds

LENGTHS = {0: 1024, 1: 1024, 2: 1024, 3: 32}
ROWS = np.where(np.random.default_rng(0).random((40, 30)) < 0.2, 1.0, 0.0)


def lists(*labels: int) -> Factor:
    """A matrix of lists in dense rows."""
    return Factor(labels, 4096.0, labels[1:], labels)


def test_loops_lie_within_those_over_the_levels_above() -> None:
    vector = Factor((2,), 1024.0)
    assert best((lists(0, 1), lists(2, 1), vector), (0,), LENGTHS).tree == (0, (1, 2))


def test_rows_of_lists_times_a_dense_matrix_are_dense() -> None:
    dense = Factor((2, 3), 32 * 1024.0)
    assert best((lists(0, 1), lists(2, 1), dense), (0, 3), LENGTHS).tree == (0, (1, 2))


def test_rows_of_lists_times_rows_of_lists_are_lists() -> None:
    """A product of all rows with all rows is no dense matrix, which would be made for nothing."""
    lengths = dict.fromkeys(range(3), 16384)
    triangle = [lists(0, 2), lists(2, 1), lists(0, 1)]
    triangle = [one._replace(stored=131072.0, name=0) for one in triangle]
    plans = ranked(triangle, (), lengths)
    assert plans[0].tree == (0, 1, 2)
    (rows,) = (one for one in plans if one.tree == (0, (1, 2)))
    assert (1, 2) in rows.expected


def test_what_is_written_is_kept_unless_another_order_takes_less_by_a_quarter() -> None:
    thick = [lists(0, 1), lists(2, 1), lists(0, 3), lists(2, 3)]
    factors = [one._replace(stored=65536.0) for one in thick]
    lengths = dict.fromkeys(range(4), 4096)
    cheapest, *others = ranked(factors, (0, 2), lengths)
    spelled = next(one for one in others if one.tree == ((0, 1), (2, 3)))
    assert cheapest.cost < spelled.cost < cheapest.cost / 0.75
    preferred = ranked(factors, (0, 2), lengths, spelled.tree)
    assert preferred[0].tree == spelled.tree
    assert [one.tree for one in preferred].count(spelled.tree) == 1
    slow = (lists(0, 1), lists(1, 2), Factor((2,), 1024.0))
    assert ranked(slow, (0,), LENGTHS, ((0, 1), 2))[0].tree == (0, (1, 2))


def test_what_sums_nothing_is_not_priced_as_if_it_were_stored() -> None:
    factors = [lists(0, 1), lists(2, 1), lists(0, 3), lists(2, 3)]
    trees = [one.tree for one in ranked(factors, (0, 2), dict.fromkeys(range(4), 1024))]
    assert (0, 1, 2, 3) in trees
    assert ((0, 1), (2, 3)) in trees
    assert ((0, 2), (1, 3)) not in trees


def test_sums_are_known_as_they_are_written() -> None:
    a, b = (sa.asarray(np.ascontiguousarray(one), format="csr") for one in (ROWS, ROWS * 2))
    whole = Product.of(pushed(((a @ b.T) * (a @ a.T))._node), mixed=True)
    assert whole is not None
    assert whole.written == ((0, 1), (2, 3))


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo", "rle", "dense"])
def test_chains_of_products(format: str) -> None:
    a, x = sa.asarray(ROWS, format=format), np.arange(40.0)
    y = np.arange(80.0).reshape(40, 2)
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(np.asarray(a @ a.T @ x), ROWS @ (ROWS.T @ x))
        np.testing.assert_array_equal(np.asarray(a @ a.T @ sa.asarray(y)), ROWS @ (ROWS.T @ y))
        found = np.einsum("ij,kj,kl,ml,m->i", a, a, a, a, x)
        np.testing.assert_array_equal(np.asarray(found), ROWS @ (ROWS.T @ (ROWS @ (ROWS.T @ x))))


def test_sums_over_dense_axes_meet_the_same_places_again() -> None:
    """A sampled product stores no more than what samples it, and is made by itself."""
    dense = [Factor(labels, 32.0 * 1024) for labels in ((0, 3), (1, 3), (1, 4))]
    plan = best((lists(0, 1), *dense), (0, 4), {**LENGTHS, 4: 32})
    assert plan.tree == (3, (0, 1, 2))


def test_what_masks_a_product_is_no_further_factor() -> None:
    u, y, z = (np.arange(float(n * 2)).reshape(n, 2) for n in (40, 30, 30))
    found: list[Call] = []
    with sa.options(tier="interpreted"), witnessed(found.append):
        a = sa.asarray(ROWS, format="csr")
        got = (a * (sa.asarray(u) @ sa.asarray(y).T)) @ sa.asarray(z)
        np.testing.assert_allclose(got.todense(), (ROWS * (u @ y.T)) @ z)
    stored_once = [sum(not one.format.is_dense for one in call.given.tensors) for call in found]
    assert max(stored_once) == 1


def test_slices_are_read_in_the_order_of_their_levels() -> None:
    """The second factor is multiplied with the vector first: few rows are asked for."""
    a = np.where(np.random.default_rng(2).random((300, 300)) < 0.02, 1.0, 0.0)
    with sa.options(tier="interpreted"):
        given = sa.asarray(a, format="csr")
        product = Product.of(pushed((given @ given.T @ np.ones(300))[:5]._node))
    assert product is not None
    assert product.plan().tree == (0, (1, 2))


def test_a_branch_that_comes_again_is_computed_once() -> None:
    power = [lists(k, k + 1)._replace(name=0, stored=8192.0) for k in range(4)]
    lengths = dict.fromkeys(range(5), 1024)
    again, apart = (
        best(factors, (0, 4), lengths)
        for factors in (power, [one._replace(name=-1) for one in power])
    )
    assert again.tree == ((0, 1), (2, 3))
    assert again.cost < apart.cost


def test_powers_are_made_of_powers() -> None:
    square = np.where(np.random.default_rng(1).random((400, 400)) < 0.01, 1.0, 0.0)
    found: list[Call] = []
    with sa.options(tier="interpreted"):
        a, few = sa.asarray(square, format="csr"), sa.asarray(square[:12, :12], format="csr")
        power = np.linalg.matrix_power(few, 4)
        want = np.linalg.matrix_power(square[:12, :12], 4)
        np.testing.assert_array_equal(power.todense(), want)
        with witnessed(found.append):
            got = np.asarray(np.linalg.matrix_power(a, 9) @ np.ones(400))
        np.testing.assert_array_equal(got, np.linalg.matrix_power(square, 9) @ np.ones(400))
        assert all(one.results[0].ndim == 1 for one in found)


def test_equal_branches_are_one_node() -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(np.eye(3), format="csr")
    product = Product.of(np.linalg.matrix_power(a, 4)._node)
    assert product is not None
    whole = product.node(((0, 1), (2, 3)), product.result)
    branches = list(whole.args[0].args)
    for k, one in enumerate(branches):
        while one.kind != "reduce":
            (one,) = one.args
        branches[k] = one
    assert branches[0] is branches[1]


def test_a_long_chain_is_put_in_order() -> None:
    factors = [lists(k, k + 1) for k in range(11)]
    lengths = dict.fromkeys(range(12), 1024)
    tree = best((*factors, Factor((11,), 1024.0)), (0,), lengths).tree
    for k in range(10):
        one, tree = tree  # type: ignore[assignment]
        assert one == k
    assert tree == (10, 11)


def test_products_of_what_is_skewed_take_longer() -> None:
    """A matrix meets itself in its heavy columns, where half of its elements are."""
    vectors = Factor((2, 3), 1024.0 * 32)
    even = lists(0, 1)._replace(name=0), lists(2, 1)._replace(name=0), vectors
    skewed = [one._replace(skews=(1.0, 256.0)) if one.name == 0 else one for one in even]
    assert ranked(skewed, (0, 3), LENGTHS)[-1].cost > 16 * ranked(even, (0, 3), LENGTHS)[-1].cost


def test_stacks_that_come_again_are_in_order_too() -> None:
    """Only of matrices is it known how skewed they are."""
    rng = np.random.default_rng(0)
    a = np.where(rng.random((3, 4, 4)) < 0.4, rng.random((3, 4, 4)), 0.0)
    m = rng.random((4, 2))
    with sa.options(tier="interpreted"):
        ours = sa.asarray(a, format=formats.Dense(formats.Dense(formats.SparseList())))
        got = np.tensordot(ours @ np.matrix_transpose(ours), sa.asarray(m), axes=1)
        wanted = np.tensordot(a @ np.matrix_transpose(a), m, axes=1)
        np.testing.assert_allclose(got.todense(), wanted)


def test_degrees_are_counted_in_every_format() -> None:
    heavy = np.zeros((6, 8))
    heavy[:, 2], heavy[1, 5] = 1.0, 1.0
    with sa.options(tier="interpreted"):
        for format in ("csr", "csc", "coo", "dcsr"):
            tensor = stored(sa.asarray(heavy, format=format))
            assert fullest(tensor, 0) == 1.0
            assert fullest(tensor, 1) == 2 / 8
            assert skews(tensor) == pytest.approx((6 * 9 / 49, 8 * 37 / 49))
        assert fullest(stored(sa.ones((10**6, 10**6))), 0) == 1.0
        assert fullest(stored(sa.eye(8)), 0) == 1 / 8


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_rows_that_lie_apart_are_thin(format: str) -> None:
    blocks = np.kron(np.eye(3), np.ones((40, 40)))
    with sa.options(tier="interpreted"):

        def shares() -> list[float]:
            tensor = stored(sa.asarray(blocks, format=format))
            return [fullest(tensor, axis) for axis in range(2)]

        assert shares() == pytest.approx([1 / 3, 1 / 3])
        blocks[:, 0] = blocks[0] = 1.0  # the hulls of all begin there
        assert shares() == [1.0, 1.0]
        blocks[1:, 0] = blocks[0, 1:] = 0.0
        blocks[2::3, 0] = blocks[0, 2::3] = 1.0
        stored_ones = blocks != 0
        most = [stored_ones.sum(axis=axis).max() / 120 for axis in range(2)]
        assert shares() == pytest.approx(most)


def test_branches_of_three_axes_are_made_in_the_order_of_their_loops() -> None:
    """Cliques of four: no sum over the middle axis of a list of lists, which fills two axes."""
    rng = np.random.default_rng(0)
    g = np.triu(rng.random((40, 40)) < 0.1, 1).astype(float)
    ours = sa.asarray(g + g.T, format="csr")
    program = "ij,ik,il,jk,jl,kl->"
    calls: list[Call] = []
    with sa.options(tier="interpreted"), witnessed(calls.append):
        found = float(np.einsum(program, *[ours] * 6))
    assert found == np.einsum(program, *[g + g.T] * 6, optimize=True)
    for format in [result.format for call in calls for result in call.results]:
        assert sum(level.kind is kinds.DENSE for level in format.levels) < 2


def test_rows_that_are_turned_are_columns() -> None:
    rows = Factor((0, 1), 64.0, (1,), (0, 1))
    assert not rows.is_list(0, frozenset())
    assert rows.is_list(1, frozenset({0}))
    assert not rows.is_list(1, frozenset())
    assert rows.is_list(0, frozenset({1}))
    assert Factor((0, 1), 64.0, (0, 1), (0, 1)).is_list(1, frozenset())


def test_what_takes_a_pass_is_counted_only_where_the_order_depends_on_it() -> None:
    rng = np.random.default_rng(0)
    data = np.where(rng.random((60, 60)) < 0.2, 1.0, 0.0)
    with sa.options(tier="interpreted"):
        a, y = sa.asarray(data, format="csr").compute(), sa.asarray(rng.random(60))
        tensor = stored(a)
        counted = {"skews", ("hull", 1)}
        (a @ a.T @ y).compute()  # one vector after the other, whatever its columns hold
        (a @ y).compute()
        ((a - 1.0).sum(axis=0) + 0.0 * y).compute()
        assert not counted & tensor.memo.keys()
        (a * sa.asarray(data[::-1], format="csr")).sum().compute()
        assert ("hull", 1) in tensor.memo
        (a @ a.T @ (a @ a.T)).compute()
        assert "skews" in tensor.memo
