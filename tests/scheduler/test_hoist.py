"""Operations that would run too often: computed before the loops, once, with NumPy's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute.stand_ins import is_alike
from structarr._lazy.node import nodes_of
from structarr._scheduler import hoist, reorder_products
from structarr._scheduler.machine import Times
from structarr._testing.forcing import witnessed

N = 12
RNG = np.random.default_rng(0)
A = np.where(RNG.random((N, N)) < 0.4, RNG.random((N, N)), 0.0)
V, Z = RNG.random(N), RNG.random((N, 5))


def attention(a: Any, v: Any, z: Any) -> Any:
    w = np.where(a != 0, np.exp(a), 0.0)
    return (w / (1 + w.sum(axis=1, keepdims=True))) @ z


HOISTED: dict[str, Callable[..., Any]] = {
    "a function of a vector": lambda a, v, z: a.T @ (1 / (1 + np.exp(-(a @ v))) - v),
    "along columns": lambda a, v, z: a * np.log(1 + v),
    "along rows": lambda a, v, z: (np.sqrt(v)[:, None] * a * np.sqrt(v)) @ z,
    "of a list": lambda a, v, z: np.expm1(a * v) @ z,
    "a scaled sum": lambda a, v, z: (a * np.exp(v)).sum(axis=1),
    "of a union": lambda a, v, z: (a + np.tanh(v)[:, None]).max(axis=0),
    "in two kernels": attention,
    "a sum beside": lambda a, v, z: np.expm1(a) / (1 + np.expm1(a).sum()),
    "before a sum": lambda a, v, z: np.tanh(a).sum(axis=1),
    "before a product": lambda a, v, z: np.tanh(2 * a) @ z,
    "with a fill": lambda a, v, z: np.exp(a) / np.exp(a).sum(axis=0),
}


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls take no time, so that small operations are worth one."""
    monkeypatch.setattr(hoist, "times", lambda: Times(call=0.0))
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense", "band"])
@pytest.mark.parametrize("name", HOISTED)
def test_values_are_numpys(name: str, format: str) -> None:
    given = [sa.asarray(A, format=format), *map(sa.asarray, (V, Z))]
    np.testing.assert_allclose(HOISTED[name](*given).todense(), HOISTED[name](A, V, Z))


def kernels(compute: Callable[[], sa.Array]) -> int:
    """How many kernels compute a value."""
    calls: list[Any] = []
    with witnessed(calls.append):
        compute().compute()
    return len(calls)


def test_each_is_computed_once() -> None:
    a, v, z = sa.asarray(A, format="csr"), sa.asarray(V), sa.asarray(Z)
    assert kernels(lambda: a * np.log(2 + v)) == 2
    assert kernels(lambda: a * (2 + v)) == 1  # as quick as reading it
    # w, its sums, the quotient, the product.
    assert kernels(lambda: attention(a, v, z)) == 4


@pytest.mark.parametrize("name", HOISTED)
def test_formats_do_not_depend_on_it(name: str) -> None:
    node = HOISTED[name](sa.asarray(A, format="csr"), *map(sa.asarray, (V, Z)))._node
    made = hoist.kept(node, is_alike)
    made = hoist.hoisted(reorder_products.reordered(made), is_alike)
    assert made is not node
    assert is_alike(node, made)
    assert hoist.kept(node, lambda one, other: False) is node


def test_functions_of_mirrored_elements_are_applied_to_what_is_stored() -> None:
    dense = np.random.default_rng(4).random((300, 300))
    dense += dense.T
    a = sa.asarray(dense, format="symmetric")
    total = np.exp(a).sum(axis=0)
    made = hoist.hoisted(total._node, is_alike)
    assert [one.args[0].kind for one in nodes_of(made) if one.kind == "first"] == ["map"]
    assert np.allclose(np.asarray(total), np.exp(dense).sum(axis=0))


def test_nothing_is_hoisted_that_gives_a_result_another_format() -> None:
    node = (sa.asarray(A, format="csr") * np.log(1 + sa.asarray(V)))._node
    assert hoist.hoisted(node, lambda one, other: True) is not node
    assert hoist.hoisted(node, lambda one, other: False) is node
