"""Chunks of Dask: the examples of ``examples/chunks`` beside Dask over other libraries' matrices.

The peers have chunks of SciPy's or pydata/sparse's matrices and the formulas that an expert writes
for them; all have the same rows in each chunk, and a thread for each processor. The rows of two
processes compare with half of the time of one process without Dask, and with what the same graph
takes with NumPy's chunks of the same bytes, of which nothing is computed. Their rows of processors
have the seconds of processors instead of those of the clock, which others on the machine lengthen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.peers import library
from benchmarks.report import Row, row
from benchmarks.timing import race

COLUMNS, PER_ROW, TOPICS, DIRECTIONS = 2000, 50, 8, 10

Function = Callable[..., Any]


class Operands(NamedTuple):
    """What travels to the chunks."""

    vector: Any
    centres: Any
    mean: Any
    directions: Any


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield each example beside its peers, then two processes beside one."""
    del data
    if library("dask.array") is None:
        return
    entries = 10**6 if quick else 2 * 10**7
    chunks = _chunks(entries, 8)
    given = _operands()
    seconds = 1.0 if quick else 30.0
    for name, case in CASES.items():
        yield from _beside(name, case, chunks, given, seconds)
    if library("distributed") is not None:
        yield from _two_processes(chunks, given, 3 if quick else 7)


def _chunks(entries: int, count: int) -> list[sp.csr_array]:
    rng = np.random.default_rng(0)
    rows = entries // PER_ROW // count
    return [
        sp.random_array((rows, COLUMNS), density=PER_ROW / COLUMNS, format="csr", rng=rng)
        for _ in range(count)
    ]


def _operands() -> Operands:
    rng = np.random.default_rng(1)
    shapes = ((COLUMNS,), (TOPICS, COLUMNS), (COLUMNS,), (COLUMNS, DIRECTIONS))
    return Operands(*map(rng.random, shapes))


# Each function returns what is added up over the chunks. Ours are those of the examples.


@sa.kernel
def product_and_sums(A, v):  # type: ignore[no-untyped-def]
    """The product of a matrix with a vector, and the sums of its columns, in one pass."""
    product = np.zeros(A.shape[0])
    columns = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            product[i] += A[i, j] * v[j]
            columns[j] += A[i, j]
    return product, columns


def product_ours(block: Any, given: Operands) -> Any:
    """The sums of columns, and of the product with a vector."""
    product, columns = product_and_sums(block, given.vector)
    return np.append(np.asarray(columns), np.asarray(product).sum())


def product_plain(block: Any, given: Operands) -> Any:
    """The same by SciPy and pydata/sparse."""
    columns = block.sum(axis=0)
    columns = columns.todense() if hasattr(columns, "todense") else columns
    return np.append(columns, (block @ given.vector).sum())


def rank(block: Any, given: Operands) -> Any:
    """A step of PageRank on links: what stays of it here is its sum and that of its squares."""
    made = np.asarray(0.85 * (block @ given.vector) + 0.15 / COLUMNS)
    return np.array([made.sum(), (made**2).sum()])


def means_ours(block: Any, given: Operands) -> Any:
    """The sums of the rows nearest to each centre."""
    nearest = _nearest(block, given)
    return np.asarray(sa.asarray(_members(nearest)).T @ block)


def means_scipy(block: Any, given: Operands) -> Any:
    """The same by SciPy."""
    return (_members(_nearest(block, given)).T @ block).toarray()


def means_pydata(block: Any, given: Operands) -> Any:
    """The same by pydata/sparse."""
    import sparse

    members = sparse.GCXS.from_scipy_sparse(sp.csr_array(_members(_nearest(block, given)).T))
    return (members @ block).todense()


def _nearest(block: Any, given: Operands) -> Any:
    lengths = (given.centres**2).sum(axis=1) / 2
    return (np.asarray(block @ given.centres.T) - lengths).argmax(axis=1)


def _members(nearest: Any) -> sp.csr_array:
    ones, starts = np.ones(len(nearest)), np.arange(len(nearest) + 1)
    return sp.csr_array((ones, nearest, starts), shape=(len(nearest), TOPICS))


def pca_ours(block: Any, given: Operands) -> Any:
    """The covariance about the means times some directions, as it is written."""
    centred = block - given.mean
    return np.asarray(centred.T @ np.asarray(centred @ given.directions))


def pca_plain(block: Any, given: Operands) -> Any:
    """The same multiplied out by hand, as the peers would form the dense difference."""
    along = block @ given.directions - given.mean @ given.directions
    return block.T @ along - np.outer(given.mean, along.sum(axis=0))


class Case(NamedTuple):
    """One example: its functions of a chunk, and what chunks are made of a matrix."""

    ours: Function
    scipy: Function
    pydata: Function
    ours_of: Callable[[sp.csr_array], Any] = sa.asarray
    peers_of: Callable[[sp.csr_array], sp.csr_array] = lambda matrix: matrix


def _linked(matrix: sp.csr_array) -> sp.csr_array:
    return sp.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), matrix.shape)


def _links(matrix: sp.csr_array) -> sa.Array:
    """Links as such: coordinates without values, which the peers have no format for."""
    tree = sa.formats.Dense(sa.formats.SparseList(sa.formats.Pattern()))
    return sa.asarray(_linked(matrix).astype(bool)).asformat(
        sa.formats.Format(tree, (0, 1), "int32")
    )


CASES: Mapping[str, Case] = {
    "product and sums": Case(product_ours, product_plain, product_plain),
    "step of PageRank": Case(rank, rank, rank, _links, _linked),
    "pass of k-means": Case(means_ours, means_scipy, means_pydata),
    "pass of centred PCA": Case(pca_ours, pca_plain, pca_plain),
}


def _beside(
    name: str, case: Case, chunks: list[sp.csr_array], given: Operands, seconds: float
) -> Iterator[Row]:
    """Yield one example beside each peer, in threads of one process."""
    plain = [case.peers_of(one) for one in chunks]
    calls = {
        "structarr": _summed(case.ours, [case.ours_of(one) for one in chunks], given),
        "dask over scipy": _summed(case.scipy, plain, given),
    }
    sparse = library("sparse")
    if sparse is not None:
        blocks = [sparse.GCXS.from_scipy_sparse(one) for one in plain]
        calls["dask over pydata"] = _summed(case.pydata, blocks, given)
    with sa.options(tier="compiled"):
        found = {peer: call() for peer, call in calls.items()}
    times = race(calls, seconds)
    for peer, value in found.items():
        if peer != "structarr":
            equal = np.allclose(found["structarr"], value)
            yield row(name, "threads", times["structarr"], peer, times[peer], bool(equal))


def _summed(function: Function, blocks: list[Any], given: Operands) -> Callable[[], Any]:
    """The sum over chunks of a function, by Dask's threads; the graph is made at each call."""
    import dask

    def call() -> Any:
        parts = [dask.delayed(function)(block, given) for block in kept]
        return dask.delayed(sum)(parts).compute(scheduler="threads", num_workers=os.cpu_count())

    kept = [dask.delayed(block) for block in blocks]
    return call


def _two_processes(chunks: list[sp.csr_array], given: Operands, rounds: int) -> Iterator[Row]:
    """Yield two workers beside one process without Dask and the overhead of Dask."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        client.register_plugin(sa.dask.Warm())
        for name, case in CASES.items():
            blocks = [case.ours_of(one) for one in chunks]
            empty = [np.zeros(block.nbytes // 8) for block in blocks]
            ours, plain = client.scatter(blocks), client.scatter(empty)
            calls = {
                "two": partial(_on_workers, client, case.ours, ours, given),
                "one": partial(_alone, case.ours, blocks, given),
                "overhead": partial(_on_workers, client, _nothing, plain, given),
            }
            with sa.options(tier="compiled"):
                first = {which: call() for which, call in calls.items()}
                equal = bool(np.allclose(first["two"], first["one"]))
                waited = _least(calls, perf_counter, rounds)
                spent = _least(calls, partial(_used, client), rounds)
            allowed = waited["one"] / 2 + waited["overhead"]
            yield row(name, "processes", waited["two"], "half + Dask", allowed, equal)
            allowed = spent["one"] + spent["overhead"]
            yield row(name, "processors", spent["two"], "one + Dask", allowed, equal)


def _used(client: Any) -> float:
    """The seconds of processors that this process and the workers have taken."""
    return process_time() + sum(client.run(process_time).values())


def _least(
    calls: Mapping[str, Callable[[], Any]], clock: Callable[[], float], rounds: int
) -> dict[str, float]:
    best = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            start = clock()
            call()
            best[name] = min(best[name], clock() - start)
    return best


def _on_workers(client: Any, function: Function, blocks: list[Any], given: Operands) -> Any:
    parts = [client.submit(function, block, given, pure=False) for block in blocks]
    return client.submit(sum, parts, pure=False).result()


def _alone(function: Function, blocks: list[Any], given: Operands) -> Any:
    with sa.options(threads=1):
        return sum([function(block, given) for block in blocks])


def _nothing(block: Any, given: Operands) -> Any:
    """What takes no time, and returns as little as the examples do."""
    return given.directions
