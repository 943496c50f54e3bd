"""A Poisson model of counts, by iteratively reweighted least squares on a frame of mixed columns.

The design matrix is the frame's columns side by side: numbers are dense, categories one place a
row. `X.T @ (w[:, None] * X)` is computed block by block, and no block is ever formed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import structarr as sa


def fit(X: Any, y: Any, weights: Any | None = None, steps: int = 50) -> np.ndarray:
    """Return the coefficients of ``log(mean) = X @ b``.

    Where columns are collinear, they are those of least norm in the last step.
    """
    weights = np.ones(len(y)) if weights is None else weights
    mean = (y + np.average(y, weights=weights)) / 2
    eta, b = np.log(mean), np.zeros(X.shape[1])
    for _ in range(steps):
        w = weights * mean
        hessian = np.asarray(X.T @ (w[:, None] * X))
        gradient = np.asarray(X.T @ (w * (eta + (y - mean) / mean)))
        before, b = b, np.linalg.lstsq(hessian, gradient, rcond=1e-12)[0]
        eta = np.asarray(X @ b)
        mean = np.exp(eta)
        if np.abs(X @ (b - before)).max() < 1e-9:
            return b
    raise ValueError(f"the steps do not become small in {steps}: are some counts separable?")


def frame(rows: int) -> tuple[dict[str, Any], Any]:
    """Return columns of policies, and their claims."""
    random = np.random.default_rng(0)
    area, power = random.integers(0, 6, rows), random.integers(0, 12, rows)
    age = random.uniform(18, 80, rows)
    rate = np.exp(-1.5 + 0.1 * area - 0.05 * power + 0.4 * (age < 25))
    columns = {"age": (age - 50) / 20, "area": area, "power": power}
    return columns, random.poisson(rate).astype(float)


def main() -> None:
    columns, claims = frame(20_000)
    dense = [columns["age"][:, None], np.ones((len(claims), 1))]
    hot = [sa.one_hot(columns[name], columns[name].max() + 1)[:, 1:] for name in ("area", "power")]
    X = sa.concatenate([*dense, *hot], axis=1)
    b = fit(X, claims)
    slope = np.asarray(X.T @ (claims - np.exp(np.asarray(X @ b))))
    np.testing.assert_allclose(slope, 0, atol=1e-5)
    print(f"a Poisson model of {X.shape[0]:,} rows and {X.shape[1]} columns: the gradient is 0")


if __name__ == "__main__":
    main()
