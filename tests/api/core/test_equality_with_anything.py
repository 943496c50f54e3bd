"""Equality with what is no array: elementwise, as NumPy's, and never one truth value."""

from __future__ import annotations

import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest

import structarr as sa

X = np.array([[0.0, 1.0], [2.0, 0.0]])
COMPARISONS: list[Callable[[Any, Any], Any]] = [
    lambda a, other: a == other,
    lambda a, other: a != other,
    lambda a, other: other == a,
    lambda a, other: other != a,
]
OTHERS = (None, "x", b"x", {}, {1: 2}, set(), object(), Ellipsis, int, range(2))


def _named(value: Any) -> str:
    """What names a test in each process: an object's own text has its address."""
    return "object" if type(value) is object else repr(value)


@pytest.mark.parametrize("format", ["csr", "dense", "rle"])
@pytest.mark.parametrize("other", [*OTHERS, array.array("d", [0, 1])], ids=_named)
def test_it_is_elementwise(other: Any, format: str) -> None:
    a = sa.asarray(X, format=format)
    for compare in COMPARISONS:
        found = compare(a, other)
        assert found.dtype == bool
        assert np.array_equal(found, compare(X, other))


def test_it_takes_no_memory() -> None:
    assert (sa.zeros((10**6, 10**6)) == None).nbytes == 1  # noqa: E711


def test_it_is_elementwise_under_jit() -> None:
    traced = sa.jit(lambda a: (a != None) * a)  # noqa: E711
    for _ in range(3):
        assert np.array_equal(traced(sa.asarray(X, format="csr")), X)


def test_other_classes_answer_for_themselves() -> None:
    assert (sa.asarray(X) == mock.ANY) is True
    assert (sa.asarray(X) != mock.ANY) is False


@pytest.mark.parametrize("other", [Fraction(1, 2), Decimal(1)], ids=repr)
def test_other_numbers_are_refused_by_name(other: Any) -> None:
    for compare in COMPARISONS:
        with pytest.raises(TypeError, match=f"not compared with a {type(other).__name__}"):
            compare(sa.asarray(X), other)


@pytest.mark.parametrize("other", [["a", "b"], [None, 1]], ids=repr)
def test_arrays_of_other_things_are_refused_by_dtype(other: Any) -> None:
    with pytest.raises(TypeError, match=r"dtype .* is not supported"):
        sa.asarray(X) == np.array(other)  # noqa: B015
