"""The structure of results: by format and by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array
from structarr._scheduler.inputs import positioned
from structarr._storage.tensor import Tensor
from structarr.formats import (
    Bitmap,
    Dense,
    Hash,
    PackBits,
    RunList,
    SparseBand,
    SparseList,
    SparseRunList,
    SparseVBL,
    parse,
)

LIST = np.array([[0, 0, 3, 0, 0, 2, 0, 0], [0] * 8, [1, 0, 0, 0, 0, 0, 0, 4]], float)
OTHER = np.array(
    [[0, 5, 3, 0, 0, 0, 0, 0], [0, 0, 7, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 4]], float
)
BAND = np.array([[0, 0, 5, 6, 7, 0, 0, 0], [0, 2, 1, 0, 0, 0, 0, 0], [0] * 8], float)
RUNS = np.array([[2, 2, 2, 3, 3, 3, 3, 3], [1] * 8, [0, 0, 0, 0, 0, 0, 9, 9]], float)
FULL = np.arange(1.0, 25).reshape(3, 8)

DATA = {"csr": LIST, "band": BAND, "rle": RUNS, "dense": FULL, "bitmap": OTHER}


def operand(fmt: str, data: np.ndarray | None = None) -> Array:
    return sa.asarray(DATA[fmt] if data is None else data).asformat(fmt)


def check(result: Array, want: np.ndarray, fmt: str, fill: Any = 0) -> None:
    """The value, the format and the fill."""
    np.testing.assert_array_equal(result.todense(), want)
    assert result.format == fmt, (result.format, fmt)
    assert result.fill_value == fill
    assert result.dtype == want.dtype


@pytest.mark.parametrize("right", ["csr", "band", "rle", "dense", "bitmap"])
@pytest.mark.parametrize("swapped", [False, True])
def test_list_times_anything_is_a_list(right: str, swapped: bool) -> None:
    other = OTHER if right == "csr" else DATA[right]
    pair = [operand("csr"), operand(right, other)]
    values = [LIST, other]
    if swapped:
        pair, values = pair[::-1], values[::-1]
    result = np.multiply(*pair)
    check(result, np.multiply(*values), "csr")
    assert result.nstored <= operand("csr").nstored


def test_list_times_band_stays_within_the_band() -> None:
    result = operand("csr", FULL) * operand("band")
    check(result, FULL * BAND, "csr")
    assert result.nstored == operand("band").nstored


@pytest.mark.parametrize("right", ["band", "rle", "dense"])
def test_band_times_anything_but_a_list_is_a_band(right: str) -> None:
    check(operand("band") * operand(right), BAND * DATA[right], "band")
    check(operand(right) * operand("band"), DATA[right] * BAND, "band")


@pytest.mark.parametrize("op", [np.multiply, np.add])
def test_runs_with_runs_and_scalars_are_runs(op: np.ufunc) -> None:
    other = RUNS[::-1].copy()
    result = op(operand("rle"), operand("rle", other))
    check(result, op(RUNS, other), "rle", result.fill_value)
    scaled = op(operand("rle"), 2.5)
    check(scaled, op(RUNS, 2.5), "rle", scaled.fill_value)
    assert scaled.nstored == operand("rle").nstored


def test_equal_neighbours_merge() -> None:
    result = operand("rle") * 0.0
    assert result.format == "rle"
    assert result.nstored == 3


@pytest.mark.parametrize(
    ("right", "fmt"), [("csr", "csr"), ("band", "csr"), ("rle", "rle"), ("dense", "dense")]
)
def test_list_plus_anything_is_the_tightest_that_holds_both(right: str, fmt: str) -> None:
    other = OTHER if right == "csr" else DATA[right]
    result = operand("csr") + operand(right, other)
    check(result, LIST + other, fmt, result.fill_value)
    swapped = operand(right, other) + operand("csr")
    check(swapped, LIST + other, fmt, swapped.fill_value)


def test_band_plus_band_is_a_band() -> None:
    check(operand("band") + operand("band", BAND[::-1].copy()), BAND + BAND[::-1], "band")


@pytest.mark.parametrize("fmt", ["csr", "band", "rle", "bitmap"])
def test_plus_a_scalar_changes_the_fill_alone(fmt: str) -> None:
    before = operand(fmt)
    check(before + 2.5, DATA[fmt] + 2.5, fmt, before.fill_value + 2.5)
    assert (before + 2.5).nstored == before.nstored


@pytest.mark.parametrize(
    ("op", "fill"),
    [("greater", False), ("greater_equal", True), ("equal", True), ("not_equal", False)],
)
def test_comparisons_of_lists(op: str, fill: bool) -> None:
    result = getattr(np, op)(operand("csr"), operand("csr", OTHER))
    check(result, getattr(np, op)(LIST, OTHER), "csr", fill)


@pytest.mark.parametrize("op", ["minimum", "maximum"])
@pytest.mark.parametrize("fmt", ["csr", "band", "rle"])
def test_extremes(op: str, fmt: str) -> None:
    other = DATA[fmt][::-1].copy()
    result = getattr(np, op)(operand(fmt), operand(fmt, other))
    check(result, getattr(np, op)(DATA[fmt], other), fmt, result.fill_value)


def test_comparison_with_a_scalar_keeps_the_format() -> None:
    check(operand("csr") > 1, LIST > 1, "csr", False)
    check(operand("csr") < 1, LIST < 1, "csr", True)


def test_logical_and_of_lists_is_a_list() -> None:
    result = np.logical_and(operand("csr"), operand("rle"))
    check(result, np.logical_and(LIST, RUNS), "csr", False)


def test_a_format_depends_on_formats_alone() -> None:
    """Never on counts or values: an empty operand gives the same format."""
    empty = operand("csr", np.zeros((3, 8)))
    for other in ("csr", "band", "rle", "dense", "bitmap"):
        for op in (np.add, np.multiply):
            full, none = op(operand("csr"), operand(other)), op(empty, operand(other))
            assert full.format == none.format


LEVELS = [Dense, SparseList, SparseBand, RunList, Bitmap]


@pytest.mark.parametrize("outer", LEVELS)
@pytest.mark.parametrize("inner", LEVELS)
def test_levels_nest_in_any_order(outer: type, inner: type) -> None:
    tree = outer(inner(outer(inner())))
    rng = np.random.default_rng(0)
    data = np.where(rng.random((2, 3, 2, 3)) < 0.5, rng.integers(0, 3, (2, 3, 2, 3)), 0)
    array = sa.asarray(data).asformat(tree)
    np.testing.assert_array_equal(array.todense(), data)
    np.testing.assert_array_equal((array * data).todense(), data * data)
    np.testing.assert_array_equal((array + array).todense(), data + data)
    np.testing.assert_array_equal(array.sum(axis=(1, 3)).todense(), data.sum(axis=(1, 3)))


@pytest.mark.parametrize("outer", [SparseList, Hash])
@pytest.mark.parametrize("inner", [SparseVBL, PackBits, SparseRunList, SparseList, SparseBand])
def test_a_list_keeps_the_fibers_in_which_something_is_stored(outer: type, inner: type) -> None:
    """Some levels count blocks besides children, fewer of them: a fiber adds to both or neither."""
    data = np.zeros((6, 6))
    data[1, [0, 1, 2, 4]], data[3, [1, 2, 3, 5]], data[4, 3:] = [3, 2, 1, 5], [1, 1, 4, 2], 6
    kept = 6 if inner is PackBits else 3  # which stores every element of a fiber
    array = sa.asarray(data).asformat(outer(inner())).compute()
    none = sa.asarray(np.zeros((0, 6))).asformat("coo")
    results = [
        (array, data, kept),
        (array + array, data + data, kept),
        (np.concatenate([array, none, array]), np.concatenate([data, data]), 2 * kept),
    ]
    for result, want, fibers in results:
        tensor = result.compute()._tensor
        assert tensor is not None
        Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
        np.testing.assert_array_equal(result.todense(), want)
        assert tensor.counts[0] == fibers


def test_a_band_made_of_dense_data_stores_the_band_alone() -> None:
    data = np.zeros((4, 90))
    data[0, 40:43], data[2, 0], data[3, 89] = [1, 0, 2], 3, 4
    for array in (sa.asarray(data), sa.asarray(data).asformat("csr").compute()):
        band = array.asformat("band").compute()
        check(band, data, "band")
        assert band.nstored == 3 + 1 + 1
    assert operand("band").nstored == np.count_nonzero(BAND)


def test_memory_of_results_is_what_they_store() -> None:
    rng = np.random.default_rng(0)
    data = np.where(rng.random((200, 300)) < 0.02, 1.0, 0.0)
    sparse = sa.asarray(data).asformat("csr")
    for result in (sparse * sparse, sparse + sparse, sparse * data):
        tensor = result.compute()
        stored = np.count_nonzero(data)
        assert tensor.nbytes <= 1.5 * (16 * stored + 8 * 201)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex64"])
def test_hermitian_keeps_its_dtype_where_it_is_indexed(dtype: str) -> None:
    dense = np.array([[1, 0], [0, 1]], dtype)
    found = sa.asarray(dense, format="hermitian")[[1, 0]]
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.todense(), dense[[1, 0]])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        *(("a + b", True), ("a * b", True), ("-a", True), ("np.conjugate(a)", True)),
        *(("a - b + a", True), ("a / b", False), ("np.exp(a)", False), ("a * d", False)),
        *(("a + 1", False), ("a * 2.0", False), ("a * 2j", False), ("a + 0.5j", False)),
    ],
)
def test_hermitian_is_kept_of_hermitian_operands_alone(text: str, kept: bool) -> None:
    """A number is complex beside them, and no format depends on its value."""
    one = np.array([[1.0, 2 + 1j], [2 - 1j, 3.0]])
    values = {"a": one, "b": one @ one, "d": np.arange(4.0).reshape(2, 2), "np": np}
    ours = {key: sa.asarray(values[key], format="hermitian") for key in ("a", "b")}
    found = eval(text, values | ours)
    assert (found.format == sa.asarray(one, format="hermitian").format) == kept
    np.testing.assert_allclose(found.todense(), eval(text, values))


@pytest.mark.parametrize("format", ["triu", "dia", "csr"])
def test_a_relation_of_modes_ends_beside_a_mode_that_is_added_to(format: str) -> None:
    relation, other = np.triu(np.ones((4, 4))), np.arange(16.0).reshape(4, 4)
    program = """
    for i in range(4):
        for j in range(4):
            for k in range(4):
                for l in range(4):
                    C[i, j, l] += T[i, j] * B[k, l]
                    y[i] += B[k, l]
    """
    with sa.options(tier="interpreted"):
        found, sums = sa.loops(program, T=sa.asarray(relation, format=format), B=other)
        np.testing.assert_array_equal(found.todense(), np.einsum("ij,kl->ijl", relation, other))
        np.testing.assert_array_equal(sums.todense(), np.full(4, 4 * other.sum()))


def test_values_that_depend_on_an_index_alone_are_stored_over_a_fill_of_zero() -> None:
    a = np.array([0.0, 2, 0, 0, 3])
    with sa.options(tier="interpreted"):
        found = sa.loops("y[i] = i * a[i] + i", a=sa.asarray(a, format="list")).compute()
    np.testing.assert_array_equal(found.todense(), np.arange(5) * a + np.arange(5))
    assert found.fill_value == 0


def test_positions_are_as_narrow_as_is_asked_for() -> None:
    assert positioned(parse("csr", 2), "int32").index == "int32"
    assert positioned(parse("dense", 2), "int32") is parse("dense", 2)


@pytest.mark.parametrize(("text", "fmt"), [("y[i] += a[i]", "list"), ("y[i] = a[i]", "list")])
def test_what_is_added_once_has_the_format_of_what_is_added(text: str, fmt: str) -> None:
    a = sa.asarray([0.0, 2.0, 0.0, 3.0], format="list")
    check(sa.loops(text, a=a), np.array([0.0, 2.0, 0.0, 3.0]), fmt)


def test_what_is_missing_of_a_product_has_the_values_of_numpy() -> None:
    A, b = np.diag([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    text = "C[i, j] = coalesce(b[j] * A[permit(i - 1), j], D[i, j], 0.0)"
    given = {name: sa.asarray(one, format="csr") for name, one in (("A", A), ("D", A + 1))}
    found = sa.loops(text, b=b, extents={"i": 3, "j": 3}, **given)
    np.testing.assert_array_equal(found.todense(), np.vstack([(A + 1)[0], (A * b)[:2]]))
