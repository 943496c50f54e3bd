"""Dask arrays as operands of one operation: with chunks of ours, united or refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from structarr._api.creation.creation import asarray
from structarr._array import Array
from structarr._dask.splitting import from_array
from structarr._support import dtypes
from structarr.errors import FormatError


def as_dask(x: Any, /, what: str = "x") -> Any:
    """A Dask array with chunks of ours, of a Dask array, an array or a SciPy matrix.

    Raises
    ------
    TypeError
        If chunks are of another type than NumPy's, SciPy's and ours; or of a dtype that we lack.
    """
    if not isinstance(x, da.Array):
        try:
            return from_array(x)
        except TypeError as problem:
            raise TypeError(f"{what}: {problem}") from None
    if isinstance(x._meta, Array):
        return x
    try:
        dtypes.check(x.dtype)
        meta = asarray(x._meta)
    except (TypeError, ValueError) as problem:
        kind = type(x._meta)
        raise TypeError(
            f"{what} has chunks of type {kind.__module__}.{kind.__qualname__} and dtype {x.dtype}, "
            f"which structarr.asarray does not take ({problem}); map_blocks them to arrays first"
        ) from None
    return x.map_blocks(asarray, dtype=x.dtype, meta=meta)


def united(arrays: Sequence[Any]) -> list[Any]:
    """
    Dask arrays of one dtype and one fill.

    Raises
    ------
    TypeError
        If the chunks of one cannot be ours.
    structarr.errors.FormatError
        If fills differ: one of the arrays would have to be stored in full.
    """
    made = [as_dask(one, f"array {number}") for number, one in enumerate(arrays)]
    kind = np.result_type(*[one.dtype for one in made])
    listed = [(number, one) for number, one in enumerate(made) if is_sparse(one._meta)]
    fills = [(number, kind.type(one._meta.fill_value)) for number, one in listed]
    for number, fill in fills[1:]:
        if not np.array_equal(fill, fills[0][1], equal_nan=True):
            raise FormatError(
                f"array {fills[0][0]} has a fill of {fills[0][1]} and array {number} of {fill}: "
                "give both the same, as by structarr.with_fill, or make one dense by map_blocks"
            )
    return [one if one.dtype == kind else one.astype(kind) for one in made]


def is_sparse(meta: Any) -> bool:
    """Whether chunks leave elements out."""
    return isinstance(meta, Array) and not meta.format.format.is_dense


def concatenate(arrays: Sequence[Any], /, axis: int = 0) -> Any:
    """
    Join Dask arrays along an axis.

    Parameters
    ----------
    arrays : sequence of dask.array.Array or array_like
        Of chunks of ours, of NumPy or of SciPy.
    axis : int
        Along which to join.

    Returns
    -------
    dask.array.Array
        With chunks of ours, and the dtype that all have in common. Its chunks are those of the
        arrays; where several become one, pointers have 64 bits if 32 do not hold them.

    Raises
    ------
    TypeError
        If the chunks of an array cannot be ours.
    structarr.errors.FormatError
        If sparse arrays have different fills.
    ValueError
        If the shapes do not agree.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray(np.eye(2), format="csr"))
    >>> sa.dask.concatenate([x, np.ones((1, 2), "int8")]).sum().compute().item()
    4.0
    """
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    return da.concatenate(united(arrays), axis=axis)
