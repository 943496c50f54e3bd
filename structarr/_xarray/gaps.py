"""Missing elements from those beside them, which alone are computed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import xarray

from structarr._xarray.interpolation import numbers
from structarr._xarray.labels import labelled


def interpolate_na(
    array: xarray.DataArray, dim: Hashable, *, use_coordinate: bool = True
) -> xarray.DataArray:
    """
    Return an array whose missing elements lie on lines between the next that are not missing.

    `DataArray.interpolate_na` computes dense arrays of NumPy's. Here elements that are NaN are
    found and replaced: what is left out stays so.

    Parameters
    ----------
    array : xarray.DataArray
        Over an array of this library, or of NumPy's.
    dim : hashable
        The dimension along which elements are beside each other.
    use_coordinate : bool
        Whether the labels tell how far they are, which may be dates; else their places do.

    Returns
    -------
    xarray.DataArray
        What is missing before the first or after the last other element stays missing.

    Raises
    ------
    KeyError
        If there is no such dimension, or it has no labels and they are asked for.
    ValueError
        If labels do not increase.

    See Also
    --------
    interp : Between labels.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> import xarray as xr
    >>> from structarr.xarray import interpolate_na
    >>> rain = sa.asarray([[0.0, 0.0, 4.0, np.nan, 2.0]], format="csr")
    >>> found = interpolate_na(xr.DataArray(rain, dims=("t", "x")), "x", use_coordinate=False)
    >>> found.data.format, found.data.tolist()
    (Layout('csr'), [[0.0, 0.0, 4.0, 3.0, 2.0]])
    """
    axis = array.get_axis_num(dim)
    labels = labelled(array, dim).to_numpy() if use_coordinate else np.arange(array.sizes[dim])
    data = array.data
    if data.dtype.kind not in "fc" or not len(labels):
        return array.copy()
    x, _ = numbers(labels, labels, dim)
    missing = [np.asarray(one) for one in np.nonzero(np.isnan(data))]
    if not len(missing[0]):
        return array.copy()
    before, after = _beside(missing, axis, len(x))
    inner = (before >= 0) & (after < len(x))
    places = [one[inner] for one in missing]
    before, after = before[inner], after[inner]
    lower, upper = (np.asarray(data[_at(places, axis, one)]) for one in (before, after))
    share = (x[places[axis]] - x[before]) / (x[after] - x[before])
    found = data.copy()
    if len(share):
        found[tuple(places)] = np.where(
            lower == upper, lower, lower + (upper - lower) * share
        ).astype(data.dtype)
    return array.copy(data=found)


def _beside(missing: list[Any], axis: int, length: int) -> tuple[Any, Any]:
    """The places along an axis of the elements before and after each run of missing ones."""
    others = [one for number, one in enumerate(missing) if number != axis]
    order = np.lexsort((missing[axis], *others))
    along = missing[axis][order]
    begins = np.ones(len(order), bool)
    begins[1:] = along[1:] != along[:-1] + 1
    for one in others:
        begins[1:] |= one[order][1:] != one[order][:-1]
    run = np.cumsum(begins) - 1
    ends = np.append(begins[1:], True)
    before, after = np.empty_like(along), np.empty_like(along)
    before[order] = along[begins][run] - 1
    after[order] = along[ends][run] + 1
    return before, after


def _at(places: list[Any], axis: int, along: Any) -> tuple[Any, ...]:
    return tuple(along if number == axis else one for number, one in enumerate(places))
