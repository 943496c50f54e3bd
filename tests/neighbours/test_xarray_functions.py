"""Functions of labelled arrays beside xarray's own methods over NumPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats

import structarr as sa

pd = pytest.importorskip("pandas")
xr = pytest.importorskip("xarray")
from structarr.xarray import idxmax, idxmin, interp, interpolate_na, rank  # noqa: E402

RNG = np.random.default_rng(5)
TIMES = pd.date_range("2024-01-01", periods=6)
PLACES = np.array([10.0, 11, 13, 20, 21, 22, 30])
DENSE = np.round(RNG.normal(size=(6, 7)) * 2) * (RNG.random((6, 7)) < 0.5)
HOLES = np.where(RNG.random((6, 7)) < 0.3, np.nan, DENSE)
FORMATS = ["csr", "csc", "coo", "dense", "bitmap"]


def labelled(data: Any, format: str | None = None, **options: Any) -> Any:
    stored = data if format is None else sa.asarray(data, format=format, **options)
    return xr.DataArray(stored, {"t": TIMES, "x": PLACES}, ("t", "x"))


def same(ours: Any, theirs: Any, exact: bool = True) -> None:
    assert ours.dims == theirs.dims and sorted(ours.coords) == sorted(theirs.coords)
    for name in theirs.coords:
        np.testing.assert_array_equal(ours[name].values, theirs[name].values)
    dense = ours.data.todense() if isinstance(ours.data, sa.Array) else ours.data
    check = np.testing.assert_array_equal if exact else np.testing.assert_allclose
    check(dense, theirs.data)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dim", ["t", "x"])
@pytest.mark.parametrize("data", [DENSE, HOLES, np.where(DENSE > 0, DENSE, np.nan)])
def test_labels_of_extremes(data: Any, dim: str, format: str) -> None:
    for ours, name in ((idxmax, "idxmax"), (idxmin, "idxmin")):
        same(ours(labelled(data, format), dim), getattr(labelled(data), name)(dim))


def test_dates_of_nothing_are_missing() -> None:
    data = DENSE.copy()
    data[:, 2] = np.nan
    found = idxmax(labelled(data, "csr"), "t")
    assert np.isnat(found.values[2]) and not np.isnat(found.values[3])
    with pytest.raises(KeyError, match="no dimension 'y'"):
        idxmax(labelled(DENSE, "csr"), "y")
    with pytest.raises(KeyError, match="has no labels"):
        idxmax(xr.DataArray(sa.asarray([1, 2]), dims="x"), "x")


TARGETS: dict[str, dict[str, Any]] = {
    "between": {"x": [10.5, 12.0, 29.0]},
    "at labels": {"x": PLACES[[3, 0, 6]]},
    "beyond": {"x": [0.0, 15.0, 99.0]},
    "missing": {"x": [np.nan, 15.0]},
    "dates": {"t": pd.date_range("2024-01-01", periods=9, freq="15h")},
    "one": {"x": 12.5},
    "both": {"x": [12.5, 14.0], "t": TIMES[[0, 3]]},
    "along a new axis": {"x": xr.DataArray([12.5, 14.0], dims="z")},
    "half way": {"x": (PLACES[1:] + PLACES[:-1]) / 2},
}


def by_numpy(data: Any, targets: str) -> Any:
    """What `numpy.interp` makes of each line along each dimension."""
    for dim, given in TARGETS[targets].items():
        axis, old = ("t", "x").index(dim), {"t": TIMES, "x": PLACES}[dim]
        start, new = old[0], given if dim == "t" else np.asarray(given)
        unit = np.timedelta64(1, "s") if dim == "t" else 1.0
        one, since = (np.asarray((each - start) / unit, float) for each in (new, old))
        limits = {"left": np.nan, "right": np.nan}
        data = np.apply_along_axis(lambda y: np.interp(one, since, y, **limits), axis, data)  # noqa: B023
    return data


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("targets", TARGETS)
def test_interp(targets: str, method: Any, format: str) -> None:
    for data in (DENSE, HOLES):
        ours = interp(labelled(data, format), TARGETS[targets], method)
        assert isinstance(ours.data, sa.Array)
        theirs = labelled(data).interp(TARGETS[targets], method)
        if method == "linear":
            # xarray has NaN at a label where what is before it is missing.
            theirs = theirs.copy(data=by_numpy(data, targets))
        elif targets == "missing":
            theirs = theirs.where(theirs.x.notnull())
        same(ours, theirs, exact=False)


def test_interp_keeps_structure_and_infinity() -> None:
    assert interp(labelled(DENSE, "csr"), x=[]).shape == (6, 0)
    found = interp(labelled(DENSE, "csr"), x=[12.0, 12.5])
    assert found.data.format == "csr" and found.dtype == np.float64
    whole = labelled(DENSE.astype(np.int64), "csr")
    assert interp(whole, x=[12.0]).dtype == np.float64
    endless = labelled(np.where(DENSE > 0, np.inf, DENSE))
    ours = interp(endless.copy(data=sa.asarray(endless.data, format="csr")), x=[12.0, 20.0])
    wanted = [np.interp([12.0, 20.0], PLACES, row) for row in endless.values]
    np.testing.assert_array_equal(ours.data.todense(), wanted)
    backward = labelled(DENSE, "csr")[:, ::-1]
    same(interp(backward, x=[12.0]), labelled(DENSE).interp(x=[12.0]))
    with sa.options(strict_ieee=True):
        ours = interp(labelled(HOLES, "csr"), x=[12.0, 20.5])
        same(ours, labelled(HOLES).interp(x=[12.0, 20.5]), exact=False)


BAD: dict[str, Callable[[Any], Any]] = {
    "use array.interp": lambda a: interp(a, x=[12.0], method="cubic"),
    "2 axes": lambda a: interp(a, x=[[12.0]]),
    "along 't', too": lambda a: interp(a, x=xr.DataArray([12.0], dims="t")),
    "repeat": lambda a: interp(a.assign_coords(x=[1, 1, 2, 3, 4, 5, 6]), x=[2.5]),
    "no labels": lambda a: interp(a.isel(x=[]), x=[2.5]),
}


@pytest.mark.parametrize("message", BAD)
def test_interp_refuses(message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BAD[message](labelled(DENSE, "csr"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dim", ["t", "x"])
@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("data", [DENSE, HOLES, np.full((6, 7), np.nan)])
def test_missing_elements_between_others(data: Any, labels: bool, dim: str, format: str) -> None:
    ours = interpolate_na(labelled(data, format), dim, use_coordinate=labels)
    assert isinstance(ours.data, sa.Array)
    theirs = labelled(data).interpolate_na(dim, use_coordinate=labels)
    same(ours, theirs, exact=False)


def test_what_is_left_out_stays_so() -> None:
    before = labelled(HOLES, "csr")
    found = interpolate_na(before, "x")
    assert found.data.format == "csr" and found.data.nstored <= before.data.nstored
    np.testing.assert_array_equal(before.data.todense(), HOLES)
    gaps = labelled(np.where(DENSE > 0, DENSE, np.nan), "coo", fill_value=np.nan)
    theirs = labelled(np.where(DENSE > 0, DENSE, np.nan)).interpolate_na("x")
    same(interpolate_na(gaps, "x"), theirs, exact=False)
    cube = xr.DataArray(np.stack([HOLES, HOLES[::-1]]), dims=("a", "t", "x"))
    ours = interpolate_na(cube.copy(data=sa.asarray(cube.data)), "t", use_coordinate=False)
    same(ours, cube.interpolate_na("t", use_coordinate=False), exact=False)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dim", ["t", "x"])
@pytest.mark.parametrize("pct", [False, True])
@pytest.mark.parametrize("data", [DENSE, HOLES, DENSE + 1, DENSE.astype(int), DENSE > 0])
def test_ranks(data: Any, pct: bool, dim: str, format: str) -> None:
    axis = ("t", "x").index(dim)
    whole = scipy.stats.rankdata(data, axis=axis, nan_policy="omit")
    if pct:
        whole = whole / np.sum(~np.isnan(data), axis=axis, keepdims=True)
    found = rank(labelled(data, format), dim, pct=pct)
    assert isinstance(found.data, sa.Array)
    np.testing.assert_allclose(found.data.todense(), whole)


def test_ranks_where_missing_elements_are_left_out() -> None:
    holes = sa.asarray(HOLES, format="csr", fill_value=np.nan)
    found = rank(xr.DataArray(holes, dims=("t", "x")), "x")
    assert found.data.format == "csr" and np.isnan(found.data.fill_value)
    whole = scipy.stats.rankdata(HOLES, axis=1, nan_policy="omit")
    np.testing.assert_array_equal(found.data.todense(), whole)
    cube = np.stack([DENSE, DENSE[::-1]])
    ours = rank(xr.DataArray(sa.asarray(cube, format="coo"), dims=("a", "t", "x")), "t")
    np.testing.assert_array_equal(ours.data.todense(), scipy.stats.rankdata(cube, axis=1))
    with pytest.raises(TypeError, match="complex"):
        rank(labelled(DENSE * 1j, "csr"), "x")
    with pytest.raises(KeyError, match="'y'"):
        rank(labelled(DENSE, "csr"), "y")


def test_products_of_ranks_need_no_dense_array() -> None:
    wide = sa.asarray(np.eye(3000), format="csr")
    with sa.options(densify_limit=10**6):
        found = rank(xr.DataArray(wide, dims=("t", "x")), "x").data @ np.ones(3000)
        np.testing.assert_allclose(found.todense(), 3000 * 3001 / 2)
