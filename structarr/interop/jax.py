"""JAX's sparse arrays, BCOO and BCSR, to tensors and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._storage.coordinates import from_coordinates
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.interop.foreign import AsStored, check_fill, checked_layout


def takes(obj: object) -> bool:
    """Whether an object is a BCOO or BCSR array; NumPy reads JAX's dense ones."""
    from jax.experimental import sparse

    return isinstance(obj, (sparse.BCOO, sparse.BCSR))


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """
    Return BCOO as "coo", BCSR as "csr".

    Raises
    ------
    FormatError
        If there are batches or dense axes.
    """
    from jax.experimental import sparse

    if obj.n_batch or obj.n_dense:
        raise FormatError("the array has batches or dense axes: make it sparse on every axis")
    value, values = 0 if fill is None else fill, np.asarray(obj.data)
    if isinstance(obj, sparse.BCSR):
        places = np.asarray(obj.indptr), np.asarray(obj.indices)
        index = "int32" if all(one.dtype == np.int32 for one in places) else "int64"
        whole = dtypes.scalar(value, values.dtype)
        return Tensor.checked(parse("csr", 2, index), obj.shape, whole, (*places, values))
    indices = np.asarray(obj.indices)
    # JAX pads with coordinates beyond the shape.
    inside = np.all(indices < np.array(obj.shape), axis=1)
    axes = tuple(indices[inside].T)
    return from_coordinates(axes, values[inside], obj.shape, value, parse("coo", obj.ndim))


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return a BCOO or BCSR array, in the dtypes that JAX is set to.

    Raises
    ------
    FormatError
        If the fill is not 0, or BCSR is asked for of other than two axes.
    """
    from jax import numpy as jnp
    from jax.experimental import sparse

    kind = checked_layout(layout, ("bcoo", "bcsr"), "JAX")
    check_fill(stored(None), "JAX")
    if kind == "bcsr":
        tensor = stored("csr")
        ptr, idx, val = map(jnp.asarray, tensor.buffers)
        return sparse.BCSR((val, idx, ptr), shape=tensor.shape)
    tensor = stored("coo")
    axes = [tensor.buffers[1 + tensor.format.order.index(axis)] for axis in range(tensor.ndim)]
    places = jnp.asarray(np.stack(axes, axis=1))
    return sparse.BCOO(
        (jnp.asarray(tensor.buffers[-1]), places), shape=tensor.shape, unique_indices=True
    )
