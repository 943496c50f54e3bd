"""Arrays side by side that were looked at: they stay the parts for what is computed of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._lazy.side_by_side import is_joined

N = 40
RANDOM = np.random.default_rng(0)
CODES = RANDOM.integers(0, 30, N)
NUMBERS = RANDOM.random((N, 2))
NUMBERS.setflags(write=False)
DENSE = np.concatenate([NUMBERS, np.eye(30)[CODES]], axis=1)

LOOKS: dict[str, Callable[[Any], Any]] = {
    "asarray": np.asarray,
    "todense": lambda x: x.todense(),
    "str": str,
    "format": lambda x: x.format,
    "nstored": lambda x: x.nstored,
    "nbytes": lambda x: x.nbytes,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "to_scipy": lambda x: x.to_scipy("csr"),
    "rows": list,
    "dlpack": np.from_dlpack,
    "item": lambda x: x.item(3, 4),
    "may_share_memory": lambda x: np.may_share_memory(x, NUMBERS),
}


def numbers_and_categories() -> Any:
    return sa.concatenate([sa.asarray(NUMBERS).copy(), sa.one_hot(CODES, 30)], axis=1)


@pytest.mark.parametrize("look", LOOKS)
def test_parts_stay(look: str) -> None:
    x = numbers_and_categories()
    LOOKS[look](x)
    assert is_joined(x._node)
    np.testing.assert_allclose(np.asarray(x.T @ np.ones(N)), DENSE.sum(axis=0))
    np.testing.assert_array_equal(np.asarray(x), DENSE)
    assert x.format == "dense"
    assert x[3, 4] == DENSE[3, 4]


def test_it_is_put_together_once() -> None:
    x = numbers_and_categories()
    assert np.asarray(x) is np.asarray(x) or np.shares_memory(np.asarray(x), np.asarray(x))
    whole = x._whole
    assert x.nstored == x.size and x._whole is whole


def test_what_is_computed_or_assigned_to_is_the_whole() -> None:
    x = numbers_and_categories()
    np.asarray(x)
    x[0, 0] = 7
    assert np.asarray(x)[0, 0] == 7
    assert float((x[:1, :1]).sum()) == 7
    y = numbers_and_categories()
    np.asarray(y)
    assert not is_joined(y.compute()._node)
    np.testing.assert_array_equal(np.asarray(y), DENSE)


def test_a_whole_that_is_no_larger_takes_the_place_of_its_parts() -> None:
    half = sa.asarray(np.eye(N)[:, :20], format="csr")
    x = sa.concatenate([half, half], axis=1)
    assert x.format == "csr"
    assert not is_joined(x._node)


def test_the_format_is_that_of_the_value_after_numpy_has_read_it() -> None:
    lists = sa.asarray(np.eye(N), format="csr")
    x = sa.concatenate([lists, lists], axis=1)
    assert np.asarray(x).shape == (N, 2 * N)
    assert x.format == "csr"


def test_traces_take_the_parts_of_what_was_looked_at() -> None:
    @sa.jit
    def product(x: Any, r: Any) -> Any:
        return x.T @ r

    x = numbers_and_categories()
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(product(x, np.ones(N))), DENSE.sum(axis=0))
        np.asarray(x)
