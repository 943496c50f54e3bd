"""Maps of sums: what is done to each element is done in the kernel that sums, where that can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.options import Forced, force
from structarr._execute import call_size
from structarr._scheduler.epilogue import totals_of
from structarr._testing.forcing import witnessed

RNG = np.random.default_rng(7)
DENSE = np.where(RNG.random((9, 7)) < 0.4, RNG.integers(-4, 5, (9, 7)), 0) * 1.0
X, B = RNG.random(7), RNG.random(9)
FORMATS = ("csr", "dcsr", "coo", "rle", "sparse-rle", "vbl", "band", "bitmap", "packbits", "ragged")
FORMATS += ("hash", "dense", "csc")

EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "step": lambda a: 0.85 * (a @ X) + 0.15,
    "residual": lambda a: B - a @ X,
    "clipped": lambda a: np.maximum(a @ X - 0.5, 0),
    "squared": lambda a: (a @ X) * (a @ X) + B,
    "mean": lambda a: a.mean(axis=1),
    "largest": lambda a: 1.0 - a.max(axis=1) / 2,
    "rows": lambda a: B[:, None] - a @ np.outer(X, [1.0, 2.0]),
    "chosen": lambda a: np.where(a @ X > 1.0, B, 0.0),
    "kept": lambda a: np.sign(a.sum(axis=1, keepdims=True) - 1),
    "norm": lambda a: np.sqrt((a * a).sum()),
    "number": lambda a: 1.0 - a.max() * 0.5,
    "of two": lambda a: a.sum() / np.abs(a).sum() + 1.0,
}


def calls_of(expression: Any) -> tuple[np.ndarray, int]:
    """The value of an expression, and the number of kernels that it takes."""
    calls: list[Any] = []
    with witnessed(calls.append):
        return np.asarray(expression), len(calls)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("fmt", FORMATS)
def test_sums_are_mapped_as_in_numpy(fmt: str, name: str) -> None:
    make = EXPRESSIONS[name]
    with sa.options(tier="interpreted"):
        got = np.asarray(make(sa.asarray(DENSE, format=fmt)))
    np.testing.assert_allclose(got, make(DENSE), atol=1e-12)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("fmt", FORMATS)
def test_sums_of_nothing_are_mapped(fmt: str) -> None:
    with sa.options(tier="interpreted"):
        for data in (DENSE[:, :0], DENSE[:0]):
            a = sa.asarray(data, format=fmt)
            for name in ("mean", "kept", "norm", "of two"):
                with np.errstate(all="ignore"):
                    want = EXPRESSIONS[name](data)
                np.testing.assert_array_equal(np.asarray(EXPRESSIONS[name](a)), want)


ONE = ["step", "residual", "clipped", "squared", "rows", "chosen", "norm", "number"]


@pytest.mark.parametrize("name", ONE)
def test_one_kernel_sums_and_maps(name: str) -> None:
    a = sa.asarray(DENSE, format="csr").compute()
    with sa.options(tier="interpreted"):
        assert calls_of(EXPRESSIONS[name](a))[1] == 1


def test_one_number_of_a_large_array_is_mapped_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces add it up, and none of them has the whole."""
    sa.clear_cache()
    monkeypatch.setattr(call_size, "LARGE", 16)
    with sa.options(tier="interpreted"):
        found, calls = calls_of(EXPRESSIONS["norm"](sa.asarray(DENSE, format="csr")))
    assert calls == 2
    np.testing.assert_allclose(found, EXPRESSIONS["norm"](DENSE))


def test_sums_that_end_together_are_mapped_afterwards() -> None:
    """By columns, every sum grows until the last column; all are mapped when they are complete."""
    a = sa.asarray(DENSE, format="csc").compute()
    with sa.options(tier="interpreted"):
        found, calls = calls_of(0.5 * (a @ X) + 1)
    assert calls == 2
    np.testing.assert_allclose(found, 0.5 * (DENSE @ X) + 1)


def test_what_numpy_applies_to_vectors_is_applied_to_one() -> None:
    a = sa.asarray(DENSE, format="csr").compute()
    with sa.options(tier="interpreted"):
        assert calls_of(np.tanh(a @ X) + 1)[1] == 2


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "complex64", "bool"])
def test_sums_round_as_those_that_are_stored(dtype: str) -> None:
    """The sum is of the dtype that it has as an array, to the bit, before it is mapped."""
    data = (RNG.random((5, 600)) * 100).astype(dtype)
    a = sa.asarray(data, format="csr")
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            total = np.asarray(a.sum(axis=1))
            found = np.asarray(a.sum(axis=1) * 3 - 1)
            np.testing.assert_array_equal(found, total * 3 - 1)
            assert found.dtype == (total * 3 - 1).dtype


def test_pieces_of_rows_are_mapped_piece_by_piece() -> None:
    data = np.where(RNG.random((300, 40)) < 0.3, 1.5, 0.0)
    x, b = RNG.random(40), RNG.random(300)
    with sa.options(tier="interpreted"), force(Forced(pieces=7)):
        found = np.asarray(b - 2 * (sa.asarray(data, format="csr") @ x))
    np.testing.assert_allclose(found, b - 2 * (data @ x))


@pytest.mark.filterwarnings("ignore:invalid value")
def test_replays_take_other_numbers_and_lengths() -> None:
    with sa.options(tier="interpreted"):
        for factor in (0.5, 2.0, 0.0, np.nan, np.inf, 0.25):
            for rows in (9, 4, 0, 9):
                a = sa.asarray(DENSE[:rows], format="csr")
                want = factor * (DENSE[:rows] @ X) + factor
                np.testing.assert_allclose(np.asarray(factor * (a @ X) + factor), want)


@pytest.mark.parametrize(("format", "count"), [("symmetric", 2), ("csr", 1)])
def test_sums_over_mirrored_matrices_are_mapped_after_them(format: str, count: int) -> None:
    """No row's sum is complete before the last row."""
    matrix = DENSE[:7] + DENSE[:7].T
    found, calls = calls_of(0.85 * (sa.asarray(matrix, format=format) @ X) + 0.15)
    np.testing.assert_allclose(found, 0.85 * (matrix @ X) + 0.15)
    assert calls == count


@pytest.mark.parametrize("fmt", FORMATS)
def test_several_sums_are_mapped_where_the_last_one_is(fmt: str) -> None:
    other = DENSE[::-1] * 2.0
    a, b = sa.asarray(DENSE, format=fmt).compute(), sa.asarray(other, format="csr").compute()
    with sa.options(tier="interpreted"):
        two, calls = calls_of(B - a.sum(axis=1) * b.sum(axis=1))
        three, more = calls_of(a @ X + b @ X - b.max(axis=1))
    np.testing.assert_allclose(two, B - DENSE.sum(axis=1) * other.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(three, DENSE @ X + other @ X - other.max(axis=1), atol=1e-12)
    if fmt == "csr":
        assert (calls, more) == (2, 3)


def test_several_sums_of_lists_are_not_mapped_where_they_end() -> None:
    """A sum along the outer axis of lists may be a list itself, which is no dense vector."""
    data = np.zeros((5, 6))
    data[1, 2], data[4, 3] = 2.0, 3.0
    for fmt in ("dcsr", "coo", "csr", "dcsc"):
        a = sa.asarray(data, format=fmt)
        with sa.options(tier="interpreted"):
            found = np.asarray(2.0 * a.sum(axis=1) + a.max(axis=1) - a.sum(axis=1))
        np.testing.assert_array_equal(found, data.sum(axis=1) + data.max(axis=1))


@pytest.mark.parametrize("dtypes", [("int8", "float32"), ("float32", "float64"), ("bool", "int64")])
def test_sums_of_several_dtypes_are_mapped_as_arrays_are(dtypes: tuple[str, str]) -> None:
    one, two = [(DENSE * 20).astype(name) for name in dtypes]
    a, b = sa.asarray(one, format="csr"), sa.asarray(two, format="csr")
    want = one.sum(axis=1) - two.sum(axis=1)
    with sa.options(tier="interpreted"):
        found = np.asarray(a.sum(axis=1) - b.sum(axis=1))
    assert found.dtype == want.dtype
    np.testing.assert_allclose(found, want, rtol=1e-6)


def test_sums_that_are_converted_are_mapped_where_they_end() -> None:
    array = sa.asarray(np.eye(5, 6), format="csr")
    totals = totals_of((2 * array.sum(axis=1).astype(np.float32))._node)
    assert [one.kind for one in totals] == ["reduce"]
    assert totals_of((2 * array.sum(axis=1, keepdims=True) + array)._node) == []
