"""A product and a reduction of a matrix that does not fit in memory, in one pass over its chunks.

``python examples/chunks/product.py 1e9`` takes a matrix of 10^9 stored entries (12 GB), and never
holds more than some of its chunks. Without a number it takes 10^7 entries.
"""

from __future__ import annotations

import resource
import sys
from time import perf_counter
from typing import Any

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp

import structarr as sa

COLUMNS, PER_ROW = 100_000, 100
ENTRIES = 4_000_000  # of a chunk


def chunk(lengths: tuple[int, ...], block_id: tuple[int, int] = (0, 0)) -> Any:
    """Return one chunk, as if it were read: rows of a hundred entries at random columns."""
    rows, rng = lengths[block_id[0]], np.random.default_rng(block_id[0])
    gaps = rng.integers(1, 2 * COLUMNS // PER_ROW, (rows, PER_ROW), dtype=np.int32)
    places = np.minimum(np.cumsum(gaps, axis=1, dtype=np.int32), COLUMNS - PER_ROW)
    places += np.arange(PER_ROW, dtype=np.int32)  # ascending, also at the end of a row
    starts = np.arange(rows + 1, dtype=np.int32) * PER_ROW
    values = rng.random(rows * PER_ROW)
    return sa.asarray(sp.csr_array((values, places.ravel(), starts), shape=(rows, COLUMNS)))


def matrix(entries: int) -> Any:
    """Return the chunked matrix; nothing of it is made yet."""
    rows, each = entries // PER_ROW, ENTRIES // PER_ROW
    lengths = tuple([min(each, rows - begin) for begin in range(0, rows, each)])
    meta = sa.asarray(sp.csr_array((0, 0)))
    chunks = (lengths, (COLUMNS,))
    return da.map_blocks(chunk, lengths, chunks=chunks, dtype=np.float64, meta=meta)


def main() -> None:
    entries = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    x = matrix(entries)
    weights = np.linspace(0, 1, COLUMNS)

    start = perf_counter()
    product, totals = dask.compute(sa.dask.matmul(x, weights), x.sum(axis=0))
    seconds = perf_counter() - start

    np.testing.assert_allclose(np.asarray(product).sum(), np.asarray(totals) @ weights)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{entries:.0e} entries in {x.npartitions} chunks: product and sums of columns in "
        f"{seconds:.1f} s, at most {peak:.2f} GiB of memory"
    )
    assert peak < 4


if __name__ == "__main__":
    main()
