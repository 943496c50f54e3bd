"""A regression with an effect of each worker and each firm, by alternating projections.

An effect is taken out by subtracting the mean of each group, of one group after the other, until
nothing changes. Groups are one place a row; sums over them are loops of one line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa

SUMS = "s[g] += G[i, g] * w[i] * v[i]"  # over groups, weighted
MEANS = "m[i] += G[i, g] * a[g]"  # each row that of its group


def within(v: Any, groups: list[Any], weights: Any, sweeps: int = 10_000) -> np.ndarray:
    """Return what is left of a vector without the means of its groups."""
    if not (len(v) and np.isfinite(v).all()):
        raise ValueError("give rows of finite numbers")
    if not (weights.min() >= 0 and 0 < weights.sum() < np.inf):
        raise ValueError("give weights that are finite, not negative, and not all zero")
    ones = np.ones(len(v))
    totals = [np.asarray(sa.loops(SUMS, G=G, w=weights, v=ones)) for G in groups]
    for _ in range(sweeps):
        before = v
        for G, total in zip(groups, totals, strict=True):
            sums = np.asarray(sa.loops(SUMS, G=G, w=weights, v=v))
            means = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
            v = v - np.asarray(sa.loops(MEANS, G=G, a=means))
        if np.abs(v - before).max() <= 1e-11 * (1 + np.abs(v).max()):
            return v
    raise ValueError(f"no end in {sweeps} sweeps: do the groups hardly overlap?")


def fit(X: Any, y: Any, groups: list[Any], weights: Any | None = None) -> np.ndarray:
    """Return the slopes of the columns of X beside an effect of each group."""
    weights = np.ones(len(y)) if weights is None else weights
    left = np.column_stack([within(one, groups, weights) for one in (*np.asarray(X).T, y)])
    root = np.sqrt(weights)[:, None]
    return np.linalg.lstsq(root * left[:, :-1], root[:, 0] * left[:, -1])[0]


def main() -> None:
    random, rows = np.random.default_rng(0), 50_000
    worker, firm = random.integers(0, 2000, rows), random.integers(0, 300, rows)
    X = random.standard_normal((rows, 2)) + 0.001 * worker[:, None]
    effects = random.standard_normal(2000)[worker] + random.standard_normal(300)[firm]
    y = X @ [1.5, -0.5] + effects + 0.01 * random.standard_normal(rows)
    slopes = fit(X, y, [sa.one_hot(worker, 2000), sa.one_hot(firm, 300)])
    np.testing.assert_allclose(slopes, [1.5, -0.5], atol=1e-3)
    print(f"slopes {slopes.round(3)} beside the effects of 2,000 workers and 300 firms")


if __name__ == "__main__":
    main()
