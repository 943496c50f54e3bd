"""Large products by BLAS are written to memory that was used before."""

from __future__ import annotations

import numpy as np
import pytest

from structarr._support import buffer_pool
from structarr._support.pooled_products import matmul

SHAPES = [
    ((300, 200), (200, 100)),
    ((20_000, 3), (3,)),
    ((3,), (3, 20_000)),
    ((7, 50, 60), (60, 70)),
    ((7, 50, 60), (7, 60, 70)),
    ((2, 3), (3, 4)),
    ((20_000,), (20_000,)),
    ((0, 300), (300, 300)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES)
@pytest.mark.parametrize("dtype", [np.float64, np.int32, bool])
def test_products_are_numpys(
    left: tuple[int, ...], right: tuple[int, ...], dtype: type[np.generic]
) -> None:
    random = np.random.default_rng(0)
    a, b = (random.integers(0, 5, shape).astype(dtype) for shape in (left, right))
    made, wanted = matmul(a, b), np.matmul(a, b)
    assert (made.dtype, made.shape) == (wanted.dtype, wanted.shape)
    assert np.array_equal(made, wanted)


def test_dtypes_are_promoted() -> None:
    a, b = np.ones((300, 200), np.float32), np.ones((200, 300))
    assert matmul(a, b).dtype == np.float64


def test_memory_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = buffer_pool.empty
    monkeypatch.setattr(buffer_pool, "empty", lambda n, t: taken.append(n) or take(n, t))
    a = np.ones((300, 200))
    matmul(a, a.T)
    matmul(a[:3], a.T)  # so small that C's allocator keeps it
    assert taken == [300 * 300]
