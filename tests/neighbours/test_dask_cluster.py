"""Dask arrays of our chunks on clusters of processes: chunks travel as pickles with buffers."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse
from distributed import Client, LocalCluster, wait

import structarr as sa

SECONDS = 90  # within which a computation that does not hang is done

MATRIX = scipy.sparse.random_array((200, 200), density=0.05, format="csr", rng=3).toarray()

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "slice": lambda x: x[3:150, 5:77],
    "slice with steps": lambda x: x[::-2, ::3],
    "rows": lambda x: x[[5, 1, 100]],
    "rechunk": lambda x: x.rechunk((50, 90)),
    "sum with the transpose": lambda x: x + x.T,
    "product": lambda x: x @ x.T,
    "sum by column": lambda x: x.sum(axis=0),
    "variance by column": lambda x: x.var(axis=0),
    "largest": lambda x: x.max(),
    "joined": lambda x: da.concatenate([x, 2 * x], axis=1),
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0"
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
    np.testing.assert_allclose(
        np.asarray(found), np.asarray(operation(MATRIX_BLOCKS).compute(scheduler="sync"))
    )


MATRIX_BLOCKS = da.from_array(MATRIX, chunks=(70, 60))


def chunked(nbytes: int = 8000) -> Any:
    return sa.dask.from_array(sa.asarray(MATRIX, format="csr"), nbytes=nbytes)


def test_blocks_in_a_pool_of_processes() -> None:
    x = chunked()
    with dask.config.set(scheduler="processes", num_workers=2):
        np.testing.assert_allclose(np.asarray((x @ x.T).compute()), MATRIX @ MATRIX.T)
        for one, other in zip(
            dask.compute(*sa.dask.statistics(x))[:2], (MATRIX.mean(0), MATRIX.var(0)), strict=True
        ):
            np.testing.assert_allclose(one, other)


def test_functions_by_chunks_on_a_cluster(client: Client) -> None:
    x = chunked()
    product = client.compute(sa.dask.matmul(x, x.T, mask=x)).result(timeout=SECONDS)
    np.testing.assert_allclose(np.asarray(product), MATRIX * (MATRIX @ MATRIX.T))
    values = client.compute(sa.dask.unique(x)).result(timeout=SECONDS)
    np.testing.assert_array_equal(values, np.unique(MATRIX))
    balanced = client.compute(sa.dask.rebalance(x, nbytes=20_000)).result(timeout=SECONDS)
    np.testing.assert_array_equal(np.asarray(balanced), MATRIX)


def test_workers_know_how_large_chunks_are(client: Client) -> None:
    x = (chunked() * 2).persist()
    wait(x, timeout=SECONDS)
    sizes = {key: size for key, size in client.nbytes(summary=False).items() if key[0] == x.name}
    blocks = dict(zip(sizes, client.gather(list(map(_future(client), sizes))), strict=True))
    assert len(sizes) == x.npartitions
    assert sizes == {key: block.nbytes for key, block in blocks.items()}


def _future(client: Client) -> Callable[[Any], Any]:
    from distributed import Future

    return lambda key: Future(key, client)


def test_what_a_script_defines_runs_on_workers(client: Client) -> None:
    factor = 3.0

    @sa.operator(annihilator=0)
    def weighed(a: float, b: float) -> float:
        return a * b * 2

    @sa.kernel
    def row_sums(A):  # type: ignore[no-untyped-def]
        y = np.zeros(A.shape[0])
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                y[i] += weighed(A[i, j], factor)
        return y

    @sa.jit
    def doubled(block: Any) -> Any:
        return block + block

    x = chunked()
    made = x.map_blocks(doubled, dtype=float, meta=x._meta)
    sums = made.map_blocks(row_sums, dtype=float, drop_axis=1, meta=np.zeros(0))
    found = client.compute(sums).result(timeout=SECONDS)
    np.testing.assert_allclose(np.asarray(found), 12 * MATRIX.sum(axis=1))


def test_workers_are_warmed_when_they_start(client: Client) -> None:
    client.register_plugin(sa.dask.Warm())
    assert client.run(_ready_kernels)
    assert all(count > 20 for count in client.run(_ready_kernels).values())


def _ready_kernels() -> int:
    from structarr._compiler.backend.kernel import statistics

    found = statistics()
    return int(found["compiled"] + found["loaded"])


def _process() -> int:
    return os.getpid()


def test_a_worker_that_dies_loses_nothing() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        x = (chunked() * 2).persist()
        wait(x, timeout=SECONDS)
        os.kill(next(iter(client.run(_process).values())), signal.SIGKILL)
        found = client.compute(x.sum(axis=0)).result(timeout=SECONDS)
        np.testing.assert_allclose(np.asarray(found), 2 * MATRIX.sum(axis=0))


def _spilled(dask_worker: Any) -> int:
    return int(dask_worker.data.spilled_total.disk)


def test_chunks_that_are_spilled_come_back() -> None:
    matrix = scipy.sparse.random_array((20_000, 400), density=0.1, format="csr", rng=4)
    with (
        dask.config.set({"distributed.worker.memory.target": 0.002}),
        LocalCluster(
            n_workers=1, threads_per_worker=1, memory_limit="2GB", dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        x = (sa.dask.from_array(sa.asarray(matrix), nbytes="1 MB") * 2).persist()
        wait(x, timeout=SECONDS)
        assert sum(client.run(_spilled).values()) > 1e6
        found = client.compute(x.sum(axis=0)).result(timeout=SECONDS)
        np.testing.assert_allclose(np.asarray(found), 2 * matrix.sum(axis=0))


def _kernels_of_sums(values: Any) -> dict[str, int]:
    """How the kernels of some operations came into this process: compiled, or loaded from disk."""
    from structarr._compiler.backend.kernel import statistics

    before = statistics()
    with sa.options(tier="compiled"):
        block = sa.asarray(values, format="csr")
        for result in (block.sum(axis=0), block @ np.ones(block.shape[1]), block * block.T):
            result.compute()
    after = statistics()
    return {name: int(after[name] - before[name]) for name in ("compiled", "loaded")}


def test_a_second_worker_loads_kernels_from_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))  # which workers inherit
    options: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(n_workers=1, **options) as cluster, Client(cluster) as client:
        first = client.submit(_kernels_of_sums, MATRIX, pure=False).result(timeout=SECONDS)
        assert first["compiled"] > 2
        cluster.scale(2)
        client.wait_for_workers(2, timeout=SECONDS)
        counts = client.run(_kernels_of_sums, MATRIX)
    # One has them in memory, and the other one compiles nothing.
    assert sorted(counts.values(), key=str) == [
        {"compiled": 0, "loaded": 0},
        {"compiled": 0, "loaded": first["compiled"] + first["loaded"]},
    ]


def _swell(block: Any, folder: str, block_id: Any = None) -> Any:
    """Take more memory than a worker has, the first time that a block is computed."""
    seen = Path(folder) / f"{block_id[0]}"
    if block_id[0] == 1 and not seen.exists():
        seen.touch()
        held = []
        while True:  # until the nanny ends this process
            held.append(np.ones(2**21))
            sleep(0.01)
    return block * 2


def test_a_worker_that_is_out_of_memory_loses_nothing(tmp_path: Path) -> None:
    with (
        dask.config.set({"distributed.worker.memory.monitor-interval": "20ms"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="600MB", dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        before = set(client.run(_process).values())
        x = chunked()
        assert x.npartitions > 2
        y = x.map_blocks(_swell, str(tmp_path), dtype=float, meta=x._meta)
        found = client.compute(y.sum(axis=0)).result(timeout=3 * SECONDS)
        np.testing.assert_allclose(np.asarray(found), 2 * MATRIX.sum(axis=0))
        assert (tmp_path / "1").exists()
        client.wait_for_workers(2, timeout=SECONDS)
        assert set(client.run(_process).values()) != before  # one was ended, and another began


@pytest.mark.parametrize("method", ["p2p", None])
def test_chunks_are_cut_anew_by_tasks(client: Client, method: str | None) -> None:
    """Dask's shuffle, which it chooses itself where there are many chunks, takes NumPy's alone."""
    blocks = da.from_array(sa.asarray(MATRIX, format="csr"), chunks=(4, 200), asarray=False)
    turned = blocks.rechunk((200, 4), method=method)
    assert any("p2p" in name for name in turned.dask.layers)
    found = client.compute(2 * turned).result(timeout=SECONDS)
    assert isinstance(found, sa.Array)
    np.testing.assert_array_equal(found.todense(), 2 * MATRIX)


def test_shuffles_of_other_chunks_stay(client: Client) -> None:
    blocks = da.from_array(sa.asarray(MATRIX, format="csr"), chunks=(50, 200), asarray=False)
    others = MATRIX_BLOCKS.rechunk((200, 50), method="p2p")
    both = blocks.rechunk((200, 50), method="p2p") + others
    found = client.compute(both).result(timeout=SECONDS)
    np.testing.assert_array_equal(np.asarray(found), 2 * MATRIX)
