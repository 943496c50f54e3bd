"""What is outside of an array is outside of an expression of it, even where that is constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

DENSE = np.array([[1, 3, 0], [3, -3, 0], [0, 0, 2]])
EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "joined": lambda a: np.concatenate([a * 0, a]),
    "joined by columns": lambda a: np.concatenate([a * 0, a], 1),
    "padded": lambda a: np.pad(a * 0, 1, constant_values=1),
    "stacked": lambda a: np.vstack([a[:1] * 0, a]),
    "inserted": lambda a: np.insert(a * 0, 1, 5, axis=0),
    "no bits": lambda a: np.concatenate([a & 0, a], 1),
    "true": lambda a: np.concatenate([np.logical_or(1, a), a == 1], 1),
    "chosen": lambda a: np.concatenate([np.where(True, 1, a), a]),
}


@pytest.mark.parametrize("format", ["dense", "csr", "coo", "rle", "band"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_constants_end_where_their_array_does(name: str, format: str) -> None:
    found = EXPRESSIONS[name](sa.asarray(DENSE, format=format))
    np.testing.assert_array_equal(found.todense(), EXPRESSIONS[name](DENSE))


def test_many_axes_are_padded_in_time() -> None:
    """The same structure is known as part of an expression that was split, and by itself."""
    dense = np.arange(5).reshape(1, 1, 5)
    for mode in ("edge", "wrap"):
        found = np.pad(sa.asarray(dense, format="coo"), 2, mode=mode)
        np.testing.assert_array_equal(found.todense(), np.pad(dense, 2, mode=mode))  # type: ignore[call-overload]


@pytest.mark.parametrize("format", ["tril", "triu", "symmetric", "hermitian", "dia", "csr"])
def test_an_axis_between_related_ones(format: str) -> None:
    dense = {"tril": np.tri(3), "triu": np.tri(3).T}.get(format, np.ones((3, 3)))
    array = sa.asarray(dense, format=format)
    np.testing.assert_array_equal((array[:, None, :] * 2).todense(), dense[:, None, :] * 2)
    np.testing.assert_array_equal((-array[:, None]).todense(), -array.todense()[:, None])


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_numbers_that_a_condition_chooses_are_numpys(tier: str) -> None:
    dense = np.array([0, 1, 0, 2])
    z = sa.asarray(dense, format="list")
    with sa.options(tier=tier), np.errstate(all="ignore"):
        quotient = np.where(z == 0, 1.0, 2.0) / np.where(z == 0, 0.0, 1.0)
        np.testing.assert_array_equal(quotient.todense(), [np.inf, 2, np.inf, 2])
        wrapped = np.where(z == 0, -1, 1).astype("uint8")
        np.testing.assert_array_equal(wrapped.todense(), [255, 1, 255, 1])


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "bool", "complex64"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_complex_numbers_become_others(dtype: str, tier: str) -> None:
    dense = np.array([1 + 2j, 0, 3 - 1j])
    with sa.options(tier=tier):
        found = sa.asarray(dense, format="list").astype(dtype)
        np.testing.assert_array_equal(found.todense(), dense.astype(dtype))


@pytest.mark.parametrize("format", ["csr", "coo", "rle", "band", "interval"])
@pytest.mark.parametrize("number", [0, 0.0, 1])
def test_a_choice_between_equal_numbers_is_joined(format: str, number: float) -> None:
    dense = np.zeros((5, 2))
    dense[0] = 2
    a = sa.asarray(dense, format=format)
    for axis in (0, 1):
        found = np.concatenate([np.where(a, number, 0), a, np.where(a, number, number)], axis)
        parts = [np.where(dense, number, 0), dense, np.full((5, 2), number)]
        np.testing.assert_array_equal(found.todense(), np.concatenate(parts, axis))


def test_a_workspace_as_long_as_a_joined_axis() -> None:
    point = sa.asarray(np.ones((1, 1), bool), format="point")
    vector = sa.asarray(np.array([0, 3], np.uint32), format="sparse-rle")
    assert np.matmul(np.hstack([point, point]), vector).tolist() == [3]


def test_joins_of_equal_structure_have_their_own_values() -> None:
    rows = sa.asarray(np.array([[0, 7, 0.0]]), format="csr")
    for value in (1.5, 2.5):
        constant = np.broadcast_to(sa.full((), value), (1, 3))
        assert np.concatenate([constant, constant]).tolist() == [[value] * 3] * 2
        assert np.concatenate([rows + value, constant])[1].tolist() == [value] * 3
