"""PageRank of a graph in chunks of rows, each of about as many links; ranks travel, links stay.

A link has no value: what a page passes on is its rank divided by the number of its links. So a
chunk has coordinates alone, a third of the bytes of a matrix of floats.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

LINKS = sa.formats.Dense(sa.formats.SparseList(sa.formats.Pattern()))


def graph(pages: int, links: int) -> sp.csr_array:
    """Return which page (row) is linked to by which (column); some by far more than others."""
    rng = np.random.default_rng(5)
    to = (pages * rng.random(links) ** 4).astype(np.int64)
    of = rng.integers(0, pages, links)
    own = np.arange(pages)  # and each page links to itself, so that no column is empty
    places = (np.concatenate([to, own]), np.concatenate([of, own]))
    found = sp.csr_array((np.ones(links + pages, bool), places), shape=(pages, pages))
    found.sum_duplicates()
    return found


def ranks(links: Any, damping: float = 0.85, tolerance: float = 1e-10) -> Any:
    """Return the share of visits of each page."""
    links = links.persist()
    pages = links.shape[0]
    out = np.asarray(links.sum(axis=0).compute())
    rank = np.full(pages, 1 / pages)
    while True:
        step = damping * sa.dask.matmul(links, rank / out, by="rows") + (1 - damping) / pages
        new = np.asarray(step.compute())
        change, rank = np.abs(new - rank).sum(), new
        if change < tolerance:
            return rank


def main() -> None:
    pages = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000
    links = graph(pages, 10 * pages)
    stored = sa.asarray(links).asformat(LINKS)
    chunks = sa.dask.from_array(stored, nbytes=stored.nbytes // 4)
    counts = sa.dask.count(chunks).ravel()

    rank = ranks(chunks)

    spread = sp.csr_array(links / links.sum(axis=0))
    np.testing.assert_allclose(0.85 * (spread @ rank) + 0.15 / pages, rank, atol=1e-10)
    print(
        f"PageRank of {pages} pages in chunks of {chunks.chunks[0]} rows, with {counts.tolist()} "
        f"links: page {rank.argmax()} is visited most"
    )


if __name__ == "__main__":
    main()
