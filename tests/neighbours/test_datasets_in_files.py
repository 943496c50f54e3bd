"""Datasets of xarray with structured variables, in Zarr groups and NetCDF files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import structarr as sa
from structarr.errors import FormatError

xr = pytest.importorskip("xarray")
from structarr.xarray import packed, unpacked  # noqa: E402  (needs xarray)

FORMATS = ("csr", "csc", "coo", "dia", "rle", "hash", "bitmap", "dense", "csf", "band")
DENSE = np.diag([1.0, -2.0, 3.0]) + np.diag([0.5, 0.5], 1)


def _dataset(format: str, fill: float = 0.0) -> xr.Dataset:
    data = sa.asarray(np.where(DENSE == 0, fill, DENSE), format=format, fill_value=fill)
    times = pd.date_range("2024-01-01", periods=3)
    rain = (("time", "place"), data, {"units": "mm"})
    plain = ("place", [1, 2, 3])
    return xr.Dataset({"rain": rain, "plain": plain}, {"time": times}, {"title": "one"})


def _check(found: xr.Dataset, wanted: xr.Dataset) -> None:
    assert sorted(found) == sorted(wanted) and found.attrs == wanted.attrs
    assert isinstance(found.rain.data, sa.Array)
    assert found.rain.data.format == wanted.rain.data.format
    assert found.rain.attrs == wanted.rain.attrs and found.rain.dims == wanted.rain.dims
    np.testing.assert_array_equal(found.rain.data.todense(), wanted.rain.data.todense())
    np.testing.assert_array_equal(found.rain.data.fill_value, wanted.rain.data.fill_value)
    assert found.time.equals(wanted.time) and found.plain.equals(wanted.plain)


@pytest.mark.parametrize("fill", [0.0, np.nan, 7.0])
@pytest.mark.parametrize("format", FORMATS)
def test_packed_and_unpacked(format: str, fill: float) -> None:
    if fill and format in ("dia", "band", "dense", "bitmap"):
        fill = 0.0
    dataset = _dataset(format, fill)
    plain = packed(dataset)
    assert all(isinstance(variable.data, np.ndarray) for variable in plain.data_vars.values())
    _check(unpacked(plain), dataset)


def test_buffers_are_shared() -> None:
    dataset = _dataset("csr")
    first, second = packed(dataset), packed(dataset)
    assert np.shares_memory(first["rain.buffer2"].values, second["rain.buffer2"].values)


def test_zarr_holds_what_is_stored(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    places = (np.array([3, 10**6]), np.array([5, 10**6]))
    huge = sa.from_coordinates(places, np.array([1.5, 2.5]), (10**7, 10**7))
    dataset = _dataset("csr").assign(huge=(("a", "b"), huge))
    packed(dataset).to_zarr(tmp_path / "x.zarr", consolidated=False)
    found = unpacked(xr.open_zarr(tmp_path / "x.zarr", consolidated=False, chunks=None))
    _check(found.drop_vars("huge"), dataset.drop_vars("huge"))
    assert found.huge.data[3, 5] == 1.5 and found.huge.shape == (10**7, 10**7)


def test_netcdf_holds_what_is_stored(tmp_path: Path) -> None:
    data = sa.asarray(DENSE.astype(np.float32), format="csr").asformat("rle")
    dataset = xr.Dataset({"rain": (("time", "place"), data)})
    packed(dataset).to_netcdf(tmp_path / "x.nc", engine="scipy", format="NETCDF3_64BIT")
    with xr.open_dataset(tmp_path / "x.nc", engine="scipy") as file:
        found = unpacked(file)
    np.testing.assert_array_equal(found.rain.data.todense(), data.todense())
    assert found.rain.data.format == data.format and found.rain.dtype == np.float32


def test_what_is_damaged_or_taken_is_refused() -> None:
    dataset = _dataset("csr")
    plain = packed(dataset)
    with pytest.raises(FormatError, match="already"):
        packed(dataset.assign({"rain.buffer0": ("k", [1])}))
    told = dataset.rain.assign_attrs(structarr="mine")
    with pytest.raises(FormatError, match="'rain' has an attribute 'structarr' already"):
        packed(dataset.assign(rain=told))
    with pytest.raises(FormatError, match=r"rain.*damaged"):
        unpacked(plain.drop_vars("rain.buffer1"))
    wrong = plain.copy()
    wrong["rain.buffer1"] = (plain["rain.buffer1"].dims, plain["rain.buffer1"].values + 99)
    with pytest.raises(FormatError):
        unpacked(wrong)
    for told in ("{", "[]", json.dumps({"buffers": 10**9}), json.dumps({"version": 1})):
        wrong = plain.copy()
        wrong["rain"] = ((), 0.0, {"structarr": told})
        with pytest.raises(FormatError, match="damaged"):
            unpacked(wrong)
