"""Dense copies of arrays, as far as the limit allows, for functions of NumPy's and SciPy's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._execute.dense_values import dense_values
from structarr._storage.dense import dense_view, from_dense
from structarr._storage.density import check_size


def densified(array: Array, name: str, instead: str = "") -> NumPyArray:
    """
    Return an array's elements for a function that needs every one of them.

    Parameters
    ----------
    array : Array
        The operand.
    name : str
        Of the function, for the error.
    instead : str, optional
        The function of SciPy's to call where the dense array would be too large.

    Raises
    ------
    DensificationError
        If the dense array takes more than `densify_limit`, and than the operand.
    """
    tensor = stored(array)
    view = dense_view(tensor)
    if view is not None:
        return view
    advice = f"use {instead} with a.to_scipy()" if instead else "give it less at a time"
    size = math.prod(tensor.shape) * tensor.dtype.itemsize
    what = f"{name} works on dense arrays: one of shape {tensor.shape}"
    check_size(size, what, advice, tensor.nbytes)
    return dense_values(tensor)


def computed(function: Callable[..., Any], *arrays: Any, instead: str = "", **options: Any) -> Any:
    """Return the result of a function of NumPy's on dense copies of arrays, as NumPy arrays."""
    operands = [
        densified(array, function.__name__, instead) if isinstance(array, Array) else array
        for array in arrays
    ]
    with np.errstate(all="ignore"):
        return function(*operands, **options)


def of_numpy(value: Any, dtype: Any = None) -> Array:
    """Return a new array or scalar of NumPy's as ours."""
    return of_tensor(from_dense(np.asarray(value, dtype, order="C")))
