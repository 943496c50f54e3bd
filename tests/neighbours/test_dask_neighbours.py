"""Chunks of ours with xarray, scikit-learn and Zarr; the examples of chunks."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse
import xarray as xr
import zarr
from documented import ROOT
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import IncrementalPCA
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import MultinomialNB

import structarr as sa
from structarr.errors import FormatError

MATRIX = scipy.sparse.random_array((120, 30), density=0.2, format="csr", rng=3)
DENSE = MATRIX.toarray()
LABELS = (DENSE[:, :3].sum(axis=1) > 0.3).astype(int)


def chunked() -> Any:
    return sa.dask.from_array(sa.asarray(MATRIX), nbytes=2500)


LEARNT = ("feature_log_prob_", "coef_", "cluster_centers_", "components_")


@pytest.fixture(autouse=True)
def at_once() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


def labelled() -> Any:
    x = chunked()
    coords = {"t": np.arange(120), "season": ("t", np.arange(120) // 30)}
    return xr.DataArray(x, dims=("t", "gene"), coords=coords, name="counts")


def test_data_arrays_over_chunks() -> None:
    a = labelled()
    dense = a.copy(data=DENSE)
    for call in (
        lambda one: one.mean("t"),
        lambda one: (one * 2).sum("gene"),
        lambda one: one.sel(t=slice(10, 50)).max("gene"),
        lambda one: one.isel(t=[3, 100, 7]),
        lambda one: one.groupby("season").mean(),
        lambda one: one.T,
        lambda one: xr.dot(one, one.rename(t="s"), dim="gene"),
    ):
        made = call(a)
        assert isinstance(made.data._meta, sa.Array) or made.ndim < 2
        np.testing.assert_allclose(np.asarray(made.compute().data), call(dense).data)


def test_datasets_over_chunks() -> None:
    data = xr.Dataset({"counts": labelled(), "twice": labelled() * 2})
    found = data.sum("t").compute()
    np.testing.assert_allclose(np.asarray(found["twice"].data), 2 * DENSE.sum(axis=0))
    joined = xr.concat([data, data], dim="t")
    assert isinstance(joined["counts"].data._meta, sa.Array)
    np.testing.assert_allclose(np.asarray(joined["counts"].compute().data), np.vstack([DENSE] * 2))


def test_estimators_learn_chunk_by_chunk() -> None:
    x = chunked()
    assert x.npartitions > 3
    bounds = np.cumsum(x.chunks[0])[:-1]
    for model, labels, dense, options in (
        (MultinomialNB(), LABELS, False, {"classes": [0, 1]}),
        (SGDClassifier(random_state=0), LABELS, False, {"classes": [0, 1]}),
        (MiniBatchKMeans(3, random_state=0, n_init=1), None, False, {}),
        (IncrementalPCA(3), None, True, {}),
    ):
        found = sa.dask.partial_fit(model, x, labels, dense=dense, **options).compute()
        plain = type(model)(**model.get_params())
        for rows in np.split(np.arange(120), bounds):
            given = () if labels is None else (labels[rows],)
            plain.partial_fit(DENSE[rows] if dense else MATRIX[rows], *given, **options)
        learnt = set(LEARNT) & set(dir(plain))
        assert learnt
        for one in learnt:
            np.testing.assert_allclose(getattr(found, one), getattr(plain, one), atol=1e-8)
        assert not hasattr(model, "n_features_in_")  # the one given is as it was


def test_targets_may_be_chunked() -> None:
    x = chunked()
    labels = dask.array.from_array(LABELS, chunks=50)
    found = sa.dask.partial_fit(MultinomialNB(), x, labels, classes=[0, 1]).compute()
    assert found.class_count_.sum() == 120
    with pytest.raises(ValueError, match="119 targets for 120 rows"):
        sa.dask.partial_fit(MultinomialNB(), x, LABELS[1:])


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "dense"])
def test_zarr_keeps_chunks_and_formats(tmp_path: Path, format: str) -> None:
    x = sa.dask.from_array(sa.asarray(MATRIX).asformat(format), nbytes=4000)
    assert sa.dask.to_zarr(x, tmp_path / "x").compute() == x.npartitions
    back = sa.dask.from_zarr(tmp_path / "x")
    assert back.chunks == x.chunks
    assert back.dtype == x.dtype
    assert back._meta.format == x._meta.format
    np.testing.assert_array_equal(sa.dask.count(back), sa.dask.count(x))
    np.testing.assert_array_equal(np.asarray(back.compute()), DENSE)


def test_writing_is_resumed(tmp_path: Path) -> None:
    x = chunked()
    made: list[int] = []
    fails = [3]

    def block(part: Any, block_id: Any = None) -> Any:
        if block_id[0] in fails:
            raise RuntimeError("the worker is out of order")
        made.append(block_id[0])
        return part

    y = x.map_blocks(block, dtype=float, meta=x._meta, name="blocks-that-fail", token="once")
    with pytest.raises(RuntimeError, match="out of order"):
        sa.dask.to_zarr(y, tmp_path / "x").compute()
    before, fails[:] = set(made), []
    assert 3 not in before
    with pytest.raises(FormatError, match=r"lacks .* chunks, the first at .*resume to_zarr"):
        sa.dask.from_zarr(tmp_path / "x")
    made.clear()
    written = sa.dask.to_zarr(y, tmp_path / "x").compute()
    assert set(made) == set(range(x.npartitions)) - before and written == len(made)
    np.testing.assert_array_equal(np.asarray(sa.dask.from_zarr(tmp_path / "x").compute()), DENSE)


def test_half_written_chunks_are_written_again(tmp_path: Path) -> None:
    x = chunked()
    sa.dask.to_zarr(x, tmp_path / "x").compute()
    half = zarr.open_group(str(tmp_path / "x"))["chunk.1.0"]
    del half.attrs["structarr"]
    assert sa.dask.to_zarr(x, tmp_path / "x").compute() == 1


def test_groups_of_others_are_refused(tmp_path: Path) -> None:
    sa.dask.to_zarr(chunked(), tmp_path / "x").compute()
    with pytest.raises(FormatError, match="holds another array"):
        sa.dask.to_zarr(chunked() * 2, tmp_path / "x")
    zarr.open_group(str(tmp_path / "y"), mode="w")
    for name in ("y", "z"):
        with pytest.raises(FormatError, match="no group that"):
            sa.dask.from_zarr(tmp_path / name)


@pytest.mark.parametrize("name", ["product", "pagerank", "kmeans", "centred_pca"])
def test_examples_of_chunks_run(name: str, monkeypatch: Any, capsys: Any) -> None:
    script = ROOT / "examples" / "chunks" / f"{name}.py"
    size = "5e6" if name == "product" else "2000"
    monkeypatch.setattr(sys, "argv", [str(script), size])
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.count("\n") == 1


def test_dask_stores_chunks_in_dense_containers(tmp_path: Path) -> None:
    """Zarr looks at the memory of what is written as a whole chunk."""
    x = 2 * da.from_array(sa.asarray(DENSE, format="csr"), chunks=(20, 40), asarray=False)
    x.to_zarr(tmp_path / "x")
    np.testing.assert_array_equal(zarr.open(tmp_path / "x")[:], 2 * DENSE)
    target = np.zeros_like(DENSE)
    da.store(x, target, regions=(slice(None), slice(None)))
    np.testing.assert_array_equal(target, 2 * DENSE)
    with sa.options(densify_limit=100), pytest.raises(sa.errors.DensificationError):
        da.store(x, target, scheduler="sync")
