"""An elastic net by coordinate descent on the products of centred columns.

`Z = X - mean` is written down, and `Z.T @ Z` computed block by block, each pair of blocks by their
structures: categories stay one place a row. The sweeps need only these products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa


def fit(X: Any, y: Any, alpha: float, l1_ratio: float = 1.0, sweeps: int = 5000) -> np.ndarray:
    """Return coefficients and intercept that minimise the squares and the penalties.

    They are ``((y - X @ b - c) ** 2).mean() / 2 + alpha * (l1_ratio * abs(b).sum() + (1 - l1_ratio)
    * (b @ b) / 2)``; a lasso with `l1_ratio` 1. Constant columns have coefficient 0.
    """
    rows = X.shape[0]
    mean = np.asarray(X.mean(axis=0))
    Z = X - mean
    products = np.asarray(Z.T @ Z) / rows
    b, right = np.zeros(X.shape[1]), np.asarray(Z.T @ (y - y.mean())) / rows
    left, curve = right.copy(), np.diag(products)  # right - products @ b
    varied = np.flatnonzero(curve > 1e-12 * (curve + mean**2))
    for _ in range(sweeps):
        largest = 0.0
        for j in varied:
            old = b[j]
            slope = left[j] + curve[j] * old
            size = max(abs(slope) - alpha * l1_ratio, 0) / (curve[j] + alpha * (1 - l1_ratio))
            b[j] = np.copysign(size, slope)
            left -= products[j] * (b[j] - old)
            largest = max(largest, abs(b[j] - old) * curve[j] ** 0.5)
        if largest < 1e-10 * y.std():
            return np.append(b, y.mean() - mean @ b)
    raise ValueError(f"no solution in {sweeps} sweeps: give a larger alpha, or fewer columns")


def main() -> None:
    random, rows = np.random.default_rng(0), 5000
    kind, place = random.integers(0, 10, rows), random.integers(0, 40, rows)
    numbers = random.standard_normal((rows, 5))
    y = numbers[:, 0] - 2.0 * (kind == 3) + 0.1 * random.standard_normal(rows)
    X = sa.concatenate([numbers, sa.one_hot(kind, 10), sa.one_hot(place, 40)], axis=1)
    found = np.flatnonzero(fit(X, y, alpha=0.02)[:-1])
    assert {*found} == {0, 5 + 3}, found
    print(f"a lasso finds {len(found)} columns of {X.shape[1]}, those that the values were made of")


if __name__ == "__main__":
    main()
