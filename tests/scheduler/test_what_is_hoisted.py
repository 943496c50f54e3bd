"""What pays to be computed before, by the estimates alone: values would not show a dearer plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._lazy import graph
from structarr._lazy.graph import Node, leaf
from structarr._scheduler import hoist
from structarr._scheduler.machine import Times

N = 10
FULL = np.arange(1.0, N * N + 1).reshape(N, N)
DENSE = sa.asarray(FULL)
LIST = sa.asarray(np.where(FULL % 3 == 0, FULL, 0.0), format="csr")
OTHER = sa.asarray(np.where(FULL % 4 == 0, FULL, 0.0), format="csr")


def cost(monkeypatch: pytest.MonkeyPatch, **given: float) -> None:
    """Have operations take so many nanoseconds: a function of a vector takes one an element."""
    times = {"call": 0.0, "vector": 1.0, "function": 20.0, **given}
    monkeypatch.setattr(hoist, "times", lambda: Times(**times))


def always(node: Node, other: Node) -> bool:
    return True


def never_asked(*args: Any) -> Any:
    raise AssertionError("nothing is to be asked of this expression")


def used(node: Node, kernels: int) -> hoist._Uses:
    uses = hoist._Uses()
    for kernel in range(kernels):
        uses.visit(node, kernel)
    return uses


def test_expressions_without_functions_or_sums_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hoist, "unified", never_asked)
    for array in (DENSE / DENSE.sum(axis=1), np.exp(DENSE) + 1):
        assert hoist.kept(array._node, always) is array._node


def test_functions_in_two_kernels_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    node = (np.exp(DENSE) / np.exp(DENSE).sum(axis=1))._node
    cost(monkeypatch)
    assert hoist.kept(node, always) is not node
    assert hoist.kept(node, lambda node, other: False) is node
    cost(monkeypatch, call=1e9)
    assert hoist.kept(node, always) is node


def test_what_is_stored_once_is_weighed_against_each_use(monkeypatch: pytest.MonkeyPatch) -> None:
    node = np.exp(DENSE)._node  # 300 ns for all elements, 200 to store them
    cost(monkeypatch, call=100.0)
    assert [hoist.pays_once(node, uses) for uses in (1, 2, 3)] == [False, False, True]
    assert [used(node, kernels).pays(node) for kernels in (1, 2, 3)] == [False, False, True]
    cost(monkeypatch, call=99.0)
    assert [hoist.pays_once(node, uses) for uses in (1, 2)] == [False, True]


def test_what_may_be_stored_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    node = np.exp(DENSE)._node
    cost(monkeypatch)
    for limit, pays in ((8 * N * N, True), (8 * N * N - 1, False)):
        with sa.options(densify_limit=limit):
            assert used(node, 2).pays(node) is pays


def test_shared_parts_are_visited_once() -> None:
    visited: list[Node] = []

    class Counting(hoist._Uses):
        def visit(self, node: Node, kernel: int) -> None:
            visited.append(node)
            super().visit(node, kernel)

    node = np.exp(DENSE)._node
    for _ in range(8):
        node = graph.elementwise("add", (node, node))
    Counting().visit(node, 0)
    assert len(visited) == 2 * 8 + 2  # each operation from both sides of a sum, and the array


def test_elementwise_operations_alone_are_candidates() -> None:
    node = (np.exp(DENSE).T + 1)._node
    assert {one.kind for one in used(node, 1).maps.values()} == {"map"}


def test_functions_anywhere_are_found() -> None:
    cheap = DENSE * 2 + 1
    assert hoist._has_functions(np.exp(DENSE)._node)
    assert hoist._has_functions((np.exp(DENSE) + 1)._node)
    assert not hoist._has_functions(cheap._node)


def test_dear_is_what_is_computed_in_the_same_loops() -> None:
    assert hoist._is_dear((DENSE / 3)._node) is True
    assert hoist._is_dear(DENSE._node) is False
    assert hoist._is_dear(np.exp(DENSE).sum(axis=0)._node) is False
    assert hoist._is_dear((DENSE * 2)._node) is False


def test_loops_merge_lists_of_different_coordinates() -> None:
    assert hoist._merges((LIST + OTHER)._node)
    assert hoist._merges((LIST.T * 2.0 + OTHER.astype("float32"))._node)
    assert not hoist._merges((LIST * 2)._node)
    assert not hoist._merges((LIST + DENSE)._node)
    twice = leaf(stored(LIST * 2))  # has the coordinates of the operand
    assert not hoist._merges(graph.elementwise("add", (LIST._node, twice)))


def test_cheap_operations_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cost(monkeypatch)
    merged = np.exp(LIST + OTHER)._node  # a function of each element of a union
    assert hoist.hoisted(merged, always) is not merged
    monkeypatch.setattr(hoist, "_visits", never_asked)
    joined = np.concatenate([np.exp(DENSE), DENSE])
    for array in (LIST * DENSE, np.exp(LIST), np.hypot(LIST, OTHER), joined):
        assert hoist.hoisted(array._node, always) is array._node


def test_a_part_pays_beyond_a_call_and_its_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    node = np.exp(DENSE)._node  # 3 ns in a loop, as much apart, and 2 to store
    for call, pays in ((100.0, False), (99.0, True)):
        cost(monkeypatch, call=call)
        assert hoist._Hoisting(2.0 * N * N, False, False)._pays(node) is pays


def test_mirrored_elements_are_stored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cost(monkeypatch)
    node = np.exp(sa.asarray(FULL + FULL.T, format="symmetric"))._node
    for limit, pays in ((8 * N * N // 2, False), (8 * N * (N + 1) // 2, True)):
        with sa.options(densify_limit=limit):
            assert hoist._Hoisting(9.0 * N * N, False, False)._pays(node) is pays


def test_mirrored_elements_are_visited_where_they_are_read() -> None:
    symmetric = sa.asarray(FULL + FULL.T, format="symmetric")
    assert hoist._visits((symmetric * 2)._node) == N * N
    assert hoist._visits((LIST * 2)._node) == LIST.nstored
