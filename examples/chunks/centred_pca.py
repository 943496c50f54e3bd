"""Principal components of a chunked matrix about its means: it is centred, and stays sparse.

``rows - mean`` is dense, and never formed: a product with it is one with the rows and one with the
means, which structarr finds by itself.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

COLUMNS, COMPONENTS = 300, 5


def covariance_times(rows: Any, mean: Any, directions: Any) -> Any:
    """Return what a chunk adds to the covariance times some directions."""
    centred = rows - mean
    return centred.T @ np.asarray(centred @ directions)


def components(x: Any, count: int, passes: int = 30) -> tuple[Any, Any]:
    """Return variances and directions, by iteration with a subspace of twice as many."""
    mean = sa.dask.statistics(x).mean.compute()
    rng = np.random.default_rng(0)
    directions = np.linalg.qr(rng.normal(size=(x.shape[1], 2 * count)))[0]
    for _ in range(passes):
        found = sa.dask.sum_chunks(
            covariance_times, x, mean, directions, shape=directions.shape
        ).compute()
        directions = np.linalg.qr(found)[0]
    found = sa.dask.sum_chunks(covariance_times, x, mean, directions, shape=directions.shape)
    values, turned = np.linalg.eigh(directions.T @ found.compute() / (x.shape[0] - 1))
    return values[::-1][:count], (directions @ turned[:, ::-1])[:, :count].T


def main() -> None:
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000
    rng = np.random.default_rng(4)
    matrix = sp.random_array((rows, COLUMNS), density=0.05, format="csr", rng=rng)
    matrix = sp.csr_array(matrix * np.geomspace(10, 0.1, COLUMNS))
    x = sa.dask.from_array(matrix, nbytes=matrix.data.nbytes // 4).persist()

    variances, directions = components(x, COMPONENTS)

    expected = np.linalg.eigvalsh(np.cov(matrix.toarray(), rowvar=False))[::-1][:COMPONENTS]
    np.testing.assert_allclose(variances, expected, rtol=1e-4)
    np.testing.assert_allclose(directions @ directions.T, np.eye(COMPONENTS), atol=1e-8)
    print(f"PCA of {rows} rows in {x.npartitions} chunks: variances {variances.round(3)}")


if __name__ == "__main__":
    main()
