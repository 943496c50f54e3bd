"""Dask arrays of our chunks beside others: united, or refused before a task runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

RNG = np.random.default_rng(7)
DENSE = np.where(RNG.random((30, 20)) < 0.15, RNG.integers(-3, 4, (30, 20)), 0).astype(float)
CHOSEN = RNG.random(30) < 0.6


def ours(dense: Any, **options: Any) -> Any:
    return sa.dask.from_array(sa.asarray(dense, format="csr", **options), nbytes=700)


OTHERS: dict[str, Callable[[], Any]] = {
    "float32": lambda: ours(DENSE.astype("f4")),
    "bool": lambda: ours(DENSE != 0),
    "complex": lambda: ours(DENSE * 1j),
    "other fill": lambda: ours(DENSE + 1, fill_value=1.0),
    "columns": lambda: sa.dask.from_array(sa.asarray(DENSE, format="csc"), nbytes=700),
    "dense": lambda: sa.dask.from_array(sa.asarray(DENSE), nbytes=2000),
    "numpy": lambda: da.from_array(DENSE, chunks=(11, 7)),
    "scipy": lambda: da.from_array(DENSE, chunks=(11, 20)).map_blocks(sp.csr_array),
    "by turns": lambda: ours(DENSE).map_blocks(
        _dense_by_turns, dtype=float, meta=ours(DENSE)._meta
    ),
}

FUNCTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda xp, x, y: x + y,
    "multiply": lambda xp, x, y: x * y,
    "where": lambda xp, x, y: xp.where(x != 0, x, y),
    "matmul": lambda xp, x, y: x @ y.T,
    "concatenate": lambda xp, x, y: xp.concatenate([x, y], axis=1),
    "joined chunks": lambda xp, x, y: _one_chunk(xp.concatenate([x, y])),
    "tensordot": lambda xp, x, y: xp.tensordot(x, y, ((0,), (0,))),
}


def _dense_by_turns(block: Any, block_id: Any = None) -> Any:
    return np.asarray(block) if block_id and block_id[0] % 2 else block


def _one_chunk(x: Any) -> Any:
    return x.rechunk(-1) if isinstance(x, da.Array) else x


@pytest.fixture(autouse=True)
def at_once() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


@pytest.mark.parametrize(("name", "other"), list(product(FUNCTIONS, OTHERS)))
def test_functions_of_dask_unite_chunks(name: str, other: str) -> None:
    x, y = ours(DENSE), OTHERS[other]()
    plain = y.compute()
    plain = plain.toarray() if sp.issparse(plain) else np.asarray(plain)
    for pair, dense in (((x, y), (DENSE, plain)), ((y, x), (plain, DENSE))):
        found = FUNCTIONS[name](da, *pair).compute()
        found = found.toarray() if sp.issparse(found) else np.asarray(found)  # SciPy's * of ours
        np.testing.assert_allclose(found, FUNCTIONS[name](np, *dense))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_masked_chunks_are_refused_before_a_task_runs(name: str) -> None:
    ran = []

    def noted(block: Any, block_info: Any = None) -> Any:
        ran.append(block_info is not None)
        return block

    x = ours(DENSE).map_blocks(noted, dtype=float, meta=ours(DENSE)._meta)
    masked = da.from_array(np.ma.masked_equal(DENSE, 2), chunks=(11, 20))
    for pair in ((x, masked), (masked, x)):
        with pytest.raises(TypeError, match="masked arrays are not supported"):
            FUNCTIONS[name](da, *pair).compute()
    assert not any(ran)
    filled = masked.map_blocks(np.ma.filled, 0.0, meta=np.zeros((0, 0)))
    dense = np.where(DENSE == 2, 0, DENSE)
    found = FUNCTIONS[name](da, x, filled).compute()
    np.testing.assert_allclose(np.asarray(found), FUNCTIONS[name](np, DENSE, dense))


def test_a_users_function_may_take_masked_chunks() -> None:
    masked = da.from_array(np.ma.masked_equal(DENSE, 2), chunks=(30, 20))
    x = ours(DENSE).rechunk(-1)

    def filled_sum(block: Any, other: Any) -> Any:
        return block + np.ma.filled(other, 0)

    found = da.map_blocks(filled_sum, x, masked, dtype=float, meta=x._meta).compute()
    np.testing.assert_array_equal(np.asarray(found), DENSE + np.where(DENSE == 2, 0, DENSE))


def test_operands_are_refused_by_their_names() -> None:
    masked = np.ma.masked_equal(DENSE, 2)
    with pytest.raises(TypeError, match=r"^b: masked arrays"):
        sa.dask.matmul(ours(DENSE), masked.T)
    with pytest.raises(TypeError, match=r"^array 1: masked arrays"):
        sa.dask.concatenate([ours(DENSE), masked])


def chosen() -> Any:
    """Some rows, in chunks of sizes that are not known before they are computed."""
    x = ours(DENSE)
    made = x[da.from_array(CHOSEN, chunks=10)]
    assert np.isnan(made.shape[0])
    return made


U = DENSE[CHOSEN]

OF_UNKNOWN: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "by vector": (lambda u: sa.dask.matmul(u, np.ones(20)), U @ np.ones(20)),
    "by known": (lambda u: sa.dask.matmul(u, ours(DENSE).T), U @ DENSE.T),
    "of known": (lambda u: sa.dask.matmul(ours(DENSE), u.T), DENSE @ U.T),
    "rows by rows": (lambda u: sa.dask.matmul(u, u.T), U @ U.T),
    "summed over": (lambda u: sa.dask.matmul(u.T, u), U.T @ U),
    "summed over, by vector": (lambda u: sa.dask.matmul(u.T, u[:, 0]), U.T @ U[:, 0]),
    "masked": (lambda u: sa.dask.matmul(u, u.T, mask=u @ u.T), (U @ U.T) ** 2),
    "mean": (lambda u: sa.dask.statistics(u).mean, U.mean(axis=0)),
    "variance": (lambda u: sa.dask.statistics(u, ddof=1).var, U.var(axis=0, ddof=1)),
    "variance of rows": (lambda u: sa.dask.statistics(u, 1).var, U.var(axis=1)),
    "order": (lambda u: sa.dask.sort(u, 1), np.sort(U, axis=1)),
    "order of a vector": (lambda u: sa.dask.sort(u[:, 0]), np.sort(U[:, 0])),
    "unique": (lambda u: sa.dask.unique(u), np.unique(U)),
    "sums": (lambda u: sa.dask.sum_chunks(lambda a: a.T @ a, u, shape=(20, 20)), U.T @ U),
    "joined": (lambda u: sa.dask.concatenate([u, ours(DENSE)]), np.vstack([U, DENSE])),
}


@pytest.mark.parametrize("name", OF_UNKNOWN)
def test_chunks_of_unknown_sizes(name: str) -> None:
    call, expected = OF_UNKNOWN[name]
    np.testing.assert_allclose(np.asarray(call(chosen()).compute()), expected, atol=1e-12)


REFUSED_UNKNOWN: dict[str, Callable[[Any], Any]] = {
    "rows": lambda u: sa.dask.matmul(ours(DENSE), u.T, by="rows"),
    "columns": lambda u: sa.dask.matmul(u, u.T, by="columns"),
    "inner": lambda u: sa.dask.matmul(u, u.T, by="inner"),
    "other chunks": lambda u: sa.dask.matmul(u.T, DENSE),
    "mask": lambda u: sa.dask.matmul(u, u.T, mask=da.ones((18, 18), chunks=3)),
    "order": lambda u: sa.dask.sort(u, 0),
    "rebalance": lambda u: sa.dask.rebalance(u, nbytes=300),
    "targets": lambda u: sa.dask.partial_fit(Counting(), u, np.zeros(18)),
}


class Counting:
    """An estimator that counts its samples."""

    seen = 0

    def partial_fit(self, x: Any, y: Any = None) -> None:
        self.seen += x.shape[0]
        assert x.shape[0]


@pytest.mark.parametrize("name", REFUSED_UNKNOWN)
def test_unknown_sizes_are_refused_before_a_task_runs(name: str) -> None:
    with (
        dask.config.set(scheduler=_no_scheduler),
        pytest.raises(ValueError, match=r"of unknown sizes .* by x.compute_chunk_sizes\(\)"),
    ):
        REFUSED_UNKNOWN[name](chosen())


def _no_scheduler(*_: Any, **__: Any) -> Any:
    raise AssertionError("a task would have run")


def test_models_skip_chunks_without_rows() -> None:
    u = ours(DENSE)[da.from_array(np.arange(30) < 12, chunks=10)]
    model = sa.dask.partial_fit(Counting(), u).compute()
    assert model.seen == 12
    labels = u[:, 0].map_blocks(np.asarray, dtype=float, meta=np.zeros(0))
    assert sa.dask.partial_fit(Counting(), u, labels).compute().seen == 12
