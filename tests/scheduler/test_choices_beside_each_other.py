"""Choices of the planner, each beside one that differs in one respect and ends elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._scheduler import pipeline
from structarr._scheduler.many_lists import _lists
from structarr._scheduler.stored_slices import _is_product_of_lists, applied

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
