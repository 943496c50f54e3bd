"""Chunks of ours in Dask: how they are cut, told of, joined, and computed in their tasks."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse
from dask.array import dispatch
from dask.base import tokenize
from dask.sizeof import sizeof

import structarr as sa
from structarr._dask.finishing import finishing
from structarr._execute import place
from structarr._storage.buffers import conformed
from structarr._support import dtypes
from structarr.errors import FormatError

RNG = np.random.default_rng(5)
DENSE = np.where(RNG.random((60, 40)) < 0.1, RNG.integers(-3, 4, (60, 40)), 0).astype(float)
DENSE[7] = 1.0  # one long row


def chunked(dense: Any = DENSE, format: str = "csr", nbytes: int = 1000) -> Any:
    return sa.dask.from_array(sa.asarray(dense, format=format), nbytes=nbytes)


@pytest.fixture(autouse=True)
def at_once() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


def test_the_lookups_of_dask_have_our_functions() -> None:
    lookups = [name for name in vars(dispatch) if name.endswith("_lookup")]
    assert len(lookups) >= 9
    for name in lookups:
        assert sa.Array in getattr(dispatch, name)._lookup, name


def test_the_size_of_a_chunk_is_that_of_its_buffers() -> None:
    array = sa.asarray(DENSE, format="csr")
    assert sizeof(array) == array.nbytes
    assert sizeof(array * 2) == (array * 2).compute().nbytes


def test_tokens_are_of_what_is_stored() -> None:
    array = sa.asarray(DENSE, format="csr")
    known = tokenize(array)
    assert tokenize(pickle.loads(pickle.dumps(array))) == known
    assert tokenize(sa.asarray(DENSE.copy(), format="csr")) == known
    others = [array * 2, array.asformat("csc"), array.astype("float32"), array[:, :39], array.T]
    others.append(sa.with_fill(array, 1.0) if hasattr(sa, "with_fill") else array + 1)
    assert len({known, *map(tokenize, others)}) == len(others) + 1
    assert array._tensor is not None and "digest" in array._tensor.memo


def test_tokens_follow_memory_that_others_write() -> None:
    own = np.ones(100_000)
    before = tokenize(sa.asarray(own) * 1)
    own[0] = 2
    assert tokenize(sa.asarray(own) * 1) != before


def test_chunks_store_about_as_much_each() -> None:
    x = chunked()
    counts = sa.dask.count(x)
    assert len(counts) > 4
    assert counts.sum() == np.count_nonzero(DENSE)
    assert counts.max() < 2 * counts.min()
    np.testing.assert_array_equal(x.compute().todense(), DENSE)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "rle", "bitmap", "dense", "hash"])
def test_every_format_is_cut(format: str) -> None:
    x = chunked(format=format)
    assert x.npartitions > 1
    assert x.chunks[0 if format != "csc" else 1][1:]
    np.testing.assert_array_equal(np.asarray(x.compute()), DENSE)
    again = sa.dask.rebalance(x, nbytes=500)
    np.testing.assert_array_equal(np.asarray(again.compute()), DENSE)
    assert sa.asarray(DENSE, format=format).to_dask_array().npartitions == 1


def test_an_array_without_elements_is_one_chunk() -> None:
    for shape in ((0, 3), (3, 0), (0,)):
        x = sa.dask.from_array(
            sa.asarray(np.zeros(shape), format="csr" if len(shape) == 2 else "list")
        )
        assert x.compute().shape == shape
    assert float(sa.dask.from_array(sa.asarray(3.0)).compute()) == 3.0


def test_chunks_are_computed_in_their_tasks() -> None:
    x = chunked()
    seen = []

    def watched(block: Any) -> Any:
        seen.append(block._tensor is not None)
        return block

    y = ((x * 2 + x) > 1).map_blocks(watched, dtype=bool, meta=x._meta > 1)
    kept = y.persist()
    blocks = [kept.dask[key] for key in dask.core.flatten(kept.__dask_keys__())]
    assert all(getattr(one, "value", one)._tensor is not None for one in blocks)
    assert not any(seen)  # and within a task they are lazy, to be fused


def test_graphs_of_numpy_are_as_dask_makes_them() -> None:
    x = da.ones((4, 4), chunks=2) + 1
    (made,) = dask.optimize(x)
    names = [getattr(task, "func", None) for task in made.dask.values()]
    assert names and not any(getattr(one, "__name__", "") == "finished" for one in names)


def test_a_finished_graph_is_finished_once() -> None:
    x = chunked() * 2
    once = finishing(x.dask)
    assert repr(finishing(once)) == repr(once)


def test_pickled_buffers_are_not_copied() -> None:
    array = sa.asarray(DENSE, format="csr")
    buffers: list[pickle.PickleBuffer] = []
    told = pickle.dumps(array, protocol=5, buffer_callback=buffers.append)
    assert len(told) < 2000
    raw = [one.raw() for one in buffers]
    assert sum(one.nbytes for one in raw) == array.nbytes
    back = pickle.loads(told, buffers=[bytes(one) for one in raw])
    assert (back == array).all()


def test_unaligned_buffers_compute() -> None:
    array = sa.asarray(DENSE, format="csr")
    buffers: list[pickle.PickleBuffer] = []
    told = pickle.dumps(array, protocol=5, buffer_callback=buffers.append)
    moved = [memoryview(bytearray(b"x" + one.raw().tobytes()))[1:] for one in buffers]
    back = pickle.loads(told, buffers=moved)
    np.testing.assert_array_equal((back @ back.T).todense(), DENSE @ DENSE.T)
    assert conformed(np.frombuffer(moved[-1])).flags.aligned


WAYS = ["rows", "columns", "tiles", "inner", None]


@pytest.mark.parametrize("by", WAYS)
def test_products(by: Any) -> None:
    x, y = chunked(), chunked(DENSE.T.copy(), "csc")
    made = sa.dask.matmul(x, y, by=by)
    assert isinstance(made._meta, sa.Array)
    np.testing.assert_allclose(np.asarray(made.compute()), DENSE @ DENSE.T)
    masked = sa.dask.matmul(x, y, mask=np.eye(60), by=by)
    np.testing.assert_allclose(np.asarray(masked.compute()), np.eye(60) * (DENSE @ DENSE.T))
    if by != "columns":
        vector = sa.dask.matmul(x, np.arange(40.0), by=by)
        np.testing.assert_allclose(np.asarray(vector.compute()), DENSE @ np.arange(40.0))


@pytest.mark.parametrize("by", WAYS)
@pytest.mark.parametrize("kinds", [("bool", "bool"), ("int8", "int8"), ("bool", "int32")])
def test_products_have_the_dtype_of_numpy(by: Any, kinds: tuple[str, str]) -> None:
    a, b = DENSE.astype(kinds[0]), DENSE.T.astype(kinds[1])
    x = chunked(a, nbytes=10**6).rechunk((20, 13))
    y = chunked(b, nbytes=10**6).rechunk((9, 60))
    for mask in (None, np.eye(60, dtype="int8")):
        made = sa.dask.matmul(x, y, mask=mask, by=by)
        expected = a @ b if mask is None else (a @ b) * mask
        found = np.asarray(made.compute())
        assert made.dtype == found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_products_of_tiles() -> None:
    x, y = chunked().rechunk((20, 13)), chunked(DENSE.T.copy()).rechunk((9, 25))
    made = sa.dask.matmul(x, y, by="tiles")
    assert made.numblocks == (3, 3)
    np.testing.assert_allclose(np.asarray(made.compute()), DENSE @ DENSE.T)


def test_the_cut_of_a_product_is_that_which_moves_the_fewest_bytes() -> None:
    tall = chunked(np.tile(DENSE, (20, 1)))
    narrow = chunked(DENSE.T[:, :2].copy())
    assert sa.dask.product_costs(tall, narrow, workers=4).least == "rows"
    wide = sa.dask.from_array(sa.asarray(np.tile(DENSE, (20, 1)).T, format="csc"), nbytes=1000)
    small = sa.dask.from_array(sa.asarray(DENSE[:2, :40], format="csr"))
    assert sa.dask.product_costs(small, wide, workers=4).least == "columns"


@pytest.mark.parametrize("axis", [0, 1])
def test_statistics_in_one_pass(axis: int) -> None:
    x = chunked().rechunk({1: 15})  # cut both ways, and joined along neither
    made = sa.dask.statistics(x, axis, ddof=1)
    assert made.mean.chunks == (x.chunks[1 - axis],)
    found = dask.compute(*made)
    expected = [DENSE.mean(axis), DENSE.var(axis, ddof=1), DENSE.min(axis), DENSE.max(axis)]
    for one, other in zip(found, [*expected, np.count_nonzero(DENSE, axis)], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_chunks_without_rows_count_for_nothing() -> None:
    x = chunked()
    with_none = x.rechunk({0: (0, *x.chunks[0], 0)})
    assert 0 in with_none.chunks[0]
    for one, other in zip(
        dask.compute(*sa.dask.statistics(with_none)),
        dask.compute(*sa.dask.statistics(x)),
        strict=True,
    ):
        np.testing.assert_allclose(one, other)


def test_statistics_do_not_cancel() -> None:
    dense = 1e8 + RNG.random((500, 3))
    found = sa.dask.statistics(sa.dask.from_array(sa.asarray(dense), nbytes=1000))
    np.testing.assert_allclose(found.var.compute(), dense.var(axis=0), rtol=1e-6)


def test_statistics_of_short_floats_are_of_double_precision() -> None:
    dense = np.where(DENSE == 0, 0, DENSE + 0.1).astype(np.float32)
    found = dask.compute(*sa.dask.statistics(chunked(dense)))
    for one, other in zip(found, (dense.mean(0, float), dense.var(0, float)), strict=False):
        assert one.dtype == np.float64
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_order_by_chunks() -> None:
    x = chunked()
    values, counts = dask.compute(*sa.dask.unique(x, return_counts=True))
    expected = np.unique(DENSE, return_counts=True)
    np.testing.assert_array_equal(values, expected[0])
    np.testing.assert_array_equal(counts, expected[1])
    for axis in (0, 1):
        made = sa.dask.sort(x, axis=axis).compute()
        np.testing.assert_array_equal(np.asarray(made), np.sort(DENSE, axis=axis))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int8", "uint64", "bool"])
@pytest.mark.parametrize("length", [0, 1, 900])
def test_different_elements_of_chunks_are_those_of_numpy(dtype: str, length: int) -> None:
    dense = np.where(RNG.random(length) < 0.3, RNG.integers(0, 40, length), 0).astype(dtype)
    if dtype[0] in "fc":
        dense[::7] = np.nan
        dense[::5] = -0.0
    x = sa.dask.from_array(sa.asarray(dense, format="list"), nbytes=300)
    expected = np.unique(dense, return_counts=True)
    np.testing.assert_array_equal(sa.dask.unique(x).compute(), expected[0])
    found = dask.compute(*sa.dask.unique(x, return_counts=True))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool"])
@pytest.mark.parametrize("density", [0.0, 0.02, 1.0])
def test_vectors_are_sorted_across_chunks(dtype: str, density: float) -> None:
    dense = np.where(RNG.random(3000) < density, RNG.integers(-50, 50, 3000), 0).astype(dtype)
    x = sa.dask.from_array(sa.asarray(dense, format="list")).rechunk(500)
    made = sa.dask.sort(x)
    assert made.shape == (3000,)
    assert made.numblocks <= x.numblocks
    np.testing.assert_array_equal(np.asarray(made.compute()), np.sort(dense))
    if density and dtype == "float64":
        counts = sa.dask.count(made)
        assert len(counts) > 3 and counts.max() < max(3 * counts.mean(), 10)


def test_nan_is_last_across_chunks() -> None:
    dense = np.where(RNG.random(900) < 0.1, np.nan, RNG.random(900))
    made = sa.dask.sort(sa.dask.from_array(sa.asarray(dense), nbytes=1000))
    np.testing.assert_array_equal(np.asarray(made.compute()), np.sort(dense))


def test_mixed_chunks_are_united() -> None:
    x = chunked()
    mixed = [
        x,
        da.from_array(DENSE, chunks=(20, 40)),
        scipy.sparse.csr_array(DENSE),
        x.astype("f4"),
    ]
    made = sa.dask.concatenate(mixed)
    assert made.dtype == np.float64
    assert isinstance(made._meta, sa.Array)
    np.testing.assert_array_equal(np.asarray(made.compute()), np.vstack([DENSE] * 4))


def test_mixed_chunks_that_cannot_be_united_are_refused_by_name() -> None:
    x = chunked()
    other = sa.dask.from_array(sa.asarray(DENSE, format="csr", fill_value=1.0))
    with pytest.raises(FormatError, match=r"array 0 has a fill of 0\.0 and array 2 of 1\.0"):
        sa.dask.concatenate([x, x, other])
    dates = da.from_array(np.zeros(3, "M8[s]"), chunks=3)
    with pytest.raises(TypeError, match=r"array 1 has chunks .* datetime64"):
        sa.dask.concatenate([x, dates])
    masked = da.from_array(np.ma.masked_equal(DENSE, 0), chunks=20)
    with pytest.raises(TypeError, match=r"array 1 has chunks .*MaskedArray"):
        sa.dask.concatenate([x, masked])


def test_joined_chunks_have_wide_pointers_where_narrow_ones_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    narrow = sa.asarray(scipy.sparse.csr_array(DENSE))
    assert narrow.format.index == "int32"
    x = sa.dask.from_array(narrow, nbytes=1000)
    assert x.rechunk(-1).compute().format.index == "int32"
    most = 2 * narrow.nstored - 1
    monkeypatch.setitem(place.MOST, "int32", most)
    largest = dtypes.largest
    monkeypatch.setattr(dtypes, "largest", lambda kind: min(largest(kind), most))
    joined = sa.dask.concatenate([x, x]).rechunk(-1).compute()
    assert joined.format.index == "int64"
    np.testing.assert_array_equal(joined.todense(), np.vstack([DENSE, DENSE]))


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "nbytes": (lambda x: sa.dask.from_array(DENSE, nbytes=0), "nbytes must be positive"),
    "axis": (lambda x: sa.dask.from_array(DENSE, axis=2), "axis 2"),
    "axis of rebalance": (lambda x: sa.dask.rebalance(x, axis=-3), "axis -3"),
    "shapes": (lambda x: sa.dask.matmul(x, x), "a has 40 columns and b has 60 rows"),
    "mask": (lambda x: sa.dask.matmul(x, x.T, mask=np.ones((2, 2))), "mask has shape"),
    "way": (lambda x: sa.dask.matmul(x, x.T, by="towers"), "by must be"),
    "vectors": (lambda x: sa.dask.matmul(x[0], x[0]), "a product by chunks"),
    "nothing": (lambda x: sa.dask.concatenate([]), "at least one"),
    "no rows": (lambda x: sa.dask.statistics(x[:0]), "no elements"),
    "complex": (lambda x: sa.dask.statistics(x * 1j), "no order"),
    "model": (lambda x: sa.dask.partial_fit(object(), x), "no partial_fit"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_before_anything_runs(name: str) -> None:
    call, told = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=told):
        call(chunked())
