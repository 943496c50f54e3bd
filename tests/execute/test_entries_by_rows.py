"""Lists of entries are read by rows where the value is dense, and nothing shows it but the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._execute.dense_values import dense_to_read
from structarr._storage import statistics
from structarr._storage.memo import is_remembered

RNG = np.random.default_rng(11)
DENSE = np.where(RNG.random((30, 20)) < 0.2, RNG.integers(1, 9, (30, 20)), 0.0)
DENSE[[0, 7, 29]] = 0
WIDE, TALL = RNG.integers(0, 5, (20, 4)).astype(float), RNG.integers(0, 5, (30, 4)).astype(float)

Call = Callable[[Any], Any]

DENSE_EITHER_WAY: dict[str, Call] = {
    "product and sum": lambda a: a @ WIDE + TALL,
    "of the transpose": lambda a: a.T @ TALL + WIDE,
    "centred": lambda a: (a - DENSE.mean(axis=0)) @ WIDE,
    "beside": lambda a: a + DENSE.max() * (DENSE == 0),
    "twice": lambda a: TALL.T @ (a @ WIDE),
}
LISTS: dict[str, Call] = {
    "product": lambda a: a @ WIDE,
    "from the left": lambda a: TALL.T @ a,
    "of the transpose": lambda a: a.T @ TALL,
}
VECTORS: dict[str, Call] = {
    "with a vector": lambda a: a @ np.arange(float(a.shape[1])),
    "with a vector from the left": lambda a: np.arange(float(a.shape[0])) @ a,
    "sum of rows": lambda a: a.sum(axis=0),
    "sum of columns": lambda a: (a * 2.0).sum(axis=1),
}
BESIDE: dict[str, Call] = {
    "and a sum": lambda a: a @ WIDE[:, 0] + TALL[:, 0],
    "of a product": lambda a: a.T @ (a @ WIDE[:, 0]),
    "a number": lambda a: ((TALL[:, 0] - a @ WIDE[:, 0]) ** 2).sum(),
    "of rows that are taken": lambda a: a[[3, 1, 8, 8]] @ WIDE[:, 0],
    "centred": lambda a: (a - DENSE.mean(axis=0)) @ WIDE[:, 0],
    "of what is not zero": lambda a: (a + 1.0).sum(axis=1),
}


def _entries(dense: Any = DENSE) -> sa.Array:
    return sa.asarray(dense, format="coo")


def _is_by_rows(array: sa.Array) -> bool:
    tensors = (stored(array), stored(array.T))
    return any(is_remembered(one, "by rows", None) for one in tensors)


@pytest.mark.parametrize("name", DENSE_EITHER_WAY)
def test_what_is_dense_either_way_is_computed_by_rows(name: str) -> None:
    a, call = _entries(), DENSE_EITHER_WAY[name]
    with sa.options(tier="interpreted"):
        found = call(a).compute()
    np.testing.assert_allclose(found.todense(), call(DENSE))
    assert stored(found).format.is_dense
    assert _is_by_rows(a)


@pytest.mark.parametrize("name", LISTS)
def test_numpy_reads_sums_by_rows_and_their_format_stays(name: str) -> None:
    call, wanted = LISTS[name], LISTS[name](DENSE)
    a = _entries()
    with sa.options(tier="interpreted"):
        product = call(a)
        np.testing.assert_array_equal(np.asarray(product), wanted)
        np.testing.assert_array_equal(np.asarray(product), wanted)  # of what is kept
        assert _is_by_rows(a)
        assert product.format == call(_entries()).format
        assert not stored(product).format.is_dense
        np.testing.assert_array_equal(product.todense(), wanted)
        np.testing.assert_array_equal((product + 1.0).todense(), wanted + 1.0)


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("shape", [(30, 20), (4, 90)])
def test_vectors_are_summed_by_rows_where_these_are_long(name: str, shape: tuple[int, int]) -> None:
    dense = np.where(RNG.random(shape) < 0.6, RNG.integers(1, 9, shape), 0.0)
    dense[2] = 0
    call, a = VECTORS[name], _entries(dense)
    with sa.options(tier="interpreted"):
        found = call(a)
        np.testing.assert_array_equal(np.asarray(found), call(dense))
        assert _is_by_rows(a) == (shape == (4, 90))
        assert found.format == call(_entries(dense)).format
        assert not stored(found).format.is_dense
        np.testing.assert_array_equal(found.todense(), call(dense))


TAKEN: dict[str, Call] = {
    "with a vector": lambda a: a @ WIDE[:, 0],
    "with a matrix": lambda a: a @ WIDE,
    "sum of rows": lambda a: a.sum(axis=1),
    "sum of columns": lambda a: (a * 2.0).sum(axis=0),
    "greatest": lambda a: a.max(axis=1),
}


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("rows", [[4], [3, 1, 8, 8], list(range(29, -1, -1))])
def test_many_rows_that_are_taken_are_looked_up_by_pointers(name: str, rows: list[int]) -> None:
    dense = np.where(RNG.random((30, 20)) < 0.9, RNG.integers(1, 9, (30, 20)), 0.0)
    dense[8] = 0.0
    call, wanted = TAKEN[name], TAKEN[name](dense[rows])
    with sa.options(tier="interpreted"):
        a = _entries(dense)
        np.testing.assert_allclose(np.asarray(call(a[rows])), wanted)
        assert is_remembered(stored(a), "by rows", None) == (128 * len(rows) > a.nstored)
        np.testing.assert_allclose(np.asarray(call(_entries(dense.T).T[rows])), wanted)
        found = call(_entries(dense)[rows]).compute()
        np.testing.assert_allclose(found.todense(), wanted)
        assert found.format == call(a[rows]).format


def test_rows_taken_of_more_rows_than_entries() -> None:
    few = sa.from_coordinates(([5, 10**9], [0, 1]), [2.0, 3.0], (10**12, 20))
    with sa.options(tier="interpreted"):
        found = np.asarray(few[[10**9, 7, 5]] @ WIDE[:, 0])
    np.testing.assert_allclose(found, [3.0 * WIDE[1, 0], 0.0, 2.0 * WIDE[0, 0]])
    assert not _is_by_rows(few)


@pytest.mark.parametrize("name", BESIDE)
def test_vectors_that_are_a_part(name: str) -> None:
    call, csr = BESIDE[name], sa.asarray(DENSE, format="csr")
    with sa.options(tier="interpreted"):
        np.testing.assert_allclose(np.asarray(call(_entries())), call(DENSE))
        np.testing.assert_allclose(np.asarray(call(_entries()).compute()), call(DENSE))
        np.testing.assert_allclose(np.asarray(call(csr)), call(DENSE))


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b: a @ b,
        lambda a, b: a.T @ b.T,
        lambda a, b: (a @ b) * a,
        lambda a, b: 2.0 * (a @ b),
        lambda a, b: a @ b @ a,
    ],
)
def test_products_of_lists_are_computed_by_rows(call: Callable[[Any, Any], Any]) -> None:
    one, other = (np.where(RNG.random((20, 20)) < 0.3, 2.0, 0.0) for _ in range(2))
    one[[0, 5, 19]], other[3] = 0, 0
    a, b = _entries(one), _entries(other)
    with sa.options(tier="interpreted"):
        found = call(a, b).compute()
        np.testing.assert_array_equal(found.todense(), call(one, other))
        np.testing.assert_array_equal(np.asarray(call(a, b)), call(one, other))
        np.testing.assert_array_equal(call(a, b).sum().item(), call(one, other).sum())
        rows, few = sa.from_coordinates(([2], [0]), [3.0], (10**6, 20)), b[:, :2]
        np.testing.assert_array_equal((rows @ few)[2].todense(), 3.0 * other[0, :2])
    assert str(found.format) in ("dcsr", "dcsc")
    assert _is_by_rows(a)
    assert _is_by_rows(b)
    assert not _is_by_rows(rows)


DIAGONALS: dict[str, Call] = {
    "of a matrix": lambda a: np.diagonal(a),
    "above": lambda a: np.diagonal(a, 3),
    "below": lambda a: np.diagonal(a, -4),
    "of the transpose": lambda a: np.diagonal(a.T, 1),
    "scaled": lambda a: np.diagonal(a) * 2.0,
    "trace": lambda a: np.trace(a),
    "of two": lambda a: np.diagonal(a, 1)[:19] + np.diagonal(a)[:19],
}


@pytest.mark.parametrize("name", DIAGONALS)
@pytest.mark.parametrize("shape", [(30, 20), (20, 30), (20, 20), (25, 120)])
def test_diagonals_are_looked_for_in_rows_and_have_the_same_format(
    name: str, shape: tuple[int, int]
) -> None:
    dense = np.where(RNG.random(shape) < 0.4, RNG.integers(1, 9, shape), 0.0)
    call = DIAGONALS[name]
    with sa.options(tier="interpreted"):
        a = _entries(dense)
        np.testing.assert_array_equal(np.asarray(call(a)), call(dense))
        entries, rows = call(_entries(dense)), call(sa.asarray(dense, format="csr"))
        np.testing.assert_array_equal(np.asarray(entries.compute()), call(dense))
        assert str(entries.format) == str(rows.format)
    if name in ("of a matrix", "above", "below", "trace"):
        assert _is_by_rows(a) == (shape == (25, 120))


def test_sums_over_other_lists_are_not_looked_up_again() -> None:
    with sa.options(tier="interpreted"):
        for array in (sa.asarray(DENSE, format="csr"), sa.asarray(DENSE, format="dcsr")):
            total, number = array.sum(axis=0), array.sum()
            assert dense_to_read(total._node) is None
            assert dense_to_read(number._node) is None
            np.testing.assert_array_equal(np.asarray(total), DENSE.sum(axis=0))


def test_a_sum_over_more_rows_than_entries_stays_a_list() -> None:
    few = np.zeros((200, 3))
    few[[3, 150], [0, 2]] = 1.0, 2.0
    with sa.options(tier="interpreted"):
        a = _entries(few)
        np.testing.assert_array_equal(np.asarray(a.sum(axis=1)), few.sum(axis=1))
        assert not _is_by_rows(a)


def test_what_numpy_reads_is_computed_once() -> None:
    with sa.options(tier="interpreted"):
        product = _entries() @ WIDE
        assert np.shares_memory(np.asarray(product), np.asarray(product))
        assert not np.shares_memory(product.todense(), np.asarray(product))


def test_assignment_after_reading() -> None:
    with sa.options(tier="interpreted"):
        product, wanted = _entries() @ WIDE, DENSE @ WIDE
        np.testing.assert_array_equal(np.asarray(product), wanted)
        product[3, 1] = wanted[3, 1] = -7.0
        np.testing.assert_array_equal(np.asarray(product), wanted)


def test_more_rows_than_entries_stay_a_list() -> None:
    a = sa.from_coordinates(([5, 10**9], [0, 1]), [2.0, 3.0], (10**12, 2))
    with sa.options(tier="interpreted"):
        product = (a @ np.ones((2, 3))).compute()
    assert product.nstored == 6
    assert not _is_by_rows(a)
    few = sa.from_coordinates(([5, 90], [0, 1]), [2.0, 3.0], (100, 2))
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal((few @ np.ones((2, 3)))[90].todense(), np.full(3, 3.0))
        assert np.asarray(few @ np.ones((2, 3))).sum() == 15.0
    assert not _is_by_rows(few)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: a.reshape(20, 30) @ TALL,
        lambda a: a[[3, 1, 8]] @ WIDE,
        lambda a: a[2:9] @ WIDE,
        lambda a: np.kron(a, np.ones((2, 1))) @ WIDE,
        lambda a: np.concatenate([a, a]) @ WIDE,
        lambda a: np.cumsum(a, axis=1) @ WIDE,
        lambda a: (a[:, :, None] * WIDE).max(axis=1),
        lambda a: a[np.ix_([1, 4], [0, 3])] @ WIDE[:2],
    ],
)
def test_expressions_of_other_kinds(call: Call) -> None:
    with sa.options(tier="interpreted"):
        np.testing.assert_allclose(np.asarray(call(_entries())), call(DENSE))
        np.testing.assert_allclose(call(_entries()).asformat("dense").todense(), call(DENSE))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (1, 7), (7, 1)])
def test_shapes(shape: tuple[int, int]) -> None:
    dense = np.ones(shape)
    with sa.options(tier="interpreted"):
        product = _entries(dense) @ np.ones((shape[1], 2))
        np.testing.assert_array_equal(np.asarray(product), dense @ np.ones((shape[1], 2)))


@pytest.mark.parametrize(("n", "count"), [(300_000, 600_000), (3_000_000, 100_000)])
@pytest.mark.parametrize(
    "call", [lambda a: a @ a, lambda a: a @ a.T, lambda a: a.T @ a, lambda a: a.T @ a.T]
)
def test_products_of_long_matrices_have_room_for_what_they_store(
    n: int, count: int, call: Call
) -> None:
    """Of more rows than entries, too; all elements would take terabytes."""
    random = np.random.default_rng(0)
    rows, columns = random.integers(0, n, (2, count))
    columns[: count // 2] = rows[count // 2 :]
    plain = sp.csr_array((np.ones(count), (rows, columns)), shape=(n, n))
    found = call(sa.from_coordinates((rows, columns), np.ones(count), (n, n))).compute()
    assert abs(found.to_scipy().tocsr() - call(plain).tocsr()).nnz == 0


MORE: dict[str, Callable[..., Any]] = {
    "and a vector": lambda a, x, y: y - a @ x,
    "centred": lambda a, x, y: (a - y) @ x,
    "centred, columns": lambda a, x, y: (a - y) @ np.stack([x, y], axis=1),
    "of a product": lambda a, x, y: a.T @ (a @ x),
    "both ways": lambda a, x, y: x @ a + a @ y,
    "sum of a product": lambda a, x, y: (a @ a).sum(axis=1),
    "squares": lambda a, x, y: (a**2).sum(axis=0),
    "a number": lambda a, x, y: y @ (a @ x),
    "what is not finite": lambda a, x, y: (a - y) @ np.where(x == 1, np.inf, x),
}


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("lent", [False, True])
@pytest.mark.parametrize("name", MORE)
def test_more_rows_than_entries(name: str, lent: bool, tier: str) -> None:
    n, call = 200, MORE[name]
    dense = np.zeros((n, n))
    dense[RNG.integers(0, n, 30), RNG.integers(0, n, 30)] = RNG.integers(1, 9, 30)
    x, y = RNG.integers(0, 3, n) * 1.0, RNG.integers(0, 3, n) * 1.0
    with np.errstate(invalid="ignore"):
        wanted = call(dense, x, y)
    given = (x, y) if lent else (sa.asarray(x, copy=True), sa.asarray(y, copy=True))
    with sa.options(tier=tier):
        found = call(_entries(dense), *given)
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-12)
        again = call(_entries(dense), *given).compute()
        np.testing.assert_allclose(np.asarray(again), wanted, rtol=1e-12)


@pytest.mark.usefixtures("as_shipped")
def test_the_format_of_sums_of_many_rows_does_not_depend_on_who_looks() -> None:
    dense = np.zeros((200, 200))
    dense[3, 5] = dense[3, 7] = dense[90, 1] = 2.0
    a = _entries(dense)
    for call in (lambda one: one.sum(axis=1), lambda one: (one @ one).sum(axis=1)):
        read, plain = call(a), call(a)
        np.testing.assert_array_equal(np.asarray(read), call(dense))
        assert read.format == plain.format
        assert read.nstored == plain.nstored


def test_vectors_longer_than_what_is_dense_stay_lists() -> None:
    """A part that nobody has asked for as a dense array may have far more elements."""
    rows = 10**13
    a = sa.from_coordinates(([5, 10**12], [0, 1]), [1.0, 2.0], (rows, 3))
    x = sa.asarray([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(np.asarray(x + ((a @ x) ** 2).sum()), [18.0, 19.0, 20.0])


def test_few_entries_are_thin_without_being_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = np.zeros((50, 40))
    dense[:20, 3] = 1.0
    monkeypatch.setattr(statistics, "_counts_of", None)
    tensor = stored(_entries(dense))
    assert statistics.fullest(tensor, 0, 0.5) == 20 / 50
    assert statistics.fullest(tensor, 1, 0.5) == 20 / 40
    monkeypatch.undo()
    assert statistics.fullest(tensor, 1) == 1 / 40


PAIRS: dict[str, Call] = {
    "from the right": lambda a: _rows(DENSE.T) @ a,
    "of the transpose": lambda a: _rows(DENSE[:, :7].T) @ a,
    "times the transpose": lambda a: _rows(DENSE) @ a.T,
    "transposed rows": lambda a: _rows(DENSE).T @ a,
    "scaled and added": lambda a: _rows(DENSE.T) @ a * 2.0 + _rows(DENSE.T) @ _rows(DENSE),
}


def _rows(dense: Any) -> Any:
    return sa.asarray(np.ascontiguousarray(dense), format="csr")


@pytest.mark.parametrize("name", PAIRS)
def test_rows_times_entries_are_rows_times_rows(name: str) -> None:
    a, call = _entries(), PAIRS[name]
    with sa.options(tier="interpreted"):
        found = call(a).compute()
        wanted = call(_rows(DENSE)).compute()
    np.testing.assert_array_equal(found.todense(), wanted.todense())
    assert found.format == wanted.format
    assert _is_by_rows(a)


def test_rows_times_entries_of_few_rows_go_along_them() -> None:
    dense = np.zeros((400, 30))
    dense[[3, 77], [5, 6]] = 1.0
    a, rows = _entries(dense), _rows(np.arange(1200.0).reshape(3, 400) % 3)
    with sa.options(tier="interpreted"):
        found = (rows @ a).compute()
    np.testing.assert_array_equal(found.todense(), rows.todense() @ dense)
    assert not _is_by_rows(a)
