"""Interpolation between labels, in the structure that the array has."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
import xarray

from structarr._xarray.labels import labelled


class _Between(NamedTuple):
    """Where new labels are among those that there are."""

    lower: Any
    upper: Any
    share: Any  # of the upper one
    inside: Any


def interp(
    array: xarray.DataArray,
    coords: Mapping[Any, Any] | None = None,
    method: str = "linear",
    **more: Any,
) -> xarray.DataArray:
    """
    Return the values at other labels, between those that there are.

    `DataArray.interp` computes dense arrays of NumPy's. Here the columns beside each new label are
    taken and added up, so that the result leaves out what both leave out.

    Parameters
    ----------
    array : xarray.DataArray
        Over an array of this library, or of NumPy's.
    coords : mapping of labels by dimension, optional
        The new labels, of one axis or none for each dimension. They may be dates.
    method : {"linear", "nearest"}
        How.
    **more : array_like
        The same by keywords.

    Returns
    -------
    xarray.DataArray
        NaN where new labels are beyond the first or the last.

    Raises
    ------
    KeyError
        If there is no such dimension, or it has no labels.
    ValueError
        If the method is another, new labels have several axes, or labels of a dimension repeat.

    See Also
    --------
    interpolate_na : Between the elements that are not missing.

    Examples
    --------
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import interp
    >>> rain = sa.asarray([[0.0, 0.0, 4.0], [2.0, 0.0, 0.0]], format="csr")
    >>> found = interp(xr.DataArray(rain, {"x": [0, 1, 2]}, ("t", "x")), x=[0.5, 1.5])
    >>> found.data.format, found.data.tolist()
    (Layout('csr'), [[0.0, 2.0], [1.0, 0.0]])
    """
    if method not in ("linear", "nearest"):
        raise ValueError(f"method {method!r} is neither 'linear' nor 'nearest': use array.interp")
    for dim, labels in {**(coords or {}), **more}.items():
        array = _along(array, dim, labels, method)
    return array


def _along(array: xarray.DataArray, dim: Hashable, given: Any, method: str) -> xarray.DataArray:
    new = given if isinstance(given, xarray.DataArray) else np.asarray(given)
    if new.ndim > 1:
        raise ValueError(f"the labels of {dim!r} have {new.ndim} axes, not one: use array.interp")
    named = new.dims[0] if isinstance(new, xarray.DataArray) and new.ndim else dim
    if named != dim and named in array.dims:
        raise ValueError(f"the labels of {dim!r} are along {named!r}, too: use array.interp")
    array = array.sortby(dim) if dim in array.coords else array
    old = labelled(array, dim).to_numpy()
    targets = np.atleast_1d(np.asarray(new))
    place = _nearest if method == "nearest" else _linear
    between = place(*numbers(old, targets, dim))
    axis = array.get_axis_num(dim)
    data = _blended(array.data, between, axis)
    attrs = array[dim].attrs
    made = array.drop_vars([name for name, one in array.coords.items() if dim in one.dims])
    made = made.isel({dim: np.zeros(len(targets), np.int64)}).copy(data=data)
    made = made.rename({dim: named}).assign_coords({dim: (named, targets, attrs)})
    return made if new.ndim else made.isel({dim: 0})


def numbers(old: Any, new: Any, dim: Hashable) -> tuple[Any, Any]:
    """
    Return labels and new ones as floats; of dates, as the time since the first.

    Raises
    ------
    ValueError
        If there are none, or they do not increase.

    Examples
    --------
    >>> days = np.array(["2024-01-02", "2024-01-03"], "datetime64[D]")
    >>> numbers(days, days, "day")[0].tolist()
    [0.0, 86400000000000.0]
    """
    if not len(old):
        raise ValueError(f"there are no labels of {dim!r} to interpolate between")
    if old.dtype.kind in "mM":
        kind = np.dtype(f"{old.dtype.kind}8[ns]")
        start = old.astype(kind)[:1]
        old, new = (_since(one.astype(kind), start) for one in (old, new))
    old, new = old.astype(np.float64), new.astype(np.float64)
    if not (old[1:] > old[:-1]).all():
        raise ValueError(f"labels of {dim!r} repeat, or are missing: drop_duplicates first")
    return old, new


def _since(times: Any, start: Any) -> Any:
    passed = times - start
    return np.where(np.isnat(passed), np.nan, passed.astype("m8[ns]").astype(np.float64))


def _linear(old: Any, new: Any) -> _Between:
    lower = np.clip(np.searchsorted(old, new, side="right") - 1, 0, len(old) - 1)
    upper = np.minimum(lower + 1, len(old) - 1)
    gap = np.where(upper > lower, old[upper] - old[lower], 1.0)
    share = np.clip((new - old[lower]) / gap, 0, 1)
    # What is at a label is what is there, whatever is beside it.
    return _Between(lower, np.where(share > 0, upper, lower), share, _inside(old, new))


def _nearest(old: Any, new: Any) -> _Between:
    """The nearest label; of two, the lower one."""
    place = np.searchsorted((old[1:] + old[:-1]) / 2, new, side="left")
    return _Between(place, place, np.zeros(len(new)), _inside(old, new))


def _inside(old: Any, new: Any) -> Any:
    return (old[0] <= new) & (new <= old[-1])


def _blended(data: Any, between: _Between, axis: int) -> Any:
    """The parts of the lower and upper neighbours; where these are equal, exactly they."""
    along = [1] * data.ndim
    along[axis] = -1
    inside, share = between.inside.reshape(along), between.share.reshape(along)
    found = lower = np.take(data, between.lower, axis=axis)
    if between.share.any():
        upper = np.take(data, between.upper, axis=axis)
        found = np.where(lower == upper, lower, lower * (1 - share) + upper * share)
    found = found if found.dtype.kind in "fc" else found.astype(np.float64)
    return found if inside.all() else np.where(inside, found, found.dtype.type(np.nan))
