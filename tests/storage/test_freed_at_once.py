"""Values are freed with the last that refers to them: none waits in a cycle for the collector.

A cycle would keep the memory of temporaries from the next call, which takes fresh pages then.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._storage.tensor import Tensor
from structarr._value import stored

RANDOM = np.random.default_rng(0)
X = sa.hstack(
    [RANDOM.random((300, 2)), *[sa.one_hot(RANDOM.integers(0, n, 300), n) for n in (5, 40)]]
)
MANY, ONE = RANDOM.random((47, 3)), RANDOM.random(47)
SPARSE = sa.asarray(RANDOM.random((60, 60)) * (RANDOM.random((60, 60)) < 0.1), format="csr")

CALLS: dict[str, Callable[[], Any]] = {
    "product of parts": lambda: X @ MANY,
    "rows of parts": lambda: X[:100] @ ONE,
    "standardised": lambda: (X - ONE).T @ np.ones(300),
    "weighted product": lambda: (X.T @ (np.ones(300)[:, None] * X)).asformat("dense"),
    "variance": lambda: X.var(axis=0),
    "product of lists": lambda: SPARSE @ SPARSE @ np.ones(60),
    "dense in its own order": lambda: sa.asarray(MANY).asformat("dense") + 1,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_call_leaves_values_in_cycles(call: Callable[[], Any]) -> None:
    for _ in range(3):
        call().compute()  # which plans it, and notes the plan
    assert [one for one in _uncollected(call) if isinstance(one, Tensor)] == []


def _uncollected(call: Callable[[], Any]) -> list[object]:
    """What calls leave that the collector alone would free."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for _ in range(3):
            call().compute()
        gc.collect()
        return list(gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_what_is_in_order_already_is_itself() -> None:
    from structarr._execute.compute import reordered

    tensor = stored(sa.asarray(MANY))
    assert reordered(tensor, (0, 1)) is tensor is reordered(tensor, (0, 1))
    assert not any(one is tensor for one in tensor.memo.values())
