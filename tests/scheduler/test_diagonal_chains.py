"""Of three matrices of diagonals in a sum two are multiplied first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._execute.compute import reordered as in_order
from structarr._scheduler.reorder_products import reordered

RNG = np.random.default_rng(2)


def _band(n: int, offsets: list[int]) -> tuple[Any, sa.Array]:
    parts = [RNG.integers(1, 5, n - abs(k)).astype(float) for k in offsets]
    return sum(np.diag(one, k) for one, k in zip(parts, offsets, strict=True)), sa.diags(
        parts, offsets, (n, n)
    )


def _sums(node: Any) -> int:
    return int(reordered(node).sums)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_sums_of_products_of_diagonals(tier: str) -> None:
    one, a = _band(12, [-2, 0, 1])
    other, b = _band(12, [-11, 3])
    with sa.options(tier=tier):
        for x, y, z, p, q, r in ((a, a, a, one, one, one), (a, b, a, one, other, one)):
            for made, wanted in (
                (((x @ y) * z).sum(), ((p @ q) * r).sum()),
                (((x.T @ y) * z).sum(), ((p.T @ q) * r).sum()),
                (((x @ y.T) * z.T).sum(), ((p @ q.T) * r.T).sum()),
                ((z * (x @ y)).sum(axis=1), (r * (p @ q)).sum(axis=1)),
                ((x @ y @ z).sum(), (p @ q @ r).sum()),
                (np.trace(x @ y @ z), np.trace(p @ q @ r)),
            ):
                np.testing.assert_array_equal(np.asarray(made), wanted)


def test_two_of_three_are_multiplied_first() -> None:
    _, a = _band(12, [-2, 0, 1])
    assert _sums(((a @ a) * a).sum()._node) == 2
    lists = a.asformat("csr")
    assert _sums(((lists @ lists) * lists).sum()._node) == 1


def test_more_diagonals_than_are_told() -> None:
    """A product would be lists."""
    far = [-90, -70, -40, -10, 0, 20, 50, 80, 95]
    dense, a = _band(100, far)
    assert _sums(((a @ a) * a).sum()._node) == 1
    with sa.options(tier="interpreted"):
        found = np.asarray(((a @ a) * a).sum())
    np.testing.assert_array_equal(found, ((dense @ dense) * dense).sum())


@pytest.mark.parametrize("shape", [(9, 4), (4, 9), (6, 6)])
def test_diagonals_in_the_other_order(shape: tuple[int, int]) -> None:
    offsets = [-2, 0, 1, 3]
    dense = np.zeros(shape)
    for k in offsets:
        rows = np.arange(max(-k, 0), min(shape[0], shape[1] - k))
        dense[rows, rows + k] = RNG.integers(1, 9, len(rows))
    a = sa.asarray(dense, format="dia")
    wide = RNG.integers(0, 4, (shape[0], 70)).astype(float)
    other = sa.asarray(wide, format="dia")
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal((a.T @ other).todense(), dense.T @ wide)
        np.testing.assert_array_equal((other.T @ a).todense(), wide.T @ dense)
        turned = in_order(stored(a), (1, 0))
        np.testing.assert_array_equal(of_tensor(turned).todense(), dense)
    assert turned.format.order == (1, 0)
