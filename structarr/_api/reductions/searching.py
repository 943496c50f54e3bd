"""Places of the greatest and the least elements."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Final, Protocol

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.entry_lists import alike, converted, dense_to_read, listed
from structarr._api.core.expressions import apply
from structarr._api.core.fibers import (
    before,
    has_fibers,
    in_one,
    numbered,
    order_along,
    reads_fibers,
    runs_of,
)
from structarr._api.core.gathering import lists_below
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import member
from structarr._api.creation.full import full
from structarr._api.creation.ranges import arange
from structarr._api.elementwise.elementwise import equal, isnan
from structarr._api.reductions.reductions import any as any_over, sum as sum_over
from structarr._api.shape.manipulation import axis_in, expand_dims
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._compiler.backend.call import call
from structarr._storage.as_rows import in_rows, rows_along
from structarr._storage.dense import from_own
from structarr._storage.run_lists import Runs
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import kinds_of, rows_format
from structarr._support.array_types import ArrayLike
from structarr._support.sorted_places import places_in
from structarr.formats import Element, Format, SparseList

_SHARE: Final = 128  # so many bytes of a dense array are read while one stored element is listed

_DENSE: Final = 4  # elements a stored one, up to which a dense copy is searched in less time

# The function of arrays without NaN for each function, and the value that replaces NaN.
_EXTREMES: Final[Mapping[Any, tuple[Any, float | None]]] = {
    np.argmax: (np.argmax, None),
    np.argmin: (np.argmin, None),
    np.nanargmax: (np.argmax, -np.inf),
    np.nanargmin: (np.argmin, np.inf),
}


class Searching(Protocol):
    """The type of functions that look for extremes."""

    def __call__(
        self,
        x: ArrayLike,
        /,
        axis: int | None = None,
        out: Out | None = None,
        *,
        keepdims: bool = False,
    ) -> Out: ...


def _found(
    twin: Any,
    x: ArrayLike,
    /,
    axis: int | None = None,
    out: Out | None = None,
    *,
    keepdims: bool = False,
) -> Out:
    """
    Places of extremes.

    Parameters
    ----------
    x : array_like
        Array; NaN counts as an extreme, unless the function leaves it out.
    axis : int, optional
        Axis to work along; None gives the flat index in C order.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    keepdims : bool
        Whether the axis stays, with length one.

    Returns
    -------
    Array
        Of int64, computed at the call in time proportional to what is stored. It is a list of fill
        0 below the first axes that are stored in full: a fiber that stores nothing has place 0.

    Raises
    ------
    ValueError
        If there is no element to choose.

    See Also
    --------
    argmax : The greatest.
    argmin : The least.
    nanargmax : The greatest, passing over NaN.
    nanargmin : The least, passing over NaN.
    max : The greatest elements themselves.
    """
    numpys, instead = _EXTREMES[twin]
    array = as_array(x) if instead is None else _without_nan(x, axis, instead)
    place = None if axis is None else axis_in(axis, max(array.ndim, 1))
    if not array.ndim:  # NumPy takes a scalar for a vector
        place = None
    length = array.size if place is None else array.shape[place]
    if not length:
        raise ValueError(f"attempt to get {numpys.__name__} of an empty sequence")
    result = _places(numpys, array, place)
    if keepdims:
        result = expand_dims(result, tuple(range(array.ndim)) if place is None else place)
    return deliver(result, out)


argmax: Searching = member(
    _found,
    np.argmax,
    "Return the indices of the maximum along an axis; of equal elements the first.",
    'sa.argmax(sa.asarray([[0, 2, 0], [0, 0, 0], [-1, 0, 3]], format="csr"), axis=1).tolist()',
    "[1, 0, 2]",
)
argmin: Searching = member(
    _found,
    np.argmin,
    "Return the indices of the minimum along an axis; of equal elements the first.",
    'int(sa.argmin(sa.asarray([0, 2, 0], format="list")))',
    "0",
)
nanargmax: Searching = member(
    _found,
    np.nanargmax,
    "Return the indices of the maximum of the elements that are not NaN; see `argmax`.",
    "int(sa.nanargmax([1.0, sa.nan, 2.0]))",
    "2",
)
nanargmin: Searching = member(
    _found,
    np.nanargmin,
    "Return the indices of the minimum of the elements that are not NaN; see `argmax`.",
    "int(sa.nanargmin([1.0, sa.nan, 2.0]))",
    "0",
)


def _without_nan(x: Any, axis: int | None, instead: float) -> Array:
    array = as_array(x)
    if array.dtype.kind not in "fc":
        return array
    missing = isnan(array)
    # Counts are compared, as counts of fibers that store nothing take no memory.
    length = array.size if axis is None or not array.ndim else array.shape[axis]
    if array.size and any_over(equal(sum_over(missing, axis), length)):
        raise ValueError("All-NaN slice encountered")
    return apply("where", (missing, array.dtype.type(instead), array))


@eager
def _places(numpys: Any, array: Array, axis: int | None) -> Array:
    tensor = stored(array)
    kept = tuple(n for number, n in enumerate(array.shape) if number != axis)
    if tensor.is_constant:
        return full(() if axis is None else kept, 0, dtype=np.int64)
    along = array.ndim - 1 if axis is None else axis
    if not array.ndim or not reads_fibers(tensor, along, _SHARE // tensor.dtype.itemsize):
        if axis is None or _DENSE * tensor.nstored > array.size:
            found = from_own(np.asarray(numpys(dense_to_read(tensor), axis=axis)))
        else:
            found = stored(_in_two_passes(numpys, of_tensor(tensor), axis))
        if axis is None or not has_fibers(tensor, along):
            return of_tensor(found)
        return of_tensor(converted(found, _like(tensor, axis)))
    extreme = np.maximum if numpys is np.argmax else np.minimum
    if axis is None:
        rows = _rows_along(tensor, along)
        if rows is not None:
            return as_array(np.int64(_in_rows(numpys, rows)))
        runs = in_one(runs_of(tensor, tuple(range(array.ndim))), array.shape)
        _, places = _first_of_best(extreme, runs, tensor.fill, array.size)
        return as_array(places[0] if len(places) else np.int64(0))
    return of_tensor(_along(extreme, tensor, axis, kept))


def _in_two_passes(numpys: Any, array: Array, axis: int) -> Array:
    """The first places of extremes, which are computed before."""
    extreme = array.max if numpys is np.argmax else array.min
    best = extreme(axis=axis, keepdims=True)
    found = equal(array, best)
    if array.dtype.kind in "fc" and any_over(isnan(best)):
        found |= isnan(array) & isnan(best)
    length = array.shape[axis]
    others = tuple([one for one in range(array.ndim) if one != axis])
    places = expand_dims(arange(length), others)
    return apply("where", (found, places, length)).min(axis=axis)


def _along(extreme: np.ufunc, tensor: Tensor, axis: int, kept: tuple[int, ...]) -> Tensor:
    rows = _rows_along(tensor, axis)
    if rows is not None:
        places = np.empty(rows.dims[0], np.int64)
        given = (*rows.buffers, rows.fill, rows.dims[1], int(extreme is np.minimum))
        call("extreme_places", given, (places,), len(rows.buffers[-1]))
        return converted(from_own(places.reshape(kept)), _like(tensor, axis))
    order = order_along(tensor, axis)
    runs = runs_of(tensor, order)
    firsts, places = _first_of_best(extreme, runs, tensor.fill, tensor.shape[axis])
    outer = dict(zip(order, (one[firsts] for one in runs.outer), strict=False))
    axes = sorted(outer)
    return listed([outer[one] for one in axes], places, kept, 0, _like(tensor, axis))


def _in_rows(numpys: Any, rows: Tensor) -> int:
    """The first place, in C order, of an extreme of a matrix that is stored as lists."""
    ptr, idx, values = rows.buffers
    gap = _first_gap(rows)
    if not len(values):
        return gap
    at = int(numpys(values))
    place = (int(places_in(ptr, at, "right")) - 1) * rows.dims[1] + int(idx[at])
    if gap == prod(rows.shape) or numpys(np.stack([values[at], rows.fill, values[at]])) != 1:
        return min(place, gap) if alike(values[at], rows.fill) else place
    return gap


def _first_gap(rows: Tensor) -> int:
    """The first place, in C order, of which a matrix of lists stores nothing; its size if none."""
    ptr, idx, _ = rows.buffers
    short = ptr[1:] - ptr[:-1] < rows.dims[1]
    row = int(np.argmax(short))
    if not short[row]:
        return prod(rows.shape)
    here = idx[ptr[row] : ptr[row + 1]]
    late = here != np.arange(len(here))
    return row * rows.dims[1] + (int(np.argmax(late)) if late.any() else len(here))


def _rows_along(tensor: Tensor, axis: int) -> Tensor | None:
    """A matrix of real numbers as lists along an axis; None of others, or if they are too many.

    A list is a matrix of one row.
    """
    if tensor.dtype.kind not in "iuf":
        return None
    if tensor.ndim == 1 and kinds_of(tensor.format) == (SparseList, Element):
        fmt, shape = rows_format((0, 1), tensor.format.index), (1, *tensor.shape)
        return Tensor(fmt, shape, tensor.dtype, tensor.fill, tensor.buffers)
    return rows_along(in_rows(tensor, None), axis)


def _like(tensor: Tensor, axis: int) -> Format:
    """The format of places along an axis."""
    return lists_below(tensor.format, tuple([one for one in range(tensor.ndim) if one != axis]))


def _first_of_best(
    extreme: np.ufunc, runs: Runs, fill: Any, length: int
) -> tuple[NumPyArray, NumPyArray]:
    """The first run of each fiber, and the place in the fiber of its first best element."""
    firsts, fiber = numbered(runs)
    if not len(firsts):
        return firsts, firsts
    ends = np.append(firsts[1:], len(fiber))
    best = extreme.reduceat(runs.values, firsts)
    place = runs.start[_first(alike(runs.values, best[fiber]), firsts, ends)]
    # The first element that is not stored is where the runs before hold fewer elements.
    covered = before(runs, firsts, fiber)
    late = _first(runs.start != covered, firsts, ends)
    count = covered[ends - 1] + (runs.stop - runs.start)[ends - 1]
    gap = np.where(late < ends, covered[np.minimum(late, ends - 1)], count)
    both = extreme(best, fill)
    filled = (gap < length) & alike(both, fill)
    place = np.where(alike(both, best) | ~filled, place, length)
    return firsts, np.where(filled, np.minimum(place, gap), place)


def _first(mask: NumPyArray, firsts: NumPyArray, ends: NumPyArray) -> NumPyArray:
    """The first place of each segment at which a mask holds; its end if there is none."""
    places = np.append(np.flatnonzero(mask), len(mask))
    return np.minimum(places[np.searchsorted(places, firsts)], ends)  # type: ignore[no-any-return]
