"""Dense arrays side by side are written to their places, each once."""

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed

RANDOM = np.random.default_rng(3)
VECTORS = [RANDOM.random(6) for _ in range(7)]
CUBES = [RANDOM.random((2, 3, 4)) for _ in range(4)]


@pytest.mark.parametrize(
    "join",
    [
        lambda module: module.column_stack(list(map(module.asarray, VECTORS))),
        lambda module: module.stack(list(map(module.asarray, VECTORS)), axis=1),
        lambda module: module.stack(list(map(module.asarray, CUBES)), axis=2),
        lambda module: module.vstack([module.asarray(one).T for one in CUBES]),
        lambda module: module.stack([module.asarray(one).T for one in CUBES], axis=1),
    ],
)
def test_vectors_become_columns_without_joins_of_joins(join):
    calls = []
    with witnessed(calls.append):
        np.testing.assert_array_equal(np.asarray(join(sa)), join(np))
    assert calls == []
