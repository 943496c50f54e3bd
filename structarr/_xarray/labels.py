"""The labels of extremes, whatever they are: dates, too, which no array of ours holds."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import xarray


def idxmax(array: xarray.DataArray, dim: Hashable) -> xarray.DataArray:
    """
    Return the labels of the largest elements along a dimension.

    Missing elements are left out. `DataArray.idxmax` asks the array's library for an array of the
    labels, which fails for dates: here they stay xarray's.

    Parameters
    ----------
    array : xarray.DataArray
        Over an array of this library, or of NumPy's.
    dim : hashable
        The dimension, which has labels.

    Returns
    -------
    xarray.DataArray
        Labels, of NumPy's dtype of them. Where all elements are missing, so is the label.

    Raises
    ------
    KeyError
        If there is no such dimension, or it has no labels.

    See Also
    --------
    idxmin : Those of the smallest.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import idxmax
    >>> days = np.array(["2024-01-01", "2024-01-02"], "datetime64[s]")
    >>> rain = sa.asarray([[0.0, 3.0], [2.0, 0.0]], format="csr")
    >>> wettest = idxmax(xr.DataArray(rain, {"day": days}, ("day", "place")), "day")
    >>> wettest.dt.day.values.tolist()
    [2, 1]
    """
    return _labels(array, dim, "argmax")


def idxmin(array: xarray.DataArray, dim: Hashable) -> xarray.DataArray:
    """
    Return the labels of the smallest elements along a dimension: see `idxmax`.

    Parameters
    ----------
    array : xarray.DataArray
        Over an array of this library, or of NumPy's.
    dim : hashable
        The dimension, which has labels.

    Returns
    -------
    xarray.DataArray
        Labels, of NumPy's dtype of them. Where all elements are missing, so is the label.

    Raises
    ------
    KeyError
        If there is no such dimension, or it has no labels.

    See Also
    --------
    idxmax : Those of the largest, with an example.

    Examples
    --------
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import idxmin
    >>> low = idxmin(xr.DataArray(sa.asarray([2.0, 1.0]), {"x": ["a", "b"]}, "x"), "x")
    >>> low.item()
    'b'
    """
    return _labels(array, dim, "argmin")


def _labels(array: xarray.DataArray, dim: Hashable, which: str) -> xarray.DataArray:
    labels = labelled(array, dim).to_numpy()
    along: Any = dim
    missing = array.isnull().all(along)
    places: Any = getattr(array.where(~missing, 0), which)(along)
    found: xarray.DataArray = places.copy(data=labels[np.asarray(places.data)]).rename(dim)
    return found.where(~missing.copy(data=np.asarray(missing.data)))


def labelled(array: xarray.DataArray, dim: Hashable) -> xarray.DataArray:
    """
    Return the labels of a dimension.

    Raises
    ------
    KeyError
        If there is no such dimension, or it has no labels.

    Examples
    --------
    >>> labelled(xarray.DataArray([5, 6], {"x": [1.0, 2.0]}, "x"), "x").values.tolist()
    [1.0, 2.0]
    """
    if dim not in array.dims:
        raise KeyError(f"there is no dimension {dim!r} among {array.dims}")
    if dim not in array.coords:
        raise KeyError(f"dimension {dim!r} has no labels: give it some by .assign_coords")
    return array[dim]
