"""Dask arrays of our blocks, on a cluster of processes: blocks travel as pickles with buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import dask.array as da
import numpy as np
import pytest
import scipy.sparse
from distributed import Client, LocalCluster

import structarr as sa

SECONDS = 60  # within which a computation that does not hang is done

MATRIX = scipy.sparse.random_array((200, 200), density=0.05, format="csr", rng=3).toarray()

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "slice": lambda x: x[3:150, 5:77],
    "slice with steps": lambda x: x[::-2, ::3],
    "rows": lambda x: x[[5, 1, 100]],
    "rechunk": lambda x: x.rechunk((50, 90)),
    "sum with the transpose": lambda x: x + x.T,
    "product": lambda x: x @ x.T,
    "sum by column": lambda x: x.sum(axis=0),
    "largest": lambda x: x.max(),
    "joined": lambda x: da.concatenate([x, 2 * x], axis=1),
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "bitmap", "band", "dense"])
def test_blocks_on_a_cluster(client: Client, format: str, name: str) -> None:
    operation = OPERATIONS[name]
    blocks = da.from_array(
        sa.asarray(MATRIX, format=format), chunks=(70, 60), asarray=False, name=False
    )
    future = client.compute(operation(blocks))
    found = future.result(timeout=SECONDS)
    assert name == "largest" or isinstance(found, sa.Array)
    np.testing.assert_allclose(np.asarray(found), np.asarray(operation(MATRIX_BLOCKS).compute()))


MATRIX_BLOCKS = da.from_array(MATRIX, chunks=(70, 60))
