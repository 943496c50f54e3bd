"""Triangles of matrices: where they are is a rule, and takes no memory."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.default_format import placed
from structarr._api.core.expressions import apply
from structarr._api.core.operands import as_array, as_shape, check_device, whole_number
from structarr._api.core.publish import member
from structarr._array import Array, NumPyArray, Spec, of_tensor
from structarr._lazy import graph
from structarr._storage.memo import RULED
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike
from structarr._support.caches import MOST, cleared
from structarr._support.docstrings import documented
from structarr.formats import Dense, Format, Level, Pattern, Triangular, Uniform, parse


@documented
def tri(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make a matrix with ones on and below a diagonal; one number is stored, whatever its shape.

    Parameters
    ----------
    n_rows, n_cols : int
        The shape; a square if `n_cols` is left out.
    k : int, optional
        The diagonal: above the main one if positive, below it if negative.
    dtype : dtype_like, optional
        Of the elements; float64 by default.
    device : {"cpu"}, optional
        Device of the array; there is one.
    format : str, Level or Format, optional
        How to store the array; None leaves it as it is made, or as `options(default_format=...)`
        says.

    Returns
    -------
    Array
        In format "tril": one number is stored, none for booleans, in constant time.

    Raises
    ------
    $device_error

    See Also
    --------
    numpy.tri : The same for arrays of NumPy.
    tril : The triangle of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.tri(3, dtype="int64").tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    >>> sa.tri(10**6).nbytes, sa.tri(10**6, dtype=bool).nbytes
    (8, 0)
    """
    check_device(device)
    shape = as_shape((n_rows, n_rows if n_cols is None else n_cols))
    kind = dtypes.check(np.float64 if dtype is None else dtype)
    side = Triangular(leaf_of_ones(kind), "lower", within(k, shape))
    return placed(ones_at(side, shape, kind), format)


def _triangle(twin: Any, x: ArrayLike, /, k: int = 0) -> Array:
    """
    Triangles.

    Parameters
    ----------
    x : array_like
        A matrix, or a stack of matrices along its last two axes; a vector stands for a square
        matrix of equal rows.
    k : int, optional
        The diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array
        Lazy: the packed triangle of a dense matrix, in format "tril" or "triu"; a list of a list.
        The time is proportional to what is stored.

    Raises
    ------
    ValueError
        If the array has no axes.

    See Also
    --------
    tril : The lower triangle.
    triu : The upper triangle.
    """
    return _on_side(as_array(x), "lower" if twin is np.tril else "upper", k)


@by_structure(1)
def _on_side(array: Array, side: str, k: int) -> Array:
    if not array.ndim:
        raise ValueError("tril and triu take a matrix or a vector, not an array without axes")
    shape = array.shape[-2:] if array.ndim > 1 else array.shape * 2
    level = Triangular(Pattern(), side, within(k, shape))
    return masked(ones_at(level, shape, np.dtype(bool)), array)


tril = member(
    _triangle,
    np.tril,
    "Return the elements on and below a diagonal, with zeros above it.",
    'str(sa.tril(sa.asarray([[1, 2], [3, 4]], format="csr")).format)',
    "'csr'",
    note="dense of a vector",
)
triu = member(
    _triangle,
    np.triu,
    "Return the elements on and above a diagonal, with zeros below it.",
    "sa.triu([[1, 2], [3, 4]], k=1).tolist()",
    "[[0, 2], [0, 0]]",
    note="dense of a vector",
)


def masked(mask: Array, array: Array) -> Array:
    """The elements of an array where a mask is true, and zeros elsewhere."""
    return apply("where", (mask, array, Array(graph.constant(0, array.dtype))))


def ones_at(level: Level, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """The matrix of ones that a level of `leaf_of_ones` holds below its rows."""
    format, buffers = _stored(level, dtype)
    return of_tensor(Tensor(format, shape, dtype, dtype.type(0), buffers, {RULED: True}))


@cleared
@lru_cache(MOST)
def _stored(level: Level, dtype: np.dtype[Any]) -> tuple[Format, tuple[NumPyArray, ...]]:
    """The format of a matrix of ones, and its buffers, which nobody can write: all have the same.

    They do not depend on the shape.
    """
    format = parse(Dense(level), 2)
    positions = [level.blank(name, 1, np.dtype(format.index)) for name in level.buffers]
    buffers = (*positions, *[np.ones(1, dtype) for _ in format.levels[-1].buffers])
    for one in buffers:
        one.flags.writeable = False
    return format, buffers


def leaf_of_ones(dtype: np.dtype[Any]) -> Level:
    """The leaf that stores ones of a dtype: once, or not at all."""
    return Pattern() if dtype.kind == "b" else Uniform()


def within(k: int, shape: tuple[int, ...]) -> int:
    """A diagonal of a matrix; of those that miss it on a side, the nearest."""
    rows, columns = shape
    return min(max(whole_number(k), -rows), columns)
