"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np

from structarr._api.core.expressions import derive
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver, dtype_for
from structarr._api.core.publish import member
from structarr._api.reductions.nans import without_nan
from structarr._api.shape.reshaping import along, as_vector
from structarr._array import Array
from structarr._lazy import graph, scanning
from structarr._lazy.graph import Node
from structarr._scheduler.expected_entries import all_dense
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike


class Cumulative(Protocol):
    """The type of running results by the array API."""

    def __call__(
        self,
        x: ArrayLike,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        include_initial: bool = False,
    ) -> Out: ...


class Accumulated(Protocol):
    """The type of running results by NumPy's older functions."""

    def __call__(
        self,
        x: ArrayLike,
        /,
        axis: int | None = None,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
    ) -> Out: ...


def _cumulative(
    twin: Any,
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    include_initial: bool = False,
) -> Out:
    """
    Running results of one axis.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int, optional
        Axis to work along; it may be left out for a vector.
    dtype : dtype_like, optional
        In which to compute; small integers are widened to 64 bits by default.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    include_initial : bool
        Whether the result of no elements comes first: 0 for sums, 1 for products.

    Returns
    -------
    Array
        Lazy, with NumPy's values to the bit, but for the sign of zeros. If the format leaves out a
        fill of 0 (for products 1), the result is runs along this axis, no more than elements are
        stored: ``format="rle"`` of lists. Otherwise it is dense.

    Raises
    ------
    ValueError
        If the array is no vector and there is no axis.

    See Also
    --------
    cumulative_sum : Sums.
    cumulative_prod : Products.
    cumsum : Sums, by NumPy's older name; without an axis of all elements.
    cumprod : Products, by NumPy's older name.
    """
    array = as_array(x)
    if axis is None and array.ndim > 1:
        raise ValueError(
            f"an array of shape {array.shape} needs an axis: give axis=, or the array as a vector "
            "by ravel()"
        )
    op = "add" if twin is np.cumulative_sum else "multiply"
    return _running(op, array, axis, dtype, out, include_initial)


cumulative_sum: Cumulative = member(
    _cumulative,
    np.cumulative_sum,
    "Return cumulative sums along an axis.",
    'str(sa.cumulative_sum(sa.asarray([0, 2, 0, 0, 1], format="list")).format)',
    "'rle'",
    note="dense where another fill than 0 is left out",
)
cumulative_prod: Cumulative = member(
    _cumulative,
    np.cumulative_prod,
    "Return cumulative products along an axis.",
    "sa.cumulative_prod([1, 2, 3], include_initial=True).tolist()",
    "[1, 1, 2, 6]",
    note="dense where another fill than 1 is left out",
)


# The operator of each function, and the value that replaces NaN.
_RUNNING: Final[Mapping[Any, tuple[str, int | None]]] = {
    np.cumsum: ("add", None),
    np.cumprod: ("multiply", None),
    np.nancumsum: ("add", 0),
    np.nancumprod: ("multiply", 1),
}


def _accumulated(
    twin: Any,
    x: ArrayLike,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
) -> Out:
    """
    Running results.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int, optional
        Axis to work along; None stands for all elements in C order.
    dtype : dtype_like, optional
        In which to compute; small integers in the machine's by default.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    Array
        Lazy; runs, or dense, as `cumulative_sum` and `cumulative_prod` have it.

    Raises
    ------
    $axis_error
    $out_error

    See Also
    --------
    cumsum : Sums.
    cumprod : Products.
    nancumsum : Sums, with 0 in the place of NaN.
    nancumprod : Products, with 1 in the place of NaN.
    cumulative_sum : Sums, by the array API's name.
    """
    op, instead = _RUNNING[twin]
    array = as_array(x)
    return _running(op, array if instead is None else without_nan(array, instead), axis, dtype, out)


cumsum: Accumulated = member(
    _accumulated,
    np.cumsum,
    "Return cumulative sums along an axis, or of all elements in C order; see `cumulative_sum`.",
    "sa.cumsum([[1, 2], [3, 4]]).tolist()",
    "[1, 3, 6, 10]",
    note="dense where another fill than 0 is left out",
)
cumprod: Accumulated = member(
    _accumulated,
    np.cumprod,
    "Return cumulative products along an axis, or of all elements; see `cumulative_sum`.",
    "sa.cumprod([1, 2, 3]).tolist()",
    "[1, 2, 6]",
    note="dense where another fill than 1 is left out",
)
nancumsum: Accumulated = member(
    _accumulated,
    np.nancumsum,
    "Return cumulative sums, with NaN taken for 0; see `cumsum`.",
    "sa.nancumsum([1.0, sa.nan, 2.0]).tolist()",
    "[1.0, 1.0, 3.0]",
    note="dense where another fill than 0 is left out",
)
nancumprod: Accumulated = member(
    _accumulated,
    np.nancumprod,
    "Return cumulative products, with NaN taken for 1; see `cumprod`.",
    "sa.nancumprod([1.0, sa.nan, 2.0]).tolist()",
    "[1.0, 1.0, 2.0]",
    note="dense where another fill than 1 is left out",
)


_EXACT: Final = (
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
)
"""The operators with a value that no first element is changed by, to the bit."""


def scans(op: str, array: Array, dtype: Any) -> bool:
    """Whether a kernel has the running results of an operator."""
    if op not in _EXACT:
        return False
    return dtypes.identity_of(op, dtypes.reduction(op, array.dtype, dtype)) is not None


def scan(op: str, array: Array, axis: int, dtype: Any = None, initial: bool = False) -> Array:
    """Return running results along an axis, perhaps with that of no elements first."""
    kind = np.dtype(dtypes.reduction(op, array.dtype, dtype))

    def make(node: Node) -> Node:
        arg = graph.astype(node, kind)
        if initial:
            before = tuple([int(k == axis) for k in range(arg.ndim)])
            shape = tuple([n + more for n, more in zip(arg.shape, before, strict=True)])
            arg = graph.pad(arg, before, shape, dtypes.identity_of(op, kind))
        return scanning.scan(op, arg, axis, all_dense(node))

    return derive(make, array)


def _running(
    op: str, x: Any, axis: int | None, dtype: Any, out: Out | None, initial: bool = False
) -> Out:
    array, place = along(as_vector(x), axis)
    if out is not None and dtype is None and op in ("add", "multiply"):
        dtype = dtype_for(out, np.dtype(dtypes.reduction(op, array.dtype, None)))
    return deliver(scan(op, array, place, dtype, initial), out)
