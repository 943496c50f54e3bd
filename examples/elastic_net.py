"""An elastic net by coordinate descent on the products of centred columns.

`Z = X - mean` is written down, and `Z.T @ Z` computed block by block: categories stay one place a
row. Sweeps need only these products, and are compiled as a program, one step after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa


@sa.kernel
def sweep(products: Any, left: Any, b: Any, varied: Any, alpha: float, ridge: float) -> float:
    """Move each coefficient to where it is best; return how far values moved at most."""
    largest = 0.0
    for k in range(len(varied)):
        j = varied[k]
        slope = left[j] + products[j, j] * b[j]
        size = max(abs(slope) - alpha, 0.0) / (products[j, j] + ridge)
        step = (size if slope > 0.0 else -size) - b[j]
        b[j] += step
        left[0 : len(left)] -= products[j, 0 : len(left)] * step
        largest = max(largest, abs(step) * np.sqrt(products[j, j]))
    return largest


def fit(X: Any, y: Any, alpha: float, l1_ratio: float = 1.0, sweeps: int = 5000) -> np.ndarray:
    """Return coefficients and intercept; constant columns have coefficient 0.

    They minimise ``((y - X @ b - c) ** 2).mean() / 2`` and scikit-learn's penalties.
    """
    mean = np.asarray(X.mean(axis=0))
    Z, penalties = X - mean, (alpha * l1_ratio, alpha * (1 - l1_ratio))
    products = np.asarray(Z.T @ Z) / len(y)
    b, left = np.zeros(len(mean)), np.asarray(Z.T @ (y - y.mean())) / len(y)
    varied = np.flatnonzero(np.diag(products) > 1e-12 * (np.diag(products) + mean**2))
    finite = np.isfinite(products.sum() + left.sum())  # as nothing is without rows
    for _ in range(sweeps * finite):  # left is what Z.T @ (y - Z @ b) / len(y) comes to
        if sweep(products, left, b, varied, *penalties) <= 1e-10 * y.std():
            return np.append(b, y.mean() - mean @ b)
    raise ValueError("no solution: give rows of finite numbers, a larger alpha, or fewer columns")


def main() -> None:
    random, rows = np.random.default_rng(0), 5000
    kind, place = random.integers(0, 10, rows), random.integers(0, 40, rows)
    numbers = random.standard_normal((rows, 5))
    y = numbers[:, 0] - 2.0 * (kind == 3) + 0.1 * random.standard_normal(rows)
    X = sa.concatenate([numbers, sa.one_hot(kind, 10), sa.one_hot(place, 40)], axis=1)
    assert np.flatnonzero(fit(X, y, alpha=0.02)[:-1]).tolist() == [0, 5 + 3]
    print(f"a lasso finds 2 columns of {X.shape[1]}, those that the values were made of")


if __name__ == "__main__":
    main()
