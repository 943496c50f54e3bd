"""Ranks along a dimension, as a rank of what is left out and the differences of what is not."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
import xarray

from structarr._api.creation.coordinates import from_coordinates
from structarr._api.creation.creation import asarray
from structarr._array import Array, stored
from structarr._storage.coordinates import coordinates


def rank(array: xarray.DataArray, dim: Hashable, *, pct: bool = False) -> xarray.DataArray:
    """
    Return the rank of each element along a dimension, from 1 on.

    Equal elements have the mean of their ranks, and missing ones have none. `DataArray.rank`
    computes dense arrays of NumPy's, by another library. Here all that is left out in a row has
    one rank, so that the result is a sum: of a column of such ranks, and of an array that stores
    as much as `array`. What follows is computed by parts: products and sums need no dense array.

    Parameters
    ----------
    array : xarray.DataArray
        Over an array of this library.
    dim : hashable
        The dimension.
    pct : bool
        Whether to divide by how many elements are not missing.

    Returns
    -------
    xarray.DataArray
        Of float64, lazy.

    Raises
    ------
    KeyError
        If there is no such dimension.
    TypeError
        If the elements are complex, which have no order.

    See Also
    --------
    idxmax : The label of the largest.

    Examples
    --------
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import rank
    >>> rain = sa.asarray([[0.0, 0.0, 4.0], [-2.0, 0.0, 5.0]], format="csr")
    >>> rank(xr.DataArray(rain, dims=("t", "x")), "x").data.tolist()
    [[1.5, 1.5, 3.0], [1.0, 2.0, 3.0]]
    """
    if dim not in array.dims:
        raise KeyError(f"there is no dimension {dim!r} among {array.dims}")
    if array.dtype.kind == "c":
        raise TypeError("complex numbers have no order, and so no ranks")
    return array.copy(data=_ranked(asarray(array.data), array.get_axis_num(dim), pct))


def _ranked(data: Array, axis: int, pct: bool) -> Array:
    tensor = stored(data)
    places, values = coordinates(tensor)
    fill, length = tensor.fill, tensor.shape[axis]
    outer = tuple(1 if number == axis else one for number, one in enumerate(tensor.shape))
    rows = int(np.prod(outer))
    row = np.ravel_multi_index(
        [np.zeros_like(one) if number == axis else one for number, one in enumerate(places)], outer
    )
    missing = np.isnan(values)
    unfilled = bool(np.isnan(fill))  # what is left out is missing, and has no rank
    nans = np.zeros(rows, np.int64) if unfilled else _counts(row[missing], rows)
    listed = ~missing & (unfilled | (values != fill))
    there, own = row[listed], values[listed]
    below = np.zeros(rows, np.int64) if unfilled else _counts(there[own < fill], rows)
    held = _counts(there, rows)
    left_out = np.zeros(rows, np.int64) if unfilled else length - held - nans
    of_fill = below + (left_out + 1) / 2
    among = _among(there, own, held) + (0 if unfilled else left_out[there] * (own > fill))
    size = np.maximum(held + left_out, 1) if pct else np.ones(rows)
    by_columns = data.format == "csc"
    format: Literal["csr", "csc", "coo"] = "csc" if by_columns else "csr"
    format = format if data.ndim == 2 else "coo"
    if unfilled:
        kept = tuple(one[listed] for one in places)
        ranks = among / size[there]
        return from_coordinates(kept, ranks, data.shape, fill_value=np.nan, format=format)
    told = listed | missing
    kept = tuple(one[told] for one in places)
    ranks = np.full(len(values), np.nan)
    ranks[listed] = (among - of_fill[there]) / size[there]
    differences = from_coordinates(kept, ranks[told], data.shape, format=format)
    return differences + asarray((of_fill / size).reshape(outer))


def _counts(rows: Any, count: int) -> Any:
    return np.bincount(rows, minlength=count)


def _among(row: Any, values: Any, held: Any) -> Any:
    """The rank of each value among those of its row; of equal ones the mean."""
    order = np.lexsort((values, row))
    sorted_rows, sorted_values = row[order], values[order]
    begins = np.ones(len(order), bool)
    begins[1:] = (sorted_rows[1:] != sorted_rows[:-1]) | (sorted_values[1:] != sorted_values[:-1])
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(order)) - 1
    means = ((first + last) / 2)[np.cumsum(begins) - 1]
    found = np.empty(len(order))
    found[order] = means - (np.cumsum(held) - held)[sorted_rows] + 1
    return found
