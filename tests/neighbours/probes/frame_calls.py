"""Calls of pandas, xarray and Dask over arrays of each library."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
import xarray as xr

TIMES = pd.date_range("2024-01-01", periods=20)

PANDAS: dict[str, Any] = {
    "DataFrame": lambda o: pd.DataFrame(o.A),
    "DataFrame of columns": lambda o: pd.DataFrame({"u": o.u}),
    "Series": lambda o: pd.Series(o.u),
    "from_spmatrix": (
        lambda o: pd.DataFrame.sparse.from_spmatrix(o.A),
        lambda o: pd.DataFrame(o.A),
    ),
    "unique": lambda o: np.sort(pd.unique(o.u)),
    "factorize": lambda o: pd.factorize(o.u)[0],
    "isna": lambda o: pd.isna(o.A),
    "cut": lambda o: pd.cut(o.u, 3, labels=False),
    "assign": lambda o: pd.DataFrame({"a": np.arange(30)}).assign(u=o.u)["u"],
    "frame + x": lambda o: pd.DataFrame(o.D) + o.A,
    "frame * x": lambda o: pd.DataFrame(o.D).mul(o.A),
    "frame @ x": lambda o: pd.DataFrame(o.D.T) @ o.A,
    "series + x": lambda o: pd.Series(np.arange(30.0)) + o.u,
    "mask by x": lambda o: pd.DataFrame(o.D).where(o.A > 0),
    "take rows by x": lambda o: pd.Series(np.arange(30))[o.u > 2],
    "merge": lambda o: pd.DataFrame({"a": o.u}).merge(pd.DataFrame({"a": [1.0, 2.0]})),
}


def _labelled(o: Any) -> Any:
    return xr.DataArray(
        o.A, {"t": TIMES, "x": np.arange(8.0), "k": ("t", np.arange(20) % 3)}, ("t", "x")
    )


def _on(call: Any) -> Any:
    return lambda o: call(_labelled(o))


XARRAY: dict[str, Any] = {
    name: _on(call)
    for name, call in {
        "a + a": lambda a: a + a,
        "a * 2": lambda a: a * 2,
        "a > 1": lambda a: a > 1,
        "-a": lambda a: -a,
        "abs": abs,
        "sum": lambda a: a.sum("t"),
        "sum of all": lambda a: a.sum(),
        "mean": lambda a: a.mean("x"),
        "max": lambda a: a.max("t"),
        "min": lambda a: a.min("t"),
        "var": lambda a: a.var("t"),
        "std": lambda a: a.std("t"),
        "prod": lambda a: a.prod("x"),
        "median": lambda a: a.median("t"),
        "quantile": lambda a: a.quantile([0.2, 0.7], "t"),
        "count": lambda a: a.count("t"),
        "any": lambda a: (a > 3).any("t"),
        "all": lambda a: (a > 0).all("t"),
        "argmax": lambda a: a.argmax("x"),
        "argmin": lambda a: a.argmin("x"),
        "idxmax": lambda a: a.idxmax("x"),
        "idxmax of dates": lambda a: a.idxmax("t"),
        "cumsum": lambda a: a.cumsum("x"),
        "cumprod": lambda a: a.cumprod("x"),
        "diff": lambda a: a.diff("t"),
        "shift": lambda a: a.shift(x=1),
        "roll": lambda a: a.roll(x=2),
        "pad": lambda a: a.pad(x=1),
        "transpose": lambda a: a.T,
        "stack": lambda a: a.stack(z=("t", "x")),
        "unstack": lambda a: a.stack(z=("t", "x")).unstack("z"),
        "expand_dims": lambda a: a.expand_dims("z"),
        "isel": lambda a: a.isel(x=2),
        "isel slices": lambda a: a.isel(t=slice(1, 9, 2), x=slice(None, None, -1)),
        "isel lists": lambda a: a.isel(t=[4, 1, 1], x=[0, 5]),
        "isel points": lambda a: a.isel(
            t=xr.DataArray([0, 1], dims="z"), x=xr.DataArray([1, 2], dims="z")
        ),
        "sel": lambda a: a.sel(t=slice("2024-01-03", "2024-01-06")),
        "sel nearest": lambda a: a.sel(x=[1.2, 3.9], method="nearest"),
        "reindex": lambda a: a.reindex(x=[1.0, 9.0, 3.0]),
        "align": lambda a: xr.align(a[3:], a[:9], join="outer")[0],
        "concat": lambda a: xr.concat([a, a], "t"),
        "where": lambda a: a.where(a > 2),
        "where other": lambda a: a.where(a > 2, -1.0),
        "xr.where": lambda a: xr.where(a > 2, a, 0.0),
        "clip": lambda a: a.clip(1, 3),
        "round": lambda a: (a / 3).round(1),
        "isin": lambda a: a.isin([1.0, 2.0]),
        "fillna": lambda a: a.where(a > 2).fillna(7.0),
        "isnull": lambda a: a.where(a > 2).isnull(),
        "dropna": lambda a: a.where(a < 9).dropna("t"),
        "astype": lambda a: a.astype(np.int64),
        "groupby mean": lambda a: a.groupby("k").mean(),
        "groupby sum": lambda a: a.groupby("k").sum(),
        "groupby map": lambda a: a.groupby("k").map(lambda part: part - part.mean("t")),
        "groupby_bins": lambda a: a.groupby_bins("x", [-1, 3, 8]).sum(),
        "resample": lambda a: a.resample(t="5D").sum(),
        "rolling mean": lambda a: a.rolling(t=3).mean(),
        "rolling construct": lambda a: a.rolling(t=3).construct("w"),
        "coarsen": lambda a: a.coarsen(t=4).max(),
        "weighted mean": lambda a: a.weighted(xr.DataArray(np.arange(8.0), dims="x")).mean("x"),
        "dot": lambda a: xr.dot(a, a, dim="t"),
        "a @ a": lambda a: a @ a,
        "cov": lambda a: xr.cov(a, a * 2, "t"),
        "corr": lambda a: xr.corr(a, a**2, "t"),
        "interp": lambda a: a.interp(x=[0.5, 2.5]),
        "interpolate_na": lambda a: a.where(a != 2).interpolate_na("x"),
        "integrate": lambda a: a.integrate("x"),
        "differentiate": lambda a: a.differentiate("x"),
        "polyfit": lambda a: a.polyfit("x", 1).polyfit_coefficients,
        "sortby": lambda a: a.sortby("x", ascending=False),
        "sortby values": lambda a: a.sortby(a.isel(t=0)),
        "apply_ufunc": lambda a: xr.apply_ufunc(np.sqrt, a),
        "apply_ufunc along an axis": lambda a: xr.apply_ufunc(
            lambda x: x.sum(-1), a, input_core_dims=[["x"]]
        ),
        "np.sin": np.sin,
        "assign_coords": lambda a: a.assign_coords(x=a.x * 2).sum("x"),
        "to_series": lambda a: a.rename("a").to_series(),
        "to_pandas": lambda a: a.to_pandas(),
        "to_dataset": lambda a: a.to_dataset("x")[3.0],
        "Dataset.mean": lambda a: xr.Dataset({"a": a, "b": a * 2}).mean("t")["b"],
        "Dataset.to_dataarray": lambda a: xr.Dataset({"a": a, "b": a}).to_dataarray(),
        "merge": lambda a: xr.merge([a.rename("a"), (a * 2).rename("b")])["b"],
        "combine_first": lambda a: a.where(a > 2).combine_first(a),
        "broadcast": lambda a: xr.broadcast(a, a.isel(t=0))[1],
        "equals": lambda a: a.equals(a.copy()),
        "identical": lambda a: a.identical(a + 1),
        "copy deep": lambda a: a.copy(deep=True),
        "item": lambda a: a.isel(t=0, x=0).item(),
        "html": lambda a: "xr-header" in a._repr_html_(),
        "repr": lambda a: "Coordinates" in repr(a),
        "chunk": lambda a: a.chunk(t=7).sum("t").compute(),
        "assign by label": lambda a: _assigned(a),
    }.items()
}


def _assigned(a: Any) -> Any:
    a = a.copy(deep=True)
    a.loc[{"x": 2.0}] = 5.0
    return a


def _chunks(o: Any) -> Any:
    return da.from_array(o.A, chunks=(7, 3), asarray=False)


def _blocks(call: Any) -> Any:
    return lambda o: call(_chunks(o)).compute(scheduler="sync")


DASK: dict[str, Any] = {
    name: _blocks(call)
    for name, call in {
        "from_array": lambda a: a,
        "a + a": lambda a: a + a,
        "a * 2": lambda a: a * 2,
        "sum": lambda a: a.sum(),
        "sum of axis": lambda a: a.sum(axis=0),
        "mean": lambda a: a.mean(axis=1),
        "var": lambda a: a.var(axis=0),
        "max": lambda a: a.max(axis=0),
        "argmax": lambda a: a.argmax(axis=1),
        "T": lambda a: a.T,
        "a @ a.T": lambda a: a @ a.T,
        "a @ NumPy's": lambda a: a @ da.ones((8, 2), chunks=(3, 2)),
        "tensordot": lambda a: da.tensordot(a, a, axes=(0, 0)),
        "slice": lambda a: a[2:15, 1:5],
        "list": lambda a: a[[5, 2, 2]],
        "rechunk": lambda a: a.rechunk((5, 8)),
        "concatenate": lambda a: da.concatenate([a, a]),
        "stack": lambda a: da.stack([a, a]),
        "map_blocks": lambda a: a.map_blocks(np.abs),
        "where": lambda a: da.where(a > 2, a, 0),
        "reshape": lambda a: a.rechunk((5, 8)).reshape(4, 5, 8),
        "einsum": lambda a: da.einsum("ij,kj->ik", a, a),
        "sin": da.sin,
        "clip": lambda a: da.clip(a, 1, 3),
        "nansum": lambda a: da.nansum(a, axis=0),
        "cumsum": lambda a: a.cumsum(axis=0),
        "diff": lambda a: da.diff(a, axis=0),
        "count_nonzero": da.count_nonzero,
    }.items()
}

PROBES = {"pandas": PANDAS, "xarray": XARRAY, "dask": DASK}
