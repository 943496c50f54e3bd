"""PageRank of a graph in chunks of rows, each of about as many links; ranks travel, links stay."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa


def graph(pages: int, links: int) -> sp.csr_array:
    """Return links whose columns add up to one; some pages are linked to far more than others."""
    rng = np.random.default_rng(5)
    to = (pages * rng.random(links) ** 4).astype(np.int64)
    of = rng.integers(0, pages, links)
    own = np.arange(pages)  # and each page links to itself, so that no column is empty
    places = (np.concatenate([to, own]), np.concatenate([of, own]))
    found = sp.csr_array((np.ones(links + pages), places), shape=(pages, pages))
    return sp.csr_array(found / found.sum(axis=0))


def ranks(links: Any, damping: float = 0.85, tolerance: float = 1e-10) -> Any:
    """Return the share of visits of each page."""
    links = links.persist()
    pages = links.shape[0]
    rank = np.full(pages, 1 / pages)
    while True:
        step = damping * sa.dask.matmul(links, rank, by="rows") + (1 - damping) / pages
        new = np.asarray(step.compute())
        change, rank = np.abs(new - rank).sum(), new
        if change < tolerance:
            return rank


def main() -> None:
    pages = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000
    links = graph(pages, 10 * pages)
    chunks = sa.dask.from_array(links, nbytes=links.data.nbytes // 4)
    counts = sa.dask.count(chunks).ravel()

    rank = ranks(chunks)

    np.testing.assert_allclose(0.85 * (links @ rank) + 0.15 / pages, rank, atol=1e-10)
    print(
        f"PageRank of {pages} pages in chunks of {chunks.chunks[0]} rows, with {counts.tolist()} "
        f"links: page {rank.argmax()} is visited most"
    )


if __name__ == "__main__":
    main()
