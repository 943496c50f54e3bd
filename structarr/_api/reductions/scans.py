"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.entry_lists import dense_to_read, nested
from structarr._api.core.fibers import each_of, numbered, of_runs, order_along, runs_of
from structarr._api.core.operands import as_array
from structarr._api.core.out import deliver
from structarr._api.core.publish import member
from structarr._api.reductions.nans import without_nan
from structarr._api.shape.reshaping import along, as_vector
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.dense import from_own
from structarr._storage.density import check_density
from structarr._storage.run_lists import Runs
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.formats import Element, Format, RunList


def _cumulative(
    twin: Any,
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> Any:
    """
    Running results of one axis.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int, optional
        Along which axis; of a vector it may be left out.
    dtype : dtype, optional
        In which to compute; small integers are widened to 64 bits by default.
    out : numpy.ndarray, optional
        Where to put the result, which is returned.
    include_initial : bool
        Whether the result of no elements comes first: 0 for sums, 1 for products.

    Returns
    -------
    Array
        Computed at the call, with NumPy's values to the bit. If the format leaves out a fill of 0
        (for products 1), the result is runs along this axis, no more than elements are stored:
        ``format="rle"`` of lists. Otherwise it is dense, within `densify_limit`.

    Raises
    ------
    ValueError
        If the array is no vector and there is no axis.
    """
    array = as_array(x)
    if axis is None and array.ndim > 1:
        raise ValueError(
            f"an array of shape {array.shape} needs an axis: give axis=, or the array as a vector "
            "by ravel()"
        )
    ufunc = np.add if twin is np.cumulative_sum else np.multiply
    return _running(ufunc, array, axis, dtype, out, include_initial)


cumulative_sum = member(
    _cumulative,
    np.cumulative_sum,
    "Sum the elements along an axis up to each of them.",
    'str(sa.cumulative_sum(sa.asarray([0, 2, 0, 0, 1], format="list")).format)',
    "'rle'",
    note="dense where another fill than 0 is left out",
)
cumulative_prod = member(
    _cumulative,
    np.cumulative_prod,
    "Multiply the elements along an axis up to each of them.",
    "sa.cumulative_prod([1, 2, 3], include_initial=True).tolist()",
    "[1, 1, 2, 6]",
    note="dense where another fill than 1 is left out",
)


# The ufunc of each function, and the value that replaces NaN.
_RUNNING: Final[Mapping[Any, tuple[np.ufunc, int | None]]] = {
    np.cumsum: (np.add, None),
    np.cumprod: (np.multiply, None),
    np.nancumsum: (np.add, 0),
    np.nancumprod: (np.multiply, 1),
}


def _accumulated(
    twin: Any, x: Any, /, axis: int | None = None, dtype: Any = None, out: Any = None
) -> Any:
    """
    Running results.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int, optional
        Along which axis; None stands for all elements in C order.
    dtype : dtype, optional
        In which to compute; small integers in the machine's by default.
    out : numpy.ndarray, optional
        Where to put the result, which is returned.

    Returns
    -------
    Array
        Computed at the call; runs, or dense, as `cumulative_sum` and `cumulative_prod` have it.
    """
    ufunc, instead = _RUNNING[twin]
    array = as_array(x)
    return _running(
        ufunc, array if instead is None else without_nan(array, instead), axis, dtype, out
    )


cumsum = member(
    _accumulated,
    np.cumsum,
    "Sum the elements along an axis, or all in C order, up to each of them; see `cumulative_sum`.",
    "sa.cumsum([[1, 2], [3, 4]]).tolist()",
    "[1, 3, 6, 10]",
    note="dense where another fill than 0 is left out",
)
cumprod = member(
    _accumulated,
    np.cumprod,
    "Multiply the elements along an axis, or all in C order, up to each; see `cumulative_sum`.",
    "sa.cumprod([1, 2, 3]).tolist()",
    "[1, 2, 6]",
    note="dense where another fill than 1 is left out",
)
nancumsum = member(
    _accumulated,
    np.nancumsum,
    "Return the same as `cumsum`, with 0 in the place of NaN.",
    "sa.nancumsum([1.0, sa.nan, 2.0]).tolist()",
    "[1.0, 1.0, 3.0]",
    note="dense where another fill than 0 is left out",
)
nancumprod = member(
    _accumulated,
    np.nancumprod,
    "Return the same as `cumprod`, with 1 in the place of NaN.",
    "sa.nancumprod([1.0, sa.nan, 2.0]).tolist()",
    "[1.0, 1.0, 2.0]",
    note="dense where another fill than 1 is left out",
)


def _running(
    ufunc: np.ufunc, x: Any, axis: int | None, dtype: Any, out: Any, initial: bool = False
) -> Any:
    array, place = along(as_vector(x), axis)
    return deliver(_scan(ufunc, array, place, dtype, initial), out)


@eager
def _scan(ufunc: np.ufunc, array: Array, axis: int, dtype: Any, initial: bool) -> Array:
    kind = np.dtype(dtypes.reduction(ufunc.__name__, array.dtype, dtype))
    tensor = stored(array)
    if _leaves_out(tensor, ufunc.identity):
        return of_tensor(_steps(ufunc, tensor, axis, kind, initial))
    if not tensor.format.is_dense:
        check_density(tensor, kind)
    dense = dense_to_read(tensor)
    result = np.full(_longer(array.shape, axis, initial), ufunc.identity, kind)
    rest = result[(slice(None),) * axis + (slice(initial, None),)]
    with np.errstate(all="ignore"):
        ufunc.accumulate(dense, axis, kind, out=rest)
    return of_tensor(from_own(result))


def _longer(shape: tuple[int, ...], axis: int, more: int) -> tuple[int, ...]:
    return (*shape[:axis], shape[axis] + more, *shape[axis + 1 :])


def _leaves_out(tensor: Tensor, value: Any) -> bool:
    """Whether elements of a value take no memory."""
    kinds = [level.kind for level in tensor.format.levels]
    unmarked = any(kind.is_sparse and not kind.is_marked for kind in kinds)
    return bool(tensor.fill == value) and unmarked


def _steps(
    ufunc: np.ufunc, tensor: Tensor, axis: int, dtype: np.dtype[Any], initial: bool
) -> Tensor:
    """The running results of stored elements, each as a run up to the next."""
    order = order_along(tensor, axis)
    runs = each_of(runs_of(tensor, order))
    firsts, _ = numbered(runs)
    values = _scanned(ufunc, runs.values.astype(dtype), firsts)
    start, shape = runs.start + initial, _longer(tensor.shape, axis, initial)
    stop = np.roll(start, -1)
    stop[np.append(firsts[1:], len(stop))[: len(firsts)] - 1] = shape[axis]
    steps = Runs(runs.outer, start, stop, values)
    format = _format(tensor.format, order)
    if max(shape) > np.iinfo(format.index).max:
        format = Format(format.root, order, "int64")
    return of_runs(steps, shape, dtype.type(ufunc.identity), format)


def _scanned(ufunc: np.ufunc, values: NumPyArray, firsts: NumPyArray) -> NumPyArray:
    """Running results of stretches; those of one length are the rows of a matrix."""
    counts = np.diff(np.append(firsts, len(values)))
    by_count = np.argsort(counts, kind="stable")
    lengths, begins = np.unique(counts[by_count], return_index=True)
    result = values.copy()
    with np.errstate(all="ignore"):
        for length, mine in zip(lengths, np.split(by_count, begins[1:]), strict=False):
            places = firsts[mine][:, None] + np.arange(length)
            result[places] = ufunc.accumulate(values[places], axis=1)
    return result


def _format(format: Format, order: tuple[int, ...]) -> Format:
    """The format of runs along the last axis, below lists where the operand is sparse."""
    kinds = dict(zip(format.order, (level.kind for level in format.levels), strict=False))
    dense = [not kinds[axis].is_sparse for axis in order[:-1]]
    return nested(dense, order, format.index, RunList(Element()))
