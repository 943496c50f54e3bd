"""Expressions as text, and errors of memory that tell which part is too large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._lazy.told import spelling, told
from structarr.errors import DensificationError

A = sa.asarray(np.eye(3), format="csr")
V = sa.asarray(np.ones(3))
TEXTS: dict[str, Callable[[], Any]] = {
    "(A - B) @ (A - B).T": lambda: (A - V) @ (A - V).T,
    "A @ B": lambda: A @ V,
    "A @ B + A": lambda: V @ A + V,
    "(A + 2) * A": lambda: (A + 2) * A,
    "2 ** exp(A)": lambda: 2.0 ** np.exp(A),
    "sum(A * A)": lambda: (A * A).sum(),
    "maximum(A.T)": lambda: A.T.max(axis=0),
    "where(A > 0, A, 1j)": lambda: np.where(A > 0, A, 1j),
}


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_as_written(text: str) -> None:
    assert told(TEXTS[text]()._node) == text.replace("A @ B + A", "(A @ B) + A")


def test_long_parts_are_left_out() -> None:
    found = A
    for _ in range(20):
        found = found * 1.5 + V
    assert told(found._node) == "((((...) * 1.5) + B) * 1.5) + B"


@pytest.mark.parametrize(
    "make, part, instead",
    [
        (lambda a, v: a - v, "A - B", "(A - B) * (A != 0) stores what A does"),
        (lambda a, v: v[:, None] @ v[None], "A @ A: the dense product", "multiply it by a mask"),
        (lambda a, v: (np.exp(a) @ np.exp(a)).max(), "A @ B: the result", "* M is made where"),
    ],
)
def test_what_does_not_fit_is_told(make: Any, part: str, instead: str) -> None:
    n = 10**6
    ours = sa.from_coordinates(([0], [1]), [1.0], (n, n), format="csr")
    with (
        sa.options(tier="interpreted"),
        pytest.raises(DensificationError) as caught,
    ):
        make(ours, sa.asarray(np.ones(n))).compute()
    message = str(caught.value)
    assert message.startswith(part)
    assert str(n * n * 8) in message
    assert instead in message


def test_of_most_operations_nothing_is_known_to_fit() -> None:
    assert spelling((A * A)._node) == spelling(A._node) == ""
    assert spelling(np.exp(A * A)._node) == "expm1(A * A) stores what its operand does"
