"""Expressions too long to stay lazy: the long operands are computed, short ones are not."""

from __future__ import annotations

import numpy as np

import structarr as sa


def test_deviations_beside_a_long_divisor_are_not_formed() -> None:
    rng = np.random.default_rng(0)
    shape, count = (4000, 200_000), 5000  # 6 GB where it is formed
    places = rng.integers(0, shape[0], count), rng.integers(0, shape[1], count)
    a = sa.from_coordinates(places, rng.random(count), shape, format="csr")
    for _ in range(2):  # composites that were seen before count otherwise
        mean, deviation = a.mean(axis=0), a.std(axis=0)
        scaled = (a - mean) / np.where(deviation > 0, deviation, 1)
        found = (scaled @ np.ones(shape[1])).todense()
    part = np.flatnonzero(np.bincount(places[1], minlength=shape[1]))
    dense = a[:, part].todense()
    want = ((dense - dense.mean(axis=0)) / dense.std(axis=0)).sum(axis=1)
    np.testing.assert_allclose(found, want, atol=1e-9)


def test_long_sums_are_those_of_numpy() -> None:
    dense = np.eye(3)
    total, want = sa.asarray(dense, format="csr"), dense
    for k in range(200):
        total, want = total + dense * k + total * 0.5, want + dense * k + want * 0.5
        if k % 40 == 39:
            total, want = total / total.max(), want / want.max()
    np.testing.assert_allclose(total.todense(), want)
