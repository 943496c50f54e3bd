"""Ufuncs that are not NumPy's own, such as those of `scipy.special`: applied to what is stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.eager import eager
from structarr._api.core.operands import as_array
from structarr._array import Array, of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.formats import Element, Hermitian, Level


@eager
def applied(ufunc: Any, *inputs: Any) -> Any:
    """
    Apply a ufunc of any library's to each element.

    Of one array and numbers it is applied to the stored values and to the fill, so that the format
    stays. Of several arrays, and of one that works along axes, it is applied to dense ones, below
    `densify_limit`.

    Raises
    ------
    DensificationError
        If a dense array would be too large.
    """
    arrays = [place for place, value in enumerate(inputs) if np.ndim(value) or _is_ours(value)]
    if len(arrays) != 1 or ufunc.nout != 1 or ufunc.signature is not None:
        return through(ufunc, *inputs)
    (place,) = arrays
    tensor = stored(as_array(inputs[place]))
    if not _has_values(tensor):
        return through(ufunc, *inputs)

    def function(values: Any) -> Any:
        found = ufunc(*inputs[:place], values, *inputs[place + 1 :])
        return found.astype(np.float32) if found.dtype == np.float16 else found

    *places, own = tensor.buffers
    with np.errstate(all="ignore"):
        values, fill = function(own), function(np.asarray([tensor.fill]))[0]
    kind = dtypes.check(values.dtype)
    return of_tensor(Tensor(tensor.format, tensor.shape, kind, fill, (*places, values)))


def _is_ours(value: Any) -> bool:
    return isinstance(value, Array)


def _has_values(tensor: Tensor) -> bool:
    """Whether an element is a stored value or the fill, and neither computed nor conjugated."""
    levels = tensor.format.levels
    plain = not any(level.is_rule or isinstance(level, Hermitian) for level in levels)
    computed = any(type(level).evaluate is not Level.evaluate for level in levels)
    return type(levels[-1]) is Element and plain and not computed
