"""python-graphblas: matrices and vectors to tensors and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.interop.foreign import AsStored, checked_layout


def takes(obj: object) -> bool:
    """Whether an object is a matrix or a vector of python-graphblas."""
    import graphblas

    return isinstance(obj, (graphblas.Matrix, graphblas.Vector))


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """Return a matrix as "csr", a vector as a list; absent entries have the fill, or 0."""
    import graphblas

    value = 0 if fill is None else fill
    shape: tuple[int, ...]
    if isinstance(obj, graphblas.Vector):
        idx, val = obj.to_coo()
        ptr, shape = np.array([0, len(idx)]), (obj.size,)
    else:
        ptr, idx, val = obj.to_csr()
        shape = obj.nrows, obj.ncols
    val = np.asarray(val)
    dtypes.check(val.dtype)
    places = [settled(np.asarray(part).view(np.int64)) for part in (ptr, idx)]
    format = parse("csr" if len(shape) == 2 else "list", len(shape), "int64")
    return Tensor.checked(format, shape, dtypes.scalar(value, val.dtype), (*places, val))


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return a matrix or a vector of what is stored; the fill is what is absent there.

    Raises
    ------
    FormatError
        If there are neither one axis nor two.
    """
    import graphblas

    checked_layout(layout, ("csr",), "python-graphblas")
    ndim = stored(None).ndim
    if ndim not in (1, 2):
        raise FormatError(f"python-graphblas takes one or two axes, not {ndim}: reshape first")
    tensor = stored("csr" if ndim == 2 else "list")
    ptr, idx, val = (np.array(part) for part in tensor.buffers)
    if ndim == 1:
        return graphblas.Vector.from_coo(idx, val, size=tensor.shape[0])
    rows, columns = tensor.shape
    return graphblas.Matrix.from_csr(ptr, idx, val, nrows=rows, ncols=columns)
