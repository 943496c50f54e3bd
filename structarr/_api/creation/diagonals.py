"""Diagonals of matrices: made of vectors, and read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.default_format import placed
from structarr._api.core.expressions import view
from structarr._api.core.operands import as_array, as_shape, check_device, owned, whole_number
from structarr._api.core.publish import publish
from structarr._api.creation.triangular import leaf_of_ones, ones_at, within
from structarr._api.shape.manipulation import moveaxis
from structarr._array import WATCHER, Array, NumPyArray, Spec, of_tensor, stored
from structarr._lazy import graph
from structarr._storage.coordinates import coordinates, from_coordinates
from structarr._storage.tensor import Tensor
from structarr._storage.views import diagonal_places, stored_diagonal
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike
from structarr._support.caches import MOST, cleared
from structarr._support.docstrings import documented
from structarr.formats import Dense, Diagonals, Element, Format, Level, Uniform, parse
from structarr.formats.kind import Support


@documented
def eye(
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
    Make a matrix with ones on a diagonal; two numbers are stored, whatever its shape.

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
        In format "dia": two numbers are stored, whatever the shape, in constant time.

    Raises
    ------
    $device_error

    See Also
    --------
    numpy.eye : The same for arrays of NumPy.
    diags : Of several diagonals.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> sa.eye(10**6).nbytes
    16
    """
    check_device(device)
    shape = as_shape((n_rows, n_rows if n_cols is None else n_cols))
    kind = dtypes.check(np.float64 if dtype is None else dtype)
    made = ones_at(_diagonal_of_ones(kind, within(k, shape)), shape, kind)
    return placed(made, format)


@cleared
@lru_cache(MOST)
def _diagonal_of_ones(kind: np.dtype[Any], k: int) -> Diagonals:
    return Diagonals(leaf_of_ones(kind), (k,))


@publish(np.diag)
def diag(v: ArrayLike, /, k: int = 0) -> Array:
    """
    Make a matrix from its diagonal, or return a diagonal of a matrix.

    Parameters
    ----------
    v : array_like
        A vector, to be put on a diagonal; or a matrix, whose diagonal is asked for.
    k : int, optional
        The diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array
        For a vector a matrix in format "dia", which shares the buffer of a dense vector for
        ``k=0``, or in "dcsr" if the vector is a list. For a matrix a lazy vector: nothing is
        copied.

    Raises
    ------
    ValueError
        If `v` has neither one axis nor two.

    See Also
    --------
    diags : Of several diagonals.
    diagonal : Of stacks of matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.diag([1, 2])
    >>> a.tolist(), str(a.format)
    ([[1, 0], [0, 2]], 'dia')
    >>> sa.diag([[1, 2], [3, 4]], k=1).tolist()
    [2]
    """
    array = as_array(v)
    if array.ndim == 1:
        return _on_diagonal(stored(owned(array)), whole_number(k))
    if array.ndim == 2:
        return diagonal(array, k)
    raise ValueError(
        f"diag takes a vector or a matrix, not {array.ndim} axes; take diagonals of stacks of "
        "matrices with diagonal(x, axis1=-2, axis2=-1)"
    )


def _on_diagonal(vector: Tensor, k: int) -> Array:
    length = vector.shape[0] + abs(k)
    level = vector.format.root
    if vector.is_constant:
        leaf: Level = Uniform()
        values = np.array([vector.constant], vector.dtype)
    elif level.kind.support is Support.SINGLE and vector.fill == 0:
        (places,), listed = coordinates(vector)
        axes = (places + max(-k, 0), places + max(k, 0))
        shape = (length, length)
        return of_tensor(from_coordinates(axes, listed, shape, 0, parse("dcsr", 2)))
    else:
        leaf = Element()
        if not vector.format.is_dense:
            vector = stored(of_tensor(vector).asformat("dense"))
        (values,) = vector.buffers
        if k:
            values = np.pad(values, (max(k, 0), max(-k, 0)))
    return of_diagonals((k,), values, (length, length), leaf)


def of_diagonals(
    offsets: tuple[int, ...], values: NumPyArray, shape: tuple[int, ...], leaf: Level
) -> Array:
    """The matrix of format "dia" of some diagonals, whose elements a leaf stores."""
    buffers = (np.array(offsets, np.int64), values)
    fill = values.dtype.type(0)
    return of_tensor(Tensor(_format(leaf, offsets), shape, values.dtype, fill, buffers))


@cleared
@lru_cache(MOST)
def _format(leaf: Level, offsets: tuple[int, ...]) -> Format:
    return parse(Dense(Diagonals(leaf, offsets)), 2)


@publish(np.diagonal)
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """
    Return a diagonal of a matrix, or of each matrix of a stack.

    Parameters
    ----------
    a : array_like
        Of two axes or more.
    offset : int, optional
        The diagonal: above the main one if positive, below it if negative.
    axis1, axis2 : int, optional
        The axes of the rows and of the columns; the diagonal is the last axis of the result.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If there are fewer axes than two.
    $axis_error

    See Also
    --------
    trace : Its sum.
    diag : Of a matrix alone.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.diagonal([[1, 2, 3], [4, 5, 6]], offset=-1).tolist()
    [4]
    """
    found = as_stored(a, offset, axis1, axis2)
    return _lazy(a, offset, axis1, axis2) if found is None else found


def as_stored(a: Any, offset: Any, axis1: Any, axis2: Any) -> Array | None:
    """A diagonal that a stored matrix has as one stretch of its values: a view of them.

    A function that is traced is told of it lazily, as another call has other values.
    """
    if type(a) is not Array or a._tensor is None or a._borrowed or type(offset) is not int:
        return None
    if (axis1, axis2) != (0, 1) and (axis1, axis2) != (-2, -1):
        return None
    places = diagonal_places(a._tensor, offset)
    if places is None or WATCHER.get() is not None:
        return None
    return of_tensor(stored_diagonal(a._tensor, places))


@by_structure(1)
def _lazy(a: ArrayLike, offset: int, axis1: int, axis2: int) -> Array:
    array = as_array(a)
    if array.ndim < 2:
        raise ValueError(f"a diagonal needs two axes, and the array has {array.ndim}")
    if (array.ndim, axis1, axis2) != (2, 0, 1):
        array = moveaxis(array, (axis1, axis2), (-2, -1))
    k = within(offset, array.shape[-2:])
    first = (max(-k, 0), max(k, 0))
    length = max(0, min(n - start for n, start in zip(array.shape[-2:], first, strict=True)))
    starts, steps = (0,) * (array.ndim - 2) + first, (1,) * array.ndim
    shape = (*array.shape[:-2], length, length)
    square = view(lambda node: graph.window(node, starts, steps, shape), array)
    # One index goes along both axes.
    places = (*range(array.ndim - 1), array.ndim - 2)
    return view(lambda node: graph.diagonal(node, places), square)


@publish(np.linalg.diagonal)
def matrix_diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """
    Return a diagonal of the last two axes.

    Parameters
    ----------
    x : array_like
        A matrix, or a stack of them.
    offset : int, optional
        The diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    $view

    Raises
    ------
    ValueError
        If there are fewer axes than two.

    See Also
    --------
    structarr.diagonal : Of any two axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.diagonal([[1, 2], [3, 4]]).tolist()
    [1, 4]
    """
    return diagonal(x, offset, -2, -1)


def diags(
    diagonals: Sequence[ArrayLike] | ArrayLike,
    /,
    offsets: int | Sequence[int] = 0,
    shape: Sequence[int] | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """
    Make a matrix in format "dia" from its diagonals, as `scipy.sparse.diags_array` does.

    Parameters
    ----------
    diagonals : sequence of array_like
        The elements of each diagonal, from its first one; a single number is repeated.
    offsets : int or sequence of int, optional
        Which diagonals they are: above the main one if positive, below it if negative. For one
        number, `diagonals` is that diagonal.
    shape : sequence of int, optional
        None stands for the square that the first diagonal fills.
    dtype : dtype_like, optional
        Of the elements; None stands for what promotion gives.

    Returns
    -------
    Array
        In format "dia"; the time is that of copying the diagonals.

    Raises
    ------
    ValueError
        If there are not as many offsets as diagonals, two are the same, one is outside of the
        shape, or a diagonal is too short.

    See Also
    --------
    eye : Of ones.
    diag : Of one vector.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.diags([[1, 1], [5, 6, 7]], offsets=[-1, 0]).tolist()
    [[5, 0, 0], [1, 6, 0], [0, 1, 7]]
    >>> sa.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(4, 4)).format.levels[1].offsets
    (-1, 0, 1)
    """
    places, given = _placed(diagonals, offsets)
    if shape is None:
        shape = (len(given[0]) + abs(places[0]),) * 2
    rows, columns = as_shape(shape)
    kind = dtypes.check(np.result_type(*given) if dtype is None else dtype)
    offsets = tuple(sorted(places))
    level = Diagonals(Element(), offsets)
    held = np.zeros(level.children(rows, columns), kind)
    along = {one.offset: one.values for one in level.along(rows, columns, held)}
    for number, offset in enumerate(places):
        part = _elements(given[number], number, offset, (rows, columns))
        if offset in along:
            along[offset][:] = part
    held.flags.writeable = False
    return of_diagonals(offsets, held, (rows, columns), Element())


def _placed(diagonals: Any, offsets: int | Sequence[int]) -> tuple[list[int], list[NumPyArray]]:
    """The offsets, and the elements of each."""
    if isinstance(offsets, (int, np.integer)):
        offsets = [int(offsets)]
        one = len(diagonals) == 1 and np.ndim(diagonals[0]) == 1
        diagonals = diagonals if one else [diagonals]
    places = [whole_number(offset) for offset in offsets]
    given = [np.atleast_1d(np.asarray(values)) for values in diagonals]
    if len(places) != len(given) or not given:
        raise ValueError(f"{len(given)} diagonals need as many offsets, not {len(places)}")
    if len(set(places)) != len(places):
        raise ValueError(f"offsets {places} must differ; add up what lies on one diagonal")
    if any(values.ndim != 1 for values in given):
        raise ValueError("each of the diagonals must be a vector or a number")
    return places, given


def _elements(values: NumPyArray, number: int, offset: int, shape: tuple[int, int]) -> NumPyArray:
    """The elements of a diagonal that lie within the matrix."""
    rows, columns = shape
    length = min(rows + offset, columns - offset, rows, columns)
    if length < 0:
        raise ValueError(f"diagonal {number}: offset {offset} is outside of shape {shape}")
    if len(values) == 1:
        return np.repeat(values, length)
    if len(values) < length:
        raise ValueError(
            f"diagonal {number} has {len(values)} elements, and {length} lie at offset {offset} "
            f"of shape {shape}"
        )
    return values[:length]
