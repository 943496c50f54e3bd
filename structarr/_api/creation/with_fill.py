"""The same stored entries with another fill value."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.operands import as_array, borrow
from structarr._array import Array, of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, Number
from structarr.errors import FormatError


def with_fill(a: ArrayLike, /, value: Number) -> Array:
    """
    Return an array of the same stored entries with another fill value.

    Nothing is copied. SciPy's graphs have a fill of 0 and mean "no edge" by it; in the semiring
    `semirings.min_plus` no edge is an edge of infinite cost, so ``with_fill(graph, inf)`` is the
    matrix that is meant. Entries that are stored stay, zeros among them.

    Parameters
    ----------
    a : array_like
        Array; a dense one stores all of its elements.
    value : scalar
        Value of the elements that are not stored; the dtype must hold it.

    Returns
    -------
    Array
        In the same format; the buffers are shared, so that it takes constant time.

    Raises
    ------
    FormatError
        If the format stores coordinates alone, as a pattern of ones, and the fill would change.
    TypeError
        If the value is not a number.
    ValueError
        If the dtype does not hold the value.

    See Also
    --------
    full : An array of the fill alone.
    Array.fill_value : The fill that an array has.

    Examples
    --------
    >>> import structarr as sa
    >>> costs = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> sa.with_fill(costs, sa.inf).tolist()
    [inf, 2.0, inf]
    """
    array = as_array(a)
    tensor = stored(array)
    fill = _exact(value, tensor.dtype)
    leaf = tensor.format.levels[-1]
    if not leaf.buffers and fill != tensor.fill:
        raise FormatError(
            f"{type(leaf).__name__} stores no values: all that it stores is True, and the rest is "
            'False; convert with .asformat("csr") or another format of values first'
        )
    made = of_tensor(Tensor(tensor.format, tensor.shape, tensor.dtype, fill, tensor.buffers))
    return borrow(made) if array._borrowed else made


def _exact(value: Any, dtype: np.dtype[Any]) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, bool | int | float | complex):
        raise TypeError(f"the fill value must be a number, not {value!r}")
    with np.errstate(all="ignore"):
        try:
            fill = dtypes.scalar(plain, dtype)
        except (OverflowError, ValueError, TypeError):
            fill = None
    if fill is None or not dtypes.same(fill, plain):
        raise ValueError(f"{dtype} holds no {value!r}; convert first, with .astype(numpy.float64)")
    return fill
