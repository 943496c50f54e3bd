"""Rooms of results whose operands have axes along which nothing varies, wherever those stand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import (
    Bitmap,
    Constant,
    Dense,
    Format,
    Level,
    Ragged,
    SparseBand,
    SparseList,
    SparseRunList,
    SparseVBL,
)

ROWS = np.zeros((5, 3))
ROWS[[1, 4, 4], [1, 0, 2]] = 2.0, 1.0, 1.0
DATA = np.repeat(ROWS[:, :, None], 4, axis=2)
GIVEN: dict[str, Format] = {
    "outermost": Format(Constant(Dense(SparseList())), (2, 0, 1)),
    "between": Format(Dense(Constant(SparseList())), (0, 2, 1)),
    "innermost": Format(Dense(SparseList(Constant())), (0, 1, 2)),
    "above bands": Format(Constant(Dense(SparseBand())), (2, 0, 1)),
}
ASKED: dict[str, Level] = {
    "ragged lists": Dense(Ragged(SparseList())),
    "ragged rows": Dense(Ragged(Constant())),
    "bands of lists": Dense(SparseBand(SparseList())),
    "lists of ragged": SparseList(Ragged(Dense())),
}
EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "chosen": lambda a: np.where(a, a, a),
    "of parts": lambda a: a[1:] + a[:-1],
    "scaled": lambda a: a * 2.5,
}


@pytest.mark.parametrize("given", GIVEN)
def test_hulls_of_operands_with_constant_axes(given: str) -> None:
    with sa.options(tier="interpreted"):
        array = sa.asarray(DATA).asformat(GIVEN[given]).compute()
        for asked in ASKED.values():
            for name, apply in EXPRESSIONS.items():
                result = apply(array).asformat(asked)
                np.testing.assert_array_equal(result.todense(), apply(DATA), err_msg=name)


def test_hulls_below_an_axis_of_length_zero() -> None:
    nothing = Format(Constant(Bitmap(SparseRunList())), (2, 1, 0))
    with sa.options(tier="interpreted"):
        array = sa.asarray(np.zeros((0, 1, 1))).asformat(nothing)
        result = np.where(array, array, array).asformat(SparseVBL(Ragged(SparseList())))
        assert result.todense().shape == (0, 1, 1)


def test_pairs_of_operands_with_constant_axes() -> None:
    square = np.array([[0.0, 2, 0], [1, 0, 0], [0, 0, 3]])
    deep = np.repeat(square[:, :, None], 4, axis=2)
    with sa.options(tier="interpreted"):
        a = sa.asarray(square, format="csr")
        for root, order in (
            (Dense(SparseList(Constant())), (0, 1, 2)),
            (Constant(Dense(SparseList())), (2, 0, 1)),
            (Dense(Constant(SparseList())), (0, 2, 1)),
        ):
            b = sa.asarray(deep).asformat(Format(root, order))
            for labels in ("ij,jkc->ik", "ij,jkc->ikc", "ijc,jk->ik"):
                given = (b, a) if labels.startswith("ijc") else (a, b)
                plain = (deep, square) if labels.startswith("ijc") else (square, deep)
                found = sa.einsum(labels, *given).asformat("list")
                np.testing.assert_array_equal(found.todense(), np.einsum(labels, *plain))
