"""Medians and quantiles; of lists and runs, by what is stored and the number of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from math import ceil, floor
from typing import Any, Final, Protocol

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.entry_lists import dense_to_read
from structarr._api.core.fibers import has_fibers, reads_fibers
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import member
from structarr._api.reductions.order_statistics import (
    Fibers,
    fibers_of,
    in_lists_of,
    spread,
    unstored,
)
from structarr._api.reductions.reductions import MISSING, Axis, normalized
from structarr._api.shape.manipulation import expand_dims
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._support.array_types import ArrayLike, Quantile

_SHARE: Final = 6  # reading an element takes this part of sorting a stored one
_EXACT: Final = 2**53  # the bound of the integers that floating-point numbers represent exactly


def _continuous(alpha: float, beta: float) -> Callable[[Any, Any], Any]:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _closest(n: Any, q: Any) -> int:
    place = n * q - 1 - 0.5
    low: int = floor(place)
    return low if place == low and low % 2 else low + 1


# The position of quantile q among n sorted elements, from 0, by methods that take an element.
_DISCRETE: Final[Mapping[str, Callable[[Any, Any], int]]] = {
    "inverted_cdf": lambda n, q: ceil(n * q - 1),
    "closest_observation": _closest,
    "lower": lambda n, q: floor((n - 1) * q),
    "higher": lambda n, q: ceil((n - 1) * q),
    "nearest": lambda n, q: round((n - 1) * q),
}
# The fractional position, by methods that interpolate between the two elements around it.
_CONTINUOUS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": _continuous(1 / 3, 1 / 3),
    "normal_unbiased": _continuous(3 / 8, 3 / 8),
    "midpoint": lambda n, q: (n - 1) * q,
}
_WEIGHTS: Final[Mapping[str, Callable[[Any], float]]] = {
    "averaged_inverted_cdf": lambda weight: 1.0 if weight else 0.5,
    "midpoint": lambda weight: 0.5 if weight else 0.0,
}


def _between(method: str, n: int, q: Any) -> tuple[int, int, float]:
    """The two places around a quantile of n elements, and its distance from the first.

    The places are equal for a quantile that is an element.
    """
    if n > _EXACT:  # which seldom is, and the module takes 2 ms to import
        q = import_module("fractions").Fraction(float(q))
    if method in _DISCRETE:
        place = min(max(_DISCRETE[method](n, q), 0), max(n - 1, 0))
        return place, place, 0.0
    where = _CONTINUOUS[method](n, q)
    if where < 0 or where >= n - 1:
        place = 0 if where < 0 else max(n - 1, 0)
        return place, place, 0.0
    low = floor(where)
    weight = _WEIGHTS.get(method, float)(where - low)
    return low, low + 1, weight


def _quantiles(fibers: Fibers, q: NumPyArray, method: str, weak: bool, kind: Any) -> NumPyArray:
    """A row of each fiber's quantile for each q."""
    counts, inverse = np.unique(fibers.length, return_inverse=True)
    weight = q.dtype if q.dtype.kind == "f" else np.dtype(np.float64)
    rows = np.empty((q.size, len(fibers.length)), kind)
    for row, one in zip(rows, q.reshape(-1), strict=True):
        places = [_between(method, int(n), one) for n in counts]
        low, high = (
            np.array([place[side] for place in places], fibers.length.dtype)[inverse]
            for side in (0, 1)
        )
        weights = np.array([place[2] for place in places], weight)[inverse]
        if method == "linear" and q.dtype.kind in "biu":  # 0 or 1: NumPy takes an element
            row[:] = fibers.at(low)
        else:
            row[:] = _mixed(fibers.at(low), fibers.at(high), weights, weak, method)
        if fibers.values.dtype.kind == "f":
            row[fibers.nan] = np.nan
    return rows


_WITHOUT_NAN = (np.nanmedian, np.nanpercentile, np.nanquantile)


def _mixed(
    low: NumPyArray, high: NumPyArray, weight: NumPyArray, weak: bool, method: str
) -> NumPyArray:
    """Interpolate as NumPy does, to the bit; a weak weight has the dtype of the values."""
    if method in _DISCRETE or low.dtype == bool:
        return low
    near, far = weight, 1 - weight
    if weak and low.dtype.kind == "f":
        near, far = near.astype(low.dtype), far.astype(low.dtype)
    with np.errstate(all="ignore"):
        rise = high - low
        return np.where(  # type: ignore[no-any-return]
            weight >= 0.5, high - rise * far, low + rise * near
        )


def _reduced(
    twin: Any,
    a: Any,
    axis: Axis,
    out: Out | None,
    keepdims: Any,
    compute: Callable[[Fibers], NumPyArray],
    outer: tuple[int, ...],
    **options: Any,
) -> Out:
    """Reduce fibers by their order: stored runs, or where much is stored all elements by NumPy."""
    array = as_array(a)
    keep = keepdims is not MISSING and bool(keepdims)
    tensor = stored(array)
    given = options.get("weights") is None and array.size and axis != () and array.ndim
    axes = normalized(axis, array.ndim) if given and array.dtype.kind != "c" else ()
    last = tensor.format.order[-1] if array.ndim else 0
    along = last if last in axes else min(axes, default=0)
    if not axes or not has_fibers(tensor, along):
        return deliver(through(twin, array, axis=axis, keepdims=keep, **options), out)
    skips = twin in _WITHOUT_NAN
    if reads_fibers(tensor, along, _SHARE):
        fibers = fibers_of(tensor, axes, skips)
        made = spread(tensor, axes, fibers.places, compute(fibers), outer)
    else:  # NumPy finds a few elements without sorting all
        found = dense_to_read(stored(through(twin, array, axis=axis, **options)))
        rows = compute(unstored(tensor, axes, skips))
        fill = rows[0, -1] if len(rows) else found.dtype.type(0)
        made = in_lists_of(tensor, axes, found, fill, len(outer))
    result = of_tensor(made)
    if keep:
        result = expand_dims(result, tuple(len(outer) + place for place in axes))
    return deliver(result, out)


class AtQuantiles(Protocol):
    """The type of functions that look at shares of sorted elements."""

    def __call__(
        self,
        a: ArrayLike,
        q: ArrayLike,
        axis: Axis = None,
        out: Out | None = None,
        overwrite_input: bool = False,
        method: Quantile = "linear",
        keepdims: bool = False,
        *,
        weights: ArrayLike | None = None,
    ) -> Out: ...


class Middle(Protocol):
    """The type of medians."""

    def __call__(
        self,
        a: ArrayLike,
        axis: Axis = None,
        out: Out | None = None,
        overwrite_input: bool = False,
        keepdims: bool = False,
    ) -> Out: ...


def _at_quantiles(
    twin: Any,
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis = None,
    out: Out | None = None,
    overwrite_input: bool = False,
    method: Quantile = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Out:
    """
    Quantiles.

    Parameters
    ----------
    a : array_like
        The elements, real numbers.
    q : array_like
        Shares, from 0 for the least element to 1 for the greatest; percentages, from 0 to 100,
        for `percentile` and `nanpercentile`. Their axes come first.
    axis : int or tuple of int, optional
        The axes to sort along; None stands for all.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    overwrite_input : bool
        Makes no difference: arrays are values.
    method : str
        Which element, or what between two, by the names of `numpy.quantile`.
    keepdims : bool
        Whether the axes stay, with length one.
    weights : array_like, optional
        How much each element counts; needs dense arrays.

    Returns
    -------
    Array
        Computed. Stored elements and runs are sorted, in time n log n, and the fill is only
        counted; where much of an array is stored, and of dense arrays, NumPy reads all elements.

    Raises
    ------
    ValueError
        If a share is not from 0 to 1, a percentage not from 0 to 100, or there is no such method.
    TypeError
        If the dtype is complex.
    $axis_error
    $densification

    See Also
    --------
    quantile : By shares.
    percentile : By percentages.
    nanquantile : By shares, passing over NaN.
    nanpercentile : By percentages, passing over NaN.
    median : The middle element.
    """
    array = as_array(a)
    given: Any = np.asarray(q) if isinstance(q, Array) else q
    percent = twin in (np.percentile, np.nanpercentile)
    shares = np.asarray(np.true_divide(given, 100) if percent else given)
    weak = type(given) in (int, float)

    def compute(fibers: Fibers) -> NumPyArray:
        # NumPy checks the arguments and determines the result's dtype.
        kind = twin(np.zeros(1, array.dtype), given, method=method).dtype
        return _quantiles(fibers, shares, method, weak, kind)

    options = {"q": given, "method": method, "weights": weights}
    return _reduced(twin, array, axis, out, keepdims, compute, shares.shape, **options)


quantile: AtQuantiles = member(
    _at_quantiles,
    np.quantile,
    "Return quantiles of the elements along axes.",
    'sa.quantile(sa.asarray([[0, 2, 4], [0, 0, 1]], format="csr"), 0.5, axis=1).tolist()',
    "[2.0, 0.0]",
)
percentile: AtQuantiles = member(
    _at_quantiles,
    np.percentile,
    "Return percentiles of the elements along axes; see `quantile`.",
    "float(sa.percentile([1.0, 2.0, 4.0], 50))",
    "2.0",
)
nanquantile: AtQuantiles = member(
    _at_quantiles,
    np.nanquantile,
    "Return quantiles of the elements along axes that are not NaN; see `quantile`.",
    "float(sa.nanquantile([1.0, sa.nan, 2.0, 4.0], 0.5))",
    "2.0",
)
nanpercentile: AtQuantiles = member(
    _at_quantiles,
    np.nanpercentile,
    "Return percentiles of the elements along axes that are not NaN; see `quantile`.",
    "float(sa.nanpercentile([1.0, sa.nan, 2.0, 4.0], 100))",
    "4.0",
)


def _middle(
    twin: Any,
    a: ArrayLike,
    axis: Axis = None,
    out: Out | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Out:
    """
    Medians.

    Parameters
    ----------
    $real:a
    $axes
    $out
    overwrite_input : bool, optional
        Accepted, and ignored: arrays are values.
    $keepdims

    Returns
    -------
    Array
        Computed at the call. Stored elements and runs are sorted, in time n log n, and the fill is
        only counted; where much of an array is stored, and of dense arrays, NumPy reads all.

    Raises
    ------
    $axis_error
    $densification

    See Also
    --------
    median : NaN where there is one.
    nanmedian : Passes over NaN.
    quantile : At any share.
    """
    return _reduced(twin, a, axis, out, keepdims, _medians, ())


median: Middle = member(
    _middle,
    np.median,
    "Return the median along axes: the middle element, or the mean of the middle two.",
    'float(sa.median(sa.asarray([0, 7, 0, 3, 1], format="list")))',
    "1.0",
)
nanmedian: Middle = member(
    _middle,
    np.nanmedian,
    "Return the median along axes of the elements that are not NaN; see `median`.",
    "float(sa.nanmedian([1.0, sa.nan, 2.0, 4.0]))",
    "2.0",
)


def _medians(fibers: Fibers) -> NumPyArray:
    kind = fibers.values.dtype if fibers.values.dtype.kind == "f" else np.dtype(np.float64)
    last = np.maximum(fibers.length - 1, 0)
    low, high = (fibers.at(place).astype(kind) for place in (last // 2, last - last // 2))
    with np.errstate(all="ignore"):
        middle = np.where(last % 2 == 0, low, (low + high) / 2)
    if kind == fibers.values.dtype:
        middle[fibers.nan] = np.nan
    return middle.astype(kind)[None]
