"""Functions of several operations as one node: what they give, and when they are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import replay_table
from structarr._lazy import composite

SHAPE = (9, 7)
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "var": lambda a: np.var(a, axis=0, ddof=1),
    "std": lambda a: np.std(a, axis=1),
    "mean": lambda a: np.mean(a, axis=(0, 1)),
    "norm": np.linalg.norm,
    "trace": lambda a: np.trace(a @ a.T),
    "diagonal": lambda a: np.diagonal(a.T @ a),
    "moved diagonal": lambda a: np.diagonal(a, 1),
    "outer": lambda a: np.outer(a.sum(axis=0), a.sum(axis=1)),
    "cov": np.cov,
    "composed of composed": lambda a: np.std(np.outer(np.var(a, axis=0), np.mean(a, axis=1))),
    "of itself": lambda a: np.outer(a, a).sum(axis=0),
}


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


def drawn(seed: int) -> Any:
    """A matrix with as many entries for each seed."""
    random = np.random.default_rng(seed)
    made = np.zeros(SHAPE)
    made.reshape(-1)[random.permutation(made.size)[:20]] = random.random(20) + 0.5
    return made


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_follow_the_operands(name: str, format: str) -> None:
    for seed in range(3):
        plain = drawn(seed)
        found = FUNCTIONS[name](sa.asarray(plain, format=format))
        np.testing.assert_allclose(np.asarray(found), FUNCTIONS[name](plain), atol=1e-12)


def test_a_composition_is_one_node_and_is_replayed() -> None:
    replay_table._recorded.clear()
    for seed in range(2):
        found = np.var(sa.asarray(drawn(seed), format="csr"), axis=0)
        assert seed == 0 or found._node.definition is not None
        found.compute()
    kept = [*replay_table._recorded]
    np.var(sa.asarray(drawn(2), format="csr"), axis=0).compute()
    assert [*replay_table._recorded] == kept


def test_arguments_that_compare_equal_are_told_apart() -> None:
    array = sa.asarray(drawn(0), format="csr")
    kinds = [np.mean(array, dtype=kind).dtype for kind in (np.float32, np.float64, None)]
    assert kinds == [np.float32, np.float64, np.float64]
    for ddof in (0, 1, True, 1.0):
        np.testing.assert_allclose(np.var(array, ddof=ddof), np.var(drawn(0), ddof=ddof))


def test_errors_are_raised_at_each_call() -> None:
    array = sa.asarray(drawn(0), format="csr")
    for _ in range(2):
        with pytest.raises(ValueError, match="axis 2"):
            np.var(array, axis=2)


def test_what_others_may_write_is_read_at_the_call() -> None:
    vector = np.arange(1.0, 40_001.0)
    short = sa.asarray([1.0, 2.0])
    for _ in range(2):
        given = vector.copy()
        product = np.outer(given, short)
        given[:] = 0.0
        assert product[1, 1].item() == 4.0


def test_signs_of_zeros_are_kept() -> None:
    from structarr._lazy.graph import number

    for value in (0.0, -0.0, np.nan):
        assert repr(float(number(value, np.dtype(float)).data)) == repr(value)


def test_a_node_that_has_an_operand_twice_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of an array with itself and with another one are of one structure."""
    random = np.random.default_rng(3)
    plain = [np.where(random.random((6, 6)) < 0.4, random.random((6, 6)), 0.0) for _ in range(2)]
    with sa.options(tier="interpreted"):
        monkeypatch.setattr(composite, "_composites", {})
        ours = [sa.asarray(one, format="csr") for one in plain]
        for k in (0, 1):
            found = np.trace(ours[0].T @ ours[k])
            np.testing.assert_allclose(found.todense(), np.trace(plain[0].T @ plain[k]))
            noted = [key for key, *_ in composite._composites if isinstance(key, tuple)]
            assert "_traced" in [getattr(key[0], "__name__", "") for key in noted]
