"""A Poisson model of counts, by iteratively reweighted least squares on columns of mixed structure.

Numbers are dense, categories one place a row. The step is traced once; in each, the weighted
product `X.T @ (w[:, None] * X)` is computed block by block, and nothing is put together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa


@sa.jit
def step(X: Any, eta: Any, y: Any, weights: Any) -> tuple[Any, Any]:
    """Return the weighted squares of the columns, and their products with the working response."""
    mean = np.exp(eta)
    w = weights * mean
    return X.T @ (w[:, None] * X), X.T @ (w * eta + weights * (y - mean))


def fit(X: Any, y: Any, weights: Any | None = None, steps: int = 50) -> np.ndarray:
    """Return the coefficients of ``log(mean) = X @ b``; any of them if columns are collinear."""
    weights = np.ones(len(y)) if weights is None else weights
    if not (len(y) and y.min() >= 0 and weights.min() >= 0 and 0 < weights @ y < np.inf):
        raise ValueError("give counts and weights that are finite, not negative, and not all zero")
    eta = np.log((y + np.average(y, weights=weights)) / 2)
    for _ in range(steps):
        squares, products = map(np.asarray, step(X, eta, y, weights))
        if not np.isfinite(squares).all():
            raise ValueError("the columns have to be finite")
        size = np.sqrt(np.diag(squares)) + (np.diag(squares) == 0)  # whatever a column's unit is
        b = np.linalg.lstsq(squares / np.outer(size, size), products / size, rcond=1e-12)[0] / size
        eta, before = np.asarray(X @ b), eta
        if np.abs(eta - before).max() < 1e-10 * (1 + np.abs(eta).max()):
            return b
    raise ValueError(f"no solution in {steps} steps: do the columns separate some of the counts?")


def main() -> None:
    random, rows = np.random.default_rng(0), 20_000
    area, power = random.integers(0, 6, rows), random.integers(0, 12, rows)
    age = random.uniform(-1, 1, rows)
    claims = random.poisson(np.exp(-1.5 + 0.1 * area - 0.05 * power + 0.4 * age))

    numbers = np.column_stack([np.ones(rows), age])
    X = sa.concatenate([numbers, sa.one_hot(area, 6), sa.one_hot(power, 12)], axis=1)
    mean = np.exp(np.asarray(X @ fit(X, claims.astype(float))))

    for codes in (area, power):  # each category has as many claims as are expected of it
        counts = np.bincount(codes, claims)
        np.testing.assert_allclose(np.bincount(codes, mean), counts, rtol=1e-6)
    print(f"a Poisson model of {rows:,} rows and {X.shape[1]} columns, some of them collinear")


if __name__ == "__main__":
    main()
